"""Systems by their answers: files that ``rank`` and ``generate`` wrote, or models by name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tatian.cli.common import STREAM
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.aggregation.metrics.reading import Answers

_ENDINGS = (".gz", ".jsonl", ".ndjson", ".json")


def named(given: str) -> tuple[str, str]:
    """The name and the file of ``NAME=FILE``, or of a file that is called as itself."""
    name, equals, path = given.partition("=")
    if equals and name and path and not Path(given).exists():
        return name, path
    return system_name(given), given


def is_file(path: str) -> bool:
    """Whether a system is given as a file rather than as the name of a model."""
    looks = path == STREAM or "/" in path or path.lower().endswith(_ENDINGS)
    return looks or Path(path).exists()


def read_systems(given: Iterable[str]) -> dict[str, Answers]:
    """The answers of each system by its name."""
    from tatian.aggregation.metrics.reading import read_answers

    systems: dict[str, Answers] = {}
    for one in given:
        name, path = named(one)
        if name in systems:
            raise InputError(f"two systems are called '{name}': name one with NAME=FILE", path=path)
        systems[name] = read_answers(path)
    return systems


def paths_of(given: Iterable[str]) -> tuple[str, ...]:
    """The files among the systems."""
    return tuple(path for _, path in map(named, given) if is_file(path))


def system_name(path: str) -> str:
    """What to call the system that wrote a file: the file's name, without its endings."""
    name = Path(path).name if is_file(path) else path
    for ending in _ENDINGS:
        if name.lower().endswith(ending):
            name = name[: -len(ending)]
    return name if name != STREAM else "standard input"
