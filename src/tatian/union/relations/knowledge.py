"""How two phrases can be related, what everybody knows of it, and what a base knows beyond that."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, Protocol

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Entity, Fact
from tatian.text.lexicon import DETERMINERS

Kind = Literal["equivalent", "entails", "entailed", "disjoint"]
"""Of the first to the second: ``entails`` if the first is the more specific (§3)."""

SYMBOLS: dict[Kind, str] = {"equivalent": "⇔", "entails": "⇒", "entailed": "⇐", "disjoint": "∅"}


class PhraseRelation(NamedTuple):
    """A relation with the reason for it."""

    kind: Kind
    why: str


def joined(verdicts: Iterable[PhraseRelation]) -> PhraseRelation | None:
    """What several comparisons say together; None if each phrase is the more specific somewhere."""
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
"""Relations whose value says what a thing is."""
_LEAST = 0.5
"""The share of its uses in which a phrase must mean a thing to be taken for it."""


class Knowledge(Protocol):
    """Knows when two phrases name the same thing, or one names a kind of the other.

    Annotators of unions were told to use common knowledge (Hirsch et al. 2023, App. B): that Paris
    is the capital of France, that a supermarket is a store.
    """

    def compare(self, first: str, second: str) -> PhraseRelation | None:
        """How what the first phrase says is related to the second; None where it cannot tell."""
        ...


class Abbreviations:
    """The few abbreviations that English news never spells out."""

    def __init__(self) -> None:
        self._group = {name: line for line in _SAME for name in line.split("|")}

    def compare(self, first: str, second: str) -> PhraseRelation | None:
        """Equivalent if both are in one line of the list."""
        one, other = (self._group.get(_plain(phrase)) for phrase in (first, second))
        same = one is not None and one == other
        return PhraseRelation("equivalent", "two names of one place") if same else None


class KnownPhrases:
    """What a knowledge base says: who or what a name is, and what else it is called."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base
        self._common = Abbreviations()

    def compare(self, first: str, second: str) -> PhraseRelation | None:
        """Names of one thing are equivalent; a name entails what the thing is."""
        if common := self._common.compare(first, second):
            return common
        ours, theirs = _bare(first), _bare(second)
        if ours == theirs:
            return None
        one, other = self._thing(ours), self._thing(theirs)
        if one and other and one.id == other.id:
            return PhraseRelation("equivalent", f"both are {one.title}")
        if one and self._is(one, theirs):
            return PhraseRelation("entails", f"{one.title} is '{theirs}'")
        if other and self._is(other, ours):
            return PhraseRelation("entailed", f"{other.title} is '{ours}'")
        return None

    def _thing(self, phrase: str) -> Entity | None:
        likely = self._base.lookup(phrase).candidates[:1]
        return self._base.entity(likely[0].id) if likely and likely[0].prior >= _LEAST else None

    def _is(self, thing: Entity, phrase: str) -> bool:
        return any(self._says(fact, phrase) for fact in thing.facts)

    def _says(self, fact: Fact, phrase: str) -> bool:
        """Whether the fact makes a thing a "city", the "capital of France", "French capital"."""
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
        known = self._thing(owner) if owner else None
        return not owner or (known is not None and known.title.lower() == place)


def _plain(phrase: str) -> str:
    return " ".join(phrase.lower().split()).removeprefix("the ").removesuffix("'s")


def _bare(phrase: str) -> str:
    first, _, rest = _plain(phrase).partition(" ")
    return rest if rest and first in DETERMINERS else _plain(phrase)
