"""Mention benchmarks from labelers' answers: union, majority and agreement.

The mention benchmark (§3) has two rounds. First, labelers detect mentions, and all of these become
candidates. Then they confirm or reject each candidate. Candidates that "at least six out of ten"
confirm are the ground truth; a term may have several confirmed pages.

A candidate is a span with a page. The same words at another place, or with another page, are a
separate candidate (§8.2, technical 4 and 5).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import EmptyInput, InputError
from tatian.formats.labels import Confirmation, Detection, LinkedTerm
from tatian.formats.links import links_of, replace_links
from tatian.grouping import grouped
from tatian.knowledge.entities import page_title
from tatian.text import Document, Link, Span
from tatian.text.layers import Record

if TYPE_CHECKING:
    from tatian.statistics import AverageKappa

A = TypeVar("A")
Votes = dict[str, dict[LinkedTerm, tuple[int, int]]]
"""Number of confirmations and of judgements, for each text and candidate."""
_MAJORITY = (6, 10)
"""Minimum share of confirmations as (votes, voters), as in §3; integers avoid rounding errors."""


class LabelerAgreement(Struct, frozen=True):
    """Average kappa over all pairs of labelers who share sentences."""

    detection: AverageKappa | None
    """None if no two labelers share a sentence with a mention."""
    confirmation: AverageKappa | None


def union(
    detections: Iterable[Record[Detection]],
    texts: Mapping[str, Document] | None = None,
    *,
    repeats: bool = False,
) -> dict[str, tuple[LinkedTerm, ...]]:
    """Return all candidates that anybody detected, by text, in the order of the text.

    With `repeats`, a detected term is a candidate at all its other places too (§8.1, technical 5),
    as whole words and outside longer candidates. This needs the `texts`.
    """
    by_item: dict[str, set[LinkedTerm]] = {}
    for record in current_records(detections):
        text = _text_of(record, texts)
        terms = {_fill_title(term) for term in record.answer.mentions}
        _check_terms(record, terms, text)
        by_item.setdefault(record.item, set()).update(terms)
    if repeats:
        if texts is None:
            raise InputError("the other places of a term can be found only in the texts: give them")
        for item, terms in by_item.items():
            terms.update(_find_repeats(terms, texts[item].text))
    return {item: tuple(sorted(terms)) for item, terms in by_item.items()}


def count_votes(confirmations: Iterable[Record[Confirmation]]) -> Votes:
    """Count the verdicts on each candidate."""
    yes: dict[str, Counter[LinkedTerm]] = {}
    judged: dict[str, Counter[LinkedTerm]] = {}
    for record in current_records(confirmations):
        answer = record.answer
        judged.setdefault(record.item, Counter()).update(map(_fill_title, answer.judged))
        yes.setdefault(record.item, Counter()).update(map(_fill_title, answer.confirmed))
    return {
        item: {term: (yes[item][term], count) for term, count in sorted(counts.items())}
        for item, counts in judged.items()
    }


def ground_truth(
    texts: Iterable[Document],
    confirmations: Iterable[Record[Confirmation]],
    *,
    at_least: int | None = None,
) -> list[Document]:
    """Return the judged texts with the mentions that enough labelers confirmed.

    This means six in ten of those who judged the candidate (3 of 5, but not 5 of 9), or `at_least`
    labelers. The pages of a term are ordered by votes.
    """
    if at_least is not None and at_least < 1:
        raise InputError(f"a mention must be confirmed by at least one labeler, not {at_least}")
    records = list(confirmations)
    by_id = {text.id: text for text in texts}
    for record in current_records(records):
        _check_terms(record, map(_fill_title, record.answer.judged), _text_of(record, by_id))
    vote_counts = count_votes(records)
    return [
        replace_links(text, _select_confirmed(vote_counts[text.id], at_least))
        for text in by_id.values()
        if text.id in vote_counts
    ]


def missed_repeats(text: Document) -> tuple[Link, ...]:
    """Return unlinked occurrences of a text's linked terms, with the pages of the first one."""
    titles: dict[str, tuple[str, ...]] = {}
    for mention in links_of(text):
        titles.setdefault(mention.of(text.text), mention.titles)
    return tuple(
        Link(span.start, span.end, titles[term])
        for term in titles
        for span in _find_others(term, links_of(text), text.text)
    )


def agreement(
    detections: Iterable[Record[Detection]], confirmations: Iterable[Record[Confirmation]] = ()
) -> LabelerAgreement:
    """Return the average pairwise kappa of both rounds, as in the mention benchmark (§3).

    A pair's kappa is over the candidates of the sentences that both labelled, and is weighted by
    their number. In detection, the candidates are all that anybody detected in a sentence; in
    confirmation, they are those that were shown.
    """
    return LabelerAgreement(_detection_kappa(detections), _confirmation_kappa(confirmations))


def current_records(records: Iterable[Record[A]]) -> Iterator[Record[A]]:
    """Yield the records that are not replaced by later ones; raise if a labeler answered twice."""
    kept = list(records)
    replaced = {record.replaces for record in kept}
    seen: dict[tuple[str, str], str] = {}
    for record in kept:
        if record.id in replaced:
            continue
        key = record.made.by, record.item
        if key in seen:
            raise InputError(
                f"labeler '{record.made.by}' answered '{record.item}' twice, in records "
                f"'{seen[key]}' and '{record.id}': a correction names the record it replaces"
            )
        seen[key] = record.id
        yield record


def _detection_kappa(records: Iterable[Record[Detection]]) -> AverageKappa | None:
    marked: dict[str, dict[str, set[LinkedTerm]]] = {}
    for record in current_records(records):
        terms = {_fill_title(term) for term in record.answer.mentions}
        marked.setdefault(record.made.by, {})[record.item] = terms
    return _kappa(marked, None)


def _confirmation_kappa(records: Iterable[Record[Confirmation]]) -> AverageKappa | None:
    marked: dict[str, dict[str, set[LinkedTerm]]] = {}
    shown: dict[str, set[LinkedTerm]] = {}
    for record in current_records(records):
        judged = {_fill_title(term) for term in record.answer.judged}
        if shown.setdefault(record.item, judged) != judged:
            raise InputError(
                f"record '{record.id}': labeler '{record.made.by}' was shown other candidates of "
                f"'{record.item}' than those before: their answers cannot be compared"
            )
        confirmed = {_fill_title(term) for term in record.answer.confirmed}
        marked.setdefault(record.made.by, {})[record.item] = confirmed
    return _kappa(marked, shown)


def _kappa(
    marked: Mapping[str, Mapping[str, set[LinkedTerm]]], shown: Mapping[str, set[LinkedTerm]] | None
) -> AverageKappa | None:
    from tatian.statistics import average_pairwise_kappa

    try:
        return average_pairwise_kappa(marked, shown)
    except EmptyInput:
        return None


def _select_confirmed(
    vote_counts: Mapping[LinkedTerm, tuple[int, int]], at_least: int | None
) -> Iterator[Link]:
    votes, voters = _MAJORITY
    pages_of_spans = grouped(
        ((term.start, term.end), (-yes, term.title))
        for term, (yes, judged) in vote_counts.items()
        if (yes >= at_least if at_least is not None else yes * voters >= judged * votes)
    )
    for (start, end), pages in sorted(pages_of_spans.items()):
        yield Link(start, end, tuple(title for _, title in sorted(pages)))


def _find_repeats(terms: set[LinkedTerm], text: str) -> set[LinkedTerm]:
    marked = sorted(terms)
    return {
        LinkedTerm(span.start, span.end, span.of(text), term.title)
        for term in marked
        for span in _find_others(term.term, marked, text)
    }


def _find_others(term: str, marked: Sequence[Span], text: str) -> Iterator[Span]:
    """Yield the occurrences of a term as whole words that overlap no mark."""
    for match in re.finditer(rf"(?<!\w){re.escape(term)}(?!\w)", text):
        span = Span(*match.span())
        if not any(mark.overlaps(span) for mark in marked):
            yield span


def _fill_title(term: LinkedTerm) -> LinkedTerm:
    return replace(term, title=page_title(term.title))


def _text_of(record: Record[A], texts: Mapping[str, Document] | None) -> str | None:
    if texts is None:
        return None
    if record.item not in texts:
        raise InputError(f"record '{record.id}' is about '{record.item}', which no text is called")
    return texts[record.item].text


def _check_terms(record: Record[A], terms: Iterable[LinkedTerm], text: str | None) -> None:
    if text is None:
        return
    for term in terms:
        try:
            term.check(text)
        except InputError as error:
            raise InputError(f"record '{record.id}': {error}") from error
