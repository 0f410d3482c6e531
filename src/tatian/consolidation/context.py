"""Context of spans: which of them refer to something that a text has not said before them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from tatian.consolidation.connectives import CONNECTIVES
from tatian.consolidation.references import PERSONS, Referents
from tatian.consolidation.spans import (
    PART,
    QUOTED,
    QUOTED_PRONOUN,
    THE_MAN,
    THIS,
    Key,
    SourceSpan,
    SourceSpans,
)
from tatian.text.content import concept

_POINTS = re.compile(
    rf"(?:{PART}|th(?:is|at|ese|ose)|its?|their|they|such|both|neither|either|others?|another"
    r"|of (?:them|these|those)|the (?:others?|latter|same|pair|former|next|following|previous)"
    r"|(?:one|some|most|many|all|none|two|three|several) of (?:them|these|those)"
    r"|according to (?:him|her|them)|\w+ (?:minutes|hours|days|weeks) later|half an hour later)\b",
    re.IGNORECASE,
)
"""Openings that point at something in another sentence."""
_IMPERSONAL = re.compile(
    r"It (?:(?:is|was|has been|had been|will be|would be) (?:\w+ ){0,2}(?:said|reported|believed"
    r"|thought|announced|expected|known|clear|unclear|possible|likely|feared|decided|alleged|time)"
    r"|(?:took|takes|will take) |(?:seems|seemed|appears|appeared) that)\b"
)
"""Impersonal "it", which refers to nothing."""
_OPENING = 4
"""Number of words, from "the" or "this" on, among which its noun is sought."""


def find_missing_context(
    order: Sequence[SourceSpan],
    sources: Sequence[SourceSpans],
    covered_by: Mapping[Key, Sequence[Key]],
    *,
    nouns: bool = False,
) -> dict[Key, Key]:
    """Return the spans of a text that refer to something not said before them.

    Each is mapped to the span that precedes it in its source. `covered_by` maps dropped spans to
    those that cover them. With `nouns`, "the driver" must have been mentioned too.
    """
    before = {span.key: previous for source in sources for previous, span in pairwise(source.spans)}
    missing: dict[Key, Key] = {}
    last: SourceSpan | None = None
    said: set[str] = set()
    for span in order:
        needed = before.get(span.key)
        clear = needed is None or last is needed or span.dependency in ("", "name")
        if needed is not None and not clear:
            if span.dependency == "noun":
                clear = not nouns or not said.isdisjoint(_concepts(span.text)[1:_OPENING])
            else:
                covering = covered_by.get(needed.key, ())[:2]
                clear = _is_clear(span, last, covering, sources)
            if not clear:
                missing[span.key] = needed.key
        last = span
        said.update(_concepts(span.text))
    return missing


def _is_clear(
    span: SourceSpan,
    last: SourceSpan | None,
    covering: Sequence[Key],
    sources: Sequence[SourceSpans],
) -> bool:
    """Check whether a dependent span is clear after `last` instead of its own predecessor."""
    if last is None or _stands_alone(span, last):
        return last is not None
    if _goes_on(span, last, sources[span.source].spans):
        return True
    return last.key in covering and (
        span.pronoun_text not in PERSONS
        or Referents(sources[last.source].document).one_person(last.bodies, span.pronoun_text)
    )


def _concepts(text: str) -> list[str]:
    return [concept(word) for word in re.findall(r"\w+", text)]


def _goes_on(span: SourceSpan, last: SourceSpan, spans: Sequence[SourceSpan]) -> bool:
    """Check whether all source spans between `last` and `span` have the pronoun of `span`."""
    if not span.pronoun_text or last.source != span.source or last not in spans:
        return False
    between = spans[spans.index(last) + 1 : spans.index(span)]
    return all(other.pronoun_text == span.pronoun_text for other in between)


def _stands_alone(span: SourceSpan, last: SourceSpan) -> bool:
    """Check whether a span is clear after `last`, or without its opening "however".

    "This cable", unless it opens the span, is clear if the span before speaks of a cable.
    """
    if _IMPERSONAL.match(span.text):
        return True
    if span.pronoun is not None:
        return False
    connective = CONNECTIVES.match(span.text)
    rest = span.text[connective.end() :].lstrip(", ") if connective else span.text
    rest = rest[:1].lower() + rest[1:]
    pointed = THIS.search(QUOTED.sub(" ", rest))
    if pointed and pointed.start():
        nouns = _concepts(rest[pointed.start() :])[1:_OPENING]
        return not set(nouns).isdisjoint(_concepts(last.text))
    points = _POINTS.match(rest) or QUOTED_PRONOUN.match(span.text) or THE_MAN.match(span.text)
    return not points
