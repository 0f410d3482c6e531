"""Which day "yesterday" was, once accounts of different days stand in one text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from msgspec.structs import replace

from tatian.consolidation.draft import Draft
from tatian.text import Document, Source, Token, WovenToken
from tatian.text.lexicon import PREPOSITIONS, RELATIVE_DATES
from tatian.text.provenance import glue
from tatian.text.quotations import quoted_tokens

_WORDS = {
    "today": ("on",),
    "yesterday": ("on",),
    "tomorrow": ("on",),
    "tonight": ("on", "the", "night", "of"),
}
_PARTS = frozenset("morning afternoon evening night".split())
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
    meant = {
        (document.id, token.start): published[document.id]
        + timedelta(days=RELATIVE_DATES[token.text.lower()].amount)
        for document in draft.documents
        if document.id in published
        for token in _unquoted(document)
        if token.text.lower() in _WORDS
    }
    for told in draft.told:
        told.tokens = tuple(_dated(told.tokens, meant))


def _unquoted(document: Document) -> Iterator[Token]:
    flags = quoted_tokens(document.text, document.tokens)
    return (token for token, quoted in zip(document.tokens, flags, strict=True) if not quoted)


def _dated(
    tokens: Sequence[WovenToken], meant: dict[tuple[str, int], date]
) -> Iterator[WovenToken]:
    part: WovenToken | None = None
    for index, token in enumerate(tokens):
        if token is part:
            continue
        source = token.sources[0] if token.sources else None
        day = meant.get((source.document, source.start)) if source else None
        following = tokens[index + 1] if index + 1 < len(tokens) else glue("")
        word = token.text.lower()
        if source is None or day is None or word not in _WORDS or following.text in {"'s", "’s"}:
            yield token
            continue
        before = tokens[index - 1].text.lower() if index else ""
        lead = [glue(one) for one in _WORDS[word] if one != "on" or before not in PREPOSITIONS]
        if following.text.lower() in _PARTS:
            part = following
            lead += [glue("the"), part, glue("of")]
        origin = (Source(source.document, source.start, source.end, "substituted"),)
        dated = [
            *lead,
            WovenToken(_MONTHS[day.month - 1], origin),
            WovenToken(str(day.day), origin),
        ]
        yield replace(dated[0], space=token.space)
        yield from dated[1:]
