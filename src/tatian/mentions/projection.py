"""Projection of mentions from a transcript onto a recogniser's output (benchmark §3, Text 4).

Annotators label the readable transcript, but systems get the recogniser's output. The two texts are
aligned by edit distance, and each mention is mapped by its two ends: "Jewish refugees" becomes
"jewish refute. these" if that was recognised.
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

_PRESENT_SHARE = 0.75
"""Share of recognised letters from which a mention is there, even inside a longer word."""
_VANISHED_SHARE = 0.25
"""Share of recognised letters below which a mention has vanished."""
_MIN_LETTERS = 4
"""Number of letters from which a mention can vanish by `_VANISHED_SHARE`."""


class Projection(Struct, frozen=True):
    """Projected mentions of one text."""

    text: Document
    """The recognised text with the mentions that are still in it."""
    vanished: tuple[Link, ...]
    """Mentions of the transcript of which nothing, or too little, was recognised."""
    distance: int
    """Edit distance between the two texts, in characters."""

    @classmethod
    def of(
        cls, trans: Document, asr: str, *, exact_case: bool = False, keep_all: bool = False
    ) -> Projection:
        """Project the mentions of a transcript onto a recogniser's output.

        Case and accents are ignored unless `exact_case`. `tatian.text.align` aligns the texts. The
        new span does not begin or end with white space, nor with a mark unless the mention does. A
        mention vanishes if no letter or digit is left, or fewer than a quarter of its letters are
        recognised. Parts of words in which no mention would end do not count. With `keep_all`, such
        a mention keeps the words recognised in its place, or the nearest word, so that both texts
        have the same number of mentions. It vanishes only if nothing at all was recognised.
        """
        source, target = (trans.text, asr) if exact_case else (fold(trans.text), fold(asr))
        mapping = align(source, target)
        kept: list[Link] = []
        vanished: list[Link] = []
        for mention in links_of(trans):
            span = _trim(mapping.target_span(mention), mention.of(trans.text), asr)
            span = _trim_other_words(span, mention, mapping, source, target)
            if keep_all and not _has_letters(span, asr):
                span = _find_replacement(mapping.target_span(mention), mention.of(trans.text), asr)
            if _has_letters(span, asr):
                kept.append(replace(mention, start=span.start, end=span.end))
            else:
                vanished.append(mention)
        parts = [mapping.target_span(part) for part in evaluated_parts(trans)]
        return cls(projected_text(trans, asr, kept, parts), tuple(vanished), int(mapping.distance))


def projected_text(
    source: Document, text: str, links: Sequence[Link], parts: Sequence[Span]
) -> Document:
    """Return a document with new text, links and evaluated parts, and the source's metadata."""
    return build_document(
        source.id,
        text,
        links,
        topic=topic_of(source),
        title=title_of_text(source),
        part_of=part_of(source),
        evaluated=parts,
    )


def project_all(
    trans: Iterable[Document],
    asr: Sequence[Document],
    *,
    exact_case: bool = False,
    keep_all: bool = False,
) -> Iterator[Projection]:
    """Yield the projections of texts, which are paired by id, or by order if no ids match."""
    texts = list(trans)
    recognised = {text.id: text.text for text in asr}
    if len(recognised) != len(asr):
        raise InputError("two recognised texts have one id: which one belongs to the transcript?")
    if not any(text.id in recognised for text in texts):
        if len(texts) != len(asr):
            raise InputError(
                f"no id is on both sides, and there are {len(texts)} transcripts but {len(asr)} "
                "recognised texts: they cannot be paired"
            )
        for text, other in zip(texts, asr, strict=True):
            yield Projection.of(text, other.text, exact_case=exact_case, keep_all=keep_all)
        return
    for text in texts:
        if text.id not in recognised:
            raise InputError(f"nothing was recognised for the transcript '{text.id}'")
        yield Projection.of(text, recognised[text.id], exact_case=exact_case, keep_all=keep_all)


def _has_letters(span: Span, text: str) -> bool:
    return any(character.isalnum() for character in span.of(text))


def _find_replacement(span: Span, term: str, asr: str) -> Span:
    """Return the span recognised in place of a term: aligned characters, or the nearest word."""
    trimmed = _trim(span, term, asr)
    if _has_letters(trimmed, asr):
        return trimmed
    letters = [index for index, character in enumerate(asr) if character.isalnum()]
    if not letters:
        return Span(0, 0)
    return _word_at(asr, min(letters, key=lambda index: (abs(index - span.start), index)))


def _trim(span: Span, term: str, asr: str) -> Span:
    start, end = span.start, span.end
    while start < end and _is_outside(asr[start], term[:1]):
        start += 1
    while start < end and _is_outside(asr[end - 1], term[-1:]):
        end -= 1
    return Span(start, end)


def _trim_other_words(
    span: Span, mention: Span, mapping: OffsetMap, source: str, target: str
) -> Span:
    """Return the span without parts of other words at its ends; empty if too little is left."""
    letters = [n for n in range(mention.start, mention.end) if source[n].isalnum()]
    matching = [
        aligned.start
        for n in letters
        if len(aligned := mapping.target_span(Span(n, n + 1))) and aligned.of(target) == source[n]
    ]
    if len(matching) >= _PRESENT_SHARE * len(letters):
        return span
    start, end = span.start, span.end
    first = _word_at(target, start)
    last = _word_at(target, end - 1) if end > start else Span(end, end)
    if start > first.start and 2 * (min(first.end, end) - start) < len(first):
        start = min(first.end, end)
    if end < last.end and 2 * (end - max(last.start, start)) < len(last):
        end = max(last.start, start)
    kept = sum(start <= index < end for index in matching)
    if len(letters) >= _MIN_LETTERS and kept < _VANISHED_SHARE * len(letters):
        return Span(end, end)
    return _trim(Span(start, end), mention.of(source), target)


def _word_at(text: str, index: int) -> Span:
    start = end = index
    while start > 0 and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return Span(start, end)


def _is_outside(character: str, edge: str) -> bool:
    """Return whether a character at the edge of a span is not part of the mention."""
    return character.isspace() or (edge.isalnum() and not character.isalnum())
