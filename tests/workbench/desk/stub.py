"""A worker without models, controlled by the texts of its jobs."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

STOP = threading.Event()


def start_stub() -> subprocess.Popen[bytes]:
    """Start this module as the worker process."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-I", "-S", __file__], stdin=pipe, stdout=pipe)


def send_report(**report: Any) -> None:
    print(json.dumps(report), flush=True)


def run_job(job: dict[str, Any]) -> None:
    """Run a job: ``quick`` ends at once, ``deaf`` never, others when stopped."""
    kind = job.get("text", "long").split()[0]
    send_report(stage=kind)
    if kind == "quick":
        send_report(result=job["text"])
    elif kind == "deaf":
        threading.Event().wait()
    else:
        STOP.wait()
        send_report(stopped=True)


def main() -> None:
    """Run jobs until standard input ends."""
    for line in sys.stdin:
        job = json.loads(line)
        if job["type"] == "stop":
            STOP.set()
        else:
            STOP.clear()
            threading.Thread(target=run_job, args=[job], daemon=True).start()


if __name__ == "__main__":
    main()
