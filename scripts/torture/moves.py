"""The file is deleted, moved or replaced under a running study: `tune` notices before it acknowledges more."""

from __future__ import annotations

import shutil

from ground import Count, Ground, wait


def moved(ground: Ground) -> Count:
    count = Count(attempts=1)
    process = ground.start(ground.tune("-j", "2", "--trials", "400"))
    ground.pause(0.5, 1.0)
    way = ground.random.choice(["deleted", "moved", "replaced"])
    path = ground.folder / "arbora.db"
    if way == "moved":
        path.rename(ground.folder / "kept.db")
    else:
        path.unlink()
    if way == "replaced":
        shutil.copy(ground.folder / "space.toml", path)
    code = wait(process)
    said = ground.said()
    count.expect(code not in (0, 124) and code > 0, f"{way}: code {code}: {said[-300:]}")
    count.expect("arbora.db" in said, f"{way}: the message does not name the file: {said[-300:]}")
    return count
