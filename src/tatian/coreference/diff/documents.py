"""Comparison of a response with a key: mentions missed, invented, split and merged."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from tatian.coreference.diff.matching import Heads, Pairs, match_mentions, shifted_pairs
from tatian.coreference.diff.result import (
    FORMS,
    KINDS,
    METRICS,
    ORDER,
    ChainError,
    DocumentDiff,
    Form,
    Kind,
    Side,
    by_form,
    counts,
    describe_errors,
    error_table,
    group_by_other_chain,
    make_side,
    response_labels,
    sentences_of,
)
from tatian.coreference.metrics.alignment import are_tables, shared_characters
from tatian.coreference.metrics.documents import Match, default_match, score
from tatian.coreference.metrics.kinds import FormClassifier
from tatian.errors import InputError
from tatian.scoring.scores import pair_up
from tatian.text import CHAINS, Chain, Document, Mention, Span
from tatian.views.wording import format_count, one_line

if TYPE_CHECKING:
    from tatian.statistics import Table


SCHEMA = 1


class ChainDiff(Struct, frozen=True):
    """Comparison of a response with a key, document by document."""

    documents: tuple[DocumentDiff, ...]
    match: Match
    """Mode in which mentions were matched."""
    singletons: bool = True
    """True if chains of one mention were compared."""
    scores: dict[str, float] = {}
    """F1 of the usual metrics, as fractions of 1; empty if the response cannot be scored."""

    @property
    def counts(self) -> Counter[Kind]:
        """Number of errors of each kind."""
        return counts(self.documents)

    def table(self) -> Table:
        """Return a table of errors by form."""
        return error_table(self.documents)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for programs."""
        forms = by_form(self.documents)
        return {
            "schema": SCHEMA,
            "match": self.match,
            "singletons": self.singletons,
            "scores": dict(self.scores),
            "counts": {kind: sum(forms[kind].values()) for kind in KINDS},
            "by_form": {kind: {form: forms[kind][form] for form in FORMS} for kind in KINDS},
            "documents": [document.to_json() for document in self.documents],
        }

    def lines(self) -> Iterator[str]:
        """Yield the errors of each document in the order of its text, then the scores."""
        for document in self.documents:
            count = format_count(len(document.errors), "error")
            yield f"document {one_line(document.id)}: {count}"
            for sentence, _, line in describe_errors(document):
                yield f"{sentence:>4}  {line}"
            yield ""
        if self.scores:
            figures = [f"{METRICS[name]} {100 * f1:.1f}" for name, f1 in self.scores.items()]
            yield f"F1: {'  '.join(figures)}"


def compare(
    key: Document | Iterable[Document],
    response: Document | Iterable[Document],
    match: Match | None = None,
    *,
    singletons: bool = True,
) -> ChainDiff:
    """Compare the chains of one or more documents with those of their key.

    Documents are paired by their ids; a single document and a single key are paired with any ids.
    Mentions match as in `tatian.coreference.metrics.score`. Without `singletons`, chains of one
    mention are left out on both sides.
    """
    keys, responses = _as_list(key), _as_list(response)
    pairs = pair_up(keys, responses)
    mode = match or default_match(keys)
    return ChainDiff(
        tuple(compare_document(*pair, mode, singletons=singletons) for pair in pairs),
        mode,
        singletons,
        _score(keys, responses, mode, singletons),
    )


def compare_document(
    key: Document, response: Document, match: Match = "exact", *, singletons: bool = True
) -> DocumentDiff:
    """Compare the chains of one document with its key, with any ids."""
    kinds = FormClassifier(key)
    fewest = 1 if singletons else 2
    key_side = make_side(key.get(CHAINS), kinds, fewest)
    response_side = make_side(move_chains(response, key), kinds, fewest)
    pairs = match_mentions(key_side.mentions, response_side.mentions, key.text, match)
    shifted = shifted_pairs(key_side.mentions, response_side.mentions, pairs, Heads(key))
    to_key = {response_index: key_index for key_index, response_index in (*pairs, *shifted)}
    labels = response_labels(response_side, key_side, to_key)
    return DocumentDiff(
        id=key.id,
        text=key.text,
        sentences=sentences_of(key),
        key=key_side,
        response=msgspec.structs.replace(response_side, labels=labels),
        pairs=pairs,
        shifted=shifted,
        errors=find_errors(key_side, response_side, pairs, shifted),
    )


def _as_list(documents: Document | Iterable[Document]) -> list[Document]:
    return [documents] if isinstance(documents, Document) else list(documents)


def _score(
    key: list[Document], response: list[Document], match: Match, singletons: bool
) -> dict[str, float]:
    """Return the scores; none if the scorer refuses the response."""
    try:
        scores = score(key, response, metrics=METRICS, match=match, singletons=singletons)
    except InputError:
        return {}
    return {name: scores.rates(name).f1 for name in METRICS}


SpanMapper = Callable[[Span], Span]


def move_chains(response: Document, key: Document) -> tuple[Chain, ...]:
    """Return the response's chains as chains of the key's text.

    The texts may differ in white space and in parts that are not annotated. Two tables of words may
    also differ in words, as in scoring. Other texts are refused.
    """
    chains = response.get(CHAINS)
    if response.text == key.text:
        return chains
    if are_tables(key, response):
        map_span = _span_mapper(response.tokens, key.tokens)
    else:
        key_places, response_places = shared_characters(key, response)
        map_span = _span_mapper(_split_characters(response_places), _split_characters(key_places))
    return tuple(
        msgspec.structs.replace(
            chain, mentions=tuple(_move_mention(mention, map_span) for mention in chain.mentions)
        )
        for chain in chains
    )


def _split_characters(places: Sequence[int]) -> list[Span]:
    return [Span(place, place + 1) for place in places]


def _span_mapper(from_spans: Sequence[Span], to_spans: Sequence[Span]) -> SpanMapper:
    """Return a function that maps spans, given the pieces of two texts that correspond in order."""
    starts, ends = [span.start for span in from_spans], [span.end for span in from_spans]

    def map_span(span: Span) -> Span:
        first = bisect_right(ends, span.start)
        last = bisect_left(starts, span.end) - 1
        if first > last:
            end = to_spans[-1].end if to_spans else 0
            place = to_spans[first].start if first < len(to_spans) else end
            return Span(place, place)
        return Span(to_spans[first].start, to_spans[last].end)

    return map_span


def _move_mention(mention: Mention, map_span: SpanMapper) -> Mention:
    moved = map_span(mention)
    return msgspec.structs.replace(
        mention,
        start=moved.start,
        end=moved.end,
        head=map_span(mention.head) if mention.head is not None else None,
        parts=tuple(map_span(part) for part in mention.parts),
    )


def find_errors(key: Side, response: Side, pairs: Pairs, shifted: Pairs) -> tuple[ChainError, ...]:
    """Return the errors, in the order in which their steps are taken."""
    to_response = dict((*pairs, *shifted))
    to_key = {response_index: key_index for key_index, response_index in to_response.items()}
    errors = [
        *(ChainError("span", key.mentions[a].form, (a,), (b,)) for a, b in shifted),
        *_errors_of_response(key, response, to_key),
        *_errors_of_key(key, response, to_response),
    ]
    return tuple(sorted(errors, key=lambda error: ORDER.index(error.kind)))


def _errors_of_response(key: Side, response: Side, to_key: dict[int, int]) -> Iterator[ChainError]:
    """Yield errors that are mended by removing mentions, or all but the largest part of a chain."""
    for members in response.members:
        parts = group_by_other_chain(members, key, to_key)
        extra = [index for index in members if index not in to_key]
        if not parts:
            yield ChainError("extra-entity", _find_form(response, extra), response=tuple(extra))
            continue
        for index in extra:
            yield ChainError("extra-mention", response.mentions[index].form, response=(index,))
        for part in parts[1:]:
            key_part = tuple(to_key[index] for index in part)
            yield ChainError("conflated-entity", _find_form(response, part), key_part, part)


def _errors_of_key(key: Side, response: Side, to_response: dict[int, int]) -> Iterator[ChainError]:
    """Yield errors that are mended by merging parts of a chain or introducing mentions."""
    for members in key.members:
        parts = group_by_other_chain(members, response, to_response)
        absent = [index for index in members if index not in to_response]
        missing = [index for index in absent if not key.mentions[index].mention.optional]
        if not parts:
            # A mention whose links are all optional may be missed (MUC-6 §1.5).
            if missing and not len(members) > 1 == len(missing):
                yield ChainError("missing-entity", _find_form(key, missing), tuple(missing))
            continue
        target = to_response[parts[0][0]]
        for part in parts[1:]:
            response_part = tuple(to_response[index] for index in part)
            yield ChainError("divided-entity", _find_form(key, part), part, response_part, target)
        for index in missing:
            form = key.mentions[index].form
            yield ChainError("missing-mention", form, (index,), target=target)


def _find_form(side: Side, mentions: Iterable[int]) -> Form:
    return min((side.mentions[index].form for index in mentions), key=FORMS.index)
