"""Which candidates of a training set are right: by judges where they have read it, else as mined.

Mined instances know one or two phrases of many that are right. A judge marked all right ones of
some (``judged.json``: ids and places in the list of candidates, no texts). Of the others, a phrase
that says less than a mined one ("states" for "swing states") is taken for right, and one that
only shares its head noun is hardly counted as wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import msgspec
from msgspec.structs import replace

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models.remembering.memory import stems

Label = tuple[bool, float]
"""Whether a candidate is right, and how much that counts."""
_JUDGED = Path(__file__).with_name("judged.json")
_UNREAD = 0.3
_SAYS_LESS = 0.7
_SAME_HEAD = 0.2


@cache
def judged() -> Mapping[str, tuple[int, ...]]:
    """The right candidates by place, of the instances that were read."""
    found: dict[str, tuple[int, ...]]
    found = msgspec.json.decode(_JUDGED.read_bytes(), type=dict[str, tuple[int, ...]])
    return found


def with_judgements(instance: Instance) -> Instance:
    """The instance with all phrases that a judge found right; as it was if none has read it."""
    places = judged().get(instance.id)
    if places is None or max(places) >= len(instance.candidates):
        return instance
    return replace(instance, aggregations=tuple(instance.candidates[at] for at in places))


def labels(instance: Instance) -> list[Label]:
    """One for each candidate of an instance that `with_judgements` gave."""
    right = set(instance.aggregations)
    if instance.id in judged():
        return [(candidate in right, 1.0) for candidate in instance.candidates]
    named = [stems(phrase) for phrase in instance.aggregations]
    return [
        _guessed(candidate in right, stems(candidate), named) for candidate in instance.candidates
    ]


def _guessed(mined: bool, words: Sequence[str], named: Sequence[Sequence[str]]) -> Label:
    alike = [phrase for phrase in named if words and phrase and phrase[-1] == words[-1]]
    if mined:
        return True, _UNREAD
    if any(set(words) <= set(phrase) for phrase in alike):
        return True, _UNREAD * _SAYS_LESS
    return False, _UNREAD * (_SAME_HEAD if alike else 1.0)
