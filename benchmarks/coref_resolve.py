"""Quality and speed of coreference resolvers, side by side on the same documents.

    python benchmarks/coref_resolve.py [--models A,B,...] [--peer-python PYTHON] [--limit N]

OntoGUM dev, GUM dev, LitBank (every eighth document of its training part, kept out of training) and
GAP validation. Tokens and sentences are given, mentions are the resolver's own. Scores are those of
`tatian.coreference.metrics`. A paired bootstrap over documents compares the first model with each
of the others. Every resolver runs as a process of its own on two threads. Its time is that from
tokens to chains, with analysis, without loading. Growth is measured on eight documents of LitBank
joined two, four and eight at a time. The text stays the same, so a resolver that is linear in the
length of a document takes the same time.

PYTHON is an interpreter that can run `coref_resolve_peer.py`; without it neuralcoref is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from coref_resolve_data import (
    Dataset,
    Found,
    gap_scores,
    join_documents,
    read_datasets,
    with_answer,
)
from data_folder import DATA
from tatian.coreference.metrics import ChainScores, score
from tatian.errors import TatianError
from tatian.scoring.gap import GapScores
from tatian.statistics import Cell, Column, Score, Table, paired_bootstrap

MODELS = ("tatian", "match")
PEER = "neuralcoref"
THREADS = "2"
METRICS = ("muc", "b3", "ceafe", "mentions", "conll")
FIGURES = (
    ("OntoGUM", "conll", "OntoGUM: CoNLL F1", 0.55),
    ("GUM", "muc", "GUM: MUC F1", 0.62),
    ("GUM", "conll", "GUM: CoNLL F1", None),
    ("LitBank", "conll", "LitBank: CoNLL F1", 0.60),
    ("GAP", "gap", "GAP: F1", 0.72),
)
"""Main figures: corpus, metric, heading, and the goal of the trained resolver."""
LENGTH_FACTORS = (1, 2, 4, 8)
MAX_JOINED = 8
"""Most documents that are joined to one."""


class Answer(NamedTuple):
    """Chains of one resolver on one dataset, with their cost."""

    chains: list[Found]
    seconds: float
    cpu: float
    megabytes: float
    version: str


class Result(NamedTuple):
    """Scores of a resolver on one dataset."""

    dataset: Dataset
    answer: Answer
    scores: ChainScores | None
    linked: ChainScores | None
    """Scores without singletons, which some resolvers never give."""
    gap: GapScores | None

    def figure(self, metric: str) -> Score:
        """Return the F1 of a metric with its error."""
        if self.gap is not None:
            return self.gap.score()
        assert self.scores is not None
        return self.scores.score(metric)


Results = dict[tuple[str, str], Result]
"""Results by model and dataset."""


def ask(model: str, request: dict[str, Any], python: str | None) -> Answer:
    """Run a resolver in a process of its own."""
    script = Path(__file__)
    command = (
        [str(python), str(script.with_name("coref_resolve_peer.py"))]
        if model == PEER
        else [sys.executable, str(script.with_name("coref_resolve_ours.py")), model]
    )
    threads = dict.fromkeys(("TATIAN_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), THREADS)
    done = subprocess.run(
        command,
        input=json.dumps(request),
        capture_output=True,
        text=True,
        env={**os.environ, **threads},
        check=False,
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        sys.exit(f"error: {model} failed: {last[0] if last else done.returncode}")
    answer = json.loads(done.stdout)
    return Answer(*(answer[name] for name in Answer._fields))


def score_answer(dataset: Dataset, answer: Answer) -> Result:
    """Score an answer."""
    response = [
        with_answer(document, chains)
        for document, chains in zip(dataset.documents, answer.chains, strict=True)
    ]
    if dataset.name == "GAP":
        return Result(dataset, answer, None, None, gap_scores(dataset.documents, response))
    whole = score(dataset.documents, response, metrics=METRICS, singletons=dataset.singletons)
    linked = score(dataset.documents, response, metrics=METRICS, singletons=False)
    return Result(dataset, answer, whole, linked, None)


def headline_table(models: Sequence[str], results: Results) -> Table:
    """Tabulate the main figures, a row for each resolver."""
    goals = [None if goal is None else f"≥ {100 * goal:.0f}" for *_, goal in FIGURES]
    rows: list[list[Cell]] = [["to reach", *goals, None]]
    for model in models:
        row: list[Cell] = [model]
        row += [results[model, name].figure(metric) for name, metric, _, _ in FIGURES]
        gap = results[model, "GAP"].gap
        rows.append([*row, gap.bias if gap else None])
    figures = [Column(title, precision=1, scale=100, best="max") for _, _, title, _ in FIGURES]
    return Table.of(["resolver", *figures, "GAP: bias"], rows, title="figures")


def difference_table(models: Sequence[str], results: Results) -> Table:
    """Tabulate the first resolver's lead over each other, with its significance."""
    rows: list[list[Cell]] = []
    for other in models[1:]:
        for name, metric, title, _ in FIGURES:
            comparison = paired_bootstrap(
                results[models[0], name].figure(metric), results[other, name].figure(metric)
            )
            rows.append([other, title, comparison.difference, comparison.p_value])
    columns = [Column("points", precision=1, scale=100, signed=True), Column("p", precision=4)]
    return Table.of(["than", "figure", *columns], rows, title=f"{models[0]} is better")


def detail_table(models: Sequence[str], results: Results) -> Table:
    """Tabulate all metrics on all corpora with chains."""
    rows: list[list[Cell]] = []
    for name in dict.fromkeys(name for _, name in results):
        for model in models:
            result = results[model, name]
            if result.scores is None or result.linked is None:
                continue
            rates = result.scores.all_rates()
            mentions = rates["mentions"]
            figures = [rates[metric].f1 for metric in ("mentions", "muc", "b3", "ceafe", "conll")]
            linked = result.linked.rates("conll").f1
            rows.append([name, model, mentions.recall, mentions.precision, *figures, linked])
    names = ("mentions: recall", "precision", "F1", "MUC", "B³", "CEAFe", "CoNLL", "CoNLL, linked")
    columns = [Column(name, precision=1, scale=100) for name in names]
    return Table.of(["corpus", "resolver", *columns], rows, title="all metrics")


def speed_table(models: Sequence[str], results: Results) -> Table:
    """Tabulate the cost of each resolver over all corpora."""
    rows: list[list[Cell]] = []
    first = 0.0
    for model in models:
        of_model = [result for (name, _), result in results.items() if name == model]
        tokens = sum(result.dataset.tokens for result in of_model)
        rate = tokens / sum(result.answer.seconds for result in of_model)
        first = first or rate
        cpu = 1000 * sum(result.answer.cpu for result in of_model) / tokens
        memory = max(result.answer.megabytes for result in of_model)
        rows.append([model, rate, rate / first, cpu, memory, of_model[0].answer.version or None])
    columns: list[Column | str] = [
        Column("tokens/s", precision=0),
        Column(f"{models[0]} = 1"),
        "CPU s for 1,000 tokens",
        Column("MB", precision=0),
        "version",
    ]
    return Table.of(["resolver", *columns], rows, title="speed on two threads")


def growth_table(models: Sequence[str], litbank: Dataset, python: str | None) -> Table:
    """Tabulate the cost of each resolver as documents grow."""
    documents = litbank.documents[:MAX_JOINED]
    rows: list[list[Cell]] = []
    first: dict[str, float] = {}
    for times in LENGTH_FACTORS:
        longer = tuple(join_documents(documents, times))
        if not longer:
            continue
        dataset = Dataset("joined", litbank.scheme, longer, litbank.singletons)
        cells: list[Cell] = [f"{times}x", max(len(document.tokens) for document in longer)]
        for model in models:
            answer = ask(model, dataset.request(), python)
            per_token = answer.cpu / dataset.tokens
            first.setdefault(model, per_token)
            cells += [per_token / first[model], answer.megabytes]
        rows.append(cells)
    columns: list[Column | str] = ["length", "tokens of the longest"]
    for model in models:
        columns += [f"{model}: CPU, 1x = 1", Column(f"{model}: MB", precision=0)]
    return Table.of(columns, rows, title="as documents grow")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--models", default=",".join(MODELS), metavar="NAMES")
    parser.add_argument("--peer-python", metavar="PYTHON")
    parser.add_argument("--limit", type=int, metavar="N", help="documents a corpus (GAP: 8 N)")
    parser.add_argument("--no-growth", action="store_true")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args(arguments)
    models = [*options.models.split(","), *([PEER] if options.peer_python else [])]
    try:
        corpora = read_datasets(options.data / "coreference", options.limit)
        results: Results = {}
        for dataset in corpora:
            request = dataset.request()
            for model in models:
                answer = ask(model, request, options.peer_python)
                results[model, dataset.name] = score_answer(dataset, answer)
        tables = [
            make(models, results)
            for make in (headline_table, difference_table, detail_table, speed_table)
        ]
        if not options.no_growth:
            (litbank,) = (corpus for corpus in corpora if corpus.name == "LitBank")
            tables.append(growth_table(models, litbank, options.peer_python))
    except TatianError as error:
        sys.exit(f"error: {error}")
    for table in tables:
        print(table.render(options.format), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
