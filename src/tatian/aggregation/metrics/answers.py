"""Systems' answers from files of ``rank`` and ``generate``, and scores of generated phrases.

Generated phrases are compared with gold phrases after `normalize_phrase`. The first ten proposals
of each instance count. `tatian.scoring.generation` has the metrics. A phrase is supported by a
knowledge base (`FactJudge`), or if the system gives a fact for it; quotations of the context are
not facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from tatian.aggregation.data.jsonl import FIELDS, lines, parse
from tatian.aggregation.data.records import Instance, check
from tatian.aggregation.data.rules import normalize_phrase
from tatian.aggregation.metrics.ranking import check_ids, fingerprint_of
from tatian.aggregation.models import QUOTED
from tatian.errors import InputError
from tatian.scoring.generation import MAX_PROPOSALS, SUPPORTED, SUPPORTED_AT_1, Proposals
from tatian.scoring.metric import choose_metrics
from tatian.scoring.scores import Scores, count_items

_OF_SUPPORT = (SUPPORTED, SUPPORTED_AT_1)


class GenerationLine(Struct, frozen=True, omit_defaults=True):
    """One line of a generation: phrases for an instance, best first."""

    id: str
    aggregations: tuple[tuple[str, float], ...]
    support: tuple[tuple[str, ...], ...] = ()
    """Support lines of each phrase, if the system reports them."""


def score_generated(
    task: Sequence[Instance],
    generated: Mapping[str, GenerationLine],
    *,
    facts: Callable[[Instance], Set[str]] | None = None,
    metrics: Iterable[str] | None = None,
) -> Scores:
    """Score the phrases that a system proposed for the instances of a task.

    `facts` returns the supported phrases of an instance; without it, the support lines of the
    answers count. Instances without gold phrases are an error.
    """
    check_ids(task, generated)
    items = [_to_proposals(instance, generated[instance.id], facts) for instance in task]
    has_support = facts is not None or any(answer.support for answer in generated.values())
    used = choose_metrics("generation", metrics)
    if not has_support:
        used = tuple(metric for metric in used if metric not in _OF_SUPPORT)
    return Scores(
        "generation",
        tuple(instance.id for instance in task),
        tuple(used),
        count_items(items, used),
        {"limit": str(MAX_PROPOSALS), **({"support": "base"} if facts else {})},
        fingerprint_of(task),
        "generation.",
    )


def _to_proposals(
    instance: Instance, generated: GenerationLine, facts: Callable[[Instance], Set[str]] | None
) -> Proposals:
    try:
        check(instance, ("aggregations",))
        _check(generated)
    except ValueError as error:
        raise InputError(f"instance '{instance.id}': {error}") from error
    phrases = [normalize_phrase(phrase) for phrase, _ in generated.aggregations[:MAX_PROPOSALS]]
    if facts is not None:
        supported_phrases = facts(instance)
        supported = [phrase in supported_phrases for phrase in phrases]
    else:
        supports = generated.support[:MAX_PROPOSALS]
        supported = [any(not line.startswith(QUOTED) for line in lines) for lines in supports]
    return Proposals(phrases, frozenset(map(normalize_phrase, instance.aggregations)), supported)


def _check(generated: GenerationLine) -> None:
    if any(not phrase.strip() for phrase, _ in generated.aggregations):
        raise ValueError("an empty phrase was generated: leave it out")
    if generated.support and len(generated.support) != len(generated.aggregations):
        problem = f"but the support of {len(generated.support)}"
        raise ValueError(f"{len(generated.aggregations)} phrases, {problem}")


Kind = Literal["ranking", "generation"]
ScoredPhrases = tuple[tuple[str, float], ...]
"""Phrases with their scores, best first."""
T = TypeVar("T")


class RankingLine(Struct, frozen=True):
    """One line of a ranking: every candidate of an instance with its score."""

    id: str
    ranking: ScoredPhrases


class Answers(Struct, frozen=True):
    """Rankings or generations of one file, by the ids of their instances."""

    kind: Kind
    rankings: dict[str, ScoredPhrases] = {}
    generations: dict[str, GenerationLine] = {}


_RANKED = msgspec.json.Decoder(RankingLine)
_GENERATED = msgspec.json.Decoder(GenerationLine)


def read_answers(path: str) -> Answers:
    """Read a file of rankings or of generations, as its first line decides."""
    kind: Kind | None = None
    rankings: dict[str, ScoredPhrases] = {}
    generations: dict[str, GenerationLine] = {}
    for place, line in lines(path, "the file contains no answer"):
        try:
            kind = kind or _kind(line)
            if kind == "ranking":
                ranked = parse(line, _RANKED)
                _add_answer(rankings, ranked.id, ranked.ranking)
            else:
                generated = parse(line, _GENERATED)
                _add_answer(generations, generated.id, generated)
        except ValueError as error:
            raise InputError(str(error), path=place.path, line=place.line) from error
    return Answers(kind or "ranking", rankings, generations)


def read_rankings(path: str) -> dict[str, ScoredPhrases]:
    """Read the rankings of a file, for `tatian.aggregation.metrics.score`."""
    answers = read_answers(path)
    if answers.kind != "ranking":
        raise InputError("generated phrases, where rankings are expected", path=path)
    return answers.rankings


def _kind(line: bytes) -> Kind:
    fields = parse(line, FIELDS)
    if "ranking" in fields:
        return "ranking"
    if "aggregations" in fields and "entities" not in fields:
        return "generation"
    raise ValueError(
        "neither a ranking ('tatian aggregate rank') nor a generation ('tatian aggregate generate')"
    )


def _add_answer(answers: dict[str, T], id: str, answer: T) -> None:
    if id in answers:
        raise ValueError(f"id: '{id}' a second time")
    answers[id] = answer
