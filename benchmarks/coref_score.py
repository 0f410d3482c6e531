"""Speed of ``tatian coref score`` beside other scorers, with the same figures.

    python benchmarks/coref_score.py [--data DIR] [--peer-python PYTHON] [--format ...]

The key is LitBank's training part; the response is the key with seeded mistakes (a tenth of the
mentions left out, 15% moved to other chains, a tenth invented). Every scorer runs as a process of
its own; its CPU time includes start-up. ``tatian coref score`` reads the CoNLL files; the others,
and Tatian's functions once more, get the chains as JSON. Growth is measured on documents joined
two, four and eight at a time with their chains. The mentions stay the same, so a scorer that is
linear in the length of a document takes the same time, and a quadratic one eight times as long.

PYTHON is the interpreter of an environment with scorch, coreference-eval and neleval (any of them).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from coref_score_data import join_documents, to_conll, with_errors
from data_folder import DATA
from tatian.coreference.metrics.chains import ChainScores
from tatian.coreference.metrics.documents import score_columns
from tatian.formats.brackets import ColumnDocument, read_brackets
from tatian.statistics import Cell, Column, Table

SEED = 7
COMMAND = "tatian coref score"
CONTEXT = get_context("spawn")
"""Separate process for making files: a child's memory count includes its parent's."""
PEERS = {"tatian": True, "scorch": True, "coreference-eval": False, "neleval": True}
"""Peers, each with a flag for counting singletons."""
LENGTH_FACTORS = (1, 2, 4, 8)
TOLERANCE = 1e-9


class Run(NamedTuple):
    """Cost and output of one process."""

    seconds: float
    """CPU time of all threads, in the program and the system."""
    megabytes: float
    output: str


def run(command: Sequence[str]) -> Run | None:
    """Run a command to its end and measure it; None if it failed."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if process.returncode:
        return None
    return Run(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, text)


class Task(NamedTuple):
    """A key and a response as files, for Tatian and for others."""

    key: Path
    response: Path
    chains: Path
    plural: Path
    """Chains of at least two mentions."""
    documents: int
    mentions: int


def repeat_to_hundred(documents: list[ColumnDocument]) -> list[ColumnDocument]:
    """Repeat the first documents to get a hundred."""
    return documents + [document._replace(id=f"{document.id} again") for document in documents[:20]]


def prepare(path: Path, times: int | None, directory: Path) -> Task:
    """Write a key, of a hundred documents or of longer ones, and its response."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        read = read_brackets(file.read(), str(path))
    documents = repeat_to_hundred(read) if times is None else join_documents(read, times)
    rng = random.Random(SEED)
    answers = [with_errors(d, rng) for d in documents]
    key, response = directory / "key.conll", directory / "response.conll"
    key.write_text(to_conll((d.id, d.tokens, d.chains) for d in documents))
    response.write_text(
        to_conll((d.id, d.tokens, answer) for d, answer in zip(documents, answers, strict=True))
    )
    sides = [
        (list(d.chains.values()), list(answer.values()))
        for d, answer in zip(documents, answers, strict=True)
    ]
    chains, plural = directory / "chains.json", directory / "plural.json"
    chains.write_text(json.dumps(sides))
    kept = [[[chain for chain in side if len(chain) > 1] for side in pair] for pair in sides]
    plural.write_text(json.dumps(kept))
    mentions = sum(len(chain) for d in documents for chain in d.chains.values())
    return Task(key, response, chains, plural, len(documents), mentions)


def run_ours(task: Task, repeats: int) -> Run:
    """Return the best of several runs of Tatian's command."""
    command = [sys.executable, "-m", "tatian", "coref", "score", str(task.key)]
    command += [str(task.response), "--format", "json"]
    runs = [run(command) for _ in range(repeats)]
    finished = [seconds for seconds in runs if seconds is not None]
    if not finished:
        sys.exit("error: 'tatian coref score' failed")
    return min(finished)


def run_peer(name: str, task: Task, python: str) -> Run | None:
    """Run a peer on the same chains."""
    script = Path(__file__).with_name("coref_score_peer.py")
    chains = task.chains if PEERS[name] else task.plural
    return run([python, str(script), name, str(chains)])


def compare_metrics(name: str, task: Task, output: str) -> tuple[int, float]:
    """Return the number of a peer's metrics and the greatest difference from ours."""
    scores = score_columns(task.key.read_text(), task.response.read_text(), singletons=PEERS[name])
    figures: dict[str, list[list[float]]] = json.loads(output)
    largest = max(
        abs(ours_value - other)
        for metric, rows in figures.items()
        for row, rates in zip(rows, _rows(scores, metric, len(rows)), strict=True)
        for ours_value, other in zip(row, rates, strict=True)
    )
    return len(figures), largest


def _rows(scores: ChainScores, metric: str, count: int) -> list[Any]:
    if count == 1:
        return [scores.rates(metric)]
    return scores.each(metric)


def scorer_table(path: Path, python: str | None, directory: Path, worker: Executor) -> Table:
    """Tabulate one row for each scorer."""
    task = worker.submit(prepare, path, None, directory).result()
    best = run_ours(task, 5)
    metrics = len([name for name, value in json.loads(best.output).items() if "f1" in str(value)])
    rows: list[list[Cell]] = [[COMMAND, metrics, best.seconds, 1.0, best.megabytes, None]]
    for name in PEERS if python else ("tatian",):
        used = run_peer(name, task, sys.executable if name == "tatian" else str(python))
        if used is None:
            rows.append([name, None, None, None, None, None])
            continue
        count, largest = worker.submit(compare_metrics, name, task, used.output).result()
        same = "yes" if largest < TOLERANCE else f"up to {largest:.1e} apart"
        label = "tatian, from JSON" if name == "tatian" else name
        row = [label, count, used.seconds, used.seconds / best.seconds, used.megabytes, same]
        rows.append(row)
    columns = ["scorer", "metrics", "CPU s", Column("CPU, the command = 1", precision=1)]
    title = f"{task.documents} documents, {task.mentions} mentions"
    return Table.of([*columns, Column("MB", precision=0), "same figures"], rows, title=title)


def growth_table(path: Path, python: str | None, directory: Path, worker: Executor) -> Table:
    """Tabulate one row for each length of document."""
    peers = [name for name in PEERS if python and name != "tatian"]
    rows: list[list[Cell]] = []
    first: dict[str, float] = {}
    for times in LENGTH_FACTORS:
        task = worker.submit(prepare, path, times, directory).result()
        cells: list[Cell] = [f"{times}x", task.documents]
        best = run_ours(task, 5)
        first.setdefault("tatian", best.seconds)
        cells += [best.seconds, best.seconds / first["tatian"], best.megabytes]
        for name in peers:
            used = run_peer(name, task, str(python))
            if used is not None:
                first.setdefault(name, used.seconds)
            cells.append(used and used.seconds / first[name])
        rows.append(cells)
    columns = ["length", "documents", "CPU s", "CPU, 1x = 1", Column("MB", precision=0)]
    others = [Column(f"{name}, 1x = 1") for name in peers]
    return Table.of([*columns, *others], rows, title="as documents grow")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--peer-python", metavar="PYTHON")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args(arguments)
    path = options.data / "coreference" / "litbank-train.conll.gz"
    with tempfile.TemporaryDirectory() as name, ProcessPoolExecutor(1, CONTEXT) as worker:
        for table in (scorer_table, growth_table):
            timings = table(path, options.peer_python, Path(name), worker)
            print(timings.render(options.format), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
