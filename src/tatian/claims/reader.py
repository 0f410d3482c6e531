"""Reading of claims from analysed sentences, each with its scope: what it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis.coverage import support
from tatian.analysis.installed import unavailable
from tatian.claims.claim import ClaimComparison, FoundClaim, Scope, StatedClaim, ValueRange, context
from tatian.claims.clauses import (
    Clauses,
    counted_noun,
    measured_noun,
    one_line,
    person_of_age,
    squeeze_span,
)
from tatian.claims.compare import compare, compare_values, find_barrier
from tatian.claims.names import bare, split_title
from tatian.claims.quantities import find_orders, find_quantities
from tatian.claims.times import find_clocks, find_dates
from tatian.text import SENTENCES, Document, Name, Span
from tatian.text.content import concept, saying
from tatian.text.dates import YEAR_UNKNOWN, published
from tatian.text.lexicon import ORDINAL_WORDS
from tatian.text.spans import inside

_EMPTY = frozenset(map(concept, "say be have do make get take go come number total".split()))


class ClaimReader:
    """Reader of claims from one analysed document."""

    def __init__(self, document: Document, day: date | None = None) -> None:
        self.document = document
        self.clauses = Clauses(document)
        issued = day or published(document)
        self.issued = issued
        self.published = issued if issued is None or issued.year != YEAR_UNKNOWN else None
        self._around = Scope()

    def read(self, span: Span) -> tuple[StatedClaim, ...]:
        """Read the claims of a stretch of the document, in the order of the text."""
        tokens = self.document.tokens_in(span)
        if not tokens:
            return ()
        line, places = one_line(self.document.text, span)
        index = {place: number for number, place in enumerate(places)}
        taken: set[int] = set()
        times: list[FoundClaim] = list(find_clocks(line, taken))
        dates = list(find_dates(line, tokens, index, self.published, taken))
        for date_found in dates:
            taken.update(range(date_found.start, date_found.end))
        names = list(inside(self.clauses.names, span))
        covered = {index[p] for name in names for p in range(name.start, name.end) if p in index}
        self._around = self._surroundings(line, places, dates, names)
        times += [*dates, *find_orders(line, taken)]
        claims = [self._claim(time, places, span) for time in times]
        for quantity in find_quantities(line, taken, covered):
            claim = self._quantity(quantity, line, places, span)
            if claim is not None:
                claims.append(claim)
        claims += [self._name(name, span) for name in names if name.type != "MISC"]
        marks = [index_span(places, match.span()) for match in context("other").finditer(line)]
        beside = frozenset(filter(None, (claim.value for claim in claims)))
        claims = [
            replace(
                claim,
                interval=_ahead(claim),
                scope=replace(claim.scope, beside=beside, other=_is_other(claim, claims, marks)),
            )
            for claim in claims
        ]
        return tuple(sorted(claims, key=lambda claim: (claim.span.start, claim.span.end)))

    def _surroundings(
        self, line: str, places: Sequence[int], dates: Sequence[FoundClaim], names: Sequence[Name]
    ) -> Scope:
        """Return what holds for all claims of a sentence: its times, ordinals and names."""
        clauses = self.clauses
        running = context("running").search(line) is not None
        periods, reported = [], []
        for date_found in dates:
            place = clauses.at(places[date_found.end - 1])
            reports = not clauses.concepts(clauses.top(place)).isdisjoint(saying())
            if not reports:
                base = date_found.relative.split(" ")[0]
                periods.append((date_found.interval.low, date_found.interval.high, base))
            if reports or running:
                reported.append(index_span(places, (date_found.start, date_found.end)))
        words = [
            frozenset(filter(None, (bare(t.text) for t in self.document.tokens_in(name))))
            for name in names
        ]
        named = tuple(
            (name.type, name_words)
            for name, name_words in zip(names, words, strict=True)
            if name.type == "LOC" or clauses.takes_part(self._head(name))
        )
        return Scope(
            periods=tuple(periods),
            reported=tuple(reported),
            ordinals=frozenset(
                f"{ORDINAL_WORDS[m[1].lower()]} {m[2].lower()}"
                for m in context("period").finditer(line)
            ),
            names=frozenset().union(*words),
            named=named,
            running=running,
        )

    def _claim(
        self,
        match: FoundClaim,
        places: Sequence[int],
        sentence: Span,
        place: int | None = None,
        thing: str = "",
    ) -> StatedClaim:
        span = Span(places[match.start], places[match.end - 1] + 1)
        figure = Span(places[match.figure[0]], places[match.figure[1] - 1] + 1)
        if place is None:
            place = self.clauses.at(span.end - 1)
            place = self.clauses.ordered(place) if match.kind == "order" else place
        scope = self._scope(place, span, sentence, thing)
        return StatedClaim(
            match.kind,
            span,
            squeeze_span(span, self.document),
            match.interval,
            match.unit,
            scope,
            figure,
            squeeze_span(figure, self.document),
            match.written,
            match.relative,
        )

    def _quantity(
        self,
        match: FoundClaim,
        line: str,
        places: Sequence[int],
        sentence: Span,
    ) -> StatedClaim | None:
        """Build the claim of a quantity, with what it counts or measures."""
        clauses = self.clauses
        last = clauses.at(places[match.end - 1])
        first = clauses.at(places[match.figure[0]])
        thing, place = "", last
        if match.kind in ("count", "ordinal"):
            found_noun = counted_noun(clauses, last)
            if found_noun is None and match.kind == "count":
                return None
            place, thing = found_noun or (last, "")
        elif match.kind == "age":
            thing = person_of_age(clauses, first, last)
        elif match.kind in ("measure", "duration", "share", "money"):
            thing = measured_noun(clauses, last)
        claim = self._claim(match, places, sentence, place, thing)
        before, after = line[: match.start], line[match.end :]
        added = context("added").search(before) or context("more").search(after)
        partial = context("part").search(after) or context("partial").search(before)
        span = claim.span
        word = clauses.words.get(last)
        noun = place if place > last else word.head if word is not None else last
        if last < noun <= last + (6 if partial else 3) and (
            not clauses.words or clauses.words[noun].tag == "NOUN"
        ):
            span = Span(span.start, clauses.tokens[noun].end)
        everyone = context("everyone").search(after)
        counted = concept("people" if everyone else clauses.tokens[place].text)
        heads = claim.scope.heads
        if match.kind == "count" and context("aboard").search(after):
            heads |= {"aboard"}
        scope = replace(
            claim.scope,
            heads=heads,
            noun=counted if thing and place > last else "",
            added=match.kind == "count" and added is not None,
            partial=match.kind == "count" and partial is not None,
            whole=match.kind == "count" and context("whole").search(before) is not None,
        )
        return replace(claim, span=span, text=squeeze_span(span, self.document), scope=scope)

    def _name(self, name: Name, sentence: Span) -> StatedClaim:
        words = [token.text for token in self.document.tokens_in(name)]
        title, core = split_title(words)
        first = self.clauses.at(name.start)
        start = name.start
        before = [t.text for t in self.clauses.tokens[max(0, first - 1) : first]]
        if before and split_title((*before, "x"))[0]:
            title = " ".join((*before, title)).strip()
            start = self.clauses.tokens[first - 1].start
        span = Span(start, name.end)
        place = self._head(name)
        scope = self._scope(place, span, sentence, "")
        return StatedClaim(
            "name", span, squeeze_span(span, self.document), None, name.type, scope,
            Span(name.start, name.end), squeeze_span(name, self.document), name=core, title=title,
        )  # fmt: skip

    def _head(self, span: Span) -> int:
        """Return the index of the span's word whose syntactic head is outside the span."""
        first, last = self.clauses.at(span.start), self.clauses.at(span.end - 1)
        for place in range(first, last + 1):
            word = self.clauses.words.get(place)
            if word is not None and not first <= word.head <= last:
                return place
        return last

    def _scope(
        self,
        place: int,
        span: Span,
        sentence: Span,
        thing: str,
    ) -> Scope:
        clauses = self.clauses
        inside = range(span.start, span.end)
        path = [p for p in clauses.path(place, inside) if not (thing and p == place)]
        top = clauses.top(place)
        first = clauses.at(sentence.start)
        last = clauses.at(sentence.end - 1)
        everything = [p for p in range(first, last + 1) if clauses.starts[p] not in inside]
        arguments = [p for p in clauses.arguments(top) if clauses.starts[p] not in inside]
        heads = frozenset().union(
            *(clauses.concepts(p) for p in path),
            clauses.concepts(top)
            if clauses.starts[top] not in inside and not (thing and top == place)
            else (),
        )
        return replace(
            self._around,
            thing=thing,
            heads=heads - _EMPTY,
            arguments=clauses.content(arguments),
            words=clauses.content(everything),
            people=clauses.names_of(clauses.clause(top)) if clauses.words else frozenset(),
            published=self.published,
            issued=self.issued,
            frame=frozenset(
                clauses.starts[p]
                for step in (place, *path)
                for p in (step, *clauses.below.get(step, ()))
                if clauses.starts[p] not in inside and (p in path or not clauses.is_joined(p))
            ),
            marker=clauses.marker(place),
            planned=clauses.planned(top),
            quoted=clauses.quoted[place] if clauses.quoted else False,
        )


def _is_other(claim: StatedClaim, claims: Sequence[StatedClaim], marks: Sequence[Span]) -> bool:
    """Check whether a mark such as "a year earlier" sets a claim apart, not one that is nearer."""
    return any(
        not _overlap(mark, claim.span)
        and not any(
            near.kind == claim.kind
            and min(mark.end, claim.span.end) <= near.span.start
            and near.span.end <= max(mark.start, claim.span.start)
            for near in claims
        )
        for mark in marks
    )


def _overlap(first: Span, second: Span) -> bool:
    return first.start < second.end and second.start < first.end


def _ahead(claim: StatedClaim) -> ValueRange | None:
    """Return a claim's value; a weekday before publication is the next one if it is planned."""
    scope, days = claim.scope, claim.interval
    weekday = claim.kind == "date" and claim.relative.startswith("weekday") and claim.unit == "day"
    planned = scope.planned or scope.marker in ("for", "to", "until")
    if days and weekday and planned and scope.published and days.low < scope.published.toordinal():
        return ValueRange(days.low + 7, days.high + 7)
    return days


def index_span(places: Sequence[int], ends: tuple[int, int]) -> Span:
    """Return the span in the document of characters in a line."""
    return Span(places[ends[0]], places[ends[1] - 1] + 1)


MARK = "§"
"""Mark in place of the figure, time or name that is compared."""


class PlacedClaim(Struct, frozen=True):
    """Claim with its sentence."""

    claim: StatedClaim
    sentence: str
    start: int
    """Start of the sentence in its document."""

    @property
    def marked(self) -> str:
        """The sentence with a mark for the claim's value, and without days of reporting."""
        figure, text = self.claim.figure, self.sentence
        cuts = [(span, "") for span in self.claim.scope.reported if span.end <= figure.start]
        cuts += [(span, "") for span in self.claim.scope.reported if figure.end <= span.start]
        for span, instead in sorted([*cuts, (figure, MARK)], reverse=True):
            text = text[: span.start - self.start] + instead + text[span.end - self.start :]
        return text


_SETTLED = -2.0
"""Log-odds in one direction at which differing values are of different things."""


def likenesses(pairs: Sequence[tuple[PlacedClaim, PlacedClaim]]) -> list[float]:
    """Return the log-odds for each pair of claims that both are about the same thing.

    They are the mean of both directions, or the first alone if it settles differing values.
    """
    marked = [sorted((first.marked, second.marked)) for first, second in pairs]
    forth = support([(second, (first,)) for first, second in marked])
    unsure = [
        number
        for number, (first, second) in enumerate(pairs)
        if forth[number] > _SETTLED or compare_values(first.claim, second.claim)[0] != "exclude"
    ]
    back = support([(marked[number][0], (marked[number][1],)) for number in unsure])
    for number, odds in zip(unsure, back, strict=True):
        forth[number] = (forth[number] + odds) / 2
    return forth


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
        (ours, theirs)
        for ours, theirs in product(first, second)
        if (value := compare_values(ours.claim, theirs.claim)[0]) not in ("", "apart")
        and not find_barrier(ours.claim, theirs.claim, value)
    ]
    odds: Sequence[float | None] = [None] * len(candidates)
    if not unavailable():
        odds = likenesses(candidates)
    for (ours, theirs), likeness in zip(candidates, odds, strict=True):
        yield ClaimPair(ours.claim, theirs.claim, compare(ours.claim, theirs.claim, likeness))
