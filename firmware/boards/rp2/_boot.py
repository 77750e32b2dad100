"""Frozen in place of the port's own _boot.py: mounts the file system on all storage but the outbox's.

The port's version would take the whole storage for its file system, and format it when sizes disagree.
"""

import rp2
import vfs
from board import OUTBOX_BYTES

_whole = rp2.Flash()
_blocks, _block = _whole.ioctl(4, 0) or 0, _whole.ioctl(5, 0) or 0  # the stubs allow for no answer
_storage = rp2.Flash(start=0, len=_blocks * _block - OUTBOX_BYTES)
try:
    _files = vfs.VfsLfs2(_storage, progsize=256)  # type: ignore[abstract]  # the stub takes it for an interface
except OSError:  # never formatted
    vfs.VfsLfs2.mkfs(_storage, progsize=256)
    _files = vfs.VfsLfs2(_storage, progsize=256)  # type: ignore[abstract]  # as above
vfs.mount(_files, "/")
