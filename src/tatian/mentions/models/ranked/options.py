"""Every phrase of a text that may be a mention, and every page that it may mean.

Beyond the terms of the dictionary: words derived from one ("toxic" -> Toxicity, "teeth" -> Tooth),
a surname after the full name ("Neruda" -> Pablo Neruda), and the special page that a place of the
text makes of a general term ("air force" in a text on Israel -> Israeli Air Force, guideline 6).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Candidate, normal_form, words_of
from tatian.mentions.models.choices import meant, place_names, special_forms
from tatian.mentions.spots import STOP_TERMS, spots
from tatian.text import NAMES, SENTENCES, TOKENS, WORDS, Document, Span, Word
from tatian.text.plurals import singulars

Vectors = npt.NDArray[np.float32]


class AnalysedText:
    """What the analysis says of one document, by place in the text.

    A layer that is not there (no tags without the encoder) is simply not known.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.text = document.text
        self._tokens = document.get(TOKENS) if document.has(TOKENS) else ()
        self._starts = [token.start for token in self._tokens]
        tags = document.get(WORDS) if document.has(WORDS) else ()
        self.tags: Sequence[Word] = tags if len(tags) == len(self._tokens) else ()
        self.sentences = document.get(SENTENCES) if document.has(SENTENCES) else ()
        self._sentence_starts = [sentence.start for sentence in self.sentences]
        named = document.get(NAMES) if document.has(NAMES) else ()
        self.name_types = {(name.start, name.end): name.type for name in named}
        self._name_starts = sorted(self.name_types)

    @property
    def names(self) -> list[tuple[int, int]]:
        """Where names stand, in order."""
        return self._name_starts

    def words(self) -> Iterator[tuple[int, int, str]]:
        """Every token with its tag; the tag is empty where there is none."""
        for index, token in enumerate(self._tokens):
            yield token.start, token.end, self.tags[index].tag if self.tags else ""

    def tokens_of(self, start: int, end: int) -> tuple[int, int]:
        """The first and last token of a span; (-1, -1) where there are none."""
        if not self._tokens:
            return -1, -1
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_left(self._starts, end) - 1
        return first, max(first, last)

    def head_of(self, first: int, last: int) -> int:
        """The token of the span that hangs on one outside it: the last such."""
        for index in range(last, first - 1, -1):
            if not first <= self.tags[index].head <= last:
                return index
        return last

    def modifies(self, start: int, end: int) -> bool:
        """Whether the words of a span say more of a noun after it; not known without tags."""
        if not self.tags:
            return False
        first, last = self.tokens_of(start, end)
        head = self.tags[self.head_of(first, last)]
        return head.relation in {"compound", "amod", "nmod:poss"} and head.head > last

    def name_over(self, start: int, end: int) -> tuple[int, int] | None:
        """A name that shares a character with the span."""
        place = bisect_left(self._name_starts, (end, end))
        for found in reversed(self._name_starts[max(0, place - 2) : place]):
            if found[1] > start:
                return found
        return None

    def sentence_of(self, start: int) -> int:
        """The number of the sentence that a place is in; -1 without sentences."""
        return max(0, bisect_right(self._sentence_starts, start) - 1) if self.sentences else -1

    @cached_property
    def capitals(self) -> float:
        """The share of letters that are upper case."""
        letters = [character for character in self.text if character.isalpha()]
        return sum(map(str.isupper, letters)) / max(1, len(letters))


MOST_PAGES = 8
"""Pages considered for one phrase, the most common."""
_CLOSED = {"PRON", "DET", "ADP", "CCONJ", "SCONJ", "AUX", "PART", "INTJ"}
_SHORTEST = 3
"""Shorter words are not taken for derived ones."""
_MOST_NAMES = 4


class Linkable(Struct, frozen=True):
    """A phrase that may be a mention, with the pages that it may mean."""

    start: int
    end: int
    term: str
    """As the dictionary has it."""
    number: int
    """The dictionary's number of the term; -1 where it has none."""
    how: str
    """exact, plural, spelled, derived, surname or special."""
    link_probability: float
    pages: tuple[Candidate, ...]


def phrases(
    reading: AnalysedText, base: KnowledgeBase, topic: str = "", given: Sequence[Span] = ()
) -> list[Linkable]:
    """All phrases of the text, in its order; those within others as well.

    `given` are places that are phrases whatever the dictionary's rules of spotting say.
    """
    text = reading.text
    found = [
        _phrase(base, spot.start, spot.end, spot.how, spot.term)
        for spot in spots(text, base.dictionary, longest=False)
    ]
    taken = {(one.start, one.end) for one in found}
    found += [one for one in _derived(reading, base) if (one.start, one.end) not in taken]
    taken = {(one.start, one.end) for one in found}
    found += [
        one
        for span in dict.fromkeys((span.start, span.end) for span in given)
        if span not in taken and (one := _given(base, text, *span))
    ]
    about = (base.senses(spot.term) for spot in spots(topic, base.dictionary))
    spoken = (meant(pages) for pages in chain(about, (one.pages for one in found)))
    if names := place_names(spoken, base, _MOST_NAMES):
        found = _with_specials(found, base, names)
    return sorted(
        (one for one in _with_surnames(found, reading) if one.pages),
        key=lambda one: (one.start, one.end),
    )


def _phrase(base: KnowledgeBase, start: int, end: int, how: str, term: int) -> Linkable:
    return Linkable(
        start,
        end,
        base.form_of(term),
        term,
        how,
        base.link_probability(term),
        by_commonness(base.senses(term))[:MOST_PAGES],
    )


def _given(base: KnowledgeBase, text: str, start: int, end: int) -> Linkable | None:
    """The phrase at a place that somebody says is one: as it stands, or without its article."""
    form = normal_form(text[start:end])
    forms = (form, form.removeprefix("the "))
    wanted = [one for some in forms for one in (some, *singulars(some), *bases(some))]
    numbers = base.dictionary.numbers(wanted)
    number = next((numbers[one] for one in wanted if one in numbers), None)
    return None if number is None else _phrase(base, start, end, "exact", number)


def by_commonness(pages: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The most common first."""
    return tuple(sorted(pages, key=lambda one: (-one.prior, one.id)))


def _derived(reading: AnalysedText, base: KnowledgeBase) -> Iterator[Linkable]:
    """Single words that are no terms, but come from one."""
    words = [
        (start, end, form)
        for start, end, tag in reading.words()
        if tag not in _CLOSED
        and reading.text[start:end].isalpha()
        and len(form := normal_form(reading.text[start:end])) > _SHORTEST
        and form not in STOP_TERMS
    ]
    origins = {form: bases(form) for _, _, form in words}
    wanted = {*origins, *(one for some in origins.values() for one in some)}
    numbers = base.dictionary.numbers(wanted)
    for start, end, form in words:
        if form in numbers:
            continue
        for origin in origins[form]:
            if origin in numbers and origin not in STOP_TERMS:
                yield _phrase(base, start, end, "derived", numbers[origin])
                break


def _with_specials(found: list[Linkable], base: KnowledgeBase, names: list[str]) -> list[Linkable]:
    """The phrases with the pages that a place's name before or behind them would mean."""
    wanted = {
        phrase.term: special_forms(
            phrase.term, (name for name in names if name not in phrase.term.split())
        )
        for phrase in found
    }
    numbers = base.dictionary.numbers({form for forms in wanted.values() for form in forms})
    return [
        _with_pages(
            phrase,
            [base.senses(numbers[form])[:1] for form in wanted[phrase.term] if form in numbers],
        )
        for phrase in found
    ]


def _with_pages(phrase: Linkable, special: list[tuple[Candidate, ...]]) -> Linkable:
    known = {page.id for page in phrase.pages}
    added: dict[int, Candidate] = {}
    for pages in special:
        for page in pages:
            if page.id not in known and page.kind != "person":
                added[page.id] = Candidate(page.id, page.title, page.kind, 0.0, 0)
    return replace(phrase, pages=(*phrase.pages, *list(added.values())[:2])) if added else phrase


def _with_surnames(found: list[Linkable], reading: AnalysedText) -> Iterator[Linkable]:
    """Names that end the full name of a person the text has named before."""
    people: dict[str, Candidate] = {}
    by_place = {(one.start, one.end): one for one in found}
    for one in found:
        first = one.pages[0] if one.pages else None
        words = one.term.split()
        if first and first.kind == "person" and len(words) > 1 and first.prior > 0.5:
            for last in (words[-1], " ".join(words[-2:])):
                if last != one.term:
                    people.setdefault(last, first)
    for start, end in reading.names:
        form = " ".join(words_of(reading.text[start:end]))
        page = people.get(form)
        if page is None:
            continue
        old = by_place.get((start, end))
        pages = tuple(one for one in old.pages if one.id != page.id) if old else ()
        full = Candidate(page.id, page.title, page.kind, 1.0, page.count)
        likely = old.link_probability if old else 0.0
        by_place[start, end] = Linkable(
            start, end, form, old.number if old else -1, "surname", likely, (full, *pages)
        )
    yield from by_place.values()


_IRREGULAR = {
    "children": "child", "feet": "foot", "geese": "goose", "kids": "child", "kid": "child",
    "knives": "knife", "leaves": "leaf", "lives": "life", "men": "man", "mice": "mouse",
    "people": "person", "teeth": "tooth", "wives": "wife", "wolves": "wolf", "women": "woman",
    "commercial": "commerce", "commercially": "commerce", "dental": "dentistry",
    "financial": "finance", "legal": "law", "medical": "medicine", "mental": "mind",
    "national": "nation", "political": "politics", "presidential": "president",
    "racial": "race", "rural": "rural area", "scientific": "science", "sexual": "sex",
    "urban": "urban area", "parliamentary": "parliament", "judicial": "judiciary",
}  # fmt: skip
_ENDINGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ically", ("ics", "y", "ic", "icity")),
    ("ists", ("ism", "y", "", "ist")),
    ("ical", ("ics", "y", "ic")),
    ("ated", ("ation", "ate")),
    ("ates", ("ation", "ate")),
    ("izing", ("ization", "ize")),
    ("ized", ("ization", "ize")),
    ("ising", ("isation", "ise")),
    ("ised", ("isation", "ise")),
    ("ally", ("e", "", "al")),
    ("ist", ("ism", "y", "")),
    ("ful", ("",)),
    ("ous", ("e", "y", "ity", "")),
    ("ive", ("ion", "e")),
    ("ity", ("", "e")),
    ("ic", ("y", "ity", "ics", "ism", "", "e")),
    ("al", ("", "e", "ality", "s")),
    ("ly", ("", "ness")),
    ("ing", ("", "e", "ion", "ation")),
    ("ed", ("", "e", "ion", "ation", "ing")),
    ("es", ("", "is", "e")),
    ("or", ("ion", "e")),
    ("er", ("ing", "", "e")),
    ("ers", ("ing", "e")),
    ("ors", ("ion",)),
    ("ve", ("f",)),
    ("ves", ("f", "fe")),
    ("s", ("",)),
    ("", ("ity", "ness", "ion", "ing", "ation")),
)
_SHORTEST_STEM = 3


@lru_cache(1 << 14)
def bases(word: str) -> tuple[str, ...]:
    """Words that `word`, in lower case, may be derived from, the likeliest first."""
    return tuple(_bases(word))


def _bases(word: str) -> Iterator[str]:
    given = {word}
    if word in _IRREGULAR:
        given.add(_IRREGULAR[word])
        yield _IRREGULAR[word]
    for ending, others in _ENDINGS:
        stem = word.removesuffix(ending) if ending else word
        if (ending and stem == word) or len(stem) < _SHORTEST_STEM:
            continue
        for other in others:
            for candidate in (stem + other, _single(stem) + other):
                if candidate not in given and len(candidate) > _SHORTEST_STEM:
                    given.add(candidate)
                    yield candidate


def _single(stem: str) -> str:
    """Without the doubled consonant: "clott" -> "clot"."""
    return (
        stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiouls" else stem
    )
