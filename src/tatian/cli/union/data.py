"""Reading of files of unions; ``tatian union check``, ``representative`` and ``stats``."""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from tatian.cli import options
from tatian.cli.files import by_name, keep_inputs
from tatian.cli.options import command
from tatian.cli.output import print_by_file, progress_bar, say, warn, write, write_json
from tatian.corpora.decoding import decode
from tatian.errors import EmptyInput
from tatian.grouping import grouped
from tatian.progress import Progress, track
from tatian.text import Document
from tatian.text.streams import open_stream
from tatian.union import data
from tatian.union.data import Format, UnionInstance
from tatian.union.data.checks import choose_representatives, inspect, is_kept
from tatian.union.generate import passages
from tatian.union.metrics import NOVEL, USUAL, Judge, MarkedUnion, parse_marks
from tatian.views.wording import format_count

if TYPE_CHECKING:
    from tatian.union.plots import UnionSummary
    from tatian.union.ratings import Rating

Numbered = list[tuple[int, UnionInstance]]
"""Instances, each with its line in the file."""


def read_text(path: str) -> tuple[str, str]:
    """Read a file or standard input, plain or gzipped; return text and name for errors."""
    with open_stream(path) as stream:
        return decode(stream.read(), stream.name, warn), stream.name


def read_instances(path: str) -> tuple[list[UnionInstance], Format]:
    """Read instances from a file or standard input, plain or gzipped, CSV or JSONL."""
    pairs, form, _ = read_numbered(path)
    return [instance for _, instance in pairs], form


def read_numbered(path: str) -> tuple[Numbered, Format, str]:
    """Read instances, each with its line; also return the format, and the name for errors."""
    text, name = read_text(path)
    form: Format = "jsonl" if text.lstrip("\ufeff \t\r\n").startswith("{") else "csv"
    pairs = list(data.parse_numbered(io.StringIO(text, newline=""), form, path=name))
    if not pairs:
        raise EmptyInput("the file contains no sentences", path=name)
    return pairs, form, name


def read_ratings(paths: Iterable[str]) -> list[Rating]:
    """Read the ratings of several files."""
    from tatian.union.ratings import parse

    ratings: list[Rating] = []
    for path in paths:
        text, name = read_text(path)
        ratings += parse(text, path=name)
    return ratings


def read_marks(arguments: Iterable[str]) -> dict[str, list[MarkedUnion]]:
    """Read marked unions by dataset, which is the file's name if lines do not name one."""
    texts = [(name, *read_text(path)) for name, path in by_name(arguments, "datasets").items()]
    return grouped(
        (mark.dataset or name, mark)
        for name, text, place in texts
        for mark in parse_marks(text, path=place)
    )


def read_systems(arguments: Iterable[str]) -> dict[str, list[UnionInstance]]:
    """Read predictions by system: ``NAME=FILE``, or a file under its own name."""
    return {name: read_instances(path)[0] for name, path in by_name(arguments).items()}


class MeasureOptions(Struct, frozen=True):
    """Metrics to compute, and the entailment model that they use."""

    no_nli: bool
    nli_model: str | None
    also: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return (
            *(name for name in USUAL if not (self.no_nli and name == "nli")),
            *(NOVEL if "novelty" in self.also else ()),
            *(("definition",) if "definition" in self.also else ()),
        )

    @property
    def judge(self) -> str | Judge | None:
        """The entailment model."""
        return entailment_model(self.nli_model)


MEASURES: Any = options.OptionGroup(
    {
        "no_nli": options.flag("Skip the entailment metric, which takes seconds."),
        "nli_model": options.option(
            "Entailment model: a name or path on a hub, or 'local' for the language model of "
            "'tatian models install judge'. By default it is the one in the package.",
            metavar="NAME",
        ),
        "also": options.choice(
            ["novelty", "definition"],
            "Also compute the share of novel words, pairs and triples, or whether the union and "
            "its sources entail each other. Repeatable.",
            "--with",
            multiple=True,
        ),
    },
    MeasureOptions,
)


def entailment_model(name: str | None) -> str | Judge | None:
    """Return a model by name, as the metrics take it; 'local' is loaded here."""
    if name != "local":
        return name
    from tatian.consolidation.verification.judges.local import LocalEntailment

    return LocalEntailment()


PROBLEMS_FOUND = 1
"""Exit status if unions have problems."""


@command()
def check(
    file: str = options.path(),
    fitness: bool = options.flag(
        "Also judge whether each pair is fit for a union, and note what is easily missed."
    ),
    cleaned: str | None = options.file(
        "Write all instances to this file, except those that are disjoint."
    ),
    form: str = options.format,
) -> None:
    """Report unions that should be removed or checked by a person.

    Reported are unions that only join unrelated sentences, quotations that no sentence has, and the
    first person. --fitness adds pairs with nothing to consolidate, disagreements (with the
    conflicting words), missing context, unnatural unions, and subtle cases. Each report has the
    line and the id of the record. The exit status is 1 if there is any except subtle cases.
    """
    keep_inputs(cleaned or "-", (file,))
    instances, input_format, name = read_numbered(file)
    with progress_bar() as progress:
        findings = list(_findings(instances, fitness, progress))
    if cleaned:
        kept = [instance for _, instance in instances if is_kept(instance)]
        write("".join(data.format_lines(kept, input_format)), cleaned)
    serious = [finding for finding in findings if finding["action"] != "notice"]
    if form == "json":
        counts = _counts(findings)
        write_json({"instances": len(instances), "counts": counts, "findings": list(findings)})
    else:
        for finding in findings:
            write(
                f"{name}:{finding['line']}: [{finding['id']}] {finding['reason']}: {finding['why']}"
            )
        _say_counts(instances, findings)
    if serious:
        sys.exit(PROBLEMS_FOUND)


def _findings(instances: Numbered, fitness: bool, progress: Progress) -> Iterator[dict[str, Any]]:
    if fitness:
        from tatian.pipeline import Pipeline

        prepare = Pipeline.for_sentences().process
    for line, instance in track(instances, "checking unions", progress):
        for finding in inspect(instance):
            yield {"line": line, **msgspec.to_builtins(finding)}
        if fitness:
            yield from ({"line": line, **finding} for finding in _unfit(instance, prepare))


def _unfit(
    instance: UnionInstance, prepare: Callable[[Document], Document]
) -> Iterator[dict[str, Any]]:
    """Yield the findings about the fitness of each pair of an instance's sentences."""
    from tatian.union.relations.fitness import judge

    numbered = enumerate(passages(instance, prepare), 1)
    filled = [(number, passage) for number, passage in numbered if passage.text.strip()]
    for (first_number, first), (second_number, second) in combinations(filled, 2):
        fitness = judge(first, second)
        between = "" if len(filled) == 2 else f"sentences {first_number} and {second_number}: "
        if fitness.reason is not None:
            yield {
                "id": instance.id,
                "reason": fitness.reason,
                "action": "skip",
                "why": between + fitness.why,
                "consolidation": fitness.consolidation,
                "contradictions": msgspec.to_builtins(fitness.contradictions),
            }
        for case in fitness.cases:
            yield {
                "id": instance.id,
                "reason": case.kind,
                "action": "notice",
                "why": between + case.why,
                "places": msgspec.to_builtins(case.places),
            }


def _counts(findings: Sequence[dict[str, Any]]) -> dict[str, int]:
    return dict(sorted(Counter(str(finding["reason"]) for finding in findings).items()))


def _say_counts(instances: Numbered, findings: Sequence[dict[str, Any]]) -> None:
    counts = ", ".join(f"{reason} {count}" for reason, count in _counts(findings).items())
    say("note", f"{format_count(len(instances), 'instance')}: {counts or 'nothing found'}")


@command()
def representative(
    files: tuple[str, ...] = options.paths("FILE..."),
    form: Format | None = options.choice(
        ["csv", "jsonl"], "Output format; by default that of the first file.", "--to"
    ),
    output: str = options.output,
) -> None:
    """Choose the most representative of several annotators' unions of the same sentences.

    It is the union whose content words are most similar to those of the others. Sentences that at
    least half of the annotators skipped stay skipped. FILE is CSV or JSONL, as for 'union
    generate'; the unions of several annotators may be in one file or in several.
    """
    keep_inputs(output, files)
    all_instances: list[UnionInstance] = []
    first_format: Format | None = None
    for file in files:
        instances, file_format = read_instances(file)
        all_instances += instances
        first_format = first_format or file_format
    chosen = choose_representatives(all_instances)
    write("".join(data.format_lines(chosen, form or first_format or "jsonl")), output)
    say("note", f"{len(chosen)} of {len(all_instances)} records chosen")


@command()
def stats(
    files: tuple[str, ...] = options.argument("[NAME=]FILE...", nargs=-1, required=True),
    form: str = options.format,
) -> None:
    """Count the instances of each file and show how much their unions compress.

    Prints sizes, skipped pairs by reason, the mean compression rate and its histogram, in per cent.
    The rate is the share of the shorter sentence's content words that a union saves. It may be
    below 0 or above 1. 'union plot compression' draws the histogram.
    """
    from tatian.union.plots import summarize

    summaries = {name: summarize(instances) for name, instances in read_systems(files).items()}
    figures = {name: _figures(summary) for name, summary in summaries.items()}
    if form == "json":
        for figure in figures.values():
            figure["compression"] = figure["compression"] and figure["compression"].to_json()
        write_json(figures)
    else:
        print_by_file(figures)


def _figures(summary: UnionSummary) -> dict[str, Any]:
    from tatian.union.plots import BINS

    return {
        "instances": summary.instances,
        "merged": summary.merged,
        "skipped": summary.skipped,
        "compression": summary.compression,
        "histogram": dict(zip(BINS, summary.histogram, strict=False)),
    }
