"""The vocabulary of the house: frozen data that every other room speaks. No behaviour beyond conversion."""
