"""Clauses of an analysed document: governors, arguments, names and counted nouns."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable

from tatian.claims.claim import LISTS
from tatian.text import CHAINS, NAMES, WORDS, Document, Name, Span, Word
from tatian.text.content import concept, is_content
from tatian.text.documents import quoted_tokens
from tatian.text.lexicon import AUXILIARIES

_CLAUSES = frozenset("advcl ccomp conj parataxis acl csubj xcomp".split())
_ARGUMENTS = frozenset("nsubj obj iobj obl csubj".split())
_WITHIN = frozenset("flat compound appos".split())
_PLANS = frozenset(
    "will would shall expected planned planning hopes hope intends scheduled due 'll ’ll".split()
)
_CLIMB = 8
"""Most dependency steps from a claim to its predicate."""


class Clauses:
    """Queries on the parse, names and chains of a document; words are token indices."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.tokens = document.tokens
        self.starts = [token.start for token in document.tokens]
        parsed = document.get(WORDS) if document.has(WORDS) else ()
        self.words: dict[int, Word] = {word.token: word for word in parsed}
        self.children: defaultdict[int, list[int]] = defaultdict(list)
        for word in parsed:
            self.children[word.head].append(word.token)
        self.quoted = quoted_tokens(document.text, document.tokens)
        self.names = list(document.get(NAMES)) if document.has(NAMES) else []
        self._name_words = self._find_name_words()

    def token_at(self, offset: int) -> int:
        """Return the index of the token at an offset of the text."""
        return bisect_right(self.starts, offset) - 1

    def token_range(self, span: Span) -> tuple[int, int]:
        """Return the index of the first token of a span, and of the one after its last."""
        return self.token_at(span.start), self.token_at(span.end - 1) + 1

    def text(self, index: int) -> str:
        """Return a word in lower case; empty for index -1, the head of the root."""
        return self.tokens[index].text.lower() if index >= 0 else ""

    def noun(self, index: int) -> str:
        """Return the concept of a word's written form."""
        return concept(self.tokens[index].text)

    def relation(self, index: int) -> str:
        """Return the dependency relation of a word, without its subtype."""
        word = self.words.get(index)
        return word.relation.partition(":")[0] if word is not None else ""

    def climb(self, index: int) -> list[int]:
        """Return a word and its ancestors up to its predicate."""
        path: list[int] = []
        while index in self.words and len(path) < _CLIMB:
            path.append(index)
            if self.words[index].tag == "VERB" or self.is_predicate(index):
                break
            index = self.words[index].head
        return path or [index]

    def is_predicate(self, index: int) -> bool:
        """Check whether a word has a subject or a copula."""
        return any(self.relation(child) in ("nsubj", "cop") for child in self.children[index])

    def ordered_act(self, index: int) -> int:
        """Return the act that "before" or "after" at `index` relates to another event."""
        anchor = self.words.get(self.words[index].head) if index in self.words else None
        return anchor.head if anchor is not None and anchor.head in self.words else index

    def is_clause(self, index: int) -> bool:
        """Check whether a verb heads a clause that depends on another."""
        word = self.words.get(index)
        return word is not None and word.tag == "VERB" and self.relation(index) in _CLAUSES

    def clause(self, top: int) -> list[int]:
        """Return a word and its descendants, without those in dependent clauses."""
        inside, queue = [], [top]
        while queue:
            index = queue.pop()
            inside.append(index)
            queue += [child for child in self.children[index] if not self.is_clause(child)]
        return sorted(inside)

    def concepts(self, index: int) -> frozenset[str]:
        """Return the concepts of a word's lemma and written form."""
        word = self.words.get(index)
        texts = (self.tokens[index].text, *([word.lemma] if word is not None else ()))
        return frozenset(map(concept, texts))

    def arguments(self, top: int) -> list[int]:
        """Return the heads of a predicate's arguments.

        A predicate without a subject has that of the clause above, or the noun that it modifies.
        """
        heads = [c for c in self.children[top] if self.relation(c) in _ARGUMENTS]
        word = self.words.get(top)
        if word is None or word.head not in self.words or "nsubj" in map(self.relation, heads):
            return heads
        if self.relation(top) == "acl":
            return [*heads, word.head]
        if self.relation(top) in ("conj", "xcomp", "advcl"):
            heads += [c for c in self.children[word.head] if self.relation(c) == "nsubj"]
        return heads

    def is_planned(self, top: int) -> bool:
        """Check whether an act is only planned, expected or possible."""
        word = self.words.get(top)
        below = self.children[top]
        near = [c for c in below if self.relation(c) in ("aux", "advmod", "cop")]
        near += [top, *([word.head] if word and self.relation(top) in ("xcomp", "ccomp") else [])]
        texts = set(map(self.text, near))
        is_to = texts & {"is", "are"} and "to" in map(self.text, below)
        return bool(texts & _PLANS or is_to)

    def marker(self, index: int) -> str:
        """Return the preposition before a word."""
        cases = (child for child in self.children[index] if self.relation(child) == "case")
        return next(map(self.text, cases), "")

    def takes_part(self, index: int) -> bool:
        """Check whether a word or its compound is an argument of a predicate."""
        while self.relation(index) in _WITHIN:
            index = self.words[index].head
        return self.relation(index) in _ARGUMENTS

    def name_words(self, indices: Iterable[int]) -> frozenset[str]:
        """Return the words of the names that some words belong to or refer to."""
        starts = (self.starts[index] for index in indices)
        return frozenset().union(*(self._name_words.get(s, frozenset()) for s in starts))

    def content_concepts(self, indices: Iterable[int]) -> frozenset[str]:
        """Return the concepts of the content words among some words."""
        texts = (self.tokens[i].text for i in indices if self.text(i) not in AUXILIARIES)
        return frozenset(concept(text) for text in texts if is_content(text))

    def _find_name_words(self) -> dict[int, frozenset[str]]:
        """Map a token's start to the words of its name; pronouns have their chain's name."""
        document = self.document
        names: dict[int, frozenset[str]] = {}

        def add(span: Span, words_of_name: frozenset[str]) -> None:
            for token in document.tokens_in(span):
                names[token.start] = names.get(token.start, frozenset()) | words_of_name

        def words(span: Span) -> frozenset[str]:
            tokens = document.tokens_in(span)
            return frozenset(concept(t.text) for t in tokens if t.text[:1].isupper())

        people = [name for name in self.names if name.type == "PER"]
        starts = {name.start for name in people}
        for chain in document.get(CHAINS) if document.has(CHAINS) else ():
            heads = [mention.head or mention for mention in chain.mentions]
            person = frozenset().union(*(words(head) for head in heads if head.start in starts))
            for head in heads:
                add(head, person)
        for name in people:
            add(name, words(name))
        return names


def collapse_spaces(span: Span, document: Document) -> str:
    """Return the text of a span with one blank for each gap."""
    return re.sub(r"\s+", " ", span.of(document.text))


_PERSONS = frozenset(LISTS["persons"].split())
"""Nouns for persons, which sources use interchangeably."""
_MODIFIERS = frozenset("compound flat fixed nummod amod advmod dep".split())
_COUNTS_PEOPLE = frozenset(
    map(concept, "kill die dead injure hurt wound arrest detain rescue hospitalize miss".split())
)
"""Acts whose number counts people even without a noun: "34 were killed"."""


def find_counted_noun(clauses: Clauses, last: int) -> tuple[int, str] | None:
    """Return the index and concept of the noun that a number counts.

    Without a noun ("34 died"), the index is that of the number or of the word that it modifies.
    None if nothing is counted.
    """
    if last not in clauses.words:
        near = range(last + 1, min(last + 4, len(clauses.tokens)))
        texts = ((index, clauses.tokens[index].text) for index in near)
        noun = next((index for index, t in texts if is_content(t) and t.islower()), None)
        return None if noun is None else (noun, _name_counted(clauses, noun))
    word = _find_modified_word(clauses, last)
    if last < word.token <= last + 6 and word.tag in ("NOUN", "PROPN", "ADJ"):
        return word.token, _name_counted(clauses, word.token)
    noun = _find_next_noun(clauses, last)
    above = clauses.words.get(word.head)
    belongs = word.relation.startswith(("nmod", "appos"))
    if noun is None and belongs and above is not None and above.tag == "NOUN":
        return word.token, _name_counted(clauses, above.token)
    noun = _find_noun_after_of(clauses, last) if noun is None else noun
    if noun is not None:
        return noun, _name_counted(clauses, noun)
    subject = _find_subject(clauses, word.token)
    if subject is not None:
        return word.token, _name_counted(clauses, subject)
    if above is None or clauses.text(last) == "one":
        return None
    if not _COUNTS_PEOPLE.isdisjoint(clauses.concepts(above.token)):
        return word.token, concept("people")
    part = clauses.relation(word.token)
    rises = part in ("obl", "nmod") and clauses.marker(word.token) in ("to", "at", "as")
    return (word.token, "") if part in ("nsubj", "obj") or rises else None


def _find_modified_word(clauses: Clauses, index: int) -> Word:
    """Return the word that a number modifies, directly or through other modifiers."""
    word = clauses.words[index]
    while clauses.relation(word.token) in _MODIFIERS and word.head in clauses.words:
        word = clauses.words[word.head]
        is_compound = word.relation.startswith("compound") and index < word.head <= index + 3
        if word.tag in ("NOUN", "PROPN") and word.token > index and not is_compound:
            break
    return word


def _find_next_noun(clauses: Clauses, last: int) -> int | None:
    """Return the noun after a number and adjectives; in "34 dead", the word for people."""
    for index in range(last + 1, min(last + 4, len(clauses.tokens))):
        word = clauses.words.get(index)
        if word is None or word.tag not in ("ADJ", "NOUN"):
            return None
        if word.tag == "NOUN" or not _COUNTS_PEOPLE.isdisjoint(clauses.concepts(index)):
            return index
    return None


def _find_noun_after_of(clauses: Clauses, last: int) -> int | None:
    """Return the noun after "dozens of", "two of the"."""
    end = min(last + 8, len(clauses.tokens))
    is_of = last + 1 < end and clauses.text(last + 1) == "of"
    for index in range(last + 2, end - 1) if is_of else ():
        word = clauses.words.get(index)
        if word is None or word.tag == "PUNCT":
            return None
        if word.tag == "NOUN" and clauses.text(index + 1) not in ("'s", "’s", "'", "’"):
            return index
    return None


def _find_subject(clauses: Clauses, index: int) -> int | None:
    """Return the subject of a figure that is itself the predicate: "the toll was 36"."""
    return next((c for c in clauses.children[index] if clauses.relation(c) == "nsubj"), None)


def find_measured_noun(clauses: Clauses, last: int) -> str:
    """Return the measured noun: "fine" in "a fine of $2 million", "a $2 million fine"."""
    index = last
    for _ in range(4 if last in clauses.words else 0):
        above = clauses.words.get(clauses.words[index].head)
        if above is None or clauses.relation(index) in ("nsubj", "obj", "obl", "root", "ccomp"):
            subject = _find_subject(clauses, index)
            return "" if subject is None else clauses.noun(subject)
        if above.tag in ("NOUN", "PROPN", "ADJ"):
            return clauses.noun(above.token)
        index = above.token
    return ""


def find_aged_person(clauses: Clauses, first: int, last: int) -> Name | None:
    """Return the person with the age between two tokens: the name just before or after it."""
    ends = clauses.tokens[first - 2].end if first > 1 else -1
    begins = clauses.tokens[last + 1].start if last + 1 < len(clauses.tokens) else -1
    people = (name for name in clauses.names if name.type == "PER")
    return next((name for name in people if name.end == ends or name.start == begins), None)


def _name_counted(clauses: Clauses, index: int) -> str:
    """Return "people" for a noun for persons, such as "villagers", or else the noun's concept."""
    text, noun = clauses.text(index), clauses.noun(index)
    is_person = not _PERSONS.isdisjoint((text, text.removesuffix("s"))) or noun in _COUNTS_PEOPLE
    return concept("people") if is_person else noun
