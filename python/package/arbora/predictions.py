"""Predictions kept with a study, compressed and safe from crashes.

They are too large for a database of results and of no use without it, so they lie beside it: one
compressed file per trial in the folder ``study.db-predictions``, written under another name first,
so that one that is there is whole. Those of a study in memory are kept in memory.

>>> from arbora.examples import bowl_space
>>> import pathlib, tempfile
>>> file = pathlib.Path(tempfile.mkdtemp()) / "study.db"
>>> study = Study(bowl_space(), storage=file, name="bowl")
>>> from arbora.predictions import Predictions
>>> Predictions(study)[0] = bytes(1000)
>>> kept = Predictions(Study.load(file))
>>> kept[0] == bytes(1000), 1 in kept, sorted(kept)
(True, False, [0])
"""

from __future__ import annotations

import os
from typing import Dict, Iterator, MutableMapping, Optional

from arbora.study import Study


__all__ = ["Predictions"]

MAGIC = b"arbora\x01"


class Predictions(MutableMapping[int, bytes]):
    """What each trial of a study predicted, by its number."""

    def __init__(self, study: Study) -> None:
        self._memory: Dict[int, bytes] = {}
        self._folder: Optional[str] = None
        if study.storage is not None:
            from urllib.parse import quote

            file = study.storage[len("sqlite:///") :] if study.storage.startswith("sqlite:///") else study.storage
            # A name of dots alone would be this folder, or the one above.
            name = quote(study.name, safe="") if study.name.strip(".") else study.name.replace(".", "%2E")
            self._folder = os.path.join(f"{file}-predictions", name)

    def __setitem__(self, trial: int, predictions: bytes) -> None:
        import zlib

        packed = MAGIC + zlib.compress(predictions, 6)
        if self._folder is None:
            self._memory[trial] = packed
            return
        os.makedirs(self._folder, exist_ok=True)
        place = self._place(trial)
        draft = f"{place}.{os.getpid()}"
        with open(draft, "wb") as file:
            file.write(packed)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, place)

    def __getitem__(self, trial: int) -> bytes:
        import zlib

        packed = self._memory.get(trial) if self._folder is None else _read(self._place(trial))
        if packed is None:
            raise KeyError(trial)
        if not packed.startswith(MAGIC):
            raise ValueError(f"`{self._place(trial)}` does not hold predictions of a trial")
        return zlib.decompress(packed[len(MAGIC) :])

    def __delitem__(self, trial: int) -> None:
        if self._folder is None:
            del self._memory[trial]
        elif trial in self:
            os.remove(self._place(trial))
        else:
            raise KeyError(trial)

    def __contains__(self, trial: object) -> bool:
        if self._folder is None:
            return trial in self._memory
        return isinstance(trial, int) and os.path.exists(self._place(trial))

    def __iter__(self) -> Iterator[int]:
        if self._folder is None:
            return iter(list(self._memory))
        names = os.listdir(self._folder) if os.path.isdir(self._folder) else []
        return iter(sorted(int(name) for name in names if name.isdigit()))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _place(self, trial: int) -> str:
        return os.path.join(self._folder or "", str(trial))


def _read(place: str) -> Optional[bytes]:
    try:
        with open(place, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
