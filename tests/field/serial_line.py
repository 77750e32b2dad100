"""A serial line that a test can lay, cut and share: every end is a pseudo-terminal, and hears what the others say."""

import os
import random
import select
import threading
import tty
from pathlib import Path


class SerialLine:
    """`ends` are links in a folder, laid anew with each plugging; `loss` of ten thousand bytes are altered."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        self.ends = {name: folder / name for name in names}
        self.loss = 0
        self.traffic = bytearray()
        self._chance = random.Random(5)
        self._masters: dict[str, tuple[int, int]] = {}
        self._wanted: dict[str, bool] = dict.fromkeys(names, True)
        self._is_over = False
        self._ready = threading.Condition()
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()
        for name in names:
            self.plug(name)

    def plug(self, name: str) -> None:
        self._set(name, is_in=True)

    def unplug(self, name: str) -> None:
        self._set(name, is_in=False)

    def stop(self) -> None:
        self._is_over = True
        self._thread.join()

    def _set(self, name: str, *, is_in: bool) -> None:
        with self._ready:
            self._wanted[name] = is_in
            assert self._ready.wait_for(lambda: (name in self._masters) == is_in, 30)

    def _carry(self) -> None:
        # One thread opens, closes and carries: no descriptor is ever closed under another thread.
        while not self._is_over:
            self._arrange()
            handles = {master: name for name, (master, _) in self._masters.items()}
            for handle in select.select(list(handles), [], [], 0.005)[0]:
                data = os.read(handle, 1024)
                self.traffic += data
                heard = self._disturbed(data)
                for name, (master, _) in self._masters.items():
                    if name != handles[handle]:
                        os.write(master, heard)
        for name in self._wanted:
            self._wanted[name] = False
        self._arrange()

    def _arrange(self) -> None:
        with self._ready:
            for name, is_in in self._wanted.items():
                if is_in and name not in self._masters:
                    master, near = os.openpty()
                    tty.setraw(near)
                    self._masters[name] = master, near
                    self.ends[name].unlink(missing_ok=True)
                    self.ends[name].symlink_to(os.ttyname(near))
                elif not is_in and name in self._masters:
                    self.ends[name].unlink(missing_ok=True)
                    for handle in self._masters.pop(name):
                        os.close(handle)
            self._ready.notify_all()

    def _disturbed(self, data: bytes) -> bytes:
        if not self.loss:
            return data
        return bytes(one ^ 0x55 if self._chance.random() * 10_000 < self.loss else one for one in data)
