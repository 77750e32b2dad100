"""`sabot enrol`: gives tags a meaning, by passing them over a reader of the house or from a list."""
