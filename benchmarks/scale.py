"""Cost of Ray beside processes, growth with the number of documents, and cost of a whole corpus.

    python benchmarks/scale.py [engines] [nodes] [costs] [--articles N...] [--processes N]

Articles of the length of the New York Times' (3,500 characters) are mixed from the sources of
`corpus/`, each with other figures. For every number of articles, the same command runs with
`--engine local` and with `--engine ray`, and must write the same bytes. The table gives the wall
time of each run, and the CPU time of all its processes from /proc. It is split into workers and
everything else (reading, Ray's own services, starting). Memory is the peak of one worker, with
private and shared pages. `nodes` runs the largest number on clusters that are already up: one node
with one process, one with all processes, and as many nodes with one process each. Their services
count as everything else. The last table gives the CPU time of each step per article, without
loading models. From it follow the days of one core for 1.8 million articles (New York Times) and
for English Wikipedia.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tatian.coreference.models import resolvers
from tatian.corpora.articles import Article
from tatian.pipeline.article_job import MiningTask
from tatian.pipeline.corpus_steps import AnalysisStep, DetectionStep, ResolutionStep
from tatian.pipeline.instances.running import ExtractionTask
from tatian.statistics import Cell, Column, Table
from tatian.stories.collection import IndexTask
from tatian.text import Document

ROOT = Path(__file__).parents[1]
ARTICLE_CHARACTERS = 3_500
NYT, WIKIPEDIA = 1_800_000, 7_000_000
WIKIPEDIA_LENGTH = 3_600
"""Mean number of characters of plain text in an article of English Wikipedia."""
_TICK = os.sysconf("SC_CLK_TCK")
_NUMBER = re.compile(r"\b[2-9]\d*\b")


def make_articles(count: int) -> Iterator[dict[str, str]]:
    """Yield articles: sources of one story joined to the wanted length, with varied figures."""
    bundles = []
    for name in ("train", "dev", "test"):
        for line in (ROOT / "corpus" / f"{name}.jsonl").read_text("utf-8").splitlines():
            bundle = json.loads(line)
            bundles.append([" ".join(source["sentences"]) for source in bundle["accounts"]])
    chance = random.Random(1)
    for number in range(count):
        text = ""
        while len(text) < ARTICLE_CHARACTERS:
            text += chance.choice(chance.choice(bundles)) + "\n\n"
        more = number % 7
        changed = _NUMBER.sub(
            lambda match, more=more: str(int(match[0]) + more), text[:ARTICLE_CHARACTERS]
        )
        yield {"id": f"article-{number}", "text": changed.strip(), "date": "2007-01-01"}


class Measured(NamedTuple):
    """Measurements of one run."""

    wall: float
    workers: float
    """CPU time in seconds."""
    rest: float
    memory: float
    """Memory of the largest worker in MB."""
    digest: str


class _Process(NamedTuple):
    cpu: float
    memory: int
    is_worker: bool


def _processes() -> dict[int, _Process]:
    """Return all descendants of this process."""
    parents, processes = {}, {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            command = (entry / "cmdline").read_bytes()
            status = (entry / "status").read_text()
        except (OSError, UnicodeDecodeError):
            continue
        peak = re.search(r"VmHWM:\s+(\d+)", status)
        worker = b"ray::MapWorker" in command or b"spawn_main" in command
        cpu = (int(fields[11]) + int(fields[12])) / _TICK
        parents[int(entry.name)] = int(fields[1])
        processes[int(entry.name)] = _Process(cpu, int(peak[1]) if peak else 0, worker)
    below = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    return {pid: processes[pid] for pid in below - {os.getpid()} if pid in processes}


def run(corpus: Path, output: Path, engine: str, *more: str) -> Measured:
    """Run a command and measure it from outside."""
    command = [sys.executable, "-m", "tatian", "analyze", str(corpus), "-o", str(output), "-q"]
    begun = time.monotonic()
    process = subprocess.Popen([*command, "--engine", engine, *more])
    seen: dict[int, _Process] = {}
    while process.poll() is None:
        for pid, sample in _processes().items():
            before = seen.get(pid, sample)
            memory = max(sample.memory, before.memory)
            seen[pid] = _Process(sample.cpu, memory, sample.is_worker or before.is_worker)
        time.sleep(0.2)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: status {process.returncode}")
    wall = time.monotonic() - begun
    data = b"".join(path.read_bytes() for path in sorted(output.glob("part-*")))
    return Measured(
        wall,
        sum(process.cpu for process in seen.values() if process.is_worker),
        sum(process.cpu for process in seen.values() if not process.is_worker),
        max((process.memory for process in seen.values() if process.is_worker), default=0) / 1000,
        hashlib.sha256(data).hexdigest(),
    )


def write_corpus(folder: Path, count: int) -> Path:
    """Write a corpus of so many articles."""
    path = folder / f"articles-{count}.jsonl"
    path.write_text("".join(json.dumps(article) + "\n" for article in make_articles(count)))
    return path


def engines_table(folder: Path, counts: list[int], processes: int) -> Table:
    """Tabulate both engines for each number of articles."""
    rows: list[list[Cell]] = []
    for count in counts:
        corpus = write_corpus(folder, count)
        both = {
            engine: run(corpus, folder / f"{engine}-{count}", engine, *_with(processes))
            for engine in ("local", "ray")
        }
        assert both["local"].digest == both["ray"].digest, "the engines do not write the same"
        for engine, measured in both.items():
            base = both["local"]
            rows.append(
                [
                    count,
                    engine,
                    measured.wall,
                    measured.workers,
                    measured.rest,
                    (measured.workers + measured.rest) / (base.workers + base.rest),
                    measured.wall / base.wall,
                    measured.memory,
                ]
            )
    names = ["wall s", "workers cpu s", "rest cpu s", "cpu ratio", "wall ratio", "MB a worker"]
    columns = [Column(name, precision=2) for name in names]
    title = f"analyze with {processes} processes: the same bytes from both engines"
    return Table.of(["articles", "engine", *columns], rows, title=title)


def _with(processes: int) -> tuple[str, ...]:
    return ("--processes", str(processes))


@contextmanager
def start_cluster(nodes: int, processes: int) -> Iterator[str]:
    """Start nodes on this machine with so many processes each; yield their address."""
    from ray.cluster_utils import Cluster

    small = {"object_store_memory": 100 << 20, "include_dashboard": False}
    started = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **small})
    try:
        for _ in range(nodes):
            started.add_node(num_cpus=processes, **small)
        yield started.address
    finally:
        started.shutdown()


def nodes_table(folder: Path, count: int, processes: int) -> Table:
    """Tabulate one process, all processes on one node, and as many nodes with one each."""
    corpus = write_corpus(folder, count)
    rows: list[list[Cell]] = []
    measured: list[Measured] = []
    for nodes, cores in ((1, 1), (1, processes), (processes, 1)):
        with start_cluster(nodes, cores) as address:
            more = ("--address", address, *_with(nodes * cores))
            last = run(corpus, folder / f"nodes-{nodes}-{cores}", "ray", *more)
        measured.append(last)
        faster = measured[0].wall / last.wall
        figures = (last.wall, faster, last.workers, last.rest, last.memory)
        rows.append([nodes, cores, count, *figures])
    assert len({result.digest for result in measured}) == 1, "clusters do not write the same"
    names = ["wall s", "times as fast", "workers cpu s", "rest cpu s", "MB a worker"]
    columns = [Column(name, precision=2) for name in names]
    title = "analyze on a cluster that is there already: the same bytes from all"
    return Table.of(["nodes", "processes of each", "articles", *columns], rows, title=title)


def tasks() -> Iterator[tuple[str, Callable[[Document], Any]]]:
    """Yield the commands as functions of a document, with loaded models."""
    yield "analyze", AnalysisStep("encoder").begin()
    yield "mentions detect", DetectionStep("tatian").begin()
    yield "coref resolve", ResolutionStep(resolvers.default).begin()
    named: dict[str, Any] = {
        "aggregate extract": ExtractionTask(),
        "aggregate extract --fast": ExtractionTask(fast=True),
        "aggregate mine": MiningTask(),
        "stories": IndexTask(b""),
    }
    for name, task in named.items():
        do = task.begin()
        yield name, lambda text, do=do: do(Article(text.id, date="2007-01-01", document=text))


def costs_table(count: int) -> Table:
    """Tabulate the CPU time of an article on one thread, after two for warm-up, and the totals."""
    os.environ["TATIAN_THREADS"] = "1"
    documents = [Document(article["id"], article["text"]) for article in make_articles(count + 2)]
    rows: list[list[Cell]] = []
    for name, do in tasks():
        for document in documents[:2]:
            do(document)
        begun = time.process_time()
        for document in documents[2:]:
            do(document)
        seconds = (time.process_time() - begun) / count
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
        nyt = seconds * NYT / 86_400
        wikipedia = seconds * WIKIPEDIA * WIKIPEDIA_LENGTH / ARTICLE_CHARACTERS / 86_400
        rows.append([name, seconds, memory, nyt, nyt * 24 / 64, wikipedia, wikipedia * 24 / 64])
    whose = [f"{name} {what}" for name in ("NYT", "Wikipedia") for what in ("days", "hours of 64")]
    columns = [Column(name, precision=2) for name in ("cpu s an article", "MB so far", *whose)]
    return Table.of(["step", *columns], rows, title=f"Costs in days of a core, {count} articles")


def main() -> None:
    """Print the chosen tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tables", nargs="*", help="engines, nodes or costs; by default all")
    parser.add_argument("--articles", type=int, nargs="+", default=[500, 1000, 2000])
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    wanted = options.tables or ["engines", "nodes", "costs"]
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    most = max(options.articles)
    with TemporaryDirectory() as name:
        folder = Path(name)
        if "engines" in wanted:
            print(engines_table(folder, options.articles, options.processes).render("text"))
        if "nodes" in wanted:
            print(nodes_table(folder, most, options.processes).render("text"))
        if "costs" in wanted:
            print(costs_table(most).render("text"))


if __name__ == "__main__":
    main()
