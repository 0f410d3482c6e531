"""``tatian aggregate rank``, ``generate`` and ``sets``: models on sets of entities."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from tatian.aggregation.data import Instance
from tatian.aggregation.data.jsonl import LinePlace, lines
from tatian.aggregation.metrics.ranking import check_ranking
from tatian.aggregation.models import Generator, Proposal, Ranker, generators, rankers
from tatian.aggregation.models.facts.wording import with_number
from tatian.aggregation.sets import TYPES, NameableSet, find_nameable
from tatian.cli import options
from tatian.cli.aggregate.reading import (
    backgrounds_from,
    checkpoint_option,
    iterate_located,
    read_instances,
)
from tatian.cli.files import keep_inputs
from tatian.cli.options import STREAM, command
from tatian.cli.output import progress_bar, say, warn, writer
from tatian.corpora.reading import read
from tatian.errors import InputError
from tatian.progress import Progress
from tatian.text import Document
from tatian.text.language import require_english

if TYPE_CHECKING:
    from tatian.aggregation.data.background import Backgrounds


_OPTION_OF = {"training": "--train", "validation": "--valid"}
"""Options whose name in a model differs from the command line."""


@command()
def rank(
    task: str = options.path(),
    model: str | None = options.option(
        "Ranker: a name from 'tatian models list', or package.module:Class.", metavar="NAME"
    ),
    checkpoint: str | None = checkpoint_option,
    train: str | None = options.file("Instances with gold to learn from."),
    valid: str | None = options.file(
        "Instances with gold to choose the best epoch by; by default a fifth of --train."
    ),
    seed: int | None = options.option(
        "Seed of models that use random numbers.", type=int, metavar="N"
    ),
    kb: str | None = options.kb,
    output: str = options.output,
) -> None:
    """Rank the candidates of each instance of TASK by how well they name its entities.

    Prints a line of JSON for each instance: its id and all candidates with their scores, best
    first, those of equal score in alphabetical order. With --kb, models that read background get
    the base's descriptions of entities that have none. The model 'tatian' uses the base's facts as
    well as those of the starter base.
    """
    inputs = tuple(path for path in (task, train, valid) if path is not None)
    if inputs.count(STREAM) > 1:
        raise InputError("only one file can come from standard input", path=STREAM)
    keep_inputs(output, inputs)
    name = model or rankers.default
    backgrounds = backgrounds_from(kb)
    flags = {"checkpoint": checkpoint, "seed": seed}
    chosen: dict[str, Any] = {name: flag for name, flag in flags.items() if flag is not None}
    with progress_bar() as progress:
        for part, path in (("training", train), ("validation", valid)):
            if path is not None:
                instances_read = read_instances([path], ("aggregations",))
                chosen[part] = [_fill(instance, backgrounds) for instance in instances_read]
        ranker = _ranker(name, chosen, kb, progress)
        used_backgrounds = backgrounds if getattr(ranker, "reads_background", False) else None
        _report(used_backgrounds, train)
        with writer(output) as put:
            for place, instance in _instances(task, progress):
                try:
                    put(_ranking_json(ranker, _fill(instance, backgrounds)))
                except ValueError as error:
                    message = f"model '{name}', instance '{instance.id}': {error}"
                    raise InputError(message, path=place.path, line=place.line) from error
    _report(used_backgrounds, task)


def _ranker(name: str, options: dict[str, Any], kb: str | None, progress: Progress) -> Ranker:
    """Create the ranker, with the base and the progress if it takes them."""
    for option in options:
        if not rankers.accepts(name, option):
            flag = _OPTION_OF.get(option, f"--{option}")
            takers = [taker for taker in rankers.builtin if rankers.accepts(taker, option)]
            verb = "takes" if len(takers) == 1 else "take"
            raise InputError(f"'{name}' takes no {flag}: only {' and '.join(takers)} {verb} it")
    extras: dict[str, Any] = {"progress": progress} | ({} if kb is None else {"kb": kb})
    options |= {key: value for key, value in extras.items() if rankers.accepts(name, key)}
    return rankers.create(name, **options)


def _instances(path: str, progress: Progress) -> Iterator[tuple[LinePlace, Instance]]:
    """Yield the instances of the task; the total is known unless it is a stream."""
    total = 0 if path == STREAM else sum(1 for _ in lines(path))
    located_instances = iterate_located([path], ("candidates",))
    for done, located in enumerate(located_instances):
        progress("instances", done, total)
        yield located
    progress("instances", total, total)


def _ranking_json(ranker: Any, instance: Instance) -> str:
    """Return one ranking as JSON; ValueError if it does not fit the instance's candidates."""
    ranking = ranker.rank(instance)
    try:
        check_ranking(instance, ranking)
    except TypeError as error:
        raise ValueError("the ranking is no list of candidates with scores") from error
    return json.dumps({"id": instance.id, "ranking": ranking}, ensure_ascii=False) + "\n"


def _fill(instance: Instance, backgrounds: Backgrounds | None) -> Instance:
    return instance if backgrounds is None else backgrounds.fill(instance)


def _report(backgrounds: Backgrounds | None, path: str | None) -> None:
    """Report the share of entities that the base knows, once for each file."""
    if backgrounds is None or path is None:
        return
    total, known = backgrounds.pop_counts()
    if total:
        message = f"the base knows {known} of {total} entities without background"
        say("note", f"{path}: {message} ({known / total:.1%})")


@command()
def generate(
    instances: tuple[str, ...] = options.paths("INSTANCES..."),
    model: str | None = options.option(
        "Generator: a name from 'tatian models list', or package.module:Class.", metavar="NAME"
    ),
    checkpoint: str | None = checkpoint_option,
    kb: str | None = options.kb,
    number: bool = options.flag('Add determiner and number: "the three ...".'),
    limit: int = options.number("Propose at most N phrases for an instance.", default=10),
    output: str = options.output,
) -> None:
    """Propose phrases that name the entities of each of INSTANCES together.

    Prints a line of JSON for each instance: its id, the phrases with scores from 0 to 1, best
    first, and the facts that support each phrase. An instance without known facts gets no phrases.
    Facts come from the starter base unless --kb names another. If an instance has a date, facts
    that held then are preferred.
    """
    keep_inputs(output, instances)
    generator = _generator(model, kb, checkpoint)
    unnamed: list[str] = []
    with writer(output) as put:
        for place, instance in iterate_located(instances):
            try:
                proposals = generator.generate(instance, limit)
            except InputError as error:
                raise InputError(str(error), path=place.path, line=place.line) from error
            if not proposals:
                unnamed.append(f"{place}: {', '.join(instance.entities)}")
            put(_proposals_json(instance, proposals, number) + "\n")
    if unnamed:
        say("note", f"sets without a phrase: {len(unnamed)}; first: {unnamed[0]}")


def _generator(model: str | None, kb: str | None, checkpoint: str | None) -> Generator:
    name = model or generators.default
    options = {} if checkpoint is None else {"checkpoint": checkpoint}
    if kb is None:
        return generators.create(name, **options)
    if not generators.accepts(name, "kb"):
        raise InputError(f"generator '{name}' uses no knowledge base: leave out --kb")
    return generators.create(name, kb=kb, **options)


def _proposals_json(instance: Instance, proposals: tuple[Proposal, ...], number: bool) -> str:
    count = len(instance.entities)
    line = {
        "id": instance.id,
        "aggregations": [
            [with_number(proposal.phrase, count) if number else proposal.phrase, proposal.score]
            for proposal in proposals
        ],
        "support": [list(proposal.support) for proposal in proposals],
    }
    return json.dumps(line, ensure_ascii=False)


@command()
def sets(
    files: tuple[str, ...] = options.paths("FILE..."),
    least: float = options.option(
        "Only sets with at least this score.",
        type=click.FloatRange(0, 1),
        default=0.0,
        show_default=True,
        metavar="SCORE",
    ),
    output: str = options.output,
) -> None:
    """Find the sets of entities in FILEs that one phrase could name, best first in each file.

    Sets have two to six members of one type. Prints a line of JSON for each set: an instance for
    'tatian aggregate generate', with a score from 0 to 1 and its reasons. Entities belong together
    if they are listed, referred to by a plural, parallel, or often in the same sentence.
    """
    from tatian.aggregation.models.facts.aggregator import types_of
    from tatian.pipeline import Pipeline

    keep_inputs(output, files)
    pipeline = Pipeline()
    without_sets = []
    with writer(output) as put:
        for document in read(files, warn=warn):
            require_english(document)
            done = pipeline.process(document)
            proposed = find_nameable(done, least, types_of(done, pipeline.base))
            without_sets += [] if proposed else [document.id]
            for number, candidate in enumerate(proposed, 1):
                put(_set_json(done, candidate, number) + "\n")
    if without_sets:
        say("note", f"texts without a set: {len(without_sets)}; first: {without_sets[0]}")


def _set_json(document: Document, candidate: NameableSet, number: int) -> str:
    line = {
        "id": f"{document.id}#{number}",
        "entities": candidate.entities.names,
        "type": TYPES[candidate.entities.type],
        "title": document.metadata.title or "",
        "context": " ".join(candidate.span.of(document.text).split()),
        "date": document.metadata.date or "",
        "source": document.id,
        "score": candidate.score,
        "reasons": candidate.reasons,
    }
    return json.dumps({name: value for name, value in line.items() if value}, ensure_ascii=False)
