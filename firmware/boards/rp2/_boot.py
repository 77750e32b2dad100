"""Frozen in place of the port's own _boot.py: mounts the file system on all storage but the outbox's.

The port's version would take the whole storage for its file system, and format it when sizes disagree.
"""

import rp2
import vfs
from board import OUTBOX_BYTES

_whole = rp2.Flash()
_storage = rp2.Flash(start=0, len=_whole.ioctl(4, 0) * _whole.ioctl(5, 0) - OUTBOX_BYTES)
try:
    _files = vfs.VfsLfs2(_storage, progsize=256)
except OSError:  # never formatted
    vfs.VfsLfs2.mkfs(_storage, progsize=256)
    _files = vfs.VfsLfs2(_storage, progsize=256)
vfs.mount(_files, "/")
