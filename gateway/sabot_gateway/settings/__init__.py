"""The gateway's settings: the table of keys, the shapes they become, and how files are read into them."""
