"""Memory and CPU time of writing a dictionary of synthetic terms.

`python benchmarks/kb_build_terms.py COUNT` writes one and prints both, with its checksum.
"""

from __future__ import annotations

import hashlib
import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tatian.knowledge.dictionary_writer import write
from tatian.statistics import Cell, Column, Table

COUNTS = (1_000_000, 2_000_000, 4_000_000)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def terms_table(before: Path | None) -> Table:
    """Compare the dictionaries of this code and of another checkout, each in a fresh process."""
    current = Path(__file__).resolve().parents[1]
    rows: list[tuple[Cell, ...]] = []
    for count in COUNTS:
        measured = [_measured(count, checkout) for checkout in (current, before) if checkout]
        rows.append((count, *map(float, measured[0][:2])))
        if before:
            same = "yes" if measured[0][2] == measured[1][2] else "no"
            rows[-1] += (*map(float, measured[1][:2]), same)
    columns = [Column("terms", precision=0), Column("peak MB", precision=0), Column("CPU s")]
    if before:
        columns += [Column("before, peak MB", precision=0), Column("before, CPU s")]
        columns.append(Column("same file"))
    return Table(tuple(columns), tuple(rows), title="Writing the dictionary of terms")


def _measured(count: int, checkout: Path) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    command = [sys.executable, __file__, str(count)]
    return subprocess.check_output(command, env=environment, text=True).split()


def _terms(count: int) -> Iterator[tuple[str, int]]:
    chance = random.Random(1)
    words = ["".join(chance.choices(_LETTERS, k=chance.randint(3, 9))) for _ in range(30_000)]
    for number in range(count):
        yield f"{chance.choice(words)} {chance.choice(words)} {number:x}", number


def _work(count: int) -> None:
    with TemporaryDirectory() as directory:
        path = Path(directory) / "terms"
        write(path, _terms(count))
        used = resource.getrusage(resource.RUSAGE_SELF)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    print(used.ru_maxrss / 1024, time.process_time(), digest)


if __name__ == "__main__":
    _work(int(sys.argv[1]))
