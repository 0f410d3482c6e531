"""Puts what a set shares together into noun phrases: adjective, noun, place."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.aggregation.models.facts.senses import Sense
from tatian.aggregation.models.facts.traits import Key, Slot, Trait
from tatian.aggregation.models.facts.wording import VAGUE, ancestors, is_a, place, root
from tatian.text.plurals import plural

_AFTER = {"in": "in", "based": "based in", "bordering": "bordering"}
_FORMER = "former "
_PLAIN = "American"
_PEOPLES = {"Turkish": "Turks", "Swedish": "Swedes", "Polish": "Poles", "Finnish": "Finns"}
_WORLDWIDE = frozenset({"sports organization", "court"})
_COMPLETE = frozenset({"pope"})
"""Nouns that say already what a nationality or faith would add."""
_BETWEEN = frozenset({"genre", "size", "quality", "role quality"})
"""What stands with a nationality before one noun."""
_OFFICES = frozenset({"position"})


class PhraseDraft(Struct, frozen=True):
    """A phrase and what it is made of."""

    phrase: str
    parts: tuple[Shared, ...]

    @property
    def meaning(self) -> frozenset[tuple[str, str]]:
        """What it says, however it is put."""
        return frozenset((part.slot, part.value) for part in self.parts)

    @property
    def support(self) -> tuple[str, ...]:
        """The facts it rests on, entity by entity."""
        lines = dict.fromkeys(line for part in self.parts for line in part.support)
        return tuple(sorted(lines, key=lambda line: line.partition(":")[0]))

    @property
    def coverage(self) -> float:
        """The share of the entities for which every part of it is known."""
        return min(part.coverage for part in self.parts)


def drafts(found: Sequence[Shared], type: str) -> Iterator[PhraseDraft]:
    """Every phrase that what is shared allows, good and bad."""
    found = _by_distance(_nearest(found))
    heads = [one for one in found if one.slot in {"noun", "whole", "role"}]
    for one in found:
        if one.slot == "group":
            yield PhraseDraft(one.value, (one,))
    for head in heads:
        yield PhraseDraft(plural(head.value), (head,))
        for one in found:
            if _fits(one, head):
                yield PhraseDraft(_joined(one, head), (one, head))
        yield from _with_two(head, found)
    if all(head.value in VAGUE or head.slot == "role" for head in heads):
        yield from _without_noun(found, type)


def _nearest(found: Sequence[Shared]) -> list[Shared]:
    """Without the continent of what lies in one country, or a vague noun where there is another."""
    steps = [one.depth for one in found if one.slot == "nation"]
    clear = any(one.slot == "noun" and one.value not in VAGUE for one in found)
    return [
        one
        for one in found
        if (one.slot != "nation" or one.depth == min(steps))
        and (one.slot != "noun" or one.value not in VAGUE or not clear)
    ]


def _by_distance(found: Sequence[Shared]) -> list[Shared]:
    """Nouns as far off as the narrowest shared one lies below them, whatever fact gave them."""
    nouns = [one for one in found if one.slot == "noun"]
    steps = {
        wide.value: max(
            narrow.depth + above[wide.value]
            for narrow in nouns
            if wide.value in (above := ancestors(narrow.value))
        )
        for wide in nouns
    }
    return [replace(one, depth=steps[one.value]) if one.slot == "noun" else one for one in found]


def _with_two(head: Shared, found: Sequence[Shared]) -> Iterator[PhraseDraft]:
    """``American jazz musicians``, ``major European cities``."""
    for nation in found:
        for inner in found:
            wanted = nation.slot == "nation" and inner.slot in _BETWEEN
            if wanted and _fits(nation, head) and _fits(inner, head):
                order = (nation.value, inner.value)
                words = order if inner.slot != "size" else order[::-1]
                yield PhraseDraft(" ".join((*words, plural(head.value))), (nation, inner, head))


def _fits(modifier: Shared, head: Shared) -> bool:
    noun, kind = head.value, root(head.value)
    office = head.slot == "whole" and any(one.source[0] in _OFFICES for one in head.traits)
    if head.slot == "whole":
        return modifier.slot == "party" and office and not noun.startswith("United States ")
    if noun in _COMPLETE:
        return False
    if head.slot == "role":
        return modifier.slot in {"nation", "role quality"} and modifier.value not in noun
    match modifier.slot:
        case "nation":
            return modifier.value not in noun and not _is_above_nations(noun)
        case "party":
            return is_a(noun, "politician")
        case "genre":
            return is_a(noun, "musician") or is_a(noun, "musical group")
        case "religion":
            return is_a(noun, "religious figure")
        case "language" | "bordering":
            return noun == "country"
        case "size":
            return noun == "city"
        case "quality":
            return modifier.value not in noun.split() and noun not in VAGUE
        case "sex":
            return kind == "person"
        case "in":
            return kind in {"place", "organization"}
        case "based":
            return kind == "organization"
    return False


def _is_above_nations(noun: str) -> bool:
    """The United Nations is in New York, and no American organization for that."""
    return noun in _WORLDWIDE or is_a(noun, "international organization")


def _joined(modifier: Shared, head: Shared) -> str:
    noun = plural(head.value)
    if modifier.slot in _AFTER and modifier.value != "Silicon Valley":
        return f"{noun} {_AFTER[modifier.slot]} {modifier.value}"
    if modifier.value == _PLAIN and head.value in {"state", "territory"}:
        return f"U.S. {noun}"
    if noun.startswith(_FORMER):
        return f"{_FORMER}{modifier.value} {noun.removeprefix(_FORMER)}"
    return f"{modifier.value} {noun}"


def _without_noun(found: Sequence[Shared], type: str) -> Iterator[PhraseDraft]:
    """What things of different kinds are together: ``Turks``, ``London institutions``."""
    for one in found:
        if one.slot == "nation" and type == "person":
            yield PhraseDraft(_people(one.value), (one,))
        elif one.slot == "nation" and type == "organization":
            yield PhraseDraft(f"{one.value} organizations", (one,))
        elif one.slot == "in" and type == "organization":
            yield PhraseDraft(f"{one.value.removeprefix('the ')} institutions", (one,))
        elif one.slot == "based" and type == "organization":
            yield PhraseDraft(f"organizations based in {one.value}", (one,))
        elif one.slot == "in" and type == "location":
            yield PhraseDraft(f"places in {one.value}", (one,))
        elif one.slot == "nation" and type == "location":
            lands = {trait.source[1] for trait in one.traits if not trait.depth}
            if len(lands) == 1 and all(lands):
                yield PhraseDraft(f"places in {place(lands.pop())}", (one,))


def _people(nation: str) -> str:
    """What the people of a land are called."""
    if nation in _PEOPLES:
        return _PEOPLES[nation]
    takes_s = nation.endswith(("an", "i", "ene", "ot", "ard", "ek", "ech"))
    return f"{nation}s" if takes_s else f"{nation} people"


_MAY_BE_SILENT = frozenset({"noun", "nation", "role", "quality", "role quality"})
"""A base that says nothing of a thing here has forgotten it; elsewhere that means it is not so."""
_LEAST = 2 / 3


class Shared(Struct, frozen=True):
    """One thing that can be said of the whole set."""

    slot: Slot
    value: str
    traits: tuple[Trait, ...]
    """Of the entities that have it."""
    support: tuple[str, ...]
    coverage: float
    """The share of the entities that have it; the base is silent on the others."""
    depth: int = 0
    """How far it had to be generalised for the entity it fits least."""


def shared(senses: Sequence[Sense]) -> list[Shared]:
    """Everything that two thirds of the entities have and the others do not contradict."""
    keys = dict.fromkeys(key for sense in senses for key in sense.traits)
    return [found for key in keys if (found := _shared(key, senses)) is not None]


def _shared(key: Key, senses: Sequence[Sense]) -> Shared | None:
    having = [sense for sense in senses if key in sense.traits]
    if len(having) < max(2, math.ceil(_LEAST * len(senses))):
        return None
    if any(_contradicts(sense, key) for sense in senses):
        return None
    return Shared(
        slot=key[0],
        value=key[1],
        traits=tuple(sense.traits[key] for sense in having),
        support=tuple(f"{sense.name}: {sense.traits[key].fact}" for sense in having),
        coverage=len(having) / len(senses),
        depth=max(sense.traits[key].depth for sense in having),
    )


def _contradicts(sense: Sense, key: Key) -> bool:
    if key in sense.traits or not sense.known:
        return False
    return key[0] not in _MAY_BE_SILENT or sense.in_slot(key[0])
