"""Clauses of an analysed document: governors, arguments, names, and what numbers count."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable

from tatian.claims.claim import LISTS
from tatian.text import CHAINS, NAMES, WORDS, Document, Name, Span, Word
from tatian.text.content import concept, is_content
from tatian.text.dates import PARTS, UNITS
from tatian.text.documents import quoted_tokens
from tatian.text.lexicon import AUXILIARIES, MONTHS, RELATIVE_DATES, WEEKDAYS

_CLAUSES = frozenset("advcl ccomp conj parataxis acl csubj xcomp".split())
_ARGUMENTS = frozenset("nsubj obj iobj obl csubj".split())
_WITHIN = frozenset("flat compound appos".split())
_PLANS = frozenset(
    "will would shall expected planned planning hopes hope intends scheduled due 'll ’ll".split()
)
_TIMES = frozenset((*WEEKDAYS, *MONTHS, *RELATIVE_DATES, *PARTS, *UNITS, "end", "nightfall"))
_CLIMB = 8
"""Most words between a claim and its predicate."""


class Clauses:
    """Document by its parse, names and chains; words are given by their index among the tokens."""

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
        self._named = self._referents()

    def at(self, offset: int) -> int:
        """Return the token at an offset of the text."""
        return bisect_right(self.starts, offset) - 1

    def token_range(self, span: Span) -> tuple[int, int]:
        """Return the first token of a span, and the one after its last."""
        return self.at(span.start), self.at(span.end - 1) + 1

    def text(self, place: int) -> str:
        """Return a word in lower case; nothing beyond the sentence's root."""
        return self.tokens[place].text.lower() if place >= 0 else ""

    def noun(self, place: int) -> str:
        """Return the concept of a word as it is written."""
        return concept(self.tokens[place].text)

    def relation(self, place: int) -> str:
        """Return the dependency relation of a word, without its subtype."""
        word = self.words.get(place)
        return word.relation.partition(":")[0] if word is not None else ""

    def governors(self, place: int, excluded: range) -> list[int]:
        """Return the words above one, outside the offsets `excluded`, up to its predicate."""
        path: list[int] = []
        word = self.words.get(place)
        while word is not None and len(path) < _CLIMB:
            if self.starts[word.token] not in excluded:
                path.append(word.token)
                if word.tag == "VERB" or self.is_predicate(word.token):
                    break
            word = self.words.get(word.head)
        return path

    def is_predicate(self, place: int) -> bool:
        """Check whether a word has a subject or a copula of its own."""
        return any(self.relation(child) in ("nsubj", "cop") for child in self.children[place])

    def ordered_act(self, place: int) -> int:
        """Return the act that "before" or "after" at a place sets in time, by its other event."""
        anchor = self.words.get(self.words[place].head) if place in self.words else None
        return anchor.head if anchor is not None and anchor.head in self.words else place

    def is_clause(self, place: int) -> bool:
        """Check whether a word heads a clause below another."""
        word = self.words.get(place)
        return word is not None and word.tag == "VERB" and self.relation(place) in _CLAUSES

    def is_joined(self, place: int) -> bool:
        """Check whether a word heads a coordinate clause, an act of its own."""
        return self.is_clause(place) and self.relation(place) in ("conj", "parataxis")

    def predicate(self, place: int) -> int:
        """Return the predicate of the clause that a word stands in."""
        for _ in range(40):
            word = self.words.get(place)
            is_top = word is None or word.head not in self.words
            if word is None or is_top or self.is_predicate(place) or self.is_clause(place):
                break
            place = word.head
        return place

    def clause(self, top: int) -> list[int]:
        """Return a word and all below it that is not a clause of its own."""
        inside, queue = [], [top]
        while queue:
            place = queue.pop()
            inside.append(place)
            queue += [child for child in self.children[place] if not self.is_clause(child)]
        return sorted(inside)

    def concepts(self, place: int) -> frozenset[str]:
        """Return the concepts of a word, by its lemma and as it is written."""
        word = self.words.get(place)
        texts = (self.tokens[place].text, *([word.lemma] if word is not None else ()))
        return frozenset(map(concept, texts))

    def arguments(self, top: int) -> list[int]:
        """Return the heads of a predicate's arguments, also those shared with the clause above."""
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

    def marker(self, place: int) -> str:
        """Return the preposition before a word."""
        cases = (child for child in self.children[place] if self.relation(child) == "case")
        return next(map(self.text, cases), "")

    def is_agent(self, place: int) -> bool:
        """Check whether a word is the agent after "by", and not a time."""
        return self.marker(place) == "by" and self.text(place) not in _TIMES

    def takes_part(self, place: int) -> bool:
        """Check whether a word, or what it is a part of, is an argument of a predicate."""
        while self.relation(place) in _WITHIN:
            place = self.words[place].head
        return self.relation(place) in _ARGUMENTS

    def name_words(self, places: Iterable[int]) -> frozenset[str]:
        """Return the words of names among some words, and of names that pronouns stand for."""
        return frozenset().union(*(self._named.get(self.starts[p], frozenset()) for p in places))

    def content_concepts(self, places: Iterable[int]) -> frozenset[str]:
        """Return the concepts of the content words among some words."""
        texts = (self.tokens[place].text for place in places if self.text(place) not in AUXILIARIES)
        return frozenset(concept(text) for text in texts if is_content(text))

    def _referents(self) -> dict[int, frozenset[str]]:
        """Return the words of the name behind each token, by its start; pronouns by their chain."""
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


def squeeze_span(span: Span, document: Document) -> str:
    """Return the text of a stretch with one blank for each gap."""
    return re.sub(r"\s+", " ", span.of(document.text))


def one_line(text: str, span: Span) -> tuple[str, list[int]]:
    """Return a stretch with one blank for each gap, and the offsets of its characters."""
    places = [
        place
        for place in range(span.start, span.end)
        if not (text[place].isspace() and place > span.start and text[place - 1].isspace())
    ]
    return "".join(" " if text[n].isspace() else text[n] for n in places), places


_PERSONS = frozenset(map(concept, LISTS["persons"].split()))
"""Concepts of nouns for persons, which sources exchange freely."""
_MODIFIERS = frozenset("compound flat fixed nummod amod advmod dep".split())
_COUNTS_PEOPLE = frozenset(
    map(concept, "kill die dead injure hurt wound arrest detain rescue hospitalize miss".split())
)
"""Acts with which a number alone counts people."""


def counted_noun(clauses: Clauses, last: int) -> tuple[int, str] | None:
    """Return the noun that a number counts, or the number that counts people by itself."""
    if last not in clauses.words:
        near = range(last + 1, min(last + 4, len(clauses.tokens)))
        texts = ((place, clauses.tokens[place].text) for place in near)
        noun = next((place for place, t in texts if is_content(t) and t.islower()), None)
        return None if noun is None else (noun, _person(clauses.noun(noun)))
    word = _modified_word(clauses, last)
    if last < word.token <= last + 6 and word.tag in ("NOUN", "PROPN", "ADJ"):
        is_month = clauses.text(word.token) in MONTHS
        return None if is_month else (word.token, _person(clauses.noun(word.token)))
    noun = _next_noun(clauses, last)
    above = clauses.words.get(word.head)
    belongs = word.relation.startswith(("nmod", "appos"))
    if noun is None and belongs and above is not None and above.tag == "NOUN":
        return word.token, _person(clauses.noun(above.token))
    noun = _of_noun(clauses, last) if noun is None else noun
    if noun is not None:
        return noun, _person(clauses.noun(noun))
    subject = _subject_noun(clauses, word.token)
    if subject:
        return word.token, _person(subject)
    if above is None or clauses.text(last) == "one":
        return None
    if not _COUNTS_PEOPLE.isdisjoint(clauses.concepts(above.token)):
        return word.token, concept("people")
    part = clauses.relation(word.token)
    rises = part in ("obl", "nmod") and clauses.marker(word.token) in ("to", "at", "as")
    return (word.token, "") if part in ("nsubj", "obj") or rises else None


def _modified_word(clauses: Clauses, place: int) -> Word:
    """Return the word that a number modifies, directly or by other modifiers."""
    word = clauses.words[place]
    while clauses.relation(word.token) in _MODIFIERS and word.head in clauses.words:
        word = clauses.words[word.head]
        is_compound = word.relation.startswith("compound") and place < word.head <= place + 3
        if word.tag in ("NOUN", "PROPN") and word.token > place and not is_compound:
            break
    return word


def _next_noun(clauses: Clauses, last: int) -> int | None:
    """Return the noun after a number, past adjectives; in "34 dead", the word for people."""
    for place in range(last + 1, min(last + 4, len(clauses.tokens))):
        word = clauses.words.get(place)
        if word is None or word.tag not in ("ADJ", "NOUN"):
            return None
        if word.tag == "NOUN" or not _COUNTS_PEOPLE.isdisjoint(clauses.concepts(place)):
            return place
    return None


def _of_noun(clauses: Clauses, last: int) -> int | None:
    """Return the noun after "dozens of", "two of the"."""
    end = min(last + 8, len(clauses.tokens))
    is_of = last + 1 < end and clauses.text(last + 1) == "of"
    for place in range(last + 2, end - 1) if is_of else ():
        word = clauses.words.get(place)
        if word is None or word.tag == "PUNCT":
            return None
        if word.tag == "NOUN" and clauses.text(place + 1) not in ("'s", "’s", "'", "’"):
            return place
    return None


def _subject_noun(clauses: Clauses, place: int) -> str:
    """Return the subject of a figure that is itself the predicate: "the toll was 36"."""
    subjects = (c for c in clauses.children[place] if clauses.relation(c) == "nsubj")
    return next(map(clauses.noun, subjects), "")


def measured_noun(clauses: Clauses, last: int) -> str:
    """Return the noun that a measure belongs to: "a fine of $2 million", "a $2 million fine"."""
    place = last
    for _ in range(4 if last in clauses.words else 0):
        above = clauses.words.get(clauses.words[place].head)
        if above is None or clauses.relation(place) in ("nsubj", "obj", "obl", "root", "ccomp"):
            return _subject_noun(clauses, place)
        is_figure = abs(above.token - last) <= 1 and clauses.text(above.token)[:1].isdigit()
        if above.tag in ("NOUN", "PROPN", "ADJ") and above.token != last and not is_figure:
            return clauses.noun(above.token)
        place = above.token
    return ""


def find_aged_person(clauses: Clauses, first: int, last: int) -> Name | None:
    """Return the person whose age the tokens give: the name just before them, or just after."""
    ends = clauses.tokens[first - 2].end if first > 1 else -1
    begins = clauses.tokens[last + 1].start if last + 1 < len(clauses.tokens) else -1
    people = (name for name in clauses.names if name.type == "PER")
    return next((name for name in people if name.end == ends or name.start == begins), None)


def _person(noun: str) -> str:
    return concept("people") if noun in _PERSONS | _COUNTS_PEOPLE else noun
