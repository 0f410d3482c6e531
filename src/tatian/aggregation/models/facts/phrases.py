"""Combination of shared traits to noun phrases of adjective, noun and place."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.aggregation.models.facts.senses import Sense
from tatian.aggregation.models.facts.traits import Slot, Trait, TraitKey
from tatian.aggregation.models.facts.wording import VAGUE, ancestors, is_a, place, root
from tatian.text.plurals import plural

_POSTMODIFIERS = {"in": "in", "based": "based in", "bordering": "bordering"}
_FORMER = "former "
_AMERICAN = "American"
_DEMONYMS = {"Turkish": "Turks", "Swedish": "Swedes", "Polish": "Poles", "Finnish": "Finns"}
_SUPRANATIONAL_NOUNS = frozenset({"sports organization", "court"})
_UNMODIFIED_NOUNS = frozenset({"pope"})
"""Nouns that already imply a nationality or faith."""
_INNER_SLOTS = frozenset({"genre", "size", "quality", "role quality"})
"""Slots that can be combined with a nationality before a noun."""
_OFFICE_RELATIONS = frozenset({"position"})


class PhraseDraft(Struct, frozen=True):
    """A phrase and the shared traits that it expresses."""

    phrase: str
    parts: tuple[SharedTrait, ...]

    @property
    def meaning(self) -> frozenset[tuple[str, str]]:
        """Meaning of the phrase, independent of its wording."""
        return frozenset((part.slot, part.value) for part in self.parts)

    @property
    def support(self) -> tuple[str, ...]:
        """Facts that support it, by entity."""
        lines = dict.fromkeys(line for part in self.parts for line in part.support)
        return tuple(sorted(lines, key=lambda line: line.partition(":")[0]))

    @property
    def coverage(self) -> float:
        """Share of the entities for which the phrase is known to be true."""
        return min(part.coverage for part in self.parts)


def drafts(traits: Sequence[SharedTrait], type: str) -> Iterator[PhraseDraft]:
    """Yield all phrases that can be formed from the shared traits."""
    traits = _set_depths(_drop_vaguer(traits))
    heads = [trait for trait in traits if trait.slot in {"noun", "whole", "role"}]
    for trait in traits:
        if trait.slot == "group":
            yield PhraseDraft(trait.value, (trait,))
    for head in heads:
        yield PhraseDraft(plural(head.value), (head,))
        for trait in traits:
            if _can_modify(trait, head):
                yield PhraseDraft(_phrase(trait, head), (trait, head))
        yield from _combine_modifiers(head, traits)
    if all(head.value in VAGUE or head.slot == "role" for head in heads):
        yield from _combine_without_noun(traits, type)


def _drop_vaguer(traits: Sequence[SharedTrait]) -> list[SharedTrait]:
    """Drop continents if a country is shared, and vague nouns if there are others."""
    steps = [trait.depth for trait in traits if trait.slot == "nation"]
    has_clear_noun = any(trait.slot == "noun" and trait.value not in VAGUE for trait in traits)
    return [
        trait
        for trait in traits
        if (trait.slot != "nation" or trait.depth == min(steps))
        and (trait.slot != "noun" or trait.value not in VAGUE or not has_clear_noun)
    ]


def _set_depths(traits: Sequence[SharedTrait]) -> list[SharedTrait]:
    """Set the depth of each noun to its distance above the narrowest shared noun."""
    nouns = [trait for trait in traits if trait.slot == "noun"]
    steps = {
        wide.value: max(
            narrow.depth + above[wide.value]
            for narrow in nouns
            if wide.value in (above := ancestors(narrow.value))
        )
        for wide in nouns
    }
    return [
        replace(trait, depth=steps[trait.value]) if trait.slot == "noun" else trait
        for trait in traits
    ]


def _combine_modifiers(head: SharedTrait, traits: Sequence[SharedTrait]) -> Iterator[PhraseDraft]:
    """Yield phrases with two modifiers: ``American jazz musicians``, ``major European cities``."""
    for nation in traits:
        for inner in traits:
            is_pair = nation.slot == "nation" and inner.slot in _INNER_SLOTS
            if is_pair and _can_modify(nation, head) and _can_modify(inner, head):
                order = (nation.value, inner.value)
                words = order if inner.slot != "size" else order[::-1]
                yield PhraseDraft(" ".join((*words, plural(head.value))), (nation, inner, head))


def _can_modify(modifier: SharedTrait, head: SharedTrait) -> bool:
    noun, kind = head.value, root(head.value)
    offices = (trait.source[0] in _OFFICE_RELATIONS for trait in head.traits)
    office = head.slot == "whole" and any(offices)
    if head.slot == "whole":
        return modifier.slot == "party" and office and not noun.startswith("United States ")
    if noun in _UNMODIFIED_NOUNS:
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
    """Return whether nationality does not apply, as to the United Nations."""
    return noun in _SUPRANATIONAL_NOUNS or is_a(noun, "international organization")


def _phrase(modifier: SharedTrait, head: SharedTrait) -> str:
    noun = plural(head.value)
    if modifier.slot in _POSTMODIFIERS and modifier.value != "Silicon Valley":
        return f"{noun} {_POSTMODIFIERS[modifier.slot]} {modifier.value}"
    if modifier.value == _AMERICAN and head.value in {"state", "territory"}:
        return f"U.S. {noun}"
    if noun.startswith(_FORMER):
        return f"{_FORMER}{modifier.value} {noun.removeprefix(_FORMER)}"
    return f"{modifier.value} {noun}"


def _combine_without_noun(traits: Sequence[SharedTrait], type: str) -> Iterator[PhraseDraft]:
    """Yield phrases for entities of different kinds: ``Turks``, ``London institutions``."""
    for common in traits:
        if common.slot == "nation" and type == "person":
            yield PhraseDraft(_demonym(common.value), (common,))
        elif common.slot == "nation" and type == "organization":
            yield PhraseDraft(f"{common.value} organizations", (common,))
        elif common.slot == "in" and type == "organization":
            yield PhraseDraft(f"{common.value.removeprefix('the ')} institutions", (common,))
        elif common.slot == "based" and type == "organization":
            yield PhraseDraft(f"organizations based in {common.value}", (common,))
        elif common.slot == "in" and type == "location":
            yield PhraseDraft(f"places in {common.value}", (common,))
        elif common.slot == "nation" and type == "location":
            lands = {trait.source[1] for trait in common.traits if not trait.depth}
            if len(lands) == 1 and all(lands):
                yield PhraseDraft(f"places in {place(lands.pop())}", (common,))


def _demonym(nation: str) -> str:
    """Return the word for the people of a country."""
    if nation in _DEMONYMS:
        return _DEMONYMS[nation]
    takes_s = nation.endswith(("an", "i", "ene", "ot", "ard", "ek", "ech"))
    return f"{nation}s" if takes_s else f"{nation} people"


_SLOTS_MAYBE_UNKNOWN = frozenset({"noun", "nation", "role", "quality", "role quality"})
"""Slots in which a missing trait is unknown; in the others, it is false."""
_MIN_COVERAGE = 2 / 3


class SharedTrait(Struct, frozen=True):
    """A trait that can be stated of a whole set."""

    slot: Slot
    value: str
    traits: tuple[Trait, ...]
    """Traits of the entities that have it."""
    support: tuple[str, ...]
    coverage: float
    """Share of the entities that have it; for the others it is unknown."""
    depth: int = 0
    """Maximum number of steps of generalisation among the entities."""


def shared_traits(senses: Sequence[Sense]) -> list[SharedTrait]:
    """Return the traits that two thirds of the entities have and none contradicts."""
    keys = dict.fromkeys(key for sense in senses for key in sense.traits)
    return [common for key in keys if (common := _find_shared(key, senses)) is not None]


def _find_shared(key: TraitKey, senses: Sequence[Sense]) -> SharedTrait | None:
    supporting = [sense for sense in senses if key in sense.traits]
    if len(supporting) < max(2, math.ceil(_MIN_COVERAGE * len(senses))):
        return None
    if any(_contradicts(sense, key) for sense in senses):
        return None
    return SharedTrait(
        slot=key[0],
        value=key[1],
        traits=tuple(sense.traits[key] for sense in supporting),
        support=tuple(f"{sense.name}: {sense.traits[key].fact}" for sense in supporting),
        coverage=len(supporting) / len(senses),
        depth=max(sense.traits[key].depth for sense in supporting),
    )


def _contradicts(sense: Sense, key: TraitKey) -> bool:
    if key in sense.traits or not sense.known:
        return False
    return key[0] not in _SLOTS_MAYBE_UNKNOWN or sense.in_slot(key[0])
