# The image of this board: boards/README.md, Images. `board` is frozen for _boot.py, which runs before there are files.
# ruff: noqa: F821
include("../../manifest.py")
module("board.py", base_path=".")
