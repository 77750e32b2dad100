# The image of this board: boards/README.md, Images.
# ruff: noqa: F821
include("../../manifest.py", board="rpi_pico_w")
