"""Units of a sentence that are compared: names, roles, times, phrases, verbs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct

from tatian.analysis.trees import Tree
from tatian.claims.claim import VAGUE, ValueRange
from tatian.claims.quantities import find_quantities
from tatian.errors import LayerMissing
from tatian.text import NAMES, WORDS, Span
from tatian.text.content import concepts_of
from tatian.text.datelines import publication_day
from tatian.text.dates import Time, find_times
from tatian.text.documents import Passage, quoted_tokens
from tatian.text.lexicon import NEGATIONS, PRONOUNS, ROLE_HEADS, TITLES
from tatian.text.spans import within

UnitKind = Literal["name", "role", "time", "phrase", "verb"]

NOUNS = frozenset(("NOUN", "PROPN"))
_NOMINAL = frozenset(("nsubj", "obj", "iobj", "obl", "nmod", "root"))
_BEFORE = ("det", "amod", "nummod", "compound", "nmod", "advmod", "punct")
_AFTER = ("flat", "nummod")
_MODIFIERS = frozenset(("NOUN", "PROPN", "ADJ", "NUM"))


class Unit(Struct, frozen=True):
    """Range of words around a head, by their indices in the sentence."""

    kind: UnitKind
    first: int
    end: int
    head: int
    type: str = ""
    """Type of a name: PER, LOC, ORG or MISC."""

    def covers(self, other: Unit) -> bool:
        """Return True if the other unit is within this one."""
        return self.first <= other.first and other.end <= self.end

    def overlaps(self, other: Unit) -> bool:
        """Return True if the two units share a word."""
        return self.first < other.end and other.first < self.end

    @property
    def places(self) -> range:
        """Indices of its words."""
        return range(self.first, self.end)


class ParsedPassage:
    """A parsed passage with its units; needs the encoder's layers."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage
        document = passage.document
        self.tokens = document.tokens_in(passage.span)
        words = {word.token: word for word in document.get(WORDS)}
        places = {token.start: place for place, token in enumerate(document.tokens)}
        passage_words = [words.get(places[token.start]) for token in self.tokens]
        if any(word is None for word in passage_words):
            raise LayerMissing(document.id, WORDS.name)
        self.tree = Tree(self.tokens, [word for word in passage_words if word is not None])
        size = len(self.tokens)
        self.tree.heads = [head if 0 <= head < size else -1 for head in self.tree.heads]
        self.concepts = concepts_of(document, passage.span)

    @cached_property
    def quoted(self) -> list[bool]:
        """True for each word inside quotation marks."""
        return quoted_tokens(self.passage.document.text, self.tokens)

    @cached_property
    def times(self) -> list[Time]:
        """Time expressions of the passage."""
        return find_times(self.tokens, publication_day(self.passage.document))

    @cached_property
    def units(self) -> list[Unit]:
        """Units of the passage, in order; a phrase may contain a name."""
        return sorted(_units(self), key=lambda unit: (unit.first, -unit.end))

    @cached_property
    def time_of(self) -> dict[Unit, Time]:
        """Time of each unit whose kind is ``time``."""
        by_place = {(time.first, time.end): time for time in self.times}
        return {unit: by_place[unit.first, unit.end] for unit in self.units if unit.kind == "time"}

    def span(self, first: int, end: int) -> Span:
        """Return the span of the words from `first` to `end` in the document."""
        return Span(self.tokens[first].start, self.tokens[end - 1].end)

    def text(self, unit: Unit) -> str:
        """Return the text of a unit."""
        return self.span(unit.first, unit.end).of(self.passage.document.text)

    def words(self, unit: Unit) -> list[str]:
        """Return the words of a unit."""
        return [self.tokens[place].text for place in unit.places]

    def content(self, unit: Unit) -> list[str]:
        """Return the concepts of a unit's content words."""
        concepts = (self.concepts[place] for place in unit.places)
        return [concept for concept in concepts if concept is not None]

    def amount(self, unit: Unit) -> ValueRange | None:
        """Return the number in a unit if there is exactly one, with a bound such as "at least"."""
        money = self.tree.tag(unit.head) == "SYM"
        words = self.words(unit)[: None if money else unit.head + 1 - unit.first]
        lead = [token.text for token in self.tokens[max(0, unit.first - 3) : unit.first]]
        return number_of(words) and number_of([*lead, *words])

    def negated(self, unit: Unit) -> bool:
        """Return True if the head of a unit is negated."""
        children = self.tree.children[unit.head]
        return any(self.tokens[child].text.lower() in NEGATIONS for child in children)


def number_of(words: Sequence[str]) -> ValueRange | None:
    """Return the number in a phrase; None if there is none, or more than one."""
    line = " ".join(words).replace(" - ", "-").replace("$ ", "$").replace(" %", "%")
    intervals = [
        figure.interval for figure in find_quantities(line, set()) if figure.kind != "ordinal"
    ]
    return intervals[0] if len(intervals) == 1 else None


def _units(passage: ParsedPassage) -> Iterator[Unit]:
    tree = passage.tree
    times = [
        Unit("time", time.first, time.end, _head(tree, time.first, time.end))
        for time in passage.times
    ]
    taken = {place for unit in times for place in unit.places}
    names = [name for name in _names(passage) if taken.isdisjoint(name.places)]
    roles = [role for name in names if (role := _role(tree, name, taken, names))]
    yield from (*times, *names, *roles)
    taken.update(place for unit in (*names, *roles) for place in unit.places)
    for place, word in enumerate(tree.words):
        if place in taken:
            continue
        if _heads_phrase(tree, place):
            yield _phrase(tree, place, taken)
        elif word.tag == "VERB":
            yield _verb(tree, place)


def _heads_phrase(tree: Tree, place: int) -> bool:
    """Return True for a noun, or a number used as one, that is not part of a compound."""
    if tree.relation(place) in ("compound", "flat", "fixed") or _hyphen(tree, place):
        return False
    if tree.tag(place) in ("NUM", "SYM"):
        return tree.relation(place) in _NOMINAL
    return tree.tag(place) in NOUNS


def _names(passage: ParsedPassage) -> Iterator[Unit]:
    """Yield names without the titles before them."""
    document = passage.passage.document
    if not document.has(NAMES):
        return
    starts = {token.start: place for place, token in enumerate(passage.tokens)}
    ends = {token.end: place + 1 for place, token in enumerate(passage.tokens)}
    for name in within(document.get(NAMES), passage.passage.span):
        if name.start not in starts or name.end not in ends:
            continue
        first, end = starts[name.start], ends[name.end]
        while first + 1 < end and name.type == "PER" and _is_title(passage.tokens[first].text):
            first += 1
        if passage.tokens[end - 1].text in {"'s", "’s"} and end - first > 1:
            end -= 1
        yield Unit("name", first, end, _head(passage.tree, first, end), name.type)


def _is_title(word: str) -> bool:
    return word.lower() in TITLES or word.lower() in ROLE_HEADS


def _role(tree: Tree, name: Unit, times: set[int], names: Sequence[Unit]) -> Unit | None:
    """Return the role before a person's name, such as "Army Secretary"."""
    people = {place for other in names if other.type == "PER" for place in other.places}
    below = tree.subtree(name.head) - times - people
    first = name.first
    while first - 1 in below and (tree.tag(first - 1) in _MODIFIERS or _hyphen(tree, first - 1)):
        first -= 1
    if first == name.first:
        return None
    return Unit("role", first, name.first, _head(tree, first, name.first))


def _phrase(tree: Tree, head: int, taken: set[int]) -> Unit:
    """Return a noun phrase with a following "of" phrase.

    In "dozens of people", the head is "people".
    """
    before = {place for child in tree.under(head, *_BEFORE) for place in tree.subtree(child)}
    first = head
    while first - 1 in before or (first and _hyphen(tree, first - 1)):
        first -= 1
    while tree.relation(first) in ("case", "punct", "cc", "mark") and first < head:
        first += 1
    if first and tree.text(first).lower() in ("least", "most"):
        first -= tree.text(first - 1).lower() == "at"
    after = {place for child in tree.under(head, *_AFTER) for place in tree.subtree(child)}
    end = head + 1
    while end in after - taken:
        end += 1
    counted = head
    for child in tree.under(head, "nmod"):
        case = [tree.text(place).lower() for place in tree.under(child, "case")]
        if child == min((c for c in tree.under(head, "nmod") if c > head), default=-1):
            last = max([child, *tree.under(child, "flat", "compound")])
            reach = tree.subtree(child) | tree.subtree(head)
            if case == ["of"] and set(range(end, last + 1)) <= reach:
                end = last + 1
                counted = child if tree.text(head).lower() in VAGUE else head
    return Unit("phrase", first, end, counted)


def _hyphen(tree: Tree, place: int) -> bool:
    """Return True if `place` is a hyphen, or a hyphen directly follows it."""
    if place < 0 or place + 1 >= len(tree.words):
        return False
    joined = tree.tokens[place].end == tree.tokens[place + 1].start
    return joined and "-" in (tree.text(place), tree.text(place + 1))


def _verb(tree: Tree, head: int) -> Unit:
    """Return a verb with its auxiliaries before it and its particle after it."""
    places = {head, *tree.under(head, "aux")}
    places |= {
        place
        for place in tree.under(head, "advmod")
        if tree.text(place).lower() in NEGATIONS and place < head
    }
    places |= {
        place
        for place in tree.under(head, "compound")
        if tree.words[place].relation.endswith(":prt")
    }
    first = end = head
    while first - 1 in places:
        first -= 1
    while end in places:
        end += 1
    return Unit("verb", first, end, head)


def _head(tree: Tree, first: int, end: int) -> int:
    """Return the syntactic head of a range; the last one if several words attach outside it."""
    outside = [place for place in range(first, end) if not first <= tree.heads[place] < end]
    tops = [place for place in outside if tree.relation(place) not in ("case", "punct", "det")]
    return (tops or outside)[-1]


Role = Literal["subject", "object"]


def arguments(passage: ParsedPassage, verb: Unit) -> dict[int, Role]:
    """Return the heads of a verb's subject and object, as if it were active.

    A relative pronoun is replaced by its antecedent.
    """
    tree = passage.tree
    roles: dict[int, Role] = {}
    for child in tree.children[verb.head]:
        relation = tree.words[child].relation
        role: Role | None = None
        if relation in ("nsubj", "obl:agent"):
            role = "subject"
        elif relation in ("nsubj:pass", "obj"):
            role = "object"
        if role is None:
            continue
        relative = tree.words[child].features.get("PronType") == "Rel"
        roles[tree.heads[verb.head] if relative else child] = role
    return roles


def units_at(passage: ParsedPassage, place: int) -> list[Unit]:
    """Return names, phrases and pronouns headed by a word or its appositions; names first."""
    tree = passage.tree
    same = {place, *tree.under(place, "appos", "flat")}
    units = [
        unit for unit in passage.units if unit.kind in ("name", "phrase") and unit.head in same
    ]
    if is_pronoun(passage, place):
        units.append(Unit("phrase", place, place + 1, place))
    return sorted(units, key=lambda unit: (unit.kind != "name", unit.first))


def is_pronoun(passage: ParsedPassage, place: int) -> bool:
    """Return True for a personal pronoun of the third person."""
    pronoun = PRONOUNS.get(passage.tokens[place].text.lower())
    return pronoun is not None and pronoun.person == 3 and not pronoun.possessive
