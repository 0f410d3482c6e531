"""Reading and writing what the aggregate commands work on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tatian.cli.common import STREAM, say, writer
from tatian.errors import EmptyInput, InputError

if TYPE_CHECKING:
    from tatian.aggregation.data import Instance
    from tatian.aggregation.data.answers import Answered
    from tatian.aggregation.data.checking import Part
    from tatian.text.formats import Losses


def iterate_instances(
    paths: Sequence[str],
    needs: Sequence[Part] = (),
    *,
    lenient: bool = False,
    quiet: bool = False,
) -> Iterator[Instance]:
    """The instances of all files, in order, one by one; what was left out is told at the end."""
    from tatian.aggregation.data.jsonl import read
    from tatian.text.formats import Losses

    skipped = Losses() if lenient else None
    where: dict[str, str] = {}
    for path in paths:
        for instance in read(path, needs=needs, skipped=skipped):
            if where.setdefault(instance.id, path) != path:
                raise InputError(
                    f"instance '{instance.id}' is also in {where[instance.id]}", path=path
                )
            yield instance
    if not quiet:
        tell_skipped(skipped)
    if not where:
        raise EmptyInput("no line that can be used", path=paths[0])


def read_instances(
    paths: Sequence[str],
    needs: Sequence[Part] = (),
    *,
    lenient: bool = False,
    quiet: bool = False,
) -> list[Instance]:
    """As `iterate_instances`, all at once."""
    return list(iterate_instances(paths, needs, lenient=lenient, quiet=quiet))


def read_answers(
    paths: Sequence[str], *, lenient: bool = False, quiet: bool = False
) -> list[Answered]:
    """The annotators' records of all files, in order."""
    from tatian.aggregation.data.answers import read
    from tatian.text.formats import Losses

    skipped = Losses() if lenient else None
    found = [record for path in paths for record in read(path, skipped=skipped)]
    if not quiet:
        tell_skipped(skipped)
    if not found:
        raise EmptyInput("no line that can be used", path=paths[0])
    return found


def tell_skipped(skipped: Losses | None) -> None:
    """How many lines were left out, and why the first of them."""
    if not skipped or not skipped.counts:
        return
    count = sum(skipped.counts.values())
    why, where = next(iter(skipped.first.items()))
    say("warning", f"lines left out: {count}; the first is {where}: {why}")


def write_instances(instances: Iterable[Instance], output: str = STREAM) -> None:
    """Instances as Tatian's aggregation JSONL."""
    from tatian.aggregation.data.jsonl import write

    with writer(output) as put:
        for line in write(instances):
            put(line)
