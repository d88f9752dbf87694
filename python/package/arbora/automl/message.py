"""Messages between processes, over a pipe: a length, then a pickle."""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

HEAD = struct.Struct("<Q")


def send(pipe: IO[bytes], message: Any) -> None:
    """Writes one message.

    >>> import io
    >>> pipe = io.BytesIO()
    >>> send(pipe, {"trial": 3})
    >>> _ = pipe.seek(0)
    >>> receive(pipe)
    {'trial': 3}
    """
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    pipe.write(HEAD.pack(len(body)))
    pipe.write(body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """Reads one message; raises EOFError when the other side is gone."""
    head = _exactly(pipe, HEAD.size)
    return pickle.loads(_exactly(pipe, HEAD.unpack(head)[0]))


def _exactly(pipe: IO[bytes], size: int) -> bytes:
    parts, left = [], size
    while left:
        part = pipe.read(left)
        if not part:
            raise EOFError
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
