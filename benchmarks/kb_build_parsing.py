"""Speed of reading wikitext, plain and dense, beside a plain parse and an older Tatian.

Each way has a process of its own, and they take turns, so that a busy machine slows all alike.
`python benchmarks/kb_build_parsing.py DUMP WAY` is such a process.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import msgspec

from kb_build_pages import dense_pages
from tatian.knowledge.building.mediawiki import parse_page
from tatian.knowledge.building.mediawiki_xml import RawPage, batches, pages_of
from tatian.statistics import Column, Table
from tatian.text.streams import open_stream

FULL = 83_000
"""Megabytes of XML in a full English Wikipedia: 24 GB, at the compression of this dump."""
SAMPLE = 6
"""Number of one-megabyte batches of the dump."""
DENSE_PAGES = 400
ROUNDS = 10
KINDS = ("Schools", "dense with markup")


def parsing_table(dump: Path, before: Path | None) -> Table:
    """Tabulate CPU seconds for all that a base needs, beside a plain parse and older code."""
    current = Path(__file__).resolve().parents[1]
    ways = [("ours", current), ("plain", current)] + ([("ours", before)] if before else [])
    workers = [_started(dump, way, checkout) for way, checkout in ways]
    rows = []
    for index, kind in enumerate(KINDS):
        spent, readings = [0.0] * len(ways), [set[str]() for _ in ways]
        for turn in range(ROUNDS):
            for place, worker in enumerate(workers):
                seconds, digest, pages, characters = _ask(worker, f"{index} {turn}")
                spent[place] += float(seconds)
                readings[place].add(digest)
        rates = [int(characters) / 1e6 / seconds for seconds in spent]
        hours = FULL / rates[0] / 3600
        rows.append(
            (kind, int(pages), int(characters) / 1e6, *rates[:2], spent[1] / spent[0], hours)
        )
        if before:
            same = "yes" if readings[0] == readings[2] else "no"
            rows[-1] += (rates[2], spent[2] / spent[0], same)
    for worker in workers:
        worker.communicate()
    columns = (
        Column("wikitext"),
        Column("pages", precision=0),
        Column("million characters", precision=1),
        Column("ours, million/s", precision=2),
        Column("plain parse, million/s", precision=2),
        Column("times as fast", precision=2),
        Column("hours for 83 GB", precision=1),
        *((Column("before, million/s"), Column("times as fast as before")) if before else ()),
        *((Column("same output"),) if before else ()),
    )
    return Table(columns, tuple(rows), title="Reading wikitext with one core")


def _started(dump: Path, way: str, checkout: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, __file__, str(dump), way],
        env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _ask(worker: subprocess.Popen[str], question: str) -> list[str]:
    assert worker.stdin
    assert worker.stdout
    print(question, file=worker.stdin, flush=True)
    return worker.stdout.readline().split()


def _plain(page: RawPage) -> None:
    import mwparserfromhell

    code = mwparserfromhell.parse(page.text)
    code.filter_wikilinks()
    code.filter_templates()
    code.strip_code()


def _work(dump: Path, way: str) -> None:
    with open_stream(str(dump), bzip2=True) as stream:
        schools = [
            page for batch in islice(batches(stream), SAMPLE) for page in pages_of(batch, "")
        ]
    dense = [RawPage(title, text=text) for title, text in dense_pages(DENSE_PAGES)]
    read: Callable[[RawPage], object] = parse_page if way == "ours" else _plain
    for line in sys.stdin:
        kind, turn = map(int, line.split())
        pages = (schools, dense)[kind]
        begin = time.process_time()
        readings = [read(page) for page in pages[turn::ROUNDS]]
        seconds = time.process_time() - begin
        digest = hashlib.sha256(msgspec.json.encode(readings)).hexdigest()
        print(seconds, digest, len(pages), sum(len(page.text) for page in pages), flush=True)


if __name__ == "__main__":
    _work(Path(sys.argv[1]), sys.argv[2])
