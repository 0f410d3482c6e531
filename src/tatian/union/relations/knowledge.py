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


_SAME = (
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
_KINDS = frozenset(("type", "subclass of", "occupation", "position"))
"""Properties whose value is a type of the entity."""
_LEAST = 0.5
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
        self._group = {name: line for line in _SAME for name in line.split("|")}

    def compare(self, first: str, second: str) -> PhraseRelation | None:
        """Return "equivalent" if both are in one line of the list."""
        first_group, other = (self._group.get(_plain(phrase)) for phrase in (first, second))
        same = first_group is not None and first_group == other
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
        ours, theirs = _bare(first), _bare(second)
        if ours == theirs:
            return None
        first_entity, other = self._thing(ours), self._thing(theirs)
        if first_entity and other and first_entity.id == other.id:
            return PhraseRelation("equivalent", f"both are {first_entity.title}")
        if first_entity and self._is(first_entity, theirs):
            return PhraseRelation("entails", f"{first_entity.title} is '{theirs}'")
        if other and self._is(other, ours):
            return PhraseRelation("entailed", f"{other.title} is '{ours}'")
        return None

    def _thing(self, phrase: str) -> Entity | None:
        likely = self._base.lookup(phrase).candidates[:1]
        return self._base.entity(likely[0].id) if likely and likely[0].prior >= _LEAST else None

    def _is(self, thing: Entity, phrase: str) -> bool:
        return any(self._says(fact, phrase) for fact in thing.facts)

    def _says(self, fact: Fact, phrase: str) -> bool:
        """Return True if a fact makes an entity a "city", "capital of France", "French capital"."""
        value = fact.value.lower()
        if fact.relation in _KINDS and phrase == value:
            return True
        named = value if fact.relation == "position" else f"{fact.relation} {value}"
        role, of, place = named.partition(" of ")
        if not of or fact.relation == "subclass of":
            return False
        owner, _, last = phrase.rpartition(" ")
        if last != role:
            return phrase == named
        entity = self._thing(owner) if owner else None
        return not owner or (entity is not None and entity.title.lower() == place)


def _plain(phrase: str) -> str:
    return " ".join(phrase.lower().split()).removeprefix("the ").removesuffix("'s")


def _bare(phrase: str) -> str:
    first, _, rest = _plain(phrase).partition(" ")
    return rest if rest and first in DETERMINERS else _plain(phrase)
