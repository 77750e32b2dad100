"""The part of the twin that runs beside the controller, on CPython and MicroPython alike."""
