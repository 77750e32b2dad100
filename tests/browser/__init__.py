"""The pages in a browser, before a house on a stage. A package, so that its browser ends with its last test."""
