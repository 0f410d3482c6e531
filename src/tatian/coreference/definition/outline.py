"""A document's markables with the trees they stand in, and what rules say of two of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from msgspec import Struct

from tatian.analysis.trees import Forest, Tree
from tatian.coreference.definition.extents import Extent, extents
from tatian.coreference.definition.phrases import MarkedPhrase, MarkedText
from tatian.coreference.definition.trees import mended
from tatian.coreference.definition.units import WholeUnit
from tatian.text import Document, Mention, Span
from tatian.text.lexicon import PRONOUNS, Pronoun

TYPES = {"date": "DATE", "amount": "MONEY", "percentage": "PERCENT"}
"""What mentions that are no names are called, after the Named Entity task."""


class MarkablePhrase(NamedTuple):
    """A markable and the phrase it is, in the tree of its sentence."""

    mention: Mention
    phrase: MarkedPhrase
    unit: WholeUnit | None
    """The name, date, amount or percentage that its head is."""
    order: int
    """Its number in the document."""

    @property
    def tree(self) -> Tree:
        """The tree of its sentence."""
        return self.phrase.tree

    @property
    def head(self) -> int:
        """The place of its head in the sentence."""
        return self.phrase.head

    @property
    def word(self) -> str:
        """Its head in small letters."""
        return self.phrase.word(self.phrase.head)

    @property
    def lemma(self) -> str:
        """Its head's lemma in small letters."""
        return self.phrase.lemma(self.phrase.head)

    @property
    def relation(self) -> str:
        """What its head is to the word it hangs on, without the subtype."""
        return self.tree.relation(self.head)

    @property
    def pronoun(self) -> Pronoun | None:
        """What it says as a personal pronoun; None where it is none."""
        if self.phrase.end - self.phrase.first != 1:
            return None
        return PRONOUNS.get(self.phrase.word(self.phrase.first))

    @property
    def is_possessive(self) -> bool:
        """Whether it is a pronoun that owns what follows: "her" may or may not be."""
        pronoun = self.pronoun
        if pronoun is None:
            return False
        return pronoun.possessive or self.tree.words[self.head].relation == "nmod:poss"

    @property
    def is_name(self) -> bool:
        """Whether its head is a name."""
        return self.unit is not None and self.unit.kind == "name"

    @property
    def is_value(self) -> bool:
        """Whether it is an amount, a percentage or a bare number."""
        if self.unit is not None:
            return self.unit.kind in ("amount", "percentage")
        return self.tree.tag(self.head) == "NUM" and self.phrase.end - self.phrase.first == 1

    @property
    def is_person(self) -> bool:
        """Whether it surely stands for a person."""
        pronoun = self.pronoun
        if pronoun is not None:
            return pronoun.person < 3 or pronoun.gender in ("male", "female")
        return self.mention.type == "PER"

    @property
    def is_plural(self) -> bool:
        """Whether it speaks of several."""
        if self.pronoun is not None:
            return self.pronoun.number == "plural"
        if self.is_name:
            return False
        return self.tree.words[self.head].fine in ("NNS", "NNPS")


class Outline:
    """All markables of an analysed document, found by place."""

    def __init__(self, document: Document) -> None:
        self.document = document = mended(document)
        self.page = MarkedText(document, (), markup=True)
        self.forest = Forest(document)
        self.trees = self.forest.trees
        self.numbers = {id(tree): number for number, tree in enumerate(self.trees)}
        found = extents(self.forest, self.page)
        self.markables = tuple(self._marked(order, extent) for order, extent in enumerate(found))

    def _marked(self, order: int, extent: Extent) -> MarkablePhrase:
        unit = extent.unit
        type_ = "" if unit is None else TYPES.get(unit.kind, unit.type)
        minimum = extent.minimum
        head = None if minimum == extent.span else minimum
        mention = Mention(extent.span.start, extent.span.end, type_, head=head)
        return MarkablePhrase(mention, extent.phrase, unit, order)

    @cached_property
    def _by_mention(self) -> dict[Mention, MarkablePhrase]:
        return {one.mention: one for one in self.markables}

    def of(self, mention: Mention) -> MarkablePhrase:
        """The markable that a mention of this outline is."""
        return self._by_mention[mention]

    @cached_property
    def _by_place(self) -> dict[tuple[int, int], MarkablePhrase]:
        found: dict[tuple[int, int], MarkablePhrase] = {}
        for one in self.markables:
            least = one.mention.head or one.mention
            for place in range(one.tree.place(least.start), one.tree.place(least.end)):
                found.setdefault((id(one.tree), place), one)
        for one in self.markables:
            found[id(one.tree), one.head] = one
        return found

    def at(self, tree: Tree, place: int | None) -> MarkablePhrase | None:
        """The markable whose head, or whose name, the word at a place of a tree is in."""
        return None if place is None else self._by_place.get((id(tree), place))

    def with_head(self, span: Span) -> MarkablePhrase | None:
        """The markable that a phrase found by anybody else stands for: the one with its head."""
        tree = self.forest.at(span.start)
        if tree is None:
            return None
        inner = tree.places(span)
        for place in [*tree.tops(inner), *reversed(inner)]:
            found = self.at(tree, place)
            if found is not None and found.mention.start <= span.start:
                return found
        return None

    def sentence(self, marked: MarkablePhrase) -> int:
        """The number of its sentence."""
        return self.numbers[id(marked.tree)]

    @cached_property
    def by_sentence(self) -> list[list[MarkablePhrase]]:
        """The markables of each sentence, in order, outer before inner."""
        found: list[list[MarkablePhrase]] = [[] for _ in self.trees]
        for one in self.markables:
            found[self.sentence(one)].append(one)
        return found

    def nested(self) -> Iterator[tuple[MarkablePhrase, MarkablePhrase]]:
        """Pairs of markables, the second inside the first."""
        for sentence in self.by_sentence:
            around: list[MarkablePhrase] = []
            for one in sentence:
                around = [outer for outer in around if outer.mention.end > one.mention.start]
                for outer in around:
                    yield outer, one
                around.append(one)


def markables(document: Document) -> list[Mention]:
    """All that §3 and §4 let be marked in an analysed document, each with its MIN as head.

    Outer phrases come before inner ones. A head is None where it is the whole phrase.
    """
    return [one.mention for one in Outline(document).markables]


Verdict = Literal["link", "forbid"]


class Ruling(Struct, frozen=True):
    """That two markables corefer, or never do, with the rule that says so."""

    anaphor: Mention
    antecedent: Mention
    rule: str
    section: str
    verdict: Verdict = "link"
    optional: bool = False
    """Whether the definition has the link written STATUS="OPT"."""
    certain: bool = True
    """Whether the rule holds by itself; else it holds where nothing better is known."""


Finder = Callable[[Outline], Iterator[Ruling]]


def link(
    rule: str,
    section: str,
    anaphor: MarkablePhrase,
    antecedent: MarkablePhrase,
    *,
    optional: bool = False,
    certain: bool = True,
) -> Ruling:
    """That the first corefers with the second."""
    return Ruling(anaphor.mention, antecedent.mention, rule, section, "link", optional, certain)


def forbid(rule: str, section: str, anaphor: MarkablePhrase, antecedent: MarkablePhrase) -> Ruling:
    """That the two never corefer."""
    return Ruling(anaphor.mention, antecedent.mention, rule, section, "forbid")
