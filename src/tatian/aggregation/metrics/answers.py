"""What systems answered, from the files that ``rank`` and ``generate`` write."""

from __future__ import annotations

from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from tatian.aggregation.data.jsonl import lines, parse
from tatian.aggregation.metrics.generation import Generated
from tatian.errors import EmptyInput, InputError

Kind = Literal["ranking", "generation"]
Scored = tuple[tuple[str, float], ...]
"""Phrases with their scores, best first."""
T = TypeVar("T")


class Ranked(Struct, frozen=True):
    """One line of a ranking: every candidate of an instance with its score."""

    id: str
    ranking: Scored


class Answers(Struct, frozen=True):
    """The rankings or the generations of one file, by the ids of their instances."""

    kind: Kind
    rankings: dict[str, Scored] = {}
    generations: dict[str, Generated] = {}


_RANKED = msgspec.json.Decoder(Ranked)
_GENERATED = msgspec.json.Decoder(Generated)
_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])


def read_answers(path: str) -> Answers:
    """A file's answers, plain or gzipped (``-`` is standard input).

    What it holds is told by its first line (``ranking`` or ``aggregations``), and must not change.
    """
    kind: Kind | None = None
    rankings: dict[str, Scored] = {}
    generations: dict[str, Generated] = {}
    for number, name, line in lines(path):
        try:
            kind = kind or _kind(line)
            if kind == "ranking":
                ranked = parse(line, _RANKED)
                _put(rankings, ranked.id, ranked.ranking)
            else:
                generated = parse(line, _GENERATED)
                _put(generations, generated.id, generated)
        except ValueError as error:
            raise InputError(str(error), path=name, line=number) from error
    if kind is None:
        raise EmptyInput("no answer in it", path=path)
    return Answers(kind, rankings, generations)


def read_rankings(path: str) -> dict[str, Scored]:
    """The rankings of a file, for `tatian.aggregation.metrics.score`."""
    answers = read_answers(path)
    if answers.kind != "ranking":
        raise InputError("generated phrases, where rankings are expected", path=path)
    return answers.rankings


def _kind(line: bytes) -> Kind:
    fields = parse(line, _FIELDS)
    if "ranking" in fields:
        return "ranking"
    if "aggregations" in fields and "entities" not in fields:
        return "generation"
    raise ValueError(
        "neither a ranking ('tatian aggregate rank') nor a generation ('tatian aggregate generate')"
    )


def _put(answers: dict[str, T], id: str, answer: T) -> None:
    if id in answers:
        raise ValueError(f"id: '{id}' a second time")
    answers[id] = answer
