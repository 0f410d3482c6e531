"""Reading of claims from analysed sentences, each with its scope: what it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis.coverage import MARK, match_marks
from tatian.analysis.installed import unavailable
from tatian.claims.claim import ClaimComparison, FoundClaim, Scope, StatedClaim, ValueRange, context
from tatian.claims.clauses import (
    Clauses,
    collapse_spaces,
    find_aged_person,
    find_counted_noun,
    find_measured_noun,
    to_line,
)
from tatian.claims.compare import compare, compare_values, find_barrier
from tatian.claims.names import fold_word, split_title
from tatian.claims.quantities import find_orders, find_quantities
from tatian.claims.times import find_clocks, find_dates
from tatian.text import SENTENCES, Document, Name, Span
from tatian.text.content import concept, saying
from tatian.text.datelines import published
from tatian.text.dates import YEAR_UNKNOWN
from tatian.text.lexicon import ORDINAL_WORDS
from tatian.text.spans import inside

_LIGHT_VERBS = frozenset(map(concept, "say be have do make get take go come number total".split()))
"""Concepts of governors that say nothing about a claim."""


class ClaimReader:
    """Reader of claims from one analysed document."""

    def __init__(self, document: Document, day: date | None = None) -> None:
        self.document = document
        self.clauses = Clauses(document)
        self.issued = day or published(document)
        year_known = self.issued is not None and self.issued.year != YEAR_UNKNOWN
        self.published = self.issued if year_known else None
        self._sentence_scope = Scope()

    def read(self, span: Span) -> tuple[StatedClaim, ...]:
        """Read the claims of a stretch of the document, in the order of the text."""
        tokens = self.document.tokens_in(span)
        if not tokens:
            return ()
        line, offsets = to_line(self.document.text, span)
        columns = {index: number for number, index in enumerate(offsets)}
        taken: set[int] = set()
        times: list[FoundClaim] = list(find_clocks(line, taken))
        dates = list(find_dates(line, tokens, columns, self.published, taken))
        for dated in dates:
            taken.update(range(dated.start, dated.end))
        names = list(inside(self.clauses.names, span))
        in_names = {
            columns[p] for name in names for p in range(name.start, name.end) if p in columns
        }
        self._sentence_scope = self._read_sentence_scope(line, offsets, dates, names)
        times += [*dates, *find_orders(line, taken)]
        claims = [self._read_time(time, offsets, span) for time in times]
        quantities = find_quantities(line, taken, in_names)
        claims += filter(None, (self._read_quantity(q, line, offsets, span) for q in quantities))
        claims += [self._read_name(name, span) for name in names if name.type != "MISC"]
        marks = [to_span(offsets, *match.span()) for match in context("other").finditer(line)]
        values = frozenset(filter(None, (claim.value for claim in claims)))
        claims = [
            replace(
                claim,
                interval=_correct_weekday(claim),
                scope=replace(claim.scope, sentence_values=values, is_set_apart=is_apart),
            )
            for claim in claims
            for is_apart in [_is_set_apart(claim, claims, marks)]
        ]
        return tuple(sorted(claims, key=lambda claim: (claim.span.start, claim.span.end)))

    def _read_sentence_scope(
        self, line: str, offsets: Sequence[int], dates: Sequence[FoundClaim], names: Sequence[Name]
    ) -> Scope:
        """Return the scope that all claims of a sentence share: its times, ordinals and names."""
        clauses = self.clauses
        running = context("running").search(line) is not None
        periods, reported = [], []
        for dated in dates:
            predicate = clauses.predicate(clauses.token_at(offsets[dated.end - 1]))
            is_of_report = not clauses.concepts(predicate).isdisjoint(saying())
            if not is_of_report:
                base = dated.relative.split(" ")[0]
                periods.append((dated.interval.low, dated.interval.high, base))
            if is_of_report or running:
                reported.append(to_span(offsets, dated.start, dated.end))
        words = [
            frozenset(filter(None, (fold_word(t.text) for t in self.document.tokens_in(name))))
            for name in names
        ]
        return Scope(
            periods=tuple(periods),
            reported=tuple(reported),
            ordinals=frozenset(
                f"{ORDINAL_WORDS[m[1].lower()]} {m[2].lower()}"
                for m in context("period").finditer(line)
            ),
            names=frozenset().union(*words),
            named=tuple(
                (name.type, name_words)
                for name, name_words in zip(names, words, strict=True)
                if name.type == "LOC" or clauses.takes_part(self._head(name))
            ),
            running=running,
        )

    def _read_time(self, found: FoundClaim, offsets: Sequence[int], sentence: Span) -> StatedClaim:
        index = self.clauses.token_at(offsets[found.end - 1])
        index = self.clauses.ordered_act(index) if found.kind == "order" else index
        return self._build(found, offsets, sentence, index)

    def _build(
        self,
        found: FoundClaim,
        offsets: Sequence[int],
        sentence: Span,
        index: int,
        thing: str = "",
    ) -> StatedClaim:
        """Build the claim of a figure or time with its scope, as read from the word at `index`."""
        span, figure = to_span(offsets, found.start, found.end), to_span(offsets, *found.figure)
        return StatedClaim(
            found.kind,
            span,
            collapse_spaces(span, self.document),
            found.interval,
            found.unit,
            self._scope(index, span, sentence, thing),
            figure,
            collapse_spaces(figure, self.document),
            found.written,
            found.relative,
        )

    def _read_quantity(
        self, found: FoundClaim, line: str, offsets: Sequence[int], sentence: Span
    ) -> StatedClaim | None:
        """Build the claim of a quantity, with what it counts or measures."""
        clauses = self.clauses
        first, last = (
            clauses.token_at(offsets[found.figure[0]]),
            clauses.token_at(offsets[found.end - 1]),
        )
        thing, index = "", last
        person: Name | None = None
        if found.kind in ("count", "ordinal"):
            counted = find_counted_noun(clauses, last)
            if counted is None and found.kind == "count":
                return None
            index, thing = counted or (last, "")
        elif found.kind == "age":
            person = find_aged_person(clauses, first, last)
            thing = concept(person.of(self.document.text).split()[-1]) if person else ""
        elif found.kind in ("measure", "duration", "share", "money"):
            thing = find_measured_noun(clauses, last)
        claim = self._build(found, offsets, sentence, index, thing)
        before, after = line[: found.start], line[found.end :]
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
            aboard = context("aboard").search(after) is not None
            added = context("added").search(before) or context("more").search(after)
            scope = replace(
                scope,
                heads=scope.heads | {"aboard"} if aboard else scope.heads,
                added=added is not None,
                partial=partial,
                whole=context("whole").search(before) is not None,
            )
        return replace(claim, span=span, text=collapse_spaces(span, self.document), scope=scope)

    def _read_name(self, name: Name, sentence: Span) -> StatedClaim:
        clauses = self.clauses
        first = clauses.token_at(name.start)
        _, core = split_title([token.text for token in self.document.tokens_in(name)])
        span = Span(name.start, name.end)
        before = clauses.tokens[first - 1] if first else None
        if before is not None and split_title((before.text, "x"))[0]:
            span = Span(before.start, name.end)
        return StatedClaim(
            "name", span, collapse_spaces(span, self.document), None, name.type,
            self._scope(self._head(name), span, sentence),
            Span(name.start, name.end), collapse_spaces(name, self.document), name=core,
        )  # fmt: skip

    def _head(self, span: Span) -> int:
        """Return the index of the span's word whose syntactic head is outside the span."""
        first, last = self.clauses.token_range(span)
        for index in range(first, last):
            word = self.clauses.words.get(index)
            if word is not None and not first <= word.head < last:
                return index
        return last - 1

    def _scope(self, index: int, span: Span, sentence: Span, thing: str = "") -> Scope:
        """Return what a claim in `span` is about, by the words around the one at `index`."""
        clauses = self.clauses
        characters = range(span.start, span.end)
        counted = index if thing else -1
        path = [p for p in clauses.governors(index, characters) if p != counted]
        top = clauses.predicate(index)
        governors = path if clauses.starts[top] in characters or top == counted else [*path, top]
        words = [
            p for p in range(*clauses.token_range(sentence)) if clauses.starts[p] not in characters
        ]
        arguments = [p for p in clauses.arguments(top) if clauses.starts[p] not in characters]
        return replace(
            self._sentence_scope,
            thing=thing,
            heads=frozenset().union(*map(clauses.concepts, governors)) - _LIGHT_VERBS,
            arguments=clauses.content_concepts(arguments),
            words=clauses.content_concepts(words),
            people=clauses.name_words(clauses.clause(top)) if clauses.words else frozenset(),
            published=self.published,
            issued=self.issued,
            frame=frozenset(
                clauses.starts[p]
                for governor in (index, *path)
                for p in (governor, *clauses.children[governor])
                if clauses.starts[p] not in characters and (p in path or not clauses.is_joined(p))
            ),
            agents=clauses.content_concepts(filter(clauses.is_agent, arguments)),
            marker=clauses.marker(index),
            planned=clauses.is_planned(top),
            quoted=clauses.quoted[index] if clauses.quoted else False,
        )


def _is_set_apart(claim: StatedClaim, claims: Sequence[StatedClaim], marks: Sequence[Span]) -> bool:
    """Check whether a mark such as "a year earlier" sets a claim apart, and no nearer claim."""
    return any(
        not mark.overlaps(claim.span)
        and not any(
            nearer.kind == claim.kind
            and min(mark.end, claim.span.end) <= nearer.span.start
            and nearer.span.end <= max(mark.start, claim.span.start)
            for nearer in claims
        )
        for mark in marks
    )


def _correct_weekday(claim: StatedClaim) -> ValueRange | None:
    """Return a claim's value; a planned weekday before publication moves to the next week."""
    scope, interval = claim.scope, claim.interval
    is_day = claim.kind == "date" and claim.unit == "day"
    is_weekday = is_day and claim.relative.startswith("weekday")
    is_planned = scope.planned or scope.marker in ("for", "to", "until")
    is_past = interval and scope.published and interval.low < scope.published.toordinal()
    if interval and is_weekday and is_planned and is_past:
        return interval.shift(7)
    return interval


def to_span(offsets: Sequence[int], start: int, end: int) -> Span:
    """Return the span in the document of characters in a line."""
    return Span(offsets[start], offsets[end - 1] + 1)


class PlacedClaim(Struct, frozen=True):
    """Claim with its sentence."""

    claim: StatedClaim
    sentence: str
    start: int
    """Start of the sentence in its document."""

    @property
    def marked(self) -> str:
        """The sentence with a mark for the claim's value, and without days of reporting."""
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
        if (value := compare_values(claim.claim, rival.claim)[0]) not in ("", "apart")
        and not find_barrier(claim.claim, rival.claim, value)
    ]
    odds: Sequence[float | None] = [None] * len(candidates)
    if not unavailable():
        odds = likenesses(candidates)
    for (claim, rival), likeness in zip(candidates, odds, strict=True):
        yield ClaimPair(claim.claim, rival.claim, compare(claim.claim, rival.claim, likeness))
