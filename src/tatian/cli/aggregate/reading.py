"""Shared parts of the aggregate commands: options, reading and writing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tatian.aggregation.data import Instance
from tatian.aggregation.data.cleanup import AnswerRecord
from tatian.aggregation.data.jsonl import LinePlace, read_located
from tatian.aggregation.data.records import Part
from tatian.aggregation.data.rules import INSTANCE_ANSWERS, WORKER_ASSIGNMENTS
from tatian.aggregation.metrics.answers import Answers
from tatian.cli import options
from tatian.cli.files import by_name, split_name
from tatian.cli.options import STREAM
from tatian.cli.output import say, writer
from tatian.errors import EmptyInput, InputError
from tatian.formats import Losses

if TYPE_CHECKING:
    from tatian.aggregation.data.background import Backgrounds


def iterate_located(
    paths: Sequence[str], needs: Sequence[Part] = ()
) -> Iterator[tuple[LinePlace, Instance]]:
    """Yield the instances of all files with their places, for later error messages."""
    unknown = Losses()
    first_places: dict[str, LinePlace] = {}
    for path in paths:
        for place, instance in read_located(path, needs=needs, unknown=unknown):
            if (first := first_places.setdefault(instance.id, place)) is not place:
                message = f"instance '{instance.id}' is also in {first}"
                raise InputError(message, path=place.path, line=place.line)
            yield place, instance
    for field, place_of in unknown.first.items():
        say("warning", f"unknown field '{field}' is ignored; first in {place_of}")
    if not first_places:
        raise EmptyInput("no line that can be used", path=paths[0])


def read_instances(paths: Sequence[str], needs: Sequence[Part] = ()) -> list[Instance]:
    """Read the instances of all files, in order."""
    return [instance for _, instance in iterate_located(paths, needs)]


def located_answers(paths: Sequence[str]) -> list[tuple[LinePlace, AnswerRecord]]:
    """Read the records of all files with their places; none may be in two files."""
    from tatian.aggregation.data.cleanup import read_located_answers

    records: list[tuple[LinePlace, AnswerRecord]] = []
    first_places: dict[str, tuple[int, LinePlace]] = {}
    for number, path in enumerate(paths):
        for place, record in read_located_answers(path):
            file, first = first_places.setdefault(record.id, (number, place))
            if file != number:
                message = f"record '{record.id}' is also in {first}"
                raise InputError(message, path=place.path, line=place.line)
            records.append((place, record))
    if not records:
        raise EmptyInput("no line that can be used", path=paths[0])
    return records


def write_instances(instances: Iterable[Instance], output: str = STREAM) -> None:
    """Write instances as Tatian's aggregation JSONL."""
    from tatian.aggregation.data.jsonl import write

    with writer(output) as put:
        for line in write(instances):
            put(line)


def backgrounds_from(kb: str | None) -> Backgrounds | None:
    """Return the source of missing background; None if no base is named."""
    if kb is None:
        return None
    from tatian.aggregation.data.background import Backgrounds
    from tatian.knowledge import open_base

    return Backgrounds(open_base(kb))


_ENDINGS = (".gz", ".jsonl", ".ndjson", ".json")


def is_file(path: str) -> bool:
    """Return whether a system is given as a file rather than as the name of a model."""
    has_file_name = path == STREAM or "/" in path or path.lower().endswith(_ENDINGS)
    return has_file_name or Path(path).exists()


def read_systems(systems: Iterable[str]) -> dict[str, Answers]:
    """Read the answers of each system, by its name."""
    from tatian.aggregation.metrics.answers import read_answers

    return {name: read_answers(path) for name, path in by_name(systems).items()}


def paths_of(systems: Iterable[str]) -> tuple[str, ...]:
    """Return the files among the systems."""
    return tuple(path for _, path in map(split_name, systems) if is_file(path))


checkpoint_option = options.option(
    "An encoder-decoder for 'pretrained', 'generative' or 'discriminative': name or folder.",
    metavar="NAME",
)
"""``--checkpoint``: weights of models that have none of their own."""
ASSIGNMENTS = options.number("Discard workers with fewer answers.", default=WORKER_ASSIGNMENTS)
AT_LEAST = options.number(
    "Discard instances that fewer annotators named.", default=INSTANCE_ANSWERS
)
"""Thresholds of the clean-up."""
