"""One line of JSON in, one line out: the loop behind every problem and optimizer."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
import warnings
from typing import Any, Dict, Optional, TextIO

__all__ = ["Missing", "serve"]

REQUESTS = ("open", "evaluate", "test", "learn", "ask", "tell")


class Missing(Exception):
    """Something is not installed or not given; the message says what and how to get it."""


def answer(server: Any, request: Dict[str, Any]) -> Dict[str, Any]:
    """What a server says to a request: the method named like its first known key.

    >>> class Echo:
    ...     def open(self, request):
    ...         return {"ready": True}
    >>> answer(Echo(), {"open": "anything"})["ready"]
    True
    >>> answer(Echo(), {"ask": True})
    {'error': 'Echo does not answer `ask`'}
    """
    kind = next((name for name in REQUESTS if name in request), None)
    method = getattr(server, kind or "", None)
    if method is None:
        return {"error": f"{type(server).__name__} does not answer `{kind or next(iter(request), '')}`"}
    begun = time.process_time()
    try:
        # Libraries print and warn; only answers may reach the pipe.
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            said: Dict[str, Any] = method(request)
    except Missing as missing:
        return {"missing": str(missing)}
    except Exception as trouble:  # whatever a library raises ends this run, not the server
        return {"error": f"{type(trouble).__name__}: {trouble}"}
    return {**said, "seconds": round(time.process_time() - begun, 6)}


def serve(server: Any, read: Optional[TextIO] = None, write: Optional[TextIO] = None) -> None:
    """Answers every line until the input ends."""
    read, write = read or sys.stdin, write or sys.stdout
    try:
        for line in read:
            write.write(json.dumps(answer(server, json.loads(line))) + "\n")
            write.flush()
    except (KeyboardInterrupt, BrokenPipeError):
        pass
