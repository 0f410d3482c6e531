"""Extrapolated time for a full English Wikipedia on one machine, from the stages of two builds.

Both are built from synthetic pages (`kb_build_pages.py`) in bzip2 streams of 50, as in Wikipedia's
own multistream files. The cost is the difference between the builds, in CPU seconds of the builder
and of its workers, per MB of XML. This leaves out one-time work, such as starting workers. The
workers' part is divided by their number; the rest is not.
"""

from __future__ import annotations

import bz2
import resource
import time
from html import escape
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from kb_build_pages import dense_pages
from kb_build_parsing import FULL
from tatian.engine import open_engine
from tatian.knowledge.building import staging
from tatian.knowledge.building.builder import build
from tatian.knowledge.building.mediawiki import Dump
from tatian.statistics import Column, Table

PAGES_PER_STREAM = 50
STAGES = {
    "reading": "unpack, read wikitext, prepare; take in",
    "resolving titles": "resolve titles",
    "merging pages": "merge pages",
    "collecting links": "collect links",
    "counting links": "count links, write terms",
    "counting terms": "count terms in texts; finish",
}


class Spent(NamedTuple):
    """CPU seconds of one stage."""

    builder: float
    workers: float


def write_dump(path: Path, count: int) -> float:
    """Write an export of so many pages in several streams; return its MB of XML."""
    pages = [
        f"<page><title>{escape(title)}</title><ns>0</ns><revision><model>wikitext</model>"
        f"<text>{escape(text)}</text></revision></page>\n"
        for title, text in dense_pages(count)
    ]
    streams = [
        "".join(pages[start : start + PAGES_PER_STREAM])
        for start in range(0, count, PAGES_PER_STREAM)
    ]
    with path.open("wb") as file:
        for text in ("<mediawiki>\n", *streams, "</mediawiki>\n"):
            file.write(bz2.compress(text.encode()))
    return sum(len(page.encode()) for page in pages) / 1e6


def stages(path: Path, processes: int) -> dict[str, Spent]:
    """Return the cost of each stage of a build."""
    marks: dict[str, tuple[float, float]] = {}

    def mark(stage: str, done: int, total: int) -> None:
        name = stage.partition(" ")[0] if stage.startswith("reading") else stage
        if name not in marks:
            children = resource.getrusage(resource.RUSAGE_CHILDREN)
            marks[name] = time.process_time(), children.ru_utime + children.ru_stime

    mark("reading", 0, 1)
    dump = Dump(path, processes=processes, progress=mark)
    build([dump], path.with_suffix(".kb"), engine=open_engine(processes=processes), progress=mark)
    mark("end", 1, 1)
    times = [*marks.values()]
    spent = [Spent(end[0] - start[0], end[1] - start[1]) for start, end in pairwise(times)]
    return dict(zip(marks, spent, strict=False))


def plan_table(processes: int, counts: tuple[int, int] = (1000, 4000), cores: int = 16) -> Table:
    """Tabulate both builds, the total for 83 GB, and the hours on a machine with so many cores."""
    staging._TEXT_BATCH_BYTES = 1 << 18  # that workers count in small builds, too
    measured, sizes = [], []
    with TemporaryDirectory() as folder:
        for count in counts:
            path = Path(folder) / f"{count}.xml.bz2"
            sizes.append(write_dump(path, count))
            measured.append(stages(path, processes))
    small, large = measured
    rows, total = [], 0.0
    for name, what in STAGES.items():
        hours = [
            (large[name][who] - small[name][who]) / (sizes[1] - sizes[0]) * FULL / 3600
            for who in (0, 1)
        ]
        shared = hours[1] / (cores - 1)
        wall = max(hours[0], shared) if name == "reading" else hours[0] + shared
        total += wall
        rows.append((what, *small[name], *large[name], *hours, wall))
    who = ("builder", "workers")
    columns = [Column(f"{side} s, {n:,} pages") for n in counts for side in who]
    columns += [Column(f"{side}, hours for 83 GB") for side in who]
    title = f"{sizes[0]:.1f} and {sizes[1]:.1f} MB of XML; {total:.2f} hours with {cores} cores"
    return Table.of(["stage", *columns, Column(f"hours with {cores} cores")], rows, title=title)
