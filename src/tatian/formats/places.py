"""Where a term stands, when a corpus gives offsets that may not be counted as ours are."""

from __future__ import annotations

from tatian.text import Span


def locate(text: str, start: int, term: str) -> Span | None:
    """The place of `term` at `start`, or else nearest to it; None if the text has no such term.

    Corpora count bytes, UTF-16 units or the characters of an earlier version of the text; the term
    itself says where it must be.
    """
    if not term:
        return None
    if text.startswith(term, max(start, 0)):
        return Span(max(start, 0), max(start, 0) + len(term))
    before = text.rfind(term, 0, max(start, 0) + len(term))
    after = text.find(term, max(start, 0))
    found = [at for at in (before, after) if at >= 0]
    if not found:
        return None
    nearest = min(found, key=lambda at: abs(at - start))
    return Span(nearest, nearest + len(term))


def trimmed(text: str, span: Span) -> Span:
    """The span without the white space at its ends; as it is where there is nothing else."""
    inner = span.of(text)
    if not inner.strip():
        return span
    return Span(
        span.start + len(inner) - len(inner.lstrip()), span.end - len(inner) + len(inner.rstrip())
    )
