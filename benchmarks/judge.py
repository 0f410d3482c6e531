"""Accuracy of judges: supported sentences against wrong ones, in freely written text.

    python benchmarks/judge.py score SET... --data DATA [--judge small local ADDRESS]
    python benchmarks/judge.py time --data DATA        seconds and memory of the local judge
    python benchmarks/judge.py odds SET... --data DATA --odds FILE    the local judge alone
    python benchmarks/judge.py calibrate --odds FILE   fits the probabilities of the local judge

SET is pairs-dev, dev, test or wire-judge (of corpus/proof), news-dev or cases (of DATA). A text is
all sentences about one story, each in a paragraph of its own. A judge passes a sentence that it
calls supported. Baselines are word overlap, sentence vectors and entailment. Each compares with
every source sentence and uses the threshold that is best on these very sentences. Intervals of 95%
come from resampling stories 2,000 times. `--limit N` takes the first N stories; `--keep FILE`
writes every probability. `odds` asks the local judge about each sentence without the one before it
and writes the log-odds to FILE; an existing FILE is read instead.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from trace import simple_scores
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track

import tatian
from judge_data import CORPUS, claims, stories
from regression import area_under_curve, logistic
from tatian.analysis import vectors
from tatian.analysis.loading import thread_count
from tatian.chat.local import GET_ADAPTERS, Completions, adapter_path
from tatian.consolidation.verification.evidence import EvidenceSentence, passages
from tatian.consolidation.verification.judges import Judge, open_judge
from tatian.consolidation.verification.judges.local import ADAPTER, FOLDER, Calibration, calibration
from tatian.consolidation.verification.judges.prompts import (
    NO,
    YES,
    describe_source,
    plain,
    sentence_prompt,
    sources_prompt,
)
from tatian.consolidation.verification.verdict import Bounds
from tatian.pipeline import Pipeline, link_chains
from tatian.statistics import Table
from tatian.text import Document, Metadata

Floats = npt.NDArray[np.float64]
RESAMPLES = 2000
SURE_FROM = 0.95
CALIBRATION_BINS = 10
TUNING = ("news-dev", "pairs-dev", "dev")
LOCAL_BOUNDS = Bounds(supported=0.5, unknown=0.35)
SETS = ("pairs-dev", "dev", "test", "news-dev", "wire-judge", "cases")


class Claim(NamedTuple):
    """A written sentence with its label."""

    text: str
    supported: bool
    kind: str


class Story(NamedTuple):
    """Source documents and the sentences about them."""

    id: str
    documents: list[Document]
    claims: list[Claim]


class Row(NamedTuple):
    """Result of one method for one sentence."""

    story: str
    claim: Claim
    score: float
    passed: bool
    unknown: bool = False


def read_set(name: str, data: Path) -> list[Story]:
    """Return the stories of a set."""
    if name == "cases":
        lines = (data / "cases/trace.jsonl").read_text("utf-8").splitlines()
        records = map(json.loads, lines)
        return [
            Story(
                record["id"],
                _documents(record["accounts"]),
                [Claim(x["text"], x["true"], x["kind"]) for x in record["claims"]],
            )
            for record in records
        ]
    kind, _, part = name.partition("-")
    if kind == "news":
        sources, path = stories(data / "consolidation" / part), data / f"proof/{name}.jsonl"
    elif kind == "wire":
        sources, path = stories(CORPUS / "proof/stories.jsonl"), CORPUS / f"proof/{name}.jsonl"
    else:
        sources = stories(CORPUS / "dev.jsonl") | stories(CORPUS / "test.jsonl")
        sources |= stories(CORPUS / "train.jsonl")
        path = CORPUS / f"proof/{name}.jsonl"
    by_story: dict[str, list[Claim]] = {}
    for record in claims(path):
        by_story.setdefault(record["bundle"], []).append(
            Claim(record["text"], record["supported"], record["kind"])
        )
    return [Story(id, _documents(sources[id]), group) for id, group in by_story.items()]


def _documents(sources: Sequence[dict[str, str]]) -> list[Document]:
    return [
        Document(
            str(n),
            source["text"],
            Metadata(source=source.get("source") or None, date=source.get("date")),
        )
        for n, source in enumerate(sources)
    ]


def judged(story: Story, judge: Judge, pipeline: Pipeline) -> Iterator[Row]:
    """Yield a judge's results; a sentence that the analysis splits has its worst part's verdict."""
    text = "\n\n".join(claim.text for claim in story.claims)
    traced = tatian.trace(text, story.documents, judge=judge, pipeline=pipeline).sentences
    start = 0
    for claim in story.claims:
        end = start + len(claim.text)
        parts = [part for part in traced if start <= part.start < end]
        start = end + 2
        passed = all(part.verdict == "supported" for part in parts)
        unknown = not passed and all(p.verdict in ("supported", "unknown") for p in parts)
        yield Row(story.id, claim, min(part.support for part in parts), passed, unknown)


def analysed(
    story: Story, pipeline: Pipeline
) -> tuple[list[EvidenceSentence], list[EvidenceSentence], Floats, list[list[int]]]:
    """Return sentences of claims and sources, similarities, and the parts of each claim."""
    text = Document("text", "\n\n".join(claim.text for claim in story.claims))
    documents = [pipeline.process(document) for document in (text, *story.documents)]
    (sentences, *others), _ = passages(documents, link_chains(documents))
    evidence = [passage for passages in others for passage in passages]
    rows = vectors([passage.text for passage in (*sentences, *evidence)])
    near = (rows[: len(sentences)] @ rows[len(sentences) :].T).astype(float)
    parts, start = [], 0
    for claim in story.claims:
        end = start + len(claim.text)
        parts.append([n for n, s in enumerate(sentences) if start <= s.sentence.start < end])
        start = end + 2
    return sentences, evidence, near, parts


def simple(story: Story, pipeline: Pipeline) -> Iterator[tuple[Claim, dict[str, float]]]:
    """Yield the baselines' scores of each sentence."""
    sentences, evidence, near, parts = analysed(story, pipeline)
    for claim, (place, *_) in zip(story.claims, parts, strict=True):
        yield claim, simple_scores(sentences[place], evidence, near[place])


def shares(rows: Sequence[Row]) -> tuple[float, float]:
    """Return the shares of supported sentences that pass and of wrong ones that fail."""
    passed = [row.passed for row in rows if row.claim.supported]
    noticed = [not row.passed for row in rows if not row.claim.supported]
    return float(np.mean(passed)), float(np.mean(noticed))


def at_best(rows: Sequence[Row]) -> list[Row]:
    """Apply the threshold that is best on these rows."""
    right = np.array([row.claim.supported for row in rows])
    scores = np.array([row.score for row in rows])

    def balance(least: float) -> float:
        return float((scores[right] >= least).mean() + (scores[~right] < least).mean())

    least = max(np.unique(scores).tolist(), key=balance)
    return [row._replace(passed=row.score >= least) for row in rows]


def interval(rows: Sequence[Row]) -> tuple[float, float]:
    """Return the 95% interval of balanced accuracy over resampled stories."""
    by_story: dict[str, list[Row]] = {}
    for row in rows:
        by_story.setdefault(row.story, []).append(row)
    counts = np.array(
        [
            [
                sum(r.claim.supported for r in story_rows),
                sum(r.claim.supported and r.passed for r in story_rows),
                sum(not r.claim.supported for r in story_rows),
                sum(not r.claim.supported and not r.passed for r in story_rows),
            ]
            for story_rows in by_story.values()
        ],
        dtype=float,
    )
    draws = np.random.default_rng(1).integers(len(counts), size=(RESAMPLES, len(counts)))
    right, passed, wrong, noticed = np.moveaxis(counts[draws].sum(1), 1, 0)
    balanced = (passed / np.maximum(right, 1) + noticed / np.maximum(wrong, 1)) / 2
    low, high = np.quantile(balanced, (0.025, 0.975))
    return float(low), float(high)


def calibration_error(rows: Sequence[Row]) -> float:
    """Return the expected calibration error in ten bins of equal width."""
    scores = np.array([row.score for row in rows])
    right = np.array([row.claim.supported for row in rows], dtype=float)
    bins = np.minimum((scores * CALIBRATION_BINS).astype(int), CALIBRATION_BINS - 1)
    return sum(
        float(abs(scores[bins == n].mean() - right[bins == n].mean()) * (bins == n).mean())
        for n in np.unique(bins)
    )


def table(ways: dict[str, list[Row]], title: str) -> Table:
    """Tabulate one column for each method."""
    kinds = sorted({row.claim.kind for rows in ways.values() for row in rows})
    heads = ["balanced accuracy", "from", "to", "supported passed", "wrong found", "area"]
    heads += ["calibration error", "unknown", f"called {SURE_FROM:g} or more", "wrong among these"]
    columns = {}
    for name, rows in ways.items():
        passed, noticed = shares(rows)
        sure = [row for row in rows if row.score >= SURE_FROM and row.passed]
        is_judge = name not in ("word overlap", "sentence vectors", "entailment")
        cells: list[float | None] = [(passed + noticed) / 2, *interval(rows), passed, noticed]
        scores, labels = [row.score for row in rows], [row.claim.supported for row in rows]
        cells.append(area_under_curve(scores, labels))
        cells += [
            calibration_error(rows) if is_judge else None,
            float(np.mean([row.unknown for row in rows])) if is_judge else None,
            len(sure) / len(rows) if is_judge else None,
            float(np.mean([not row.claim.supported for row in sure]))
            if is_judge and sure
            else None,
        ]
        cells += [
            float(np.mean([row.passed == row.claim.supported for row in kind_rows]))
            for kind in kinds
            for kind_rows in [[row for row in rows if row.claim.kind == kind]]
        ]
        columns[name] = cells
    listed = [*heads, *(f"{kind}: right" for kind in kinds)]
    lines = [[head, *line] for head, *line in zip(listed, *columns.values(), strict=True)]
    return Table.of(["share", *columns], lines, title)


def score(options: argparse.Namespace) -> None:
    """Print a table for each set."""
    pipeline = Pipeline(detector="names", aggregator="heads")
    judges = {name: open_judge(name) for name in options.judge}
    kept: dict[str, Any] = {}
    for name in options.names:
        group = read_set(name, options.data)[: options.limit]
        ways: dict[str, list[Row]] = {}
        for story in track(group, name, console=Console(stderr=True)):
            for claim, scores in simple(story, pipeline) if not options.only else ():
                for way, value in scores.items():
                    ways.setdefault(way, []).append(Row(story.id, claim, value, False))
            for way, judge in judges.items():
                ways.setdefault(way, []).extend(judged(story, judge, pipeline))
        ways = {way: rows if way in judges else at_best(rows) for way, rows in ways.items()}
        count = sum(len(story.claims) for story in group)
        print(
            table(ways, f"{name}: {count} sentences, {len(group)} stories").render(options.format)
        )
        kept[name] = {
            way: [[r.story, r.claim.text, r.claim.supported, r.score] for r in rows]
            for way, rows in ways.items()
        }
    if options.keep:
        options.keep.write_text(json.dumps(kept), encoding="utf-8")


def timed(options: argparse.Namespace) -> None:
    """Time the local judge beside the small one: sources of 1,000 words, then sentences."""
    (story, *_) = read_set("news-dev", options.data)
    words = " ".join(d.text for d in read_set("news-dev", options.data)[1].documents).split()
    text = " ".join((*(" ".join(d.text for d in story.documents)).split(), *words)[:1000])
    documents = [Document("0", text)]
    pipeline = Pipeline(detector="names", aggregator="heads")
    rows = []
    for name in options.judge:
        begun = time.perf_counter()
        judge = open_judge(name)
        opened = time.perf_counter() - begun
        taken = []
        for count in (1, 1 + options.sentences):
            sentences = "\n\n".join(claim.text for claim in story.claims[:count])
            begun = time.perf_counter()
            tatian.trace(sentences, documents, judge=judge, pipeline=pipeline)
            taken.append(time.perf_counter() - begun)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        per_sentence = (taken[1] - (taken[0] if name == "small" else 0)) / options.sentences
        rows.append([name, opened, taken[0], per_sentence, memory])
    print(f"{os.cpu_count()} cores; the first sentence reads the sources of 1,000 words")
    heads = ["judge", "opening, s", "first sentence, s", "each further, s", "memory so far, GB"]
    print(Table.of(heads, rows).render(options.format))


def odds(options: argparse.Namespace) -> None:
    """Print the local judge's table for each set, from log-odds that are kept in a file."""
    sets = {name: read_set(name, options.data)[: options.limit] for name in options.names}
    if not options.odds.exists():
        options.odds.write_text(json.dumps(list(_asked(sets))), encoding="utf-8")
    kept = json.loads(options.odds.read_text("utf-8"))
    odds_of = {(name, story, text): value for name, story, text, _, value in kept}
    fitted = calibration()
    for name, group in sets.items():
        rows = []
        for story in group:
            for claim in story.claims:
                probability = fitted.probability(odds_of[name, story.id, plain(claim.text)])
                unknown = fitted.bounds.unknown <= probability < fitted.bounds.supported
                passed = probability >= fitted.bounds.supported
                rows.append(Row(story.id, claim, probability, passed, unknown))
        title = f"{name}: {len(rows)} sentences, {len(group)} stories"
        print(table({"local": rows}, title).render(options.format))


def _asked(sets: dict[str, list[Story]]) -> Iterator[tuple[str, str, str, bool, float]]:
    model = Completions(_adapter(), thread_count(None))
    for name, group in sets.items():
        for story in track(group, name, console=Console(stderr=True)):
            sources = [
                describe_source(
                    document.text, document.metadata.source or "", document.metadata.date or ""
                )
                for document in story.documents
            ]
            for claim in story.claims:
                prompt = sources_prompt(sources) + sentence_prompt(claim.text)
                log_odds = model.log_odds(prompt, YES, NO)
                yield name, story.id, plain(claim.text), claim.supported, round(log_odds, 3)


def calibrate(options: argparse.Namespace) -> None:
    """Fit the slopes of the local judge's probability on the development sets."""
    kept = json.loads(options.odds.read_text("utf-8"))
    rows = [(odds, float(label)) for name, _, _, label, odds in kept if name in TUNING]
    inputs = np.array([[max(odds, 0.0), min(odds, 0.0)] for odds, _ in rows])
    above, below = logistic(inputs, [label for _, label in rows], 1e-2).tolist()
    adapter = hashlib.sha256(_adapter().read_bytes()).hexdigest()
    fitted = Calibration(adapter, round(above, 4), round(below, 4), LOCAL_BOUNDS)
    (FOLDER / "judge.json").write_bytes(msgspec.json.encode(fitted) + b"\n")


def _adapter() -> Path:
    return adapter_path(ADAPTER) or sys.exit(f"the adapter is not installed: {GET_ADAPTERS}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command."""
    jobs: dict[str, Callable[[argparse.Namespace], None]]
    jobs = {"score": score, "time": timed, "odds": odds, "calibrate": calibrate}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("job", choices=list(jobs))
    parser.add_argument("names", nargs="*", metavar="SET", help=", ".join(SETS))
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("TATIAN_DATA", "data")))
    parser.add_argument("--judge", nargs="+", default=["small"])
    parser.add_argument("--limit", type=int)
    parser.add_argument("--sentences", type=int, default=5, help="sentences that are timed")
    parser.add_argument("--only", action="store_true", help="the judges alone")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--odds", type=Path, help="log-odds as judge_train.py keeps them")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    options = parser.parse_args(arguments)
    jobs[options.job](options)


if __name__ == "__main__":
    main()
