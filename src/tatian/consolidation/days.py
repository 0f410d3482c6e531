"""Which day "yesterday" was, once accounts of different days stand in one text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from tatian.consolidation.draft import Draft
from tatian.text import Source, WovenToken
from tatian.text.lexicon import PREPOSITIONS, RELATIVE_DATES
from tatian.text.provenance import glue
from tatian.union.models.chunks import quoted

_WORDS = {
    "today": ("on",),
    "yesterday": ("on",),
    "tomorrow": ("on",),
    "tonight": ("on", "the", "night", "of"),
}
_MONTHS = (
    "January February March April May June July August September October November December"
).split()


def settle_days(draft: Draft, days: Sequence[date | None]) -> None:
    """Replace "yesterday" and the like by the date, where accounts differ in theirs.

    Words inside quotation marks are never touched.
    """
    if len({day for day in days if day is not None}) < 2:
        return
    published = {
        document.id: day for document, day in zip(draft.documents, days, strict=True) if day
    }
    for told in draft.told:
        told.tokens = tuple(_dated(told.tokens, published))


def _dated(tokens: Sequence[WovenToken], published: dict[str, date]) -> Iterator[WovenToken]:
    inside = quoted(tokens)
    for index, token in enumerate(tokens):
        word = token.text.lower()
        day = published.get(token.sources[0].document) if token.sources else None
        following = tokens[index + 1].text if index + 1 < len(tokens) else ""
        if word not in _WORDS or day is None or inside[index] or following in {"'s", "’s"}:
            yield token
            continue
        meant = day + timedelta(days=RELATIVE_DATES[word].amount)
        before = tokens[index - 1].text.lower() if index else ""
        for lead in _WORDS[word]:
            if lead != "on" or before not in PREPOSITIONS:
                yield glue(lead)
        source = token.sources[0]
        origin = (Source(source.document, source.start, source.end, "substituted"),)
        yield WovenToken(_MONTHS[meant.month - 1], origin)
        yield WovenToken(str(meant.day), origin)
