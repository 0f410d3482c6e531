"""Tables of experts' manual sorting: causes of errors, skipped pairs, relations between spans.

Hirsch et al. 2023: Table 8 (App. J), Table 5 (App. A) and §5.3. If several experts sorted one item,
the item has the mean of their counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from tatian.errors import InputError
from tatian.formats.mentions_jsonl import parse_lines
from tatian.statistics import Cell, Column, Table
from tatian.text.content import is_content, stem
from tatian.text.spans import Span
from tatian.text.tokenizer import tokenize
from tatian.union.annotation import SkipReason
from tatian.union.metrics.mistakes import CRITERIA, KINDS, Criterion, Kind

RelationKind = Literal["equivalent", "entails", "entailed"]
"""Relation of the first span to the second: the same, more specific, less specific (§3)."""
SkipCategory = SkipReason | Literal["mistake"]
"""Table 5: a reason to skip a pair, or "mistake" if it should not have been skipped."""
SKIPS: dict[SkipCategory, str] = {
    "no-consolidation": "nothing to consolidate",
    "unnatural": "unnatural union",
    "mistake": "mistake: it should not have been skipped",
    "missing-context": "missing context",
    "disagreement": "the sentences disagree",
}
PAIRS = 10
"""Number of pairs for which §5.3 gives the counts."""


class ErrorCause(Struct, frozen=True):
    """Cause of a system's loss in one criterion."""

    system: str
    criterion: Criterion
    kind: Kind


class SortedErrors(Struct, frozen=True, tag="errors"):
    """Causes of errors that one expert sees in the systems' unions of one item."""

    id: str
    by: str
    outputs: int
    """Number of systems' unions that were examined."""
    errors: tuple[ErrorCause, ...] = ()


class SortedSkip(Struct, frozen=True, tag="skip", omit_defaults=True):
    """Category of a skipped pair by one expert."""

    id: str
    by: str
    category: SkipCategory
    reason: SkipReason | None = None
    """Reason that the annotator gave."""


class SpanRelation(Struct, frozen=True):
    """Words of two sentences that say the same, or one more exactly than the other."""

    kind: RelationKind
    first: tuple[Span, ...]
    second: tuple[Span, ...]

    def __post_init__(self) -> None:
        if not self.first or not self.second:
            raise ValueError("a relation needs words of both sentences")


class SortedRelations(Struct, frozen=True, tag="relations"):
    """Relations that one expert marked between two sentences."""

    id: str
    by: str
    sentences: tuple[str, str]
    relations: tuple[SpanRelation, ...] = ()


Sorted = SortedErrors | SortedSkip | SortedRelations
S = TypeVar("S", SortedErrors, SortedSkip, SortedRelations)


def parse_sorted(text: str, *, path: str | None = None) -> list[Sorted]:
    """Parse experts' answers from JSONL; error messages call the file `path`."""
    decode = msgspec.json.Decoder(Sorted).decode
    return [answer for _, answer in parse_lines(text, path, decode, "answers of experts")]


def is_paraphrastic(first: str, second: str) -> bool:
    """Return True if two texts differ in their words, not only in their number (§5.3)."""
    first_stems, second_stems = _stems(first), _stems(second)
    return not first_stems <= second_stems and not second_stems <= first_stems


def tally(answers: Sequence[Sorted]) -> Iterator[Table]:
    """Yield a table for each kind of answer present: Table 8, Table 5, §5.3."""
    errors = [answer for answer in answers if isinstance(answer, SortedErrors)]
    skips = [answer for answer in answers if isinstance(answer, SortedSkip)]
    relations = [answer for answer in answers if isinstance(answer, SortedRelations)]
    if errors:
        yield _tabulate_errors(errors)
    if skips:
        yield _tabulate_skips(skips)
    if relations:
        yield _tabulate_relations(relations)


def _tabulate_errors(answers: Sequence[SortedErrors]) -> Table:
    counts: defaultdict[tuple[Kind, Criterion], float] = defaultdict(float)
    for answer, share in _weigh_answers(answers):
        for error in answer.errors:
            counts[error.kind, error.criterion] += share
    rows: list[tuple[Cell, ...]] = [
        (kind, *(_format_count(counts[kind, criterion]) for criterion in CRITERIA), meaning)
        for kind, meaning in KINDS.items()
    ]
    outputs = round(sum(answer.outputs * share for answer, share in _weigh_answers(answers)))
    items = len({answer.id for answer in answers})
    return Table.of(
        ["cause", *CRITERIA, "meaning"], rows, f"Causes of errors in {outputs} unions of {items}"
    )


def _tabulate_skips(answers: Sequence[SortedSkip]) -> Table:
    counts: defaultdict[SkipCategory, float] = defaultdict(float)
    for answer, share in _weigh_answers(answers):
        counts[answer.category] += share
    rows: list[tuple[Cell, ...]] = [
        (name, _format_count(counts[name]), meaning) for name, meaning in SKIPS.items()
    ]
    items = len({answer.id for answer in answers})
    return Table.of(["category", "count", "meaning"], rows, f"Skipped pairs: {items}")


def _tabulate_relations(answers: Sequence[SortedRelations]) -> Table:
    counts: defaultdict[tuple[str, bool], float] = defaultdict(float)
    for answer, share in _weigh_answers(answers):
        for relation in answer.relations:
            words = [
                " ".join(span.of(text) for span in spans)
                for text, spans in zip(
                    answer.sentences, (relation.first, relation.second), strict=True
                )
            ]
            kind = "equivalence" if relation.kind == "equivalent" else "uni-directional entailment"
            counts[kind, is_paraphrastic(*words)] += share
    items = len({answer.id for answer in answers})
    rows: list[tuple[Cell, ...]] = [
        (kind, counts[kind, True] * PAIRS / items, counts[kind, False] * PAIRS / items)
        for kind in ("uni-directional entailment", "equivalence")
    ]
    columns = [Column("paraphrastic", precision=1), Column("in the same words", precision=1)]
    return Table.of(["relation", *columns], rows, f"Relations in {PAIRS} pairs, of {items}")


def _weigh_answers(answers: Sequence[S]) -> Iterator[tuple[S, float]]:
    """Yield each answer with its share in its item."""
    people = Counter(answer.id for answer in answers)
    for (id, by), count in Counter((answer.id, answer.by) for answer in answers).items():
        if count > 1:
            raise InputError(f"'{by}' sorted item '{id}' twice: keep the later answer only")
    for answer in answers:
        yield answer, 1 / people[answer.id]


def _format_count(count: float) -> Cell:
    return int(count) if float(count).is_integer() else round(count, 1)


def _stems(text: str) -> set[str]:
    words: Iterable[str] = [token.text for token in tokenize(text)]
    kept = [word for word in words if any(map(str.isalnum, word))]
    return {stem(word) for word in kept if is_content(word)} or {stem(word) for word in kept}
