"""The Python side of ``arbora bench``: learners, surrogate benchmarks and other people's
optimizers.

``python -m arbora.lab`` serves problems and ``python -m arbora.lab.peers`` serves optimizers, one
line of JSON each way. The same few lines make a problem of one's own::

    from arbora.lab import serve

    class Bowl:
        def open(self, request):
            return {"space": {"parameters": {"x": {"type": "real", "low": -1.0, "high": 1.0}}}}

        def evaluate(self, request):
            return {"loss": request["evaluate"]["x"] ** 2}

    serve(Bowl())

to be run by ``arbora bench run own --problem 'cmd:python bowl.py' --method auto``. An optimizer
answers ``open`` (with ``space``, ``seed`` and ``trials``), ``ask`` by ``{"configuration": ...}``
and ``tell``.
"""

from arbora.lab.line import Missing, serve

__all__ = ["Missing", "serve"]
