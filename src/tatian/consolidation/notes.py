"""Notes on conflicts: what other sources say instead, beside the figure that the text gives."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace

from tatian.claims import may_supersede
from tatian.consolidation.names import publisher
from tatian.consolidation.plan import ConflictingClaim, SourceConflict
from tatian.consolidation.spans import SourceSpan
from tatian.text import Document, SourcedToken, Span
from tatian.text.documents import Passage, copy_tokens
from tatian.text.layers import glue
from tatian.text.lexicon import NUMBER_WORDS

_CONVERTED = frozenset({"money", "measure"})
"""Kinds of figures that stand in brackets in another unit, "$1 million ($1.5 million)": no note."""
_PER = frozenset({"per", "a", "an", "each"})
_FROM_THEN = frozenset("after before later earlier ago".split())
_UNITS_OF_TIME = frozenset("second minute hour day night week month year".split())


class ConflictNotes:
    """Notes on conflicts, one for each, after the first of its figures outside quotations.

    Figures of different days that may have changed get no note: every day has a section of its
    own. Nor do ages of people without a common name. The list of conflicts has them.
    """

    def __init__(
        self,
        conflicts: Sequence[SourceConflict],
        documents: Sequence[Document],
        days: Sequence[date | None],
    ) -> None:
        self._open = [conflict for conflict in conflicts if conflict.relation == "conflict"]
        self._documents = documents
        self._days = days

    def added(
        self, span: SourceSpan, sentences: Sequence[tuple[SourcedToken, ...]]
    ) -> list[tuple[SourcedToken, ...]]:
        """Return the sentences of a span with notes on what other sources say instead."""
        written = list(sentences)
        for conflict in tuple(self._open):
            for claim in conflict.claims:
                if claim.key != span.key or claim.claim.scope.quoted:
                    continue
                if not self._may_have_changed(claim, conflict) and not _is_anybodys_age(conflict):
                    noted = [self._insert_note(sentence, claim, conflict) for sentence in written]
                    if noted != written:
                        written = noted
                        self._open.remove(conflict)
                        break
        return written

    def _may_have_changed(self, claim: ConflictingClaim, conflict: SourceConflict) -> bool:
        """Check whether a value that grows or changes comes from sources of different days."""
        days = {self._days[member.key[0]] for member in conflict.claims}
        return len(days - {None}) > 1 and any(
            may_supersede(claim.claim, other.claim, rough=True) for other in conflict.claims
        )

    def _insert_note(
        self, tokens: tuple[SourcedToken, ...], claim: ConflictingClaim, conflict: SourceConflict
    ) -> tuple[SourcedToken, ...]:
        document = self._documents[claim.key[0]].id
        claimed = range(claim.claim.figure.start, claim.claim.span.end)
        places = [
            index
            for index, token in enumerate(tokens)
            for source in token.sources[:1]
            if source.document == document and source.start in claimed
        ]
        if not places or tokens[places[0]].sources[0].start > claimed.start:
            return tokens
        before = [token.text for token in tokens[: places[0]]]
        is_bracketed = before.count("(") > before.count(")")
        if is_bracketed and claim.claim.kind in _CONVERTED:
            return tokens
        end = places[-1] + 1
        if end < len(tokens) and tokens[end].text in ("'s", "’s", "'", "’"):
            end += 1
        end += _count_rate_words(tokens[end : end + 3])
        if [token.text for token in tokens[end : end + 1]] == ["("]:
            closing = [n for n, token in enumerate(tokens) if n > end and token.text == ")"]
            end = closing[0] + 1 if closing else end
        note = write_remark(claim, conflict, self._documents)
        if not note:
            return tokens
        inserted = [glue("("), replace(note[0], space=False), *note[1:], glue(")", space=False)]
        if end < len(tokens):
            return (*tokens[:end], *inserted, *tokens[end:])
        return (*_without_stop(tokens), *inserted, glue(".", space=False))


def _without_stop(tokens: Sequence[SourcedToken]) -> tuple[SourcedToken, ...]:
    """Remove the full stop of a sentence, but not that of "p.m."."""
    *before, last = tokens
    is_stop = last.text == "." and bool(before) and "." not in before[-1].text.strip("0123456789.")
    return tuple(before) if is_stop else tuple(tokens)


def _count_rate_words(tokens: Sequence[SourcedToken]) -> int:
    """Count the words that make a figure a rate: "per second", "an hour".

    In "a day after", they are a time.
    """
    per, unit, following = ([token.text.lower() for token in tokens] + [""] * 3)[:3]
    is_rate = per in _PER and unit in _UNITS_OF_TIME and following not in _FROM_THEN
    return 2 if is_rate else 0


def _is_anybodys_age(conflict: SourceConflict) -> bool:
    """Check whether ages in conflict belong to people whom no common name identifies."""
    claims = [member.claim for member in conflict.claims]
    people = frozenset.intersection(*(claim.scope.people for claim in claims))
    return claims[0].kind == "age" and not people


def write_remark(
    claim: ConflictingClaim, conflict: SourceConflict, documents: Sequence[Document]
) -> list[SourcedToken]:
    """Return a note on the conflicting figures of the other sources."""
    note: list[SourcedToken] = []
    for group in conflict.others(claim):
        document, other = documents[group[0].key[0]], group[0].claim
        is_bounded = other.interval is not None and other.interval.bounded
        start = other.span.start if is_bounded else other.figure.start  # "more than 60"
        words = copy_tokens(Passage(document, Span(start, other.figure.end)))
        if words and (is_bounded or words[0].text.lower() in NUMBER_WORDS):
            words = (replace(words[0], text=words[0].text.lower()), *words[1:])
        words = _without_stop(words) if words else words
        separator = [glue(";", space=False)] if note else []
        note += [*separator, *words, *map(glue, _attribution(group, documents).split())]
    return note


def _attribution(group: Sequence[ConflictingClaim], documents: Sequence[Document]) -> str:
    """Return the attribution: "according to" known sources, else "by another account".

    Titles of documents are not used as names.
    """
    named = [publisher(documents[claim.key[0]], documents) for claim in group]
    if all(named):
        return "according to " + " and ".join(dict.fromkeys(named))
    return "by another account" if len(group) == 1 else "by other accounts"
