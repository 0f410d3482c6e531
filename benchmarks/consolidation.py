"""How well Tatian weaves the reports of one event together, beside simpler ways to do it.

    python benchmarks/consolidation.py                 the table, on the topics kept for reporting
    python benchmarks/consolidation.py --split tune    on the topics that may be tuned on
    python benchmarks/consolidation.py --tune          the extraction at many thresholds
    python benchmarks/consolidation.py --read 5        the consolidated text of five events
    python benchmarks/consolidation.py --examples      the consolidated text of the examples

The data is ECB+. A set of accounts is all documents of one subtopic, that is, one event; their
address and date lines are taken out, their sentence breaks are the gold ones, their tokens are
Tatian's own, and no system sees the gold mentions and chains. Topics 1-20 are for reading and
tuning, topics 21-35 for reporting. What the columns mean is in `tatian.consolidation.metrics`.

Systems: Tatian; all accounts without the sentences that are too similar (cosine of TF-IDF vectors)
to one already taken, at three thresholds; the longest account; all accounts one after the other.
They run in one process, so their speeds compare.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import to_builtins

from consolidation_baselines import System, concatenation, extraction, longest
from tatian import Pipeline, consolidate
from tatian.consolidation.metrics import (
    CLOSE,
    Alignment,
    Measures,
    everything_together,
    measure,
)
from tatian.coreference.data import by_subtopic, read_ecbplus
from tatian.errors import EmptyInput, TatianError
from tatian.statistics import (
    Column,
    Comparison,
    Score,
    Table,
    fingerprint,
    micro_f1,
    paired_bootstrap,
)
from tatian.text import SENTENCES, TOKENS, Document
from tatian.text.tokenizer import tokenize

ROOT = Path(__file__).resolve().parent.parent
ARCHIVE = "coreference/ecbplus-topics-1-35.tar.gz"
SPLITS = {"tune": "1-20", "report": "21-35", "all": "1-35"}
EXTRACTIONS = (0.4, 0.2, 0.05)
"""On the tuning topics the first has the best coverage minus repetition, the last the best close
F1 (it is also the lowest tried); the middle one was not tuned, it lies between them."""
THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8)

Figures = dict[str, Score | float | None]


class Event(NamedTuple):
    """The reports of one event: with gold chains to score by, and as the systems get them."""

    id: str
    gold: list[Document]
    accounts: list[Document]


class Run(NamedTuple):
    """A system's figures on every event."""

    system: System
    measures: list[Measures]
    seconds: float


def systems(model: str | None, detector: str | None = None) -> list[System]:
    """What is compared; the first one is ours."""
    pipeline = Pipeline(merger=model, detector=detector)
    return [
        System("tatian", lambda documents: consolidate(documents, pipeline=pipeline)),
        *(System(f"extraction, cosine < {most}", extraction(most)) for most in EXTRACTIONS),
        System("longest account", longest, aligns=False),
        System("concatenation", concatenation, aligns=False),
    ]


def read_events(archive: Path, topics: Sequence[str], limit: int | None) -> list[Event]:
    """The events of those topics that at least two documents report; `limit` spreads over them."""
    groups = by_subtopic(read_ecbplus(archive, topics=topics, header=False))
    events = [
        Event(f"{topic} {subtopic}", documents, [account(document) for document in documents])
        for (topic, subtopic), documents in groups.items()
        if len(documents) > 1
    ]
    if not events:
        raise EmptyInput(f"no event in topics {','.join(topics)}", path=str(archive))
    wanted = min(limit or len(events), len(events))
    return [events[index * len(events) // wanted] for index in range(wanted)]


def account(document: Document) -> Document:
    """The document as a system gets it: text, sentence breaks, our own tokens, nothing else."""
    bare = Document(document.id, document.text, document.metadata)
    tokens = [
        token
        for sentence in document.sentences
        for token in tokenize(document.text, sentence.start, sentence.end)
    ]
    bare = bare.with_layer(TOKENS, tokens, "tatian")
    return bare.with_layer(SENTENCES, document.sentences, "gold")


def run(system: System, events: Sequence[Event]) -> Run:
    """Let one system consolidate every event, and measure the results."""
    measures = []
    seconds = 0.0
    for number, event in enumerate(events, 1):
        start = time.perf_counter()
        result = system.run(event.accounts)
        seconds += time.perf_counter() - start
        measures.append(measure(result, event.gold))
        if sys.stderr.isatty():
            end = "\n" if number == len(events) else ""
            print(f"\r{system.name}: {number}/{len(events)}", end=end, file=sys.stderr)
    return Run(system, measures, seconds)


COLUMNS = (
    Column("alignment F1", precision=1, scale=100, best="max"),
    Column("precision", precision=1, scale=100),
    Column("recall", precision=1, scale=100),
    Column("close F1", precision=1, scale=100, best="max"),
    Column("coverage", precision=1, scale=100, best="max"),
    Column("weighted coverage", precision=1, scale=100),
    Column("repetition", precision=1, scale=100, best="min"),
    Column("glue", precision=2, scale=100),
    Column("compression", precision=1, scale=100),
    Column("words/s", precision=0),
)
COMPARED = ("alignment F1", "close F1", "coverage", "repetition")


def scores(done: Run, events: Sequence[Event]) -> Figures:
    """The run's figures under the names of the columns."""
    ids = [event.id for event in events]
    data = fingerprint(document.text for event in events for document in event.gold)

    def average(name: str, values: list[float]) -> Score:
        return Score.of(name, values, ids=ids, data=data)

    def f1(name: str, counted: list[Alignment]) -> Score:
        return Score.of(name, [counts(one) for one in counted], micro_f1, ids=ids, data=data)

    pairs = total(one.alignment for one in done.measures)
    aligned: Figures = {
        "alignment F1": f1("alignment F1", [one.alignment for one in done.measures]),
        "precision": pairs.precision,
        "recall": pairs.recall,
        "close F1": f1("close F1", [one.close_alignment for one in done.measures]),
    }
    return {
        **(aligned if done.system.aligns else dict.fromkeys(aligned)),
        "coverage": average("coverage", [one.coverage for one in done.measures]),
        "weighted coverage": average(
            "weighted coverage", [one.weighted_coverage for one in done.measures]
        ),
        "repetition": average("repetition", [one.repetition for one in done.measures]),
        "glue": average("glue", [one.glue for one in done.measures]),
        "compression": average("compression", [one.compression for one in done.measures]),
        "words/s": sum(one.source_words for one in done.measures) / done.seconds,
    }


def counts(one: Alignment) -> tuple[int, int, int]:
    """Correct, predicted and gold pairs."""
    return one.correct, one.predicted, one.gold


def total(alignments: Iterable[Alignment]) -> Alignment:
    """All events' pairs counted together."""
    return Alignment(*(sum(column) for column in zip(*map(counts, alignments), strict=True)))


def report(runs: Sequence[Run], events: Sequence[Event], form: str) -> str:
    """The systems side by side, and whether ours differs from each of the others by chance."""
    figures = [scores(done, events) for done in runs]
    rows = [
        (done.system.name, *(row[column.name] for column in COLUMNS))
        for done, row in zip(runs, figures, strict=True)
    ]
    documents = sum(len(event.gold) for event in events)
    title = f"ECB+, {len(events)} events told by {documents} documents; ± is the standard error"
    table = Table.of(["system", *COLUMNS], rows, title)
    trivial = {
        name: total(everything_together(event.gold, common=common) for event in events).f1
        for name, common in (("alignment F1", 0.0), ("close F1", CLOSE))
    }
    compared = {
        done.system.name: comparisons(figures[0], row)
        for done, row in zip(runs[1:], figures[1:], strict=True)
    }
    if form == "json":
        plain = {name: [to_builtins(one) for one in them] for name, them in compared.items()}
        return json.dumps(table.to_json() | {"one group": trivial, "against": plain}, indent=2)
    lines = [table.render("markdown" if form == "markdown" else "text")]
    one_group = ", ".join(f"{name} {100 * value:.1f}" for name, value in trivial.items())
    lines.append(f"All sentences in one group: {one_group}\n")
    for name, them in compared.items():
        told = (f"{c.metric} {100 * c.difference:+.1f} (p {c.p_value:.4f})" for c in them)
        lines.append(f"- {runs[0].system.name} against {name}: {', '.join(told)}")
    lines.append("\np: paired bootstrap over the events, 10,000 resamples, two-sided")
    return "\n".join(lines)


def comparisons(ours: Figures, theirs: Figures) -> list[Comparison]:
    """Our scores against theirs, metric by metric."""
    pairs = ((ours[name], theirs[name]) for name in COMPARED)
    return [
        paired_bootstrap(one, other)
        for one, other in pairs
        if isinstance(one, Score) and isinstance(other, Score)
    ]


def tuning(events: Sequence[Event]) -> str:
    """The figures of the extraction at every threshold."""
    lines = []
    for threshold in THRESHOLDS:
        figures = scores(run(System(str(threshold), extraction(threshold)), events), events)
        shown = {name: figures[name] for name in COMPARED}
        values = (f"{name} {s.value:.3f}" for name, s in shown.items() if isinstance(s, Score))
        lines.append(f"{threshold:.2f}  " + "  ".join(values))
    return "\n".join(lines)


def read_aloud(model: str | None, bundles: Sequence[tuple[str, Sequence[Any]]]) -> None:
    """Print consolidated texts for a person to judge."""
    pipeline = Pipeline(merger=model)
    for name, accounts in bundles:
        result = consolidate(list(accounts), pipeline=pipeline)
        print(f"## {name} ({len(result.documents)} accounts)\n\n{result.text}\n")
        for one in result.contradictions:
            print(f"- accounts disagree ({one.kind}): {one.why}")
        print()


def example_bundles() -> list[tuple[str, list[Path]]]:
    """The bundled examples."""
    return [
        (folder.name, sorted(path for path in folder.iterdir() if path.is_file()))
        for folder in sorted((ROOT / "examples").iterdir())
        if folder.is_dir()
    ]


def topic_list(given: str) -> list[str]:
    """Topics from a list such as ``1-5,8``."""
    topics: list[str] = []
    for part in given.split(","):
        first, _, last = part.partition("-")
        topics += [str(number) for number in range(int(first), int(last or first) + 1)]
    return topics


def main(arguments: Sequence[str] | None = None) -> None:
    """Parse, run, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    default = os.environ.get("TATIAN_DATA") or ROOT.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(default), help="folder of the data sets")
    parser.add_argument(
        "--split", choices=SPLITS, help="default: report (tune with --tune, --read)"
    )
    parser.add_argument("--topics", type=topic_list, help="such as 1-5,8; overrides --split")
    parser.add_argument("--limit", type=int, help="at most so many events")
    parser.add_argument("--model", help="the merger to use in place of the default")
    parser.add_argument("--detector", help="the detector of mentions in place of the default")
    parser.add_argument("--format", choices=["text", "markdown", "json"], default="text")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--tune", action="store_true", help="print the threshold search")
    what.add_argument("--read", type=int, metavar="N", help="print N events' consolidated text")
    what.add_argument("--examples", action="store_true", help="print the examples' text")
    given = parser.parse_args(arguments)
    try:
        if given.examples:
            read_aloud(given.model, example_bundles())
            return
        split = given.split or ("tune" if given.tune or given.read else "report")
        topics = given.topics or topic_list(SPLITS[split])
        events = read_events(given.data / ARCHIVE, topics, given.read or given.limit)
        if given.read:
            read_aloud(given.model, [(event.id, event.accounts) for event in events])
        elif given.tune:
            print(tuning(events))
        else:
            compared = systems(given.model, given.detector)
            print(report([run(one, events) for one in compared], events, given.format))
    except (TatianError, OSError) as error:
        sys.exit(f"consolidation.py: {error}")


if __name__ == "__main__":
    main()
