"""``tatian union generate``, ``pairs`` and ``relations``: sentences to merge, and their unions."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import click
import msgspec

from tatian.analysis.installed import unavailable
from tatian.cli import options
from tatian.cli.files import ending_of, keep_inputs
from tatian.cli.options import STREAM, any_path, command
from tatian.cli.output import console, progress_bar, say, warn, writer
from tatian.cli.union.data import entailment_model, read_instances, read_text
from tatian.corpora.reading import read_clusters
from tatian.errors import InputError, TatianError
from tatian.progress import track
from tatian.text.language import MIN_ENGLISH_SHARE, english_share
from tatian.union import data
from tatian.union.data import Format, UnionInstance
from tatian.union.generate import UnionReport, generate_reported
from tatian.union.models import Merger, OnConflict, mergers
from tatian.views.wording import squeeze

if TYPE_CHECKING:
    from tatian.union.relations import Related
    from tatian.union.relations.knowledge import Knowledge


_JSON = (".jsonl", ".ndjson", ".json")
_MAX_SHOWN_IDS = 5
"""Maximum number of ids in a warning."""
_MODEL_OF = {
    "checkpoint": "seq2seq",
    "prompt": "prompt",
    "raw": "prompt",
    "examples": "prompt",
    "drafts": "local",
    "judge": "local",
}
"""Model that each setting is for."""


MODEL_SETTINGS: Any = options.OptionGroup(
    {
        "checkpoint": options.option(
            "With --model seq2seq: the folder of the model, as 'tatian train seq2seq' writes it, "
            "or its name on a hub.",
            type=any_path,
            metavar="DIR",
        ),
        "prompt": options.file(
            "With --model prompt: use the prompt in this file, with '<sentence 1 goes here>' and "
            "so on for the sentences."
        ),
        "examples": options.file(
            "With --model prompt: add these examples of right and wrong unions, as 'union score "
            "--mistakes' writes them."
        ),
        "raw": options.flag(
            "With --model prompt: use the first answer, without checks or further attempts."
        ),
        "drafts": options.number(
            "With --model local: number of drafts of each union; by default 2."
        ),
        "judge": options.option(
            "With --model local: entailment model that chooses among the best wordings. It is "
            "'local' for the local judge, or a model on a hub by name or path.",
            metavar="NAME",
        ),
    },
    dict,
)
"""Settings of `seq2seq`, `prompt` and `local`."""


def _model_options(model: str | None, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings as the model takes them; those of another model are refused."""
    set_options = {name: value for name, value in settings.items() if value}
    for name in set_options:
        if model != _MODEL_OF[name]:
            raise click.UsageError(f"--{name} is for --model {_MODEL_OF[name]}")
    return {name: _open_setting(name, value) for name, value in set_options.items()}


def _open_setting(name: str, value: Any) -> Any:
    """Return a setting as the model takes it, from the value of its option."""
    if name == "prompt":
        return read_text(value)[0]
    if name == "examples":
        from tatian.union.models.prompt import read_shots

        return read_shots(value)
    if name == "judge":
        from tatian.union.metrics.nli import load_judge

        return load_judge(entailment_model(value))
    return value


@command()
def generate(
    pairs: str = options.path(),
    model: str | None = options.model("Union"),
    operation: str = options.choice(
        ["union", "intersection"],
        "State everything that the sentences state, or only what all of them state.",
        default="union",
    ),
    form: Format | None = options.choice(
        ["csv", "jsonl"], "Output format; by default that of the input.", "--to"
    ),
    report: str | None = options.file(
        "Also write to this file, as JSONL, the source of each word and what was left out."
    ),
    settings: dict[str, Any] = MODEL_SETTINGS,
    kb: str | None = options.kb,
    on_conflict: OnConflict | None = options.choice(
        ["both", "refuse", "first"],
        "What to do with conflicting figures, dates or names: state both (the default), write no "
        "union, or keep those of the first sentence. Models 'edit' and 'local' only.",
    ),
    output: str = options.output,
) -> None:
    """Write the union of each pair or group of sentences.

    PAIRS is CSV with the columns sentence1Text and sentence2Text; the unions fill the column
    mergedText. Or it is JSONL with "sentences" (any number) and perhaps "id" and "date". With --kb,
    a description in one sentence is replaced by the name in another: "the French capital" by
    "Paris".
    """
    from tatian.pipeline import Pipeline

    for target in (output, report or STREAM):
        keep_inputs(target, (pairs,))
    if report is not None and report == output:
        raise InputError("--report and --output are the same file", path=report)
    merger = _merger(operation, model, kb, on_conflict, _model_options(model, settings))
    instances, input_format = read_instances(pairs)
    form = form or input_format
    # fail early if the format cannot hold the instances
    list(data.format_lines(instances, form))
    _warn_of_input(instances)
    on_terminal = output == STREAM and sys.stdout.isatty()
    with (
        progress_bar(hidden=on_terminal) as progress,
        writer(output, partial=True) as put,
        writer(report or STREAM, partial=True) as put_report,
    ):
        results = generate_reported(
            instances,
            merger,
            prepare=Pipeline.for_sentences().process,
            progress=progress,
            name=model,
        )
        merged = _write_results(results, form, put, put_report if report is not None else None)
    if callable(summary := getattr(merger, "summary", None)):
        say("note", summary())
    if refused := [instance for instance in merged if instance.skip is not None]:
        any_unfit = any(instance.skip != "disagreement" for instance in refused)
        unfit = " or do not fit together" if any_unfit else ""
        say("warning", f"no union: the sentences disagree{unfit}: {_name_instances(refused)}")
    if empty := [instance for instance in merged if not instance.merged and instance.skip is None]:
        say("warning", f"the sentences have nothing in common: {_name_instances(empty)}")


def _write_results(
    results: Iterator[tuple[UnionInstance, Callable[[], UnionReport]]],
    form: Format,
    put: Callable[[str], None],
    put_report: Callable[[str], None] | None,
) -> list[UnionInstance]:
    """Write each result as soon as it exists, so that an interrupted run keeps its results."""
    merged = []

    def with_reports() -> Iterator[UnionInstance]:
        for instance, report in results:
            merged.append(instance)
            if put_report is not None:
                put_report(msgspec.json.encode(report()).decode() + "\n")
            yield instance

    instances = with_reports()
    # the first result comes before the header, so that a failed run does not touch the file
    first = next(instances, None)
    for line in data.format_lines(instances if first is None else chain([first], instances), form):
        put(line)
    return merged


def _merger(
    operation: str,
    model: str | None,
    kb: str | None,
    on_conflict: OnConflict | None,
    chosen: dict[str, Any],
) -> Merger:
    if operation == "union":
        takes_conflicts = mergers.accepts(model or mergers.default, "on_conflict")
        if on_conflict is not None and not takes_conflicts:
            raise click.UsageError("--on-conflict is for the models edit and local")
        knowledge = None if kb is None else _knowledge(kb)
        settings: dict[str, Any] = {}
        if takes_conflicts:
            settings = {"on_conflict": on_conflict or "both", "knowledge": knowledge}
        merger = mergers.create(model, **settings, **chosen)
        if knowledge is None:
            return merger
        from tatian.union.models.specific import Specific

        return Specific(merger, knowledge)
    for option, value in {"--model": model, "--kb": kb, "--on-conflict": on_conflict}.items():
        if value is not None:
            message = f"{option} is for unions: leave it out with --operation intersection"
            raise click.UsageError(message)
    from tatian.union.models.intersection import Intersection

    return Intersection()


def _knowledge(kb: str) -> Knowledge:
    from tatian.knowledge import open_base
    from tatian.union.relations.knowledge import KnownPhrases

    if problem := unavailable():
        raise TatianError(f"--kb requires the parser: {problem}")
    return KnownPhrases(open_base(kb))


def _warn_of_input(instances: list[UnionInstance]) -> None:
    """Warn about sentences that are empty or not in English."""

    def is_foreign(several: list[UnionInstance]) -> bool:
        text = " ".join(sentence for instance in several for sentence in instance.sentences)
        return english_share(text) < MIN_ENGLISH_SHARE

    foreign = [instance for instance in instances if is_foreign([instance])]
    if is_foreign(instances):
        foreign = instances
    if foreign:
        say("warning", f"not English, so only words are compared: {_name_instances(foreign)}")
    incomplete = [text for text in instances if not all(map(str.strip, text.sentences))]
    if incomplete:
        say("warning", f"ignoring the empty sentences in: {_name_instances(incomplete)}")


def _name_instances(instances: list[UnionInstance]) -> str:
    shown = ", ".join(f"'{instance.id}'" for instance in instances[:_MAX_SHOWN_IDS])
    more = len(instances) - _MAX_SHOWN_IDS
    return f"{shown} and {more} more" if more > 0 else shown


@command()
def pairs(
    clusters: tuple[str, ...] = options.paths("CLUSTER..."),
    least: float = options.option(
        "Least probability that two sentences share content; by default 0.5.",
        type=click.FloatRange(0, 1),
        default=0.5,
        metavar="P",
    ),
    events: int = options.option(
        "Only pairs that share at least N annotated events (ECB+).",
        type=click.IntRange(min=0),
        default=0,
        metavar="N",
    ),
    skip_unfit: bool = options.flag("Omit pairs that are unfit for a union."),
    limit: int | None = options.number("Print at most N pairs of each cluster."),
    output: str = options.output,
) -> None:
    """Find related sentences in clusters of reports, as input for annotators who write unions.

    A CLUSTER is a directory, or a JSON or JSONL file. ECB+ (its archive, or the unpacked directory)
    holds many clusters. Files given individually form one cluster. Prints JSONL with id, sentences,
    their positions and their relatedness, the best pairs of a cluster first.
    """
    from tatian.pipeline import Pipeline
    from tatian.union.relations.pairs import PairChoice, related_pairs

    keep_inputs(output, clusters)
    choice = PairChoice(least=least, least_events=events, only_fit=skip_unfit)
    prepare = Pipeline.for_sentences().process
    count = reports = 0
    with progress_bar() as progress, writer(output) as put:
        for cluster in read_clusters(clusters, warn=warn):
            reports = max(reports, len(cluster))
            related = related_pairs([cluster], prepare=prepare, choice=choice, progress=progress)
            for number, pair in enumerate(related, 1):
                put(msgspec.json.encode(pair).decode() + "\n")
                count += 1
                if number == limit:
                    break
    if not count and reports < 2:
        warn("only one report: pairs need reports of the same event by several sources")
    elif not count:
        warn("no related sentences: do the reports describe the same event?")


@command()
def relations(
    pairs: str = options.path(),
    form: str | None = options.output_format("text", "jsonl"),
    kb: str | None = options.kb,
    output: str = options.output,
) -> None:
    """Show how the contents of the sentences of each pair are related.

    Phrases of two sentences are equivalent, one entails the other by being more specific, or only
    one sentence has them. PAIRS is the same as for 'union generate'; with more than two
    sentences, all pairs are compared. The sign ≈ marks a paraphrase. Requires the encoder.
    """
    from tatian.union.relations import to_table

    keep_inputs(output, (pairs,))
    if problem := unavailable():
        raise TatianError(f"relations require the parser: {problem}")
    form = form or ("jsonl" if ending_of(output) in _JSON else "text")
    instances = read_instances(pairs)[0]
    with progress_bar() as progress, writer(output) as put:
        all_related = _relate(track(instances, "comparing sentences", progress), kb)
        if form == "jsonl":
            for related in all_related:
                put(json.dumps(related.to_json(), ensure_ascii=False) + "\n")
        elif output == STREAM and sys.stdout.isatty():
            _print_related(all_related)
        else:
            for number, related in enumerate(all_related):
                blank_line = "\n" if number else ""
                heading = "\n".join(_heading(related))
                put(f"{blank_line}{heading}\n{to_table(related).render('text')}")


def _relate(instances: Iterable[UnionInstance], kb: str | None) -> Iterator[Related]:
    from tatian.knowledge import open_base
    from tatian.pipeline import Pipeline
    from tatian.union.relations import relate_all
    from tatian.union.relations.knowledge import KnownPhrases

    knowledge = None if kb is None else KnownPhrases(open_base(kb))
    prepare = Pipeline.for_sentences().process
    for instance in instances:
        yield from relate_all([instance], prepare=prepare, knowledge=knowledge)


def _heading(related: Related) -> list[str]:
    sentences = zip(related.numbers, map(squeeze, related.sentences), strict=True)
    return [f"item {related.id}", *(f"S{number}: {text}" for number, text in sentences)]


def _print_related(all_related: Iterator[Related]) -> None:
    from rich.text import Text

    from tatian.statistics.tables import to_rich
    from tatian.union.relations import to_table

    screen = console(sys.stdout)
    for related in all_related:
        title, *sentences = _heading(related)
        screen.print(Text(title, style="bold"))
        for sentence in sentences:
            screen.print(Text(sentence))
        screen.print(to_rich(to_table(related)))
