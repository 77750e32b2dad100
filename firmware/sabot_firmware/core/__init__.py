"""The pure part of a controller: no pin, no bus, no socket, no clock. Time and bytes come in as arguments."""
