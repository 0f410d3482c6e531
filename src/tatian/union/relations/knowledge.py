"""Relations between phrases, from common knowledge and a knowledge base."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, Protocol

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Entity, Fact
from tatian.text.lexicon import DETERMINERS

Kind = Literal["equivalent", "entails", "entailed", "disjoint"]
"""Relation of the first to the second: ``entails`` if the first is the more specific (§3)."""

SYMBOLS: dict[Kind, str] = {"equivalent": "⇔", "entails": "⇒", "entailed": "⇐", "disjoint": "∅"}


class PhraseRelation(NamedTuple):
    """A relation with the reason for it."""

    kind: Kind
    why: str


def join_relations(verdicts: Iterable[PhraseRelation]) -> PhraseRelation | None:
    """Combine several comparisons; None if they disagree on which phrase is more specific."""
    result: PhraseRelation | None = None
    for verdict in verdicts:
        if result is None or (result.kind == "equivalent" and verdict.kind != "equivalent"):
            result = verdict
        elif verdict.kind not in ("equivalent", result.kind):
            return None
    return result


_SYNONYMS = (
    "u.s.|us|united states|u.s.a.|usa|america|united states of america",
    "u.k.|uk|united kingdom|britain|great britain",
    "u.n.|un|united nations",
    "e.u.|eu|european union",
    "u.s.s.r.|ussr|soviet union",
    "uae|u.a.e.|united arab emirates",
    "l.a.|los angeles",
    "d.c.|washington|washington d.c.|washington, d.c.",
    "n.y.|new york",
)
_TYPE_PROPERTIES = frozenset(("type", "subclass of", "occupation", "position"))
"""Properties whose value is a type of the entity."""
_MIN_PRIOR = 0.5
"""Minimum share of a phrase's uses that refer to the entity."""


class Knowledge(Protocol):
    """Knowledge of synonymous phrases, and of phrases that are a type of another.

    Annotators of unions were asked to use common knowledge (Hirsch et al. 2023, App. B): that Paris
    is the capital of France, that a supermarket is a store.
    """

    def compare(self, first: str, second: str) -> PhraseRelation | None:
        """Return the relation of the first phrase to the second; None if it is unknown."""
        ...


class Abbreviations:
    """The few abbreviations that English news does not spell out."""

    def __init__(self) -> None:
        self._group_by_name = {name: line for line in _SYNONYMS for name in line.split("|")}

    def compare(self, first: str, second: str) -> PhraseRelation | None:
        """Return "equivalent" if both are in one line of the list."""
        group = self._group_by_name.get(_normalize(first))
        same = group is not None and group == self._group_by_name.get(_normalize(second))
        return PhraseRelation("equivalent", "two names of one place") if same else None


class KnownPhrases:
    """Knowledge base lookups of types, roles and alternative names of entities."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base
        self._common = Abbreviations()

    def compare(self, first: str, second: str) -> PhraseRelation | None:
        """Compare two phrases: names of one entity are equivalent; a name entails its type."""
        if common := self._common.compare(first, second):
            return common
        phrase, other_phrase = _strip_determiner(first), _strip_determiner(second)
        if phrase == other_phrase:
            return None
        first_entity, second_entity = self._find_entity(phrase), self._find_entity(other_phrase)
        if first_entity and second_entity and first_entity.id == second_entity.id:
            return PhraseRelation("equivalent", f"both are {first_entity.title}")
        if first_entity and self._has_type(first_entity, other_phrase):
            return PhraseRelation("entails", f"{first_entity.title} is '{other_phrase}'")
        if second_entity and self._has_type(second_entity, phrase):
            return PhraseRelation("entailed", f"{second_entity.title} is '{phrase}'")
        return None

    def _find_entity(self, phrase: str) -> Entity | None:
        likely = self._base.lookup(phrase).candidates[:1]
        return self._base.entity(likely[0].id) if likely and likely[0].prior >= _MIN_PRIOR else None

    def _has_type(self, entity: Entity, phrase: str) -> bool:
        return any(self._states_type(fact, phrase) for fact in entity.facts)

    def _states_type(self, fact: Fact, phrase: str) -> bool:
        """Return True if a fact makes an entity a "city", "capital of France", "French capital"."""
        value = fact.value.lower()
        if fact.relation in _TYPE_PROPERTIES and phrase == value:
            return True
        named = value if fact.relation == "position" else f"{fact.relation} {value}"
        role, of, place = named.partition(" of ")
        if not of or fact.relation == "subclass of":
            return False
        owner, _, last = phrase.rpartition(" ")
        if last != role:
            return phrase == named
        entity = self._find_entity(owner) if owner else None
        return not owner or (entity is not None and entity.title.lower() == place)


def _normalize(phrase: str) -> str:
    return " ".join(phrase.lower().split()).removeprefix("the ").removesuffix("'s")


def _strip_determiner(phrase: str) -> str:
    first, _, rest = _normalize(phrase).partition(" ")
    return rest if rest and first in DETERMINERS else _normalize(phrase)
