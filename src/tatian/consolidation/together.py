"""What an account speaks of together: its lists of names, and its plurals for things it named."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct

from tatian.aggregation.antecedents import Linker, Phrase, plural_phrases
from tatian.aggregation.linked import types_of
from tatian.aggregation.sets import lists_of
from tatian.analysis.trees import trees
from tatian.knowledge import KnowledgeBase
from tatian.pipeline import CrossChain
from tatian.text import CHAINS, NAMES, WORDS, Document, Span, Word
from tatian.text.content import concept

DOER, DONE_TO = "doer", "done to"
_ROLES = {"nsubj": DOER, "obl:agent": DOER, "obj": DONE_TO, "nsubj:pass": DONE_TO}


class Role(Struct, frozen=True):
    """What a phrase is to the word it hangs on."""

    name: str
    """`DOER`, `DONE_TO`, another relation of the tree, or nothing."""
    told: str
    """What that word tells of."""


class NameList(Struct, frozen=True):
    """A list of names: "A, B and C"."""

    span: Span
    type: str
    members: frozenset[str]
    """Ids of chains across accounts."""
    names: tuple[str, ...]
    role: Role


class Plural(Struct, frozen=True):
    """A plural noun phrase that says how many, or speaks of something said before."""

    phrase: Phrase
    role: Role
    members: frozenset[str] = frozenset()
    """The chains across accounts that it speaks of, where its own account names them before."""
    sure: bool = False
    """Whether their number or facts about all of them say so too."""


class Together:
    """One account's lists and plurals; none where it was not analysed."""

    def __init__(
        self,
        document: Document,
        across: dict[tuple[str, str], CrossChain],
        base: KnowledgeBase | None = None,
    ) -> None:
        self.document = document
        self._across = across
        self._base = base
        self._linker = Linker(base)

    @cached_property
    def lists(self) -> tuple[NameList, ...]:
        """Its lists of names that link to chains across accounts, each to another."""
        if not self._analysed:
            return ()
        found = []
        for one in lists_of(self.document, types_of(self.document, self._base)):
            chains = [self._across.get((self.document.id, chain)) for chain in one.chains]
            known = {chain.id: chain.name for chain in chains if chain is not None}
            if len(known) == len(chains):
                members, names = frozenset(known), tuple(known.values())
                found.append(NameList(one.span, one.type, members, names, self._role(one.span)))
        return tuple(found)

    @cached_property
    def list_at(self) -> dict[int, NameList]:
        """The same by where they begin."""
        return {one.span.start: one for one in self.lists}

    @cached_property
    def plurals(self) -> tuple[Plural, ...]:
        """Its plurals."""
        if not self._analysed:
            return ()
        linked = {one.phrase: one for one in self._linker.link(self.document)}
        found = []
        for phrase in (one for tree in trees(self.document) for one in plural_phrases(tree)):
            if (plural := linked.get(phrase.span)) is not None:
                members = frozenset(self._id(one.chain) for one in plural.antecedents)
                sure = plural.counted or plural.supported
                found.append(Plural(phrase, self._role(phrase.span), members, sure))
            elif phrase.pointing or phrase.count:
                found.append(Plural(phrase, self._role(phrase.span)))
        return tuple(found)

    def lists_in(self, span: Span) -> list[NameList]:
        """The lists within a sentence."""
        return [one for one in self.lists if span.contains(one.span)]

    def plurals_in(self, span: Span) -> list[Plural]:
        """The plurals within a sentence."""
        return [one for one in self.plurals if span.contains(one.phrase.span)]

    def mentioned_in(self, span: Span) -> frozenset[str]:
        """What a sentence mentions, by its chains across accounts."""
        return frozenset(
            self._id(chain.id)
            for chain in self.document.get(CHAINS)
            if any(span.contains(mention) for mention in chain.mentions)
        )

    def tag(self, start: int) -> str:
        """The part of speech of the word that begins at a place; empty if nobody knows."""
        word = self._words.get(self._place.get(start, -1)) if self._analysed else None
        return word.tag if word is not None else ""

    def denies(self, names: Sequence[str], type: str, phrase: Phrase) -> bool:
        """Whether facts speak against calling things by a phrase when this account was written."""
        date = self.document.metadata.date
        return any(self._linker.fit(name, type, phrase, date) is False for name in names)

    @property
    def _analysed(self) -> bool:
        return self.document.has(WORDS) and self.document.has(NAMES)

    @cached_property
    def _place(self) -> dict[int, int]:
        return {token.start: place for place, token in enumerate(self.document.tokens)}

    @cached_property
    def _words(self) -> dict[int, Word]:
        return {word.token: word for word in self.document.get(WORDS)}

    def _role(self, span: Span) -> Role:
        words = self._words
        inside = {self._place[token.start] for token in self.document.tokens_in(span)}
        for place in sorted(inside):
            word = words.get(place)
            if word is not None and word.head not in inside and word.head in words:
                name = _ROLES.get(word.relation, word.relation)
                return Role(name, concept(words[word.head].lemma))
        return Role("", "")

    def _id(self, chain: str) -> str:
        found = self._across.get((self.document.id, chain))
        return found.id if found is not None else f"{self.document.id} {chain}"
