"""Projects gold mentions of a clean transcript onto a recogniser's output (benchmark §3, Text 4).

People label the transcript, because it can be read; systems for speech get only the recogniser's
output. Each offset of the transcript is mapped to one of the recognised text by the minimum edit
distance with backtracking. Each mention's span is mapped by its two ends: "Jewish refugees" becomes
"jewish refute. these" if that was heard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import InputError
from tatian.formats.links import (
    build_document,
    evaluated_parts,
    links_of,
    part_of,
    title_of_text,
    topic_of,
)
from tatian.knowledge.entities import fold
from tatian.text import Document, Link, OffsetMap, Span, align

_SURE = 0.75
"""Share of letters heard from which a mention is there, even inside a longer word."""
_LEAST = 0.25
"""Share of letters heard below which it is not there."""
_SHORT = 4
"""A mention with fewer letters may be heard as another word altogether."""


class Projection(Struct, frozen=True):
    """Projected mentions of one text; made by `Projection.of`."""

    text: Document
    """The recognised text with the mentions that are still in it."""
    vanished: tuple[Link, ...]
    """Mentions of the transcript of which nothing, or too little, was heard."""
    distance: int
    """Edits between the two texts."""

    @classmethod
    def of(
        cls, trans: Document, asr: str, *, exact_case: bool = False, keep_all: bool = False
    ) -> Projection:
        """Project the mentions of a transcript onto a recogniser's output.

        Letters are compared without case and accents, which recognisers lack, unless `exact_case`.
        Of equally cheap edits the one in `tatian.text.align` is taken: whole words are dropped or
        added, and letters inserted at the edge of a word belong to it. White space at the ends of
        the new span is left out, and so are marks, unless the mention has one there. A mention
        without a letter or digit left has vanished. So has one of which fewer than a quarter of the
        letters are heard, not counting parts of words that no mention would end in. With `keep_all`
        such a mention keeps the words heard in its place, or the nearest word, so that both texts
        have equally many mentions; it vanishes only if nothing at all was recognised.
        """
        spoken, got = (trans.text, asr) if exact_case else (fold(trans.text), fold(asr))
        mapping = align(spoken, got)
        kept: list[Link] = []
        vanished: list[Link] = []
        for mention in links_of(trans):
            span = _trimmed(mapping.target_span(mention), mention.of(trans.text), asr)
            span = _heard(span, mention, mapping, spoken, got)
            if keep_all and not _has_letters(span, asr):
                span = _in_its_place(mapping.target_span(mention), mention.of(trans.text), asr)
            if _has_letters(span, asr):
                kept.append(replace(mention, start=span.start, end=span.end))
            else:
                vanished.append(mention)
        parts = [mapping.target_span(part) for part in evaluated_parts(trans)]
        return cls(projected_text(trans, asr, kept, parts), tuple(vanished), int(mapping.distance))


def projected_text(
    source: Document, text: str, links: Sequence[Link], parts: Sequence[Span]
) -> Document:
    """Return the projected text: other words, with the remaining links and evaluated parts."""
    return build_document(
        source.id,
        text,
        links,
        topic=topic_of(source),
        title=title_of_text(source),
        part_of=part_of(source),
        evaluated=parts,
    )


def project(trans: Document, asr_text: str) -> Document:
    """Return the recognised text with the transcript's mentions; `Projection.of` also has losses.

    >>> links = [Link(0, 15, ("Refugee",))]
    >>> gold = build_document("4", "Jewish refugees were turned away", links)
    >>> recognised = project(gold, "jewish refute. these were turned away")
    >>> links_of(recognised)[0].of(recognised.text)
    'jewish refute. these'
    """
    return Projection.of(trans, asr_text).text


def project_all(
    trans: Iterable[Document],
    asr: Sequence[Document],
    *,
    exact_case: bool = False,
    keep_all: bool = False,
) -> Iterator[Projection]:
    """Yield projections of texts paired by id; if no id is on both sides, by order."""
    texts = list(trans)
    heard = {text.id: text.text for text in asr}
    if len(heard) != len(asr):
        raise InputError("two recognised texts have one id: which one belongs to the transcript?")
    if not any(text.id in heard for text in texts):
        if len(texts) != len(asr):
            raise InputError(
                f"no id is on both sides, and there are {len(texts)} transcripts but {len(asr)} "
                "recognised texts: they cannot be paired"
            )
        for text, other in zip(texts, asr, strict=True):
            yield Projection.of(text, other.text, exact_case=exact_case, keep_all=keep_all)
        return
    for text in texts:
        if text.id not in heard:
            raise InputError(f"nothing was recognised for the transcript '{text.id}'")
        yield Projection.of(text, heard[text.id], exact_case=exact_case, keep_all=keep_all)


def _has_letters(span: Span, text: str) -> bool:
    return any(character.isalnum() for character in span.of(text))


def _in_its_place(span: Span, term: str, asr: str) -> Span:
    """Return the text heard instead of a term: the aligned characters, or the nearest word."""
    trimmed = _trimmed(span, term, asr)
    if _has_letters(trimmed, asr):
        return trimmed
    letters = [place for place, character in enumerate(asr) if character.isalnum()]
    if not letters:
        return Span(0, 0)
    return _word_at(asr, min(letters, key=lambda place: (abs(place - span.start), place)))


def _trimmed(span: Span, term: str, asr: str) -> Span:
    start, end = span.start, span.end
    while start < end and _loose(asr[start], term[:1]):
        start += 1
    while start < end and _loose(asr[end - 1], term[-1:]):
        end -= 1
    return Span(start, end)


def _heard(span: Span, mention: Span, mapping: OffsetMap, spoken: str, got: str) -> Span:
    """Return the span without parts of other words at its ends; empty if it is another phrase.

    Words run together are cut, as long as most letters of the mention are there.
    """
    letters = [n for n in range(mention.start, mention.end) if spoken[n].isalnum()]
    same = [
        place.start
        for n in letters
        if len(place := mapping.target_span(Span(n, n + 1))) and place.of(got) == spoken[n]
    ]
    if len(same) >= _SURE * len(letters):
        return span
    start, end = span.start, span.end
    first, last = _word_at(got, start), _word_at(got, end - 1) if end > start else Span(end, end)
    if start > first.start and 2 * (min(first.end, end) - start) < len(first):
        start = min(first.end, end)
    if end < last.end and 2 * (end - max(last.start, start)) < len(last):
        end = max(last.start, start)
    kept = sum(start <= place < end for place in same)
    if len(letters) >= _SHORT and kept < _LEAST * len(letters):
        return Span(end, end)
    return _trimmed(Span(start, end), mention.of(spoken), got)


def _word_at(text: str, place: int) -> Span:
    start = end = place
    while start > 0 and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return Span(start, end)


def _loose(character: str, edge: str) -> bool:
    """Return whether a character at the end of a span is none of the mention's."""
    return character.isspace() or (edge.isalnum() and not character.isalnum())
