"""Fuzzing of file readers: damaged files give documents or one clear line, in bounded time.

    python benchmarks/file_fuzz.py --each 1000 --format markdown

Each kind's sample, made by the tests' writers, is damaged in many ways and read as an upload is. It
is cut, its bits are flipped, and pieces are removed, doubled, swapped with another kind's, or
renamed; in zip archives also a part inside. Anything but documents with text, or an error of ours
of one line, is a failure and ends the run with status 1.
"""

from __future__ import annotations

import argparse
import io
import random
import re
import sys
import time
import zipfile
from collections import Counter
from pathlib import Path

from tatian.corpora import isolation, read_bytes
from tatian.errors import TatianError
from tatian.statistics.tables import Column, Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "corpora"))
from file_samples import packed, samples

SECONDS = 20.0
"""Time limit for every damaged file; the limit for any file is higher."""
MEBIBYTE = 2**20


def damaged(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """Damage the bytes in one of seven ways."""
    way = chance.randrange(7)
    at = chance.randrange(len(data) + 1)
    end = min(len(data), at + chance.choice((1, 4, 64, 1024)))
    if way == 0:
        return data[:at]
    if way == 1:
        return data[at:]
    if way == 2:
        return data[:at] + data[end:]
    if way == 3:
        return data[:end] + data[at:end] * chance.choice((1, 2, 50)) + data[end:]
    if way == 4:
        other = chance.choice(others)
        place = chance.randrange(len(other) + 1)
        return data[:at] + other[place : place + chance.choice((16, 512, len(other)))] + data[at:]
    if way == 5:
        return data[:at] + chance.randbytes(end - at) + data[end:]
    turned = bytearray(data)
    for _ in range(chance.choice((1, 3, 30))):
        if turned:
            turned[chance.randrange(len(turned))] ^= 1 << chance.randrange(8)
    return bytes(turned)


def damaged_inside(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """Damage one part of a zip archive and repack it."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice(sorted(parts))
    parts[name] = damaged(bytes(parts[name]), others, chance)
    return packed(parts)


def outcome(data: bytes, name: str) -> str:
    """Return "accounts" or the kind of error; failures begin with an exclamation mark."""
    try:
        documents = read_bytes(data, name, warn=lambda _: None)
    except TatianError as error:
        if "\n" in str(error) or not str(error).startswith(name):
            return f"! {error!r}"
        if "than the limit of" in str(error):
            return "limit"
        return "line"
    except Exception as error:  # noqa: BLE001  # what the run is there to find
        return f"! {error!r}"
    has_text = documents and all(document.text.strip() for document in documents)
    return "accounts" if has_text else "! no text"


def ready() -> bool:
    """Start a reader process, so that its start is not timed; True if it had ended."""
    ended = not isolation._idle
    if ended:
        read_bytes(b"1\n00:00:01,000 --> 00:00:02,000\nReady.\n", "a.srt")
    return ended


def memory() -> int:
    """Return the peak memory of the reader process on Linux; 0 elsewhere."""
    for process in isolation._idle:
        status = Path(f"/proc/{process.pid}/status")
        if status.is_file() and (most := re.search(r"VmHWM:\s+(\d+)", status.read_text())):
            return int(most[1]) * 1024
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=100, help="damaged files of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--format", choices=["text", "markdown"], default="text")
    chosen = parser.parse_args()
    chance = random.Random(chosen.seed)
    files = samples()
    endings = [Path(name).suffix for name in files]
    rows, failures = [], []
    for name, data in files.items():
        others = [text for other, text in files.items() if other != name]
        counts: Counter[str] = Counter()
        slowest = spent = 0.0
        most = 0
        isolation._close_all()
        ready()
        for _ in range(chosen.each):
            inside = data.startswith(b"PK") and chance.random() < 0.5
            harmed = (damaged_inside if inside else damaged)(data, others, chance)
            called = f"story{chance.choice(endings)}" if chance.random() < 0.1 else name
            start = time.perf_counter()
            result = outcome(harmed, called)
            took = time.perf_counter() - start
            most = max(most, memory())
            counts["ended"] += ready()
            spent, slowest = spent + took, max(slowest, took)
            if result.startswith("!") or took > SECONDS:
                failures.append(f"{called}: {result} after {took:.1f} s, {harmed[:40]!r}")
            counts[result.partition(" ")[0]] += 1
        rows.append(
            (
                Path(name).suffix,
                chosen.each,
                *(counts[kind] for kind in ("accounts", "line", "limit", "!", "ended")),
                1000 * spent / chosen.each,
                1000 * slowest,
                most / MEBIBYTE,
            )
        )
    counted = ("files", "accounts", "one line", "limit", "failed", "ended", "ms a file", "slowest")
    columns = ("kind", *(Column(kind, precision=0) for kind in (*counted, "MiB")))
    print(Table.of(columns, rows).render(chosen.format))
    for failure in failures[:20]:
        print(failure, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
