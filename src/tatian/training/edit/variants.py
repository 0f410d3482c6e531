"""More unions from one: a part is taken out of a sentence and out of the union alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from tatian.training.edit.data import Told, Tree, Union
from tatian.training.edit.synthetic import loose_parts
from tatian.union.models.edit.words import stems_of

SHORTEST = 5
"""Words of any sentence that is made."""
MOST = 3
"""Parts taken out of a sentence, one at a time."""
TELLING = 4
"""Letters of a stem by which a part is known again in the other sentence."""

Words = tuple[str, ...]


def variants(union: Union, random: Random) -> Iterator[Told]:
    """Pairs whose union follows from this one; each keeps the real wording of real accounts."""
    merged = union.union
    sides = ((union.first, union.second), (union.second, union.first))
    for own, other in sides:
        yield from _with_less(own, other, merged, random)
        yield from _from_union(own, merged, random)
    for own, _ in sides:
        yield _ordered(own.words, merged.words, merged.words, random)


def _with_less(own: Tree, other: Tree, union: Tree, random: Random) -> Iterator[Told]:
    """What only one sentence says goes from it and from the union."""
    told = set(stems_of(other.words)) - {""}
    cuts = loose_parts(own)
    random.shuffle(cuts)
    made = 0
    for cut in cuts:
        words = own.words[cut.start : cut.end]
        stems = [stem for stem in stems_of(words) if len(stem) >= TELLING]
        if not stems or any(stem in told for stem in stems):
            continue
        rest = _minus(union.words, words)
        if rest is None:
            continue
        less = own.words[: cut.start] + own.words[cut.end :]
        if min(len(less), len(rest)) >= SHORTEST:
            yield _ordered(less, other.words, rest, random)
            made += 1
        if made == MOST:
            return


def _from_union(own: Tree, union: Tree, random: Random) -> Iterator[Told]:
    """The union without a part that one sentence has, and that sentence: the union again."""
    cuts = loose_parts(union)
    random.shuffle(cuts)
    lost: set[int] = set()
    for cut in cuts:
        if _find(own.words, union.words[cut.start : cut.end]) is not None:
            lost |= cut.places
            if len(lost) > len(union.words) // 3:
                break
    if not lost or len(union.words) - len(lost) < SHORTEST:
        return
    less = tuple(word for place, word in enumerate(union.words) if place not in lost)
    yield _ordered(less, own.words, union.words, random)


def _ordered(one: Words, two: Words, union: Words, random: Random) -> Told:
    return Told(one, two, union) if random.random() >= 0.5 else Told(two, one, union)


def _minus(words: Words, part: Words) -> Words | None:
    at = _find(words, part)
    return None if at is None else words[:at] + words[at + len(part) :]


def _find(words: Sequence[str], part: Sequence[str]) -> int | None:
    """Where `part` stands in `words`, whatever the case; None unless exactly once."""
    wanted = [word.lower() for word in part]
    lowered = [word.lower() for word in words]
    found = [
        at
        for at in range(len(lowered) - len(wanted) + 1)
        if lowered[at : at + len(wanted)] == wanted
    ]
    return found[0] if len(found) == 1 else None
