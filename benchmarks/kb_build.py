"""Cost of building a knowledge base from a Wikipedia dump, and accuracy of its kinds.

    python benchmarks/kb_build.py [build] [parsing] [terms] [kinds] [plan] [--data DIR]
        [--processes N] [--before CHECKOUT] [--format F]

Prints the named tables, by default all. The first builds from an eighth, a quarter, half and all of
the Schools selection (every eighth page, and so on, compressed anew). Each build runs in a process
of its own; its memory is sampled, including child processes. The baseline is one process that gives
every page to mwparserfromhell, asks it for links and text, and keeps nothing. The title
extrapolates to a full English Wikipedia, by the bytes of the compressed file. The Schools pages
have hardly any templates, so a second table shows the speed on pages full of them. A third shows
the cost of a dictionary of millions of terms. `--before` names a checkout of older code to compare
both with. The next compares kinds with those from Freebase's facts. The last has the stages of a
build of pages full of markup (`kb_build_plan.py`), and the total for English Wikipedia with 16
cores.
"""

from __future__ import annotations

import argparse
import bz2
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from data_folder import DATA
from kb_build_kinds import kinds_table
from kb_build_parsing import parsing_table
from kb_build_plan import plan_table
from kb_build_terms import terms_table
from tatian.engine import open_engine
from tatian.errors import TatianError
from tatian.knowledge.building.builder import build
from tatian.knowledge.building.mediawiki import Dump
from tatian.knowledge.building.mediawiki_xml import batches, pages_of
from tatian.statistics import Cell, Column, Table
from tatian.text.streams import open_stream

TABLES = ("build", "parsing", "terms", "kinds", "plan")
DIVISORS = (8, 4, 2, 1)
"""Divisors of the dump: an eighth of it, a quarter, a half, all."""
ARTICLES, PACKED = 7_000_000, 24e9
"""English Wikipedia of 2025: articles, and bytes of pages-articles.xml.bz2."""
SAMPLED = 0.1
"""Seconds between two samples of the memory."""


class Run(NamedTuple):
    """Measurements of one build or pass."""

    pages: int
    links: int
    seconds: float
    cpu: float
    """CPU seconds of all cores; other work on the machine hardly changes them."""
    memory: float
    """Peak memory in megabytes, including child processes."""
    size: float = 0.0
    """Megabytes of the files written."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tables", nargs="*", help=", ".join(TABLES))
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="2 by default")
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="older code")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args(arguments)
    knowledge = options.data / "knowledge"
    dump = knowledge / "schoolswiki-pages-articles.xml.bz2"
    tables: dict[str, Callable[[], Table]] = {
        "build": lambda: run(dump, options.processes),
        "parsing": lambda: parsing_table(dump, options.before),
        "terms": lambda: terms_table(options.before),
        "kinds": lambda: kinds_table(knowledge),
        "plan": lambda: plan_table(options.processes),
    }
    try:
        for name in options.tables or TABLES:
            print(tables[name]().render(options.format), end="\n\n", flush=True)
    except TatianError as error:
        sys.exit(f"error: {error}")


def run(dump: Path, processes: int) -> Table:
    """Build from parts of the dump, run the baseline, and extrapolate."""
    rows: list[tuple[Cell, ...]] = []
    with TemporaryDirectory() as directory:
        for part in DIVISORS:
            path = Path(directory) / f"part{part}.xml.bz2"
            xml = write_part(dump, path, part)
            built = measured(_build, path, path.with_suffix(".kb"), processes)
            plain = measured(_plain, path)
            size = path.stat().st_size
            rows.append(_row(f"1/{part}" if part > 1 else "all", built, xml, size, plain))
    full = PACKED / size
    hours = built.cpu * full / 3600
    note = (
        f"A full English Wikipedia, {ARTICLES / 1e6:.0f} million articles in {PACKED / 1e9:.0f} "
        f"GB, is {full:,.0f} times all: by extrapolation {hours:.0f} hours of CPU and "
        f"{built.size * full / 1000:.0f} GB on disk; the plain pass, which keeps nothing, "
        f"{plain.cpu * full / 3600:.0f} hours of CPU. Built with {processes} processes"
    )
    columns = (
        Column("part"),
        Column("pages", precision=0),
        Column("links", precision=0),
        Column("XML MB", precision=1),
        Column("bz2 MB", precision=1),
        Column("seconds", precision=1),
        Column("CPU s", precision=1),
        Column("peak MB", precision=0),
        Column("base MB", precision=1),
        Column("plain seconds", precision=1),
        Column("plain CPU s", precision=1),
        Column("CPU ratio", precision=2),
    )
    return Table(columns, tuple(rows), title=note)


def _row(name: str, built: Run, xml: int, packed: int, plain: Run) -> tuple[Cell, ...]:
    return (
        name,
        built.pages,
        built.links,
        xml / 1e6,
        packed / 1e6,
        built.seconds,
        built.cpu,
        built.memory,
        built.size,
        plain.seconds,
        plain.cpu,
        built.cpu / plain.cpu,
    )


def write_part(dump: Path, path: Path, part: int) -> int:
    """Write every `part`th page of the dump, and return the bytes of XML."""
    written, number = 0, 0
    with open_stream(str(dump), bzip2=True) as stream, bz2.open(path, "wb") as out:
        written += out.write(b"<mediawiki>")
        for batch in batches(stream):
            for page in batch.data.split(b"</page>")[:-1]:
                if number % part == 0:
                    written += out.write(page + b"</page>")
                number += 1
        written += out.write(b"\n</mediawiki>\n")
    return written


def measured(work: Any, *arguments: Any) -> Run:
    """Run work in a fresh process and sample its memory, including child processes."""
    context = multiprocessing.get_context("spawn")
    theirs, ours = context.Pipe()
    process = context.Process(target=_worker, args=(work, ours, arguments))
    process.start()
    ours.close()
    assert process.pid is not None
    peak = 0.0
    while not theirs.poll(SAMPLED):
        peak = max(peak, _memory(process.pid))
    result = theirs.recv()
    process.join()
    pages, links, seconds, cpu, size = result
    return Run(pages, links, seconds, cpu, peak, size)


def _worker(work: Any, pipe: Any, arguments: tuple[Any, ...]) -> None:
    begin = time.perf_counter()
    pages, links, size = work(*arguments)
    seconds = time.perf_counter() - begin
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(usage.ru_utime + usage.ru_stime for usage in used)
    pipe.send((pages, links, seconds, cpu, size))
    pipe.close()


def _memory(pid: int) -> float:
    """Return the megabytes of a process and its descendants; shared pages count once."""
    total = 0
    waiting = [pid]
    while waiting:
        process = waiting.pop()
        try:
            for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
            for task in Path(f"/proc/{process}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except (OSError, ProcessLookupError):
            continue
    return total / 1000


def _build(path: Path, output: Path, processes: int) -> tuple[int, int, float]:
    engine = open_engine(processes=processes)
    info = build([Dump(path, processes=processes)], output, engine=engine)
    written = sum(file.stat().st_size for file in output.parent.glob(f"{output.name}*"))
    return info.counts.articles, info.counts.links, written / 1e6


def _plain(path: Path) -> tuple[int, int, float]:
    """Run the baseline: parse every page by mwparserfromhell and discard its links and text."""
    import mwparserfromhell

    pages = links = 0
    with open_stream(str(path), bzip2=True) as stream:
        for batch in batches(stream):
            for page in pages_of(batch, str(path)):
                code = mwparserfromhell.parse(page.text)
                links += len(code.filter_wikilinks())
                code.strip_code()
                pages += 1
    return pages, links, 0.0


if __name__ == "__main__":
    main()
