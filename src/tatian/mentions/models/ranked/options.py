"""Candidate phrases of a text, and candidate pages for each.

Phrases are terms of the dictionary, words derived from them ("toxic" -> Toxicity, "teeth" ->
Tooth), and surnames after the full name ("Neruda" -> Pablo Neruda). A general term also has pages
specific to a place in the text: "air force" in a text on Israel is the Israeli Air Force (guideline
6).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Candidate, normal_form, words_of
from tatian.mentions.models.choices import place_names, special_forms, usual_page
from tatian.mentions.spots import LISTS, STOP_TERMS, spots
from tatian.text import NAMES, SENTENCES, TOKENS, WORDS, Document, Span, Word
from tatian.text.plurals import singulars

Vectors = npt.NDArray[np.float32]
_SENTENCES_AROUND = 3
"""Number of sentences before and after a phrase's own whose vectors are averaged."""


class AnalysedText:
    """Analysis of one document, indexed by offsets; layers may be missing."""

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
        """Spans of names, in order."""
        return self._name_starts

    def words(self) -> Iterator[tuple[int, int, str]]:
        """Yield every token with its tag; the tag is empty if there is none."""
        for index, token in enumerate(self._tokens):
            yield token.start, token.end, self.tags[index].tag if self.tags else ""

    def tokens_of(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and last token of a span; (-1, -1) if the document has none."""
        if not self._tokens:
            return -1, -1
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_left(self._starts, end) - 1
        return first, max(first, last)

    def head_of(self, first: int, last: int) -> int:
        """Return the last token of the span whose head is outside it."""
        for index in range(last, first - 1, -1):
            if not first <= self.tags[index].head <= last:
                return index
        return last

    def modifies(self, start: int, end: int) -> bool:
        """Return whether a span modifies a noun after it; False without tags."""
        if not self.tags:
            return False
        first, last = self.tokens_of(start, end)
        head = self.tags[self.head_of(first, last)]
        return head.relation in {"compound", "amod", "nmod:poss"} and head.head > last

    def name_over(self, start: int, end: int) -> tuple[int, int] | None:
        """Return a name that overlaps the span."""
        index = bisect_left(self._name_starts, (end, end))
        for name in reversed(self._name_starts[max(0, index - 2) : index]):
            if name[1] > start:
                return name
        return None

    def sentence_of(self, start: int) -> int:
        """Return the number of the sentence at an offset; -1 without sentences."""
        return max(0, bisect_right(self._sentence_starts, start) - 1) if self.sentences else -1

    def around(self, number: int) -> slice:
        """Return the range of the sentences around one, whose vectors are averaged."""
        return slice(max(0, number - _SENTENCES_AROUND), number + _SENTENCES_AROUND + 1)

    @cached_property
    def capitals(self) -> float:
        """Share of letters that are upper case."""
        letters = [character for character in self.text if character.isalpha()]
        return sum(map(str.isupper, letters)) / max(1, len(letters))


MAX_PAGES = 8
"""Maximum number of pages considered for one phrase: the most common."""
_CLOSED_CLASSES = {"PRON", "DET", "ADP", "CCONJ", "SCONJ", "AUX", "PART", "INTJ"}
_MAX_UNDERIVED_LENGTH = 3
"""Maximum length of words that are not derived, in characters."""
_MAX_NAMES = 4


class Linkable(Struct, frozen=True):
    """A candidate phrase with its candidate pages."""

    start: int
    end: int
    term: str
    """Normal form of the term in the dictionary."""
    number: int
    """Number of the term in the dictionary; -1 if it has none."""
    form: str
    """exact, plural, spelled, derived or surname."""
    link_probability: float
    pages: tuple[Candidate, ...]


def phrases(
    analysis: AnalysedText, base: KnowledgeBase, topic: str = "", fixed: Sequence[Span] = ()
) -> list[Linkable]:
    """Return all candidate phrases in the order of the text, also nested and `fixed` ones."""
    text = analysis.text
    linkables = [
        _phrase(base, spot.start, spot.end, spot.form, spot.term)
        for spot in spots(text, base.dictionary, longest=False)
    ]
    taken = {(linkable.start, linkable.end) for linkable in linkables}
    linkables += [
        linkable
        for linkable in _find_derived(analysis, base)
        if (linkable.start, linkable.end) not in taken
    ]
    taken = {(linkable.start, linkable.end) for linkable in linkables}
    linkables += [
        linkable
        for span in dict.fromkeys((span.start, span.end) for span in fixed)
        if span not in taken and (linkable := _fixed_phrase(base, text, *span))
    ]
    about = (base.senses(spot.term) for spot in spots(topic, base.dictionary))
    likely_pages = map(usual_page, chain(about, (linkable.pages for linkable in linkables)))
    if names := place_names(likely_pages, base, _MAX_NAMES):
        linkables = _add_special_pages(linkables, base, names)
    return sorted(
        (linkable for linkable in _add_people(linkables, analysis) if linkable.pages),
        key=lambda linkable: (linkable.start, linkable.end),
    )


def _phrase(base: KnowledgeBase, start: int, end: int, form: str, term: int) -> Linkable:
    return Linkable(
        start,
        end,
        base.form_of(term),
        term,
        form,
        base.link_probability(term),
        tuple(sorted(base.senses(term), key=lambda page: (-page.prior, page.id))[:MAX_PAGES]),
    )


def _fixed_phrase(base: KnowledgeBase, text: str, start: int, end: int) -> Linkable | None:
    """Return the phrase of a given span, in its exact or derived form, with or without article."""
    form = normal_form(text[start:end])
    forms = (form, form.removeprefix("the "))
    terms = [term for form in forms for term in (form, *singulars(form), *derivation_bases(form))]
    numbers = base.dictionary.numbers(terms)
    number = next((numbers[term] for term in terms if term in numbers), None)
    return None if number is None else _phrase(base, start, end, "exact", number)


def _find_derived(analysis: AnalysedText, base: KnowledgeBase) -> Iterator[Linkable]:
    """Yield single words that are not terms but are derived from one."""
    words = [
        (start, end, form)
        for start, end, tag in analysis.words()
        if tag not in _CLOSED_CLASSES
        and analysis.text[start:end].isalpha()
        and len(form := normal_form(analysis.text[start:end])) > _MAX_UNDERIVED_LENGTH
        and form not in STOP_TERMS
    ]
    origins = {form: derivation_bases(form) for _, _, form in words}
    numbers = base.dictionary.numbers(set(origins).union(*origins.values()))
    for start, end, form in words:
        if form in numbers:
            continue
        for origin in origins[form]:
            if origin in numbers and origin not in STOP_TERMS:
                yield _phrase(base, start, end, "derived", numbers[origin])
                break


def _add_special_pages(
    linkables: list[Linkable], base: KnowledgeBase, names: list[str]
) -> list[Linkable]:
    """Add pages of longer terms with the name of a place: "Israel air force"."""
    wanted = {
        phrase.term: special_forms(
            phrase.term, (name for name in names if name not in phrase.term.split())
        )
        for phrase in linkables
    }
    numbers = base.dictionary.numbers({form for forms in wanted.values() for form in forms})
    return [
        _add_pages(
            phrase,
            [base.senses(numbers[form])[:1] for form in wanted[phrase.term] if form in numbers],
        )
        for phrase in linkables
    ]


def _add_pages(phrase: Linkable, special: list[tuple[Candidate, ...]]) -> Linkable:
    present = {page.id for page in phrase.pages}
    added: dict[int, Candidate] = {}
    for pages in special:
        for page in pages:
            if page.id not in present and page.kind != "person":
                added[page.id] = Candidate(page.id, page.title, page.kind, 0.0, 0)
    return replace(phrase, pages=(*phrase.pages, *list(added.values())[:2])) if added else phrase


def _add_people(linkables: list[Linkable], analysis: AnalysedText) -> Iterator[Linkable]:
    """Yield the phrases, adding the person to surnames whose full name is in the text."""
    people: dict[str, Candidate] = {}
    by_place = {(linkable.start, linkable.end): linkable for linkable in linkables}
    for linkable in linkables:
        first = linkable.pages[0] if linkable.pages else None
        words = linkable.term.split()
        if first and first.kind == "person" and len(words) > 1 and first.prior > 0.5:
            for last in (words[-1], " ".join(words[-2:])):
                if last != linkable.term:
                    people.setdefault(last, first)
    for start, end in analysis.names:
        form = " ".join(words_of(analysis.text[start:end]))
        page = people.get(form)
        if page is None:
            continue
        named = Candidate(page.id, page.title, page.kind, 1.0, page.count)
        surname = Linkable(start, end, form, -1, "surname", 0.0, (named,))
        if existing := by_place.get((start, end)):
            others = (candidate for candidate in existing.pages if candidate.id != page.id)
            surname = replace(existing, term=form, form="surname", pages=(named, *others))
        by_place[start, end] = surname
    yield from by_place.values()


_ORIGINS = dict(line.split(" ", 1) for line in LISTS["origins"].splitlines())
"""Words with the words that they are derived from, where no ending shows it."""
_ENDINGS = [
    tuple(part.strip("-") for part in line.split()) for line in LISTS["endings"].splitlines()
]
"""Endings, each followed by those of the words that it is derived from."""
_MIN_STEM_LENGTH = 3


@lru_cache(1 << 14)
def derivation_bases(word: str) -> tuple[str, ...]:
    """Return words that a lower-case word may be derived from, the likeliest first."""
    return tuple(_derivation_bases(word))


def _derivation_bases(word: str) -> Iterator[str]:
    yielded = {word}
    if word in _ORIGINS:
        yielded.add(_ORIGINS[word])
        yield _ORIGINS[word]
    for ending, *others in _ENDINGS:
        stem = word.removesuffix(ending) if ending else word
        if (ending and stem == word) or len(stem) < _MIN_STEM_LENGTH:
            continue
        for other in others:
            for candidate in (stem + other, _undouble(stem) + other):
                if candidate not in yielded and len(candidate) > _MIN_STEM_LENGTH:
                    yielded.add(candidate)
                    yield candidate


def _undouble(stem: str) -> str:
    """Remove a doubled consonant: "clott" -> "clot"."""
    is_doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiouls"
    return stem[:-1] if is_doubled else stem
