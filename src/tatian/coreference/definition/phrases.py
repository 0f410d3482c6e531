"""An analysed text with its marked phrases."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations, groupby
from typing import NamedTuple

from tatian.analysis.trees import Forest, Tree
from tatian.coreference import LISTS
from tatian.coreference.definition.units import WholeUnit, units
from tatian.text import WORDS, Document, Span
from tatian.text.content import stem
from tatian.text.lexicon import (
    ARTICLES,
    DEMONSTRATIVES,
    DETERMINERS,
    NUMBER_WORDS,
    PRONOUNS,
    word_set,
)

NOMINAL = frozenset(("NOUN", "PROPN", "PRON", "NUM", "SYM"))
_PUNCTUATION = " \t\r\n,;:.-–—()[]\"'“”‘’`"


class Mark(Span, frozen=True, order=True):
    """Markup of a phrase, and its chain."""

    id: str
    """ID in the file; empty if the format has no ids."""
    chain: str
    """Id of the chain, shared by all phrases that are linked directly or indirectly."""
    linked: bool = False
    """True if it has an antecedent of its own (REF)."""
    minimum: Span | None = None
    """Span of the MIN; None if there is none."""
    optional: bool = False
    line: int = 0
    """Line of its tag in the file, counted from 1; 0 if unknown."""
    column: int = 1


class MarkedPhrase(NamedTuple):
    """A marked phrase in the tree of its sentence."""

    mark: Mark
    tree: Tree
    first: int
    """Position of its first word in the sentence."""
    end: int
    """Position after its last word."""
    head: int

    @property
    def places(self) -> range:
        """Indices of its words."""
        return range(self.first, self.end)

    def word(self, index: int) -> str:
        """Return a word of its sentence in lower case; empty outside the sentence."""
        return self.tree.text(index).lower() if 0 <= index < len(self.tree.words) else ""

    def lemma(self, index: int) -> str:
        """Return a word's lemma in lower case."""
        return self.tree.words[index].lemma.lower()

    def tag(self, index: int) -> str:
        """Return a word's universal part of speech; empty outside the sentence."""
        return self.tree.tag(index) if 0 <= index < len(self.tree.words) else ""

    @property
    def content(self) -> int:
        """Index of its first word that is not an article."""
        first = self.first
        return first + (self.word(first) in ARTICLES and self.end - first > 1)

    @property
    def tops(self) -> list[int]:
        """Its nouns whose heads are outside the phrase."""
        return [index for index in self.tree.tops(self.places) if self.tag(index) in NOMINAL]

    @property
    def is_pronoun(self) -> bool:
        """True if it is a personal or demonstrative pronoun and nothing else."""
        word = self.word(self.first)
        return self.end - self.first == 1 and (word in PRONOUNS or word in DEMONSTRATIVES)

    @property
    def is_determined(self) -> bool:
        """True if it has a determiner or a possessive."""
        relations = (self.tree.words[child].relation for child in self.tree.children[self.head])
        return self.word(self.first) in DETERMINERS or "nmod:poss" in relations

    @property
    def is_possessor(self) -> bool:
        """True if it is a possessive."""
        return self.word(self.end) in ("'s", "’s", "'", "’") or (
            self.is_pronoun and self.tree.relation(self.first) == "nmod"
        )


class MarkedText:
    """A document's marked phrases with their trees."""

    def __init__(self, document: Document, marks: Sequence[Mark], *, markup: bool) -> None:
        """`document` is analysed; `markup` is true if MIN and STATUS could have been given."""
        self.document = document
        self.marks = tuple(marks)
        self.markup = markup

    @property
    def text(self) -> str:
        """The document's text."""
        return self.document.text

    @cached_property
    def _forest(self) -> Forest | None:
        return Forest(self.document) if self.document.has(WORDS) else None

    @cached_property
    def units(self) -> tuple[WholeUnit, ...]:
        """Its names, dates, amounts and percentages."""
        return units(self.document)

    @cached_property
    def phrases(self) -> tuple[MarkedPhrase, ...]:
        """Marked phrases that lie in one analysed sentence."""
        located = (self._phrase(mark) for mark in self.marks)
        return tuple(phrase for phrase in located if phrase is not None)

    @cached_property
    def pairs(self) -> tuple[tuple[MarkedPhrase, MarkedPhrase], ...]:
        """Pairs of linked phrases in one sentence, the earlier or outer one first."""
        ordered = sorted(self.phrases, key=lambda phrase: (phrase.mark.chain, id(phrase.tree)))
        grouped = groupby(ordered, key=lambda phrase: (phrase.mark.chain, id(phrase.tree)))
        return tuple(
            pair
            for _, group in grouped
            for pair in combinations(sorted(group, key=lambda p: (p.first, -p.end)), 2)
        )

    def quote(self, mark: Span, longest: int = 60) -> str:
        """Quote a phrase for a message."""
        words = " ".join(mark.of(self.text).split())
        return f"'{words}'" if len(words) <= longest else f"'{words[: longest - 1].rstrip()}…'"

    def unit_at(self, span: Span) -> WholeUnit | None:
        """Return the unit that contains `span`."""
        index = bisect_right(self.units, span.start, key=lambda unit: unit.start) - 1
        if index >= 0 and self.units[index].contains(span):
            return self.units[index]
        return None

    def units_in(self, span: Span) -> list[WholeUnit]:
        """Return the units that lie wholly in `span`."""
        first = bisect_left(self.units, span.start, key=lambda unit: unit.start)
        last = bisect_left(self.units, span.end, key=lambda unit: unit.start)
        return [unit for unit in self.units[first:last] if unit.end <= span.end]

    def strip_edges(self, span: Span) -> Span:
        """Strip an initial article and surrounding punctuation; a final period stays."""
        start, end = span.start, span.end
        while start < end and self.text[start] in _PUNCTUATION:
            start += 1
        while end > start and self.text[end - 1] in _PUNCTUATION and self.text[end - 1] != ".":
            end -= 1
        words = self.text[start:end].split(maxsplit=1)
        if len(words) == 2 and words[0].lower() in ARTICLES:
            start = self.text.index(words[1][0], start + len(words[0]))
        return Span(start, end)

    def is_same(self, first: Span, second: Span) -> bool:
        """Return whether two phrases are equal but for articles, punctuation and possessive 's."""
        core, other_core = (self.strip_edges(span).of(self.text) for span in (first, second))
        return _normalise(core) == _normalise(other_core)

    def span(self, phrase: MarkedPhrase, first: int, end: int) -> Span:
        """Return the characters of some words of a phrase's sentence."""
        return Span(phrase.tree.tokens[first].start, phrase.tree.tokens[end - 1].end)

    def _phrase(self, mark: Mark) -> MarkedPhrase | None:
        tree = self._forest.at(mark.start) if self._forest else None
        if tree is None:
            return None
        places = tree.places(mark)
        if not places or mark.end > tree.tokens[-1].end or _is_all_capitals(tree):
            return None
        head = _find_head(tree, places, mark.minimum)
        return MarkedPhrase(mark, tree, places.start, places.stop, head)


def _find_head(tree: Tree, places: range, minimum: Span | None) -> int:
    """Return the head of a phrase; of several candidates the one in MIN, else the first noun."""
    tops = [index for index in tree.tops(places) if tree.tag(index) != "PUNCT"]
    if len(tops) > 1 and minimum is not None:
        tops = [top for top in tops if minimum.overlaps(tree.tokens[top])] or tops
    nouns = [top for top in tops if tree.tag(top) in NOMINAL]
    return (nouns or tops or [places.start])[0]


def _is_all_capitals(tree: Tree) -> bool:
    """Return whether a sentence is in capitals, which the encoder cannot analyse well."""
    words = [token.text for token in tree.tokens if token.text.isalpha()]
    return len(words) > 2 and all(word.isupper() for word in words)


def _normalise(string: str) -> str:
    stripped = string.rstrip(_PUNCTUATION)
    return stripped.removesuffix("'s").removesuffix("’s").rstrip(_PUNCTUATION)


_INDEFINITE = word_set("a an another some any several many few")
_PARTITIVE = _INDEFINITE | frozenset(NUMBER_WORDS) | word_set("each either neither most none")
BEING = word_set("be become remain")
"""Lemmas of verbs that equate subject and predicate."""

_NAMING = LISTS["naming"]
_NAMING_STEMS = frozenset(map(stem, _NAMING))


def has_indefinite_wording(phrase: MarkedPhrase) -> bool:
    """Return whether a phrase is worded as indefinite: "a ...", "one of ...", or a bare plural.

    Bare singulars ("president of Dreamy Detergents") and plurals with "of" are not.
    """
    first = phrase.first
    word = phrase.tree.text(first)
    if word in _INDEFINITE:
        return True
    if phrase.word(first + 1) == "of" and phrase.end - first > 2:
        return word.lower() in _PARTITIVE or word.isdigit()
    return is_bare_plural(phrase)


def is_bare_plural(phrase: MarkedPhrase) -> bool:
    """Return whether a plural common noun has no determiner, owner, number or "of"."""
    tree, head = phrase.tree, phrase.head
    if tree.words[head].fine != "NNS" or not tree.text(head).islower():
        return False
    if phrase.word(phrase.first) in DETERMINERS:
        return False
    if any(phrase.word(index) == "of" for index in range(head, phrase.end)):
        return False
    left = [tree.words[c].relation for c in tree.children[head] if phrase.first <= c < head]
    return not any(relation in ("det", "nmod:poss", "nummod", "det:predet") for relation in left)


def is_naming(phrase: MarkedPhrase, index: int) -> bool:
    """Return whether a word is a verb such as "name" or "elect", by its lemma or its form."""
    names = phrase.lemma(index) in _NAMING or stem(phrase.word(index)) in _NAMING_STEMS
    return phrase.tag(index) == "VERB" and names
