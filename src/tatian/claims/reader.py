"""Reading of claims from analysed sentences, each with its scope: what it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis.coverage import MARK, match_marks
from tatian.analysis.installed import unavailable
from tatian.claims.claim import ClaimComparison, FoundClaim, Scope, StatedClaim, context
from tatian.claims.clauses import (
    Clauses,
    collapse_spaces,
    find_aged_person,
    find_counted_noun,
    find_measured_noun,
)
from tatian.claims.compare import compare, compare_values, find_barrier
from tatian.claims.names import fold_word, split_title
from tatian.claims.quantities import find_quantities
from tatian.claims.times import find_clocks, find_dates
from tatian.text import SENTENCES, Document, Name, Span
from tatian.text.content import concept, reporting_concepts
from tatian.text.datelines import publication_day
from tatian.text.dates import YEAR_UNKNOWN
from tatian.text.lexicon import MONTHS, RELATIVE_DATES, WEEKDAYS
from tatian.text.spans import inside

_DAYS = frozenset((*WEEKDAYS, *MONTHS, *RELATIVE_DATES))
_LIGHT_VERBS = frozenset(map(concept, "say be have do make get take go come number total".split()))
"""Concepts of governors that say nothing about a claim."""


class ClaimReader:
    """Reader of claims from one analysed document."""

    def __init__(self, document: Document, day: date | None = None) -> None:
        self.document = document
        self.clauses = Clauses(document)
        self.issued = day or publication_day(document)
        year_known = self.issued is not None and self.issued.year != YEAR_UNKNOWN
        self.published = self.issued if year_known else None

    def read(self, span: Span) -> tuple[StatedClaim, ...]:
        """Read the claims of a stretch of the document, in the order of the text."""
        return SpanReader(self, span).read() if self.document.tokens_in(span) else ()


class SpanReader:
    """Reader of the claims of one sentence, or of another stretch of a document."""

    def __init__(self, reader: ClaimReader, span: Span) -> None:
        self.document, self.clauses = reader.document, reader.clauses
        self.issued, self.published = reader.issued, reader.published
        self.words = range(*self.clauses.token_range(span))
        text = self.document.text
        self.offsets = [
            p
            for p in range(span.start, span.end)
            if p == span.start or not text[p - 1 : p + 1].isspace()
        ]
        self.line = "".join(" " if text[p].isspace() else text[p] for p in self.offsets)
        self.names = list(inside(self.clauses.names, span))
        taken: set[int] = set()
        columns = {offset: column for column, offset in enumerate(self.offsets)}
        tokens = self.document.tokens_in(span)
        self.times = list(find_clocks(self.line, taken))
        dates = list(find_dates(self.line, tokens, columns, self.published, taken))
        taken.update(*(range(dated.start, dated.end) for dated in dates))
        self.times += [*dates, *find_quantities(self.line, taken, listed="orders")]
        in_names = {
            columns[p] for name in self.names for p in range(name.start, name.end) if p in columns
        }
        self.quantities = list(find_quantities(self.line, taken, in_names))
        self.shared_scope = self._read_shared_scope(dates)

    def read(self) -> tuple[StatedClaim, ...]:
        """Return the claims in the order of the text."""
        claims = [
            *map(self._read_time, self.times),
            *filter(None, map(self._read_quantity, self.quantities)),
            *(self._read_name(name) for name in self.names if name.type != "MISC"),
        ]
        values = frozenset(filter(None, (claim.value for claim in claims)))
        placed = (
            replace(claim, scope=replace(claim.scope, sentence_values=values)) for claim in claims
        )
        return tuple(sorted(placed, key=lambda claim: (claim.span.start, claim.span.end)))

    def _read_shared_scope(self, dates: Sequence[FoundClaim]) -> Scope:
        """Return the scope that all claims of the sentence share: its dates and names."""
        clauses = self.clauses
        running = context("running").search(self.line) is not None
        periods, reported = [], []
        for dated in dates:
            predicate = clauses.climb(clauses.token_at(self.offsets[dated.end - 1]))[-1]
            is_of_report = not clauses.concepts(predicate).isdisjoint(reporting_concepts())
            if not is_of_report:
                base = dated.relative.split(" ")[0]
                periods.append((dated.interval.low, dated.interval.high, base))
            if is_of_report or running:
                reported.append(self._span(dated.start, dated.end))
        words = [
            frozenset(filter(None, (fold_word(t.text) for t in self.document.tokens_in(name))))
            for name in self.names
        ]
        return Scope(
            periods=tuple(periods),
            reported=tuple(reported),
            names=frozenset().union(*words),
            participants=tuple(
                (name.type, name_words)
                for name, name_words in zip(self.names, words, strict=True)
                if name.type == "LOC" or clauses.takes_part(self._head(name))
            ),
            running=running,
            published=self.published,
            issued=self.issued,
        )

    def _span(self, start: int, end: int) -> Span:
        """Return the span in the document of characters in the line."""
        return Span(self.offsets[start], self.offsets[end - 1] + 1)

    def _build(self, found: FoundClaim, index: int, thing: str = "") -> StatedClaim:
        """Build the claim of a figure or time with its scope, as read from the word at `index`."""
        span, figure = self._span(found.start, found.end), self._span(*found.figure)
        return StatedClaim(
            found.kind,
            span,
            collapse_spaces(span, self.document),
            found.interval,
            found.unit,
            self._read_scope(index, span, thing),
            figure,
            collapse_spaces(figure, self.document),
            found.written,
            found.relative,
        )

    def _read_time(self, found: FoundClaim) -> StatedClaim:
        """Build the claim of a time; a planned weekday that is past moves to the next week."""
        index = self.clauses.token_at(self.offsets[found.end - 1])
        index = self.clauses.ordered_act(index) if found.kind == "order" else index
        claim = self._build(found, index)
        is_weekday = found.unit == "day" and found.relative.startswith("weekday")
        is_planned = claim.scope.planned or claim.scope.marker in ("for", "to", "until")
        if is_weekday and is_planned and self.published:
            weeks = found.interval.low < self.published.toordinal()
            return replace(claim, interval=found.interval.shift(7 * weeks))
        return claim

    def _read_quantity(self, found: FoundClaim) -> StatedClaim | None:
        """Build the claim of a quantity, with what it counts or measures."""
        clauses = self.clauses
        first = clauses.token_at(self.offsets[found.figure[0]])
        last = clauses.token_at(self.offsets[found.end - 1])
        thing, index = "", last
        person: Name | None = None
        match found.kind:
            case "count" | "ordinal":
                counted = find_counted_noun(clauses, last)
                if counted is None and found.kind == "count":
                    return None
                index, thing = counted or (last, "")
            case "age":
                person = find_aged_person(clauses, first, last)
                thing = concept(person.of(self.document.text).split()[-1]) if person else ""
            case "measure" | "duration" | "share" | "money":
                thing = find_measured_noun(clauses, last)
        claim = self._build(found, index, thing)
        before, after = self.line[: found.start], self.line[found.end :]
        partial = bool(context("part").search(after) or context("partial").search(before))
        scope, span = claim.scope, claim.span
        word = clauses.words.get(last)
        noun = index if index > last else word.head if word is not None else last
        is_noun = not clauses.words or (noun >= 0 and clauses.words[noun].tag == "NOUN")
        if last < noun <= last + (6 if partial else 3) and is_noun:
            span = Span(span.start, clauses.tokens[noun].end)
        if person is not None:
            scope = replace(scope, people=clauses.name_words(range(*clauses.token_range(person))))
        if thing and index > last:
            everyone = context("everyone").search(after) is not None
            noun_text = "people" if everyone else clauses.tokens[index].text
            scope = replace(scope, noun=concept(noun_text))
        if found.kind == "count":
            aboard = {"aboard"} if context("aboard").search(after) else set()
            scope = replace(scope, heads=scope.heads | aboard, partial=partial)
        return replace(claim, span=span, text=collapse_spaces(span, self.document), scope=scope)

    def _read_name(self, name: Name) -> StatedClaim:
        clauses = self.clauses
        first = clauses.token_at(name.start)
        _, core = split_title([token.text for token in self.document.tokens_in(name)])
        span = Span(name.start, name.end)
        before = clauses.tokens[first - 1] if first else None
        if before is not None and split_title((before.text, "x"))[0]:
            span = Span(before.start, name.end)
        return StatedClaim(
            "name", span, collapse_spaces(span, self.document), None, name.type,
            self._read_scope(self._head(name), span),
            Span(name.start, name.end), collapse_spaces(name, self.document), name=core,
        )  # fmt: skip

    def _head(self, span: Span) -> int:
        """Return the index of a span's first word with a head outside it, else of its last."""
        first, last = self.clauses.token_range(span)
        for index in range(first, last):
            word = self.clauses.words.get(index)
            if word is not None and not first <= word.head < last:
                return index
        return last - 1

    def _read_scope(self, index: int, span: Span, thing: str = "") -> Scope:
        """Return what a claim in `span` is about, by the words around the one at `index`."""
        clauses, shared = self.clauses, self.shared_scope
        characters = range(span.start, span.end)
        counted = index if thing else -1
        *_, top = path = clauses.climb(index)
        path = [p for p in path if clauses.starts[p] not in characters and p != counted]
        words = [p for p in self.words if clauses.starts[p] not in characters]
        arguments = [p for p in clauses.arguments(top) if clauses.starts[p] not in characters]
        agents = clauses.content_concepts(
            p for p in arguments if clauses.marker(p) == "by" and clauses.text(p) not in _DAYS
        )
        return replace(
            shared,
            thing=thing,
            participants=shared.participants + ((("agent", agents),) if agents else ()),
            heads=frozenset().union(*map(clauses.concepts, path)) - _LIGHT_VERBS,
            arguments=clauses.content_concepts(arguments),
            words=clauses.content_concepts(words),
            people=clauses.name_words(clauses.clause(top)) if clauses.words else frozenset(),
            frame=frozenset(
                clauses.starts[p]
                for governor in (index, *path)
                for p in (governor, *clauses.children[governor])
                if clauses.starts[p] not in characters
            ),
            marker=clauses.marker(index),
            planned=clauses.is_planned(top),
            quoted=clauses.quoted[index] if clauses.quoted else False,
        )


class PlacedClaim(Struct, frozen=True):
    """Claim with its sentence."""

    claim: StatedClaim
    sentence: str
    start: int
    """Start of the sentence in its document."""

    @property
    def marked(self) -> str:
        """The sentence with a mark in place of the claim's value, and without days of reporting."""
        figure, text = self.claim.figure, self.sentence.replace(MARK, " ")
        cuts = [(span, "") for span in self.claim.scope.reported if not span.overlaps(figure)]
        for span, replacement in sorted([*cuts, (figure, MARK)], reverse=True):
            text = text[: span.start - self.start] + replacement + text[span.end - self.start :]
        return text


def likenesses(pairs: Sequence[tuple[PlacedClaim, PlacedClaim]]) -> list[float]:
    """Return for each pair of claims the log-odds that both are about the same thing."""
    return match_marks((first.marked, second.marked) for first, second in pairs)


class ClaimPair(Struct, frozen=True):
    """Claim of each of two texts, and how the first relates to the second."""

    first: StatedClaim
    second: StatedClaim
    comparison: ClaimComparison


def read_placed(document: Document) -> tuple[PlacedClaim, ...]:
    """Return all claims of an analysed document, each with its sentence."""
    reader = ClaimReader(document)
    return tuple(
        claim for sentence in document.get(SENTENCES) for claim in place_claims(reader, sentence)
    )


def place_claims(reader: ClaimReader, sentence: Span) -> tuple[PlacedClaim, ...]:
    """Return the claims of one sentence."""
    text = sentence.of(reader.document.text)
    return tuple(PlacedClaim(claim, text, sentence.start) for claim in reader.read(sentence))


def compare_claims(
    first: Sequence[PlacedClaim], second: Sequence[PlacedClaim]
) -> Iterator[ClaimPair]:
    """Compare every claim of one text with every claim of another whose values can be compared.

    If the encoder is installed, it helps to decide whether two are about the same thing.
    """
    candidates = [
        (claim, rival)
        for claim, rival in product(first, second)
        if (value := compare_values(claim.claim, rival.claim)[0])
        and not find_barrier(claim.claim, rival.claim, value)
    ]
    odds: Sequence[float | None] = [None] * len(candidates)
    if not unavailable():
        odds = likenesses(candidates)
    for (claim, rival), likeness in zip(candidates, odds, strict=True):
        yield ClaimPair(claim.claim, rival.claim, compare(claim.claim, rival.claim, likeness))
