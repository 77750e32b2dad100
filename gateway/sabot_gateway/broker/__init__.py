"""The broker that the gateway starts itself where the house has none: a real one, as a supervised child process."""
