"""A worker that asks no model: the text of a job says what to do."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

STOP = threading.Event()


def start_stub() -> subprocess.Popen[bytes]:
    """Start this as the process of the models."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-I", "-S", __file__], stdin=pipe, stdout=pipe)


def say(**report: Any) -> None:
    print(json.dumps(report), flush=True)


def do(job: dict[str, Any]) -> None:
    """``quick`` is done at once, ``deaf`` for ever, any other until it is stopped."""
    kind = job.get("text", "long").split()[0]
    say(stage=kind)
    if kind == "quick":
        say(result=job["text"])
    elif kind == "deaf":
        threading.Event().wait()
    else:
        STOP.wait()
        say(stopped=True)


def main() -> None:
    """Do one job after the other until standard input ends."""
    for line in sys.stdin:
        job = json.loads(line)
        if job["type"] == "stop":
            STOP.set()
        else:
            STOP.clear()
            threading.Thread(target=do, args=[job], daemon=True).start()


if __name__ == "__main__":
    main()
