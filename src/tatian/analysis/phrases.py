"""Noun phrases by the definition of the MUC-6 coreference task, from dependency trees.

A phrase has one head (§4.1) and includes its modifiers (§4.2): appositions, relative clauses and
prepositional phrases, with the comma that closes them. Conjoined phrases are separate (§3.7): the
first ends before the conjunction, the last includes the modifiers that follow. If a prepositional
phrase could modify the noun or the verb, the tree decides; §4.2 would attach it to the noun, and a
scorer accepts both. Parts of names, dates and amounts (§4.1), relative pronouns (§3.6) and
expletives are not phrases. The minimal string of a phrase is its MIN (§4.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tatian.analysis.trees import Tree, trees
from tatian.text import NAMES, Document, Name, Span
from tatian.text.lexicon import MONTHS, word_set
from tatian.text.spans import inside

Places = tuple[int, int]
"""First position, and the position after the last."""

_AMOUNTS = word_set(
    "% percent pct $ £ € ¥ us$ c$ a$ dollar dollars cent cents pound pounds euro euros yen francs "
    "marks rupees yuan"
)


def minimum(tree: Tree, head: int, names: list[Places]) -> Places:
    """Return the head, or the whole name, date, amount of money or percentage it belongs to."""
    for name in names:
        if name[0] <= head < name[1]:
            return name
    if tree.text(head).lower() in MONTHS and tree.text(head)[0].isupper():
        numbers = [c for c in tree.under(head, "nummod", "nmod") if tree.tag(c) == "NUM"]
        return _range_of(head, numbers)
    if tree.text(head).lower() in _AMOUNTS:
        numbers = [c for c in tree.under(head, "nummod", "compound") if tree.tag(c) == "NUM"]
        below = [place for number in numbers for place in _amount(tree, number)]
        return _range_of(head, below)
    if tree.tag(head) == "PROPN":
        parts = [c for c in tree.under(head, "flat", "compound") if tree.tag(c) == "PROPN"]
        return _range_of(head, _contiguous(head, parts))
    return head, head + 1


def _amount(tree: Tree, number: int) -> list[int]:
    """Return the number with "million" and the like, without "about"."""
    return [number, *(c for c in tree.under(number, "compound", "flat") if tree.tag(c) == "NUM")]


def _contiguous(head: int, parts: list[int]) -> list[int]:
    """Return the `parts` that are connected to the head without a gap."""
    connected = {head}
    for part in sorted(parts, key=lambda place: abs(place - head)):
        if part - 1 in connected or part + 1 in connected:
            connected.add(part)
    return sorted(connected)


def _range_of(head: int, places: list[int]) -> Places:
    return min([head, *places]), max([head, *places]) + 1


NOUNS = frozenset(("NOUN", "PROPN", "PRON"))
OTHER_TAGS = frozenset(("NUM", "SYM", "DET", "ADJ", "X"))
HEAD_RELATIONS = frozenset(
    ("nsubj", "obj", "iobj", "obl", "nmod", "appos", "vocative", "dislocated")
)
"""Relations that a word of `OTHER_TAGS` must have to its head in order to head a phrase."""
INNER_RELATIONS = frozenset(("flat", "fixed", "goeswith", "expl", "reparandum", "discourse"))
"""Relations whose words head no phrase, whatever their tags."""
INSIDE = ("det", "amod", "nummod", "nmod", "compound", "flat", "fixed", "goeswith", "appos", "acl")
ADVERBIAL = ("advmod", "obl", "advcl")
"""Dependents that belong to the phrase; adverbials do so unless its head is a predicate."""
PREDICATE = ("nsubj", "csubj", "cop", "expl")
_PAIRS = {"(": ")", "[": "]", "“": "”", "‘": "’", "``": "''", '"': '"'}
_SET_OFF = frozenset((",", "–", "—", "--", "-"))


class NounPhrase(Span, frozen=True, order=True):
    """A maximal noun phrase: its span, its head and its minimal string."""

    head: int
    """Index into the tokens layer."""
    minimum: Span
    """MIN string (§4.1): the head, or the whole name, date, amount or percentage."""


def noun_phrases(document: Document) -> tuple[NounPhrase, ...]:
    """Return all noun phrases of an analysed document, in order, outer before inner."""
    names = document.get(NAMES) if document.has(NAMES) else ()
    phrases = [phrase for tree in trees(document) for phrase in _phrases(tree, names)]
    return tuple(sorted(phrases, key=lambda phrase: (phrase.start, -phrase.end, phrase.head)))


def _phrases(tree: Tree, names: Sequence[Name]) -> Iterator[NounPhrase]:
    places = _places_of(names, tree)
    heads = [place for place in range(len(tree.words)) if _heads_phrase(tree, place)]
    minima = {head: minimum(tree, head, places) for head in heads}
    for head, (begin, stop) in minima.items():
        is_part = begin <= tree.heads[head] < stop
        if is_part or any(_is_part((begin, stop), other) for other in minima.values()):
            continue
        first, end = _extent(tree, head)
        yield NounPhrase(
            start=tree.tokens[min(first, begin)].start,
            end=tree.tokens[max(end, stop) - 1].end,
            head=tree.words[head].token,
            minimum=Span(tree.tokens[begin].start, tree.tokens[stop - 1].end),
        )


def _places_of(names: Sequence[Name], tree: Tree) -> list[Places]:
    """Return the names of the sentence as positions of its words."""
    start = {token.start: place for place, token in enumerate(tree.tokens)}
    end = {token.end: place + 1 for place, token in enumerate(tree.tokens)}
    whole = Span(tree.tokens[0].start, tree.tokens[-1].end)
    return [
        (start[name.start], end[name.end])
        for name in inside(names, whole)
        if name.start in start and name.end in end
    ]


def _is_part(part: Places, whole: Places) -> bool:
    """Check whether one name, date or amount is only a part of another."""
    return whole[0] <= part[0] and part[1] <= whole[1] and part != whole


def _heads_phrase(tree: Tree, place: int) -> bool:
    """Check whether the word is the head of a noun phrase."""
    relation = tree.relation(place)
    word = tree.words[place]
    if relation in INNER_RELATIONS or word.features.get("PronType") in ("Rel", "Int"):
        return False
    if word.relation == "nmod:desc" and word.tag == "PROPN":
        return False
    if word.tag in NOUNS:
        return True
    if word.tag not in OTHER_TAGS:
        return False
    if (word.tag == "SYM" and tree.under(place, "nummod")) or tree.under(place, "cop"):
        return word.tag in ("SYM", "NUM")
    if relation == "conj":
        first = tree.heads[place]
        return tree.tag(first) in NOUNS | OTHER_TAGS - {"ADJ"} and word.tag != "ADJ"
    if word.tag == "ADJ" and not tree.under(place, "det", "nummod"):
        return False
    return relation in HEAD_RELATIONS


def _extent(tree: Tree, head: int) -> Places:
    """Return the contiguous span of the head and its modifiers."""
    covered = {modifier: tree.subtree(modifier) for modifier in _modifiers(tree, head)}
    members = set().union({head}, *covered.values())
    first = last = head
    for place in sorted((m for m in members if m < head), reverse=True):
        if not _joins(tree, place + 1, first):
            break
        first = place
    for place in sorted(m for m in members if m > head):
        if not _joins(tree, last + 1, place):
            break
        last = place
    first, end = _trimmed(tree, first, last + 1)
    end = _with_closers(tree, first, end)
    final = next((places for places in covered.values() if end - 1 in places), set())
    return first, end + _is_closed(tree, final, end)


def _modifiers(tree: Tree, head: int) -> list[int]:
    """Return the dependents that belong to the phrase, with those that conjuncts share (§4.2)."""
    modifiers = tree.under(head, *INSIDE)
    if not tree.under(head, *PREDICATE):
        modifiers += tree.under(head, *ADVERBIAL)
    conjuncts = [c for c in tree.under(head, "conj") if c > head]
    if conjuncts:
        border = min(tree.subtree(conjuncts[0]))
        modifiers = [modifier for modifier in modifiers if modifier < border]
    if tree.relation(head) == "conj":
        first = tree.heads[head]
        if head == max(tree.under(first, "conj")):
            modifiers += [m for m in tree.under(first, *INSIDE) if m > head]
    return modifiers


def _joins(tree: Tree, begin: int, end: int) -> bool:
    """Check whether only punctuation stands between two words of a phrase."""
    return all(tree.tag(place) == "PUNCT" for place in range(begin, end))


def _trimmed(tree: Tree, first: int, end: int) -> Places:
    """Remove punctuation at the edges."""
    while tree.tag(first) == "PUNCT" and first < end - 1:
        first += 1
    while tree.tag(end - 1) == "PUNCT" and end - 1 > first:
        end -= 1
    return first, end


def _with_closers(tree: Tree, first: int, end: int) -> int:
    """Extend past the brackets and quotes that close what is opened inside."""
    opened: list[str] = []
    for place in range(first, end):
        mark = tree.text(place)
        if opened and mark == opened[-1]:
            opened.pop()
        elif mark in _PAIRS:
            opened.append(_PAIRS[mark])
    while opened and end < len(tree.words) and tree.text(end) == opened[-1]:
        opened.pop()
        end += 1
    return end


def _is_closed(tree: Tree, final: set[int], end: int) -> bool:
    """Check whether the mark at `end` closes the last modifier, set off by one before it (§4.2)."""
    words = [place for place in final if tree.tag(place) != "PUNCT"]
    if not words or end >= len(tree.words):
        return False
    before = min(words) - 1
    return before >= 0 and tree.text(end) in _SET_OFF and tree.text(before) == tree.text(end)
