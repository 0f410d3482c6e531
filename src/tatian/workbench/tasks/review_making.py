"""Items to review out of the JSON that ``tatian consolidate --to json`` writes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping

from tatian.consolidation import Consolidation
from tatian.consolidation.render.edition import Edition
from tatian.consolidation.result import SCHEMA, Account
from tatian.errors import InputError
from tatian.text import Source
from tatian.union.models import Claim
from tatian.workbench.tasks.review_content import (
    Claimed,
    Content,
    Differing,
    Given,
    Origin,
    Proposed,
    SourceAccount,
    Word,
)


def of_consolidation(woven: Consolidation) -> Content:
    """What is to be reviewed of a consolidation; InputError where it contradicts itself."""
    _refuse_broken(woven)
    try:
        return _made(woven)
    except ValueError as error:
        raise InputError(f"a consolidation that contradicts itself: {error}") from error


def _made(woven: Consolidation) -> Content:
    finders = {
        account.id: _Finder(number, account) for number, account in enumerate(woven.documents)
    }
    edition = Edition(woven)
    proposed = []
    for verse in edition.verses:
        first, last = verse.sentence.start, verse.sentence.end
        words = tuple(
            Word(
                token.start - first,
                token.end - first,
                tuple(
                    Origin(*place, source.kind)
                    for source in token.sources
                    if (place := finders[source.document].place(source.start, source.end))
                ),
            )
            for token in verse.sentence.tokens
        )
        proposed.append(Proposed(woven.text[first:last], words, verse.opens))
    contradictions = tuple(
        Differing(
            one.kind,
            one.why,
            one.sentences,
            tuple(
                Claimed(*place)
                for claim in one.claims
                if (place := finders[claim.document].place(claim.start, claim.end))
            ),
        )
        for one in woven.contradictions
    )
    accounts = tuple(
        SourceAccount(
            witness.account.id,
            witness.letter,
            witness.name,
            tuple(_given(witness.account)),
            witness.account.date,
        )
        for witness in edition.witnesses
    )
    return Content(tuple(proposed), accounts, contradictions)


def _given(account: Account) -> Iterator[Given]:
    for number, one in enumerate(account.sentences):
        text = account.text[one.start : one.end]
        yield Given(number, text, one.fate, one.into, one.why.strip())


class _Finder:
    """The sentence of an account that an offset lies in."""

    def __init__(self, number: int, account: Account) -> None:
        self._number = number
        self._spans = [(one.start, one.end) for one in account.sentences]

    def place(self, start: int, end: int) -> tuple[int, int, int, int] | None:
        """Account, sentence, and the stretch within it; None outside all sentences."""
        index = bisect_right(self._spans, start, key=lambda span: span[0]) - 1
        if index < 0 or start >= self._spans[index][1]:
            return None
        first, last = self._spans[index]
        return self._number, index, start - first, min(end, last) - first


def _refuse_broken(woven: Consolidation) -> None:
    if woven.schema != SCHEMA:
        raise InputError(f"a consolidation of schema {woven.schema}: this reads {SCHEMA}")
    known = {account.id: len(account.text) for account in woven.documents}
    for sentence in woven.sentences:
        for token in sentence.tokens:
            for source in token.sources:
                _check_span(source, known)
    for one in woven.contradictions:
        for claim in one.claims:
            _check_span(claim, known)


def _check_span(span: Source | Claim, known: Mapping[str, int]) -> None:
    if span.document not in known:
        raise InputError(f"a word is from the account '{span.document}', which is not there")
    if not 0 <= span.start <= span.end <= known[span.document]:
        raise InputError(f"{span.start}..{span.end} lies outside '{span.document}'")
