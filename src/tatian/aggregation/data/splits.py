"""The ranking task and its parts: 2:1:1 at random as in the paper, or with nothing in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple

from msgspec.structs import replace

from tatian.aggregation.data.records import CANDIDATES, Instance, same
from tatian.aggregation.data.summary import entities_of
from tatian.errors import InputError

By = Literal["random", "entities", "documents"]
Ratio = tuple[int, int, int]
RATIO: Ratio = (2, 1, 1)
"""TESA §3.4."""
_LEFT_OUT = 3
"""The place, after train, val and test, of what is in none of them."""
_TRIALS = 30
"""How many orders are tried for the splits that share nothing."""


class Splits(NamedTuple):
    """The three parts, each in the order of the whole, and what had to be left out."""

    train: list[Instance]
    val: list[Instance]
    test: list[Instance]
    left_out: list[Instance]

    @property
    def parts(self) -> dict[str, list[Instance]]:
        """The parts that are used, by name."""
        return {"train": self.train, "val": self.val, "test": self.test}


def split(
    instances: Sequence[Instance], *, by: By = "random", ratio: Ratio = RATIO, seed: int = 0
) -> Splits:
    """Divide instances as `ratio` says; the same instances and seed give the same parts,
    whatever their order.

    By ``random``, sets of entities can cross the parts, as in the original. By ``entities`` no
    entity is in two parts, and by ``documents`` no source: an instance whose entities belong to
    several parts is left out, and the sizes are as near to the ratio as that allows.
    """
    if min(ratio) < 0 or not ratio[0]:
        raise InputError(f"{':'.join(map(str, ratio))} is no ratio: such as 2:1:1")
    if by == "random":
        places = _random(instances, ratio, seed)
    else:
        places = _apart(instances, _entities if by == "entities" else _document, ratio, seed)
    parts: tuple[list[Instance], ...] = ([], [], [], [])
    for instance, place in zip(instances, places, strict=True):
        parts[place].append(instance)
    return Splits(*parts)


def _random(instances: Sequence[Instance], ratio: Ratio, seed: int) -> list[int]:
    """Sizes are rounded as in the original: 1,718 instances become 858, 430 and 430."""
    order = _by_id(instances)
    Random(seed).shuffle(order)
    val, test = (round(len(order) * one / sum(ratio)) for one in ratio[1:])
    train = len(order) - val - test
    places = [0] * len(order)
    for rank, at in enumerate(order):
        places[at] = 0 if rank < train else 1 if rank < train + val else 2
    return places


def _by_id(instances: Sequence[Instance]) -> list[int]:
    """An order that does not depend on that of the file."""
    return sorted(range(len(instances)), key=lambda at: instances[at].id)


def _entities(instance: Instance) -> Iterable[str]:
    return sorted(entities_of(instance))


def _document(instance: Instance) -> Iterable[str]:
    return (instance.source or instance.id,)


def _apart(
    instances: Sequence[Instance],
    keys: Callable[[Instance], Iterable[str]],
    ratio: Ratio,
    seed: int,
) -> list[int]:
    """The best of several tries: few instances left out, each type's sizes near to the ratio."""
    order = _by_id(instances)
    held = [tuple(keys(instances[at])) for at in order]
    types = [instances[at].type for at in order]
    often = sorted(Counter(key for one in held for key in one).items())
    random = Random(seed)
    best: list[int] = []
    for _ in range(_TRIALS):
        turn = {key: count * random.random() for key, count in often}
        tried = _attempt(held, types, ratio, turn)
        if not best or _cost(tried, types, ratio) < _cost(best, types, ratio):
            best = tried
    return [place for _, place in sorted(zip(order, best, strict=True))]


def _attempt(
    held: Sequence[tuple[str, ...]], types: Sequence[str], ratio: Ratio, turn: Mapping[str, float]
) -> list[int]:
    """Common keys choose sooner, so that what belongs together stays so.

    The first instance of a key takes it into the part that lacks most of its type; the others
    with that key follow, and one between two parts is left out.
    """
    order = sorted(range(len(held)), key=lambda at: -max(turn[key] for key in held[at]))
    owners: dict[str, int] = {}
    filled: Counter[tuple[int, str]] = Counter()
    places = [_LEFT_OUT] * len(held)
    for at in order:
        claims = {owners[key] for key in held[at] if key in owners}
        if len(claims) > 1:
            continue
        place = claims.pop() if claims else _emptiest(filled, types[at], ratio)
        owners.update(dict.fromkeys(held[at], place))
        filled[place, types[at]] += 1
        places[at] = place
    return places


def _emptiest(filled: Counter[tuple[int, str]], type: str, ratio: Ratio) -> int:
    wanted = [place for place, share in enumerate(ratio) if share]
    return min(wanted, key=lambda place: filled[place, type] / ratio[place])


def _cost(places: Sequence[int], types: Sequence[str], ratio: Ratio) -> float:
    """How many are left out, and how many would have to change places for an even division."""
    filled = Counter(zip(places, types, strict=True))
    kept = Counter(type for place, type in zip(places, types, strict=True) if place != _LEFT_OUT)
    uneven = (
        abs(filled[place, type] - count * share / sum(ratio))
        for type, count in kept.items()
        for place, share in enumerate(ratio)
    )
    return sum(place == _LEFT_OUT for place in places) + sum(uneven)


def task(instances: Sequence[Instance], *, size: int = CANDIDATES, seed: int = 0) -> list[Instance]:
    """Give every instance `size` candidates, its right phrases among them, in random order.

    Wrong ones are drawn uniformly from the right phrases of all instances of the same type,
    whatever they were given for and whichever part of the data these end up in (TESA §4.1). What
    an instance gets depends on its id, the seed and the phrases there are, not on the order of the
    instances.
    """
    phrases = _phrases(instances)
    made = []
    for instance in instances:
        gold = instance.aggregations
        if not gold:
            raise InputError(f"instance '{instance.id}' has no aggregations to be found")
        if len(gold) > size:
            raise InputError(
                f"instance '{instance.id}' has {len(gold)} aggregations: more than {size} "
                "candidates can hold"
            )
        random = Random(f"{seed}\n{instance.id}")
        taken = set(map(same, gold))
        left = [phrase for phrase in phrases[instance.type] if same(phrase) not in taken]
        candidates = [*gold, *random.sample(left, min(size - len(gold), len(left)))]
        if len(candidates) < size:
            raise InputError(
                f"instance '{instance.id}': the {instance.type} phrases give only "
                f"{len(candidates)} candidates, not {size}: use more instances or fewer candidates"
            )
        random.shuffle(candidates)
        made.append(replace(instance, candidates=tuple(candidates)))
    return made


def _phrases(instances: Iterable[Instance]) -> dict[str, list[str]]:
    """The different right phrases of each type; those that differ in case are one."""
    found: dict[str, dict[str, str]] = {}
    for instance in instances:
        of_type = found.setdefault(instance.type, {})
        for phrase in instance.aggregations:
            plain = same(phrase)
            of_type[plain] = min(phrase, of_type.get(plain, phrase))
    return {type: sorted(phrases.values()) for type, phrases in found.items()}
