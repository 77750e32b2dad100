"""The `sabot` command and everything a person runs by hand."""
