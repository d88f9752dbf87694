"""A study in another process: the `pipe` example of arbora-papers, one JSON line each way.

    cargo build --release -p arbora-papers --example pipe

ARBORA_PIPE names another binary.
"""
import json
import os
import subprocess
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BINARY = os.environ.get("ARBORA_PIPE") or os.path.join(REPOSITORY, "target", "release", "examples", "pipe")
ONE_THREAD = {"RAYON_NUM_THREADS": "1"}


class Pipe:
    """A study in another process."""

    def __init__(self, space, strategy, seed):
        if not os.path.exists(BINARY):
            raise FileNotFoundError(f"{BINARY}: build it by cargo build --release -p arbora-papers --example pipe")
        self.process = subprocess.Popen(
            [BINARY], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **ONE_THREAD}
        )
        self.send({"space": space, "strategy": strategy, "seed": seed})

    def send(self, request):
        """One request, one answer."""
        self.process.stdin.write(json.dumps(request, allow_nan=False) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the study ended with status {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def cpu_seconds(self):
        """CPU time of the process so far. Linux names another process's clock by its number, see clock_getcpuclockid."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
