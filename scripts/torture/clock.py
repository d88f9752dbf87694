"""The clock jumps ahead under a running study, as after a suspend: living trials stay with their workers."""

from __future__ import annotations

import glob
import time

from ground import Count, Ground, Skipped, compare, wait

# The programs themselves run by the true clock.
SLOW = "#!/bin/sh\nunset LD_PRELOAD\nsleep $(( $$ % 3 + 2 ))\n" + 'echo "$ARBORA_TRIAL $ARBORA_PARAM_X" >> ledger\necho "$ARBORA_PARAM_X"\n'


def jump(ground: Ground) -> Count:
    found = glob.glob("/usr/lib/*/faketime/libfaketime.so.1")
    if not found:
        raise Skipped("needs the library of the package libfaketime")
    ground.write("program.sh", SLOW)
    count = Count(attempts=1)
    offset = ground.write("offset", "+0")
    env = {"LD_PRELOAD": found[0], "FAKETIME_TIMESTAMP_FILE": str(offset), "FAKETIME_NO_CACHE": "1", "DONT_FAKE_MONOTONIC": "1"}
    process = ground.start(ground.tune("-j", "4", "--trials", "12"), env)
    time.sleep(3)
    ground.write("offset", "+3h")
    code = wait(process)
    count.expect(code == 0, f"code {code}: {ground.said()[-300:]}")
    trials = compare(ground, count, 12)
    again = [trial["number"] for trial in trials if trial["attempts"] > 1]
    count.expect(not again, f"trials {again} were handed out twice, though nobody had died")
    return count
