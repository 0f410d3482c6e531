"""Reading and writing what the aggregate commands work on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tatian.cli.common import STREAM, say, writer
from tatian.errors import EmptyInput, InputError

if TYPE_CHECKING:
    from tatian.aggregation.data import Instance
    from tatian.aggregation.data.answers import Answered
    from tatian.aggregation.data.checking import Part
    from tatian.aggregation.data.jsonl import Place
    from tatian.text.formats import Losses


def iterate_instances(
    paths: Sequence[str],
    needs: Sequence[Part] = (),
    *,
    lenient: bool = False,
    quiet: bool = False,
) -> Iterator[Instance]:
    """The instances of all files, in order, one by one; what was left out is told at the end."""
    for _, instance in iterate_located(paths, needs, lenient=lenient, quiet=quiet):
        yield instance


def iterate_located(
    paths: Sequence[str],
    needs: Sequence[Part] = (),
    *,
    lenient: bool = False,
    quiet: bool = False,
) -> Iterator[tuple[Place, Instance]]:
    """As `iterate_instances`, each with its place, for errors that are found later."""
    from tatian.aggregation.data.jsonl import located
    from tatian.text.formats import Losses

    skipped = Losses() if lenient else None
    unknown = Losses()
    where: dict[str, Place] = {}
    for path in paths:
        for place, instance in located(path, needs=needs, skipped=skipped, unknown=unknown):
            if (first := where.setdefault(instance.id, place)) is not place:
                raise InputError(
                    f"instance '{instance.id}' is also in {first}",
                    path=place.path,
                    line=place.line,
                )
            yield place, instance
    if not quiet:
        tell_skipped(skipped)
        for field, place_of in unknown.first.items():
            say("warning", f"no instance has a field '{field}': left out; first in {place_of}")
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
    return [record for _, record in located_answers(paths, lenient=lenient, quiet=quiet)]


def located_answers(
    paths: Sequence[str], *, lenient: bool = False, quiet: bool = False
) -> list[tuple[Place, Answered]]:
    """As `read_answers`, each with its place; a record in two files is an error."""
    from tatian.aggregation.data.answers import located
    from tatian.text.formats import Losses

    skipped = Losses() if lenient else None
    found: list[tuple[Place, Answered]] = []
    where: dict[str, tuple[int, Place]] = {}
    for number, path in enumerate(paths):
        for place, record in located(path, skipped=skipped):
            file, first = where.setdefault(record.id, (number, place))
            if file != number:
                raise InputError(
                    f"record '{record.id}' is also in {first}", path=place.path, line=place.line
                )
            found.append((place, record))
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

    with whole_writer(output) as put:
        for line in write(instances):
            put(line)


@contextmanager
def whole_writer(output: str = STREAM) -> Iterator[Callable[[str], None]]:
    """As `writer`, but a file is there only once all of it is, even if that is nothing.

    Until then an older file of that name stays as it was.
    """
    target = Path(os.path.realpath(output))
    if output == STREAM or (target.exists() and not target.is_file()):
        with writer(output) as put:
            yield put
        return
    packed = ".gz" if output.lower().endswith(".gz") else ""
    part = target.with_name(f".{target.name}.{os.getpid()}.part{packed}")
    try:
        with writer(str(part)) as put:
            put("")
            yield put
        part.replace(target)
    except InputError as error:
        if error.path != str(part):
            raise
        raise InputError(str(error).removeprefix(f"{part}: "), path=output) from error
    finally:
        part.unlink(missing_ok=True)
