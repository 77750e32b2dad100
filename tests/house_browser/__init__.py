"""The pages in a browser, before a live house. A package, so that the house ends with its last test."""
