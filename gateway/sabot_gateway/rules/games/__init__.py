"""One module per game. The games never import each other; what they share lives one level up."""
