"""In which order the chosen units are told, and in which paragraphs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tatian.consolidation import order as weights
from tatian.consolidation.order import Placement, find_days, order_spans
from tatian.consolidation.plan import Selection
from tatian.consolidation.spans import Key, SourceSpan, read_spans

from .bundles import processed
from .plans import coverage, span

Alike = Mapping[tuple[SourceSpan, SourceSpan], float]


def told(
    *accounts: Sequence[SourceSpan],
    alike: Alike | None = None,
    gone: Mapping[Key, tuple[Key, ...]] | None = None,
    days: Mapping[Key, date] | None = None,
) -> list[tuple[SourceSpan, ...]]:
    """The paragraphs, the first account being the backbone."""
    spans = [one for account in accounts for one in account]
    lost = gone or {}
    selection = Selection(frozenset(one.key for one in spans if one.key not in lost), lost)
    return order_spans(accounts, selection, coverage(spans, alike=alike), days or {}).paragraphs


def flat(paragraphs: Sequence[Sequence[SourceSpan]]) -> list[SourceSpan]:
    return [one for paragraph in paragraphs for one in paragraph]


def topics(count: int, account: int = 0) -> list[SourceSpan]:
    """Units of which every two, one after the other, are about one thing."""
    return [span(account, index) for index in range(2 * count)]


def pairs_alike(spans: Sequence[SourceSpan]) -> dict[tuple[SourceSpan, SourceSpan], float]:
    return dict.fromkeys(zip(spans[::2], spans[1::2], strict=True), 0.9)


class TestOrder:
    BACKBONE = topics(4)
    ALIKE = pairs_alike(BACKBONE)

    def test_single_source_keeps_its_order(self) -> None:
        assert flat(told(self.BACKBONE, alike=self.ALIKE)) == self.BACKBONE

    def test_addition_is_placed_beside_the_most_similar_span(self) -> None:
        new = span(1, 0)
        text = told(self.BACKBONE, [new], alike={**self.ALIKE, (new, self.BACKBONE[2]): 0.9})
        assert abs(flat(text).index(new) - flat(text).index(self.BACKBONE[2])) == 1

    def test_unrelated_addition_separates_no_related_spans(self) -> None:
        new = span(1, 0)
        text = flat(told(self.BACKBONE, [new], alike=self.ALIKE))
        assert text.index(new) % 2 == 0

    def test_additions_never_separate_a_span_from_its_antecedent(self) -> None:
        leaning = [span(0, 0), span(0, 1, dependency="before")]
        new = span(1, 0)
        assert flat(told(leaning, [new], alike={(new, leaning[0]): 0.9})) == [*leaning, new]

    def test_consecutive_additions_of_a_source_stay_together(self) -> None:
        new = [span(1, 0), span(1, 1)]
        first, last = self.BACKBONE[2], self.BACKBONE[6]
        alike = {(new[0], first): 0.9, (new[1], first): 0.6, (new[1], last): 0.6}
        text = flat(told(self.BACKBONE, new, alike={**self.ALIKE, **alike}))
        assert text.index(new[1]) == text.index(new[0]) + 1

    def test_additions_respect_the_order_of_days(self) -> None:
        new = span(1, 0)
        days = {one.key: date(2023, 3, 10 + n) for n, one in enumerate(self.BACKBONE)}
        like = {**self.ALIKE, **{(new, one): 0.9 for one in self.BACKBONE}}
        early = told(self.BACKBONE, [new], alike=like, days={**days, new.key: date(2023, 3, 9)})
        late = told(self.BACKBONE, [new], alike=like, days={**days, new.key: date(2023, 3, 30)})
        assert flat(early).index(new) < flat(late).index(new)

    def test_span_depending_on_a_dropped_one_follows_the_covering_span(self) -> None:
        went, leaning = span(1, 0), span(1, 1, dependency="name")
        teller = self.BACKBONE[2]
        alike = {**self.ALIKE, (leaning, teller): 0.5, (leaning, self.BACKBONE[6]): 0.5}
        text = told(self.BACKBONE, [went, leaning], alike=alike, gone={went.key: (teller.key,)})
        assert flat(text)[2:4] == [teller, leaning]

    def test_covering_span_precedes_what_followed_the_dropped_one(self) -> None:
        first, (new, more) = topics(3), [span(1, 0), span(1, 1)]
        text = flat(told(first, [new, more], gone={first[3].key: (new.key,)}))
        assert text[text.index(new) + 1] is first[4]

    def test_outcome_follows_its_expectation(self) -> None:
        first, came = topics(2), span(1, 0)
        spans = [*first, came]
        selection = Selection(frozenset(one.key for one in spans), {})
        given = coverage(spans, {(first[1], came): "1000"}, {(came, first[0]): 0.3})
        for expected, before in ((), first[0]), ((first[1].key,), first[1]):
            text = flat(
                order_spans((first, [came]), selection, given, {}, forecasts=expected).paragraphs
            )
            assert text[text.index(came) - 1] is before

    def test_without_anything_left_there_are_no_paragraphs(self) -> None:
        assert told([], []) == []

    def test_other_sources_are_ordered_without_the_first(self) -> None:
        assert flat(told([], topics(1, account=1))) == topics(1, account=1)


class TestParagraphs:
    def test_a_new_topic_begins_a_new_one(self) -> None:
        spans = topics(2)
        assert told(spans, alike=pairs_alike(spans)) == [tuple(spans[:2]), tuple(spans[2:])]

    def test_spans_of_a_topic_share_a_paragraph(self) -> None:
        spans = [span(0, index) for index in range(4)]
        alike = {(one, two): 0.9 for one in spans for two in spans if one is not two}
        assert told(spans, alike=alike) == [tuple(spans)]

    def test_long_topic_is_divided(self) -> None:
        spans = [span(0, index) for index in range(30)]
        alike = {(one, two): 0.9 for one in spans for two in spans if one is not two}
        assert max(map(len, told(spans, alike=alike))) < 10

    def test_paragraphs_of_a_source_are_kept(self) -> None:
        opening = (True, False, False, True, False)
        spans = [replace(span(0, index), opens=opens) for index, opens in enumerate(opening)]
        assert told(spans) == [tuple(spans[:3]), tuple(spans[3:])]


@st.composite
def plans(draw: st.DrawFn) -> tuple[list[list[SourceSpan]], Selection, Alike, dict[Key, date]]:
    """Accounts with units of any kind, of which some went, alike and dated anyhow."""
    dependency = st.sampled_from(["", "", "name", "noun", "before"])
    accounts = [
        [
            span(number, index, dependency=draw(dependency) if index else "")
            for index in range(count)
        ]
        for number, count in enumerate(draw(st.lists(st.integers(0, 6), min_size=1, max_size=3)))
    ]
    spans = [one for account in accounts for one in account]
    kept = [one for one in spans if draw(st.booleans())]
    gone = {one.key: tuple(two.key for two in kept[:2]) for one in spans if one not in kept}
    alike = {
        (one, other): draw(st.sampled_from([0.2, 0.5, 0.9]))
        for at, one in enumerate(spans)
        for other in spans[:at]
        if draw(st.booleans())
    }
    days = {one.key: date(2023, 3, draw(st.integers(1, 28))) for one in kept[::2]}
    return accounts, Selection(frozenset(one.key for one in kept), gone), alike, days


@given(plans())
def test_every_account_keeps_its_order_and_nothing_that_stays_is_lost(
    given: tuple[list[list[SourceSpan]], Selection, Alike, dict[Key, date]],
) -> None:
    accounts, selection, alike, days = given
    spans = [one for account in accounts for one in account]
    ordered = order_spans(accounts, selection, coverage(spans, alike=alike), days)
    text = flat(ordered.paragraphs)
    assert ordered.placements.keys() == selection.kept
    for account in accounts:
        kept = [one for one in account if one.key in selection.kept]
        assert [one for one in text if one in account] == kept
    assert len(text) == len(selection.kept)


@given(plans())
def test_dependent_spans_follow_their_antecedent(
    given: tuple[list[list[SourceSpan]], Selection, Alike, dict[Key, date]],
) -> None:
    accounts, selection, alike, days = given
    spans = [one for account in accounts for one in account]
    text = order_spans(accounts, selection, coverage(spans, alike=alike), days).paragraphs
    for account in accounts:
        for before, one in pairwise(account):
            if one.dependency and {before.key, one.key} <= selection.kept:
                (paragraph,) = [spans for spans in text if one in spans]
                assert paragraph[paragraph.index(one) - 1] is before


class TestPlacements:
    BACKBONE = topics(4)
    ALIKE = pairs_alike(BACKBONE)

    def of(
        self,
        *others: Sequence[SourceSpan],
        alike: Alike | None = None,
        covers: Mapping[tuple[SourceSpan, SourceSpan], str] | None = None,
        gone: Mapping[Key, tuple[Key, ...]] | None = None,
        days: Mapping[Key, date] | None = None,
    ) -> dict[Key, Placement]:
        spans = [one for account in (self.BACKBONE, *others) for one in account]
        lost = gone or {}
        selection = Selection(frozenset(one.key for one in spans if one.key not in lost), lost)
        told = coverage(spans, covers, {**self.ALIKE, **(alike or {})})
        return order_spans((self.BACKBONE, *others), selection, told, days or {}).placements

    def test_backbone_keeps_its_order(self) -> None:
        assert {*self.of().values()} == {Placement("order")}

    def test_addition_is_anchored_to_the_most_similar_span(self) -> None:
        new = span(1, 0)
        found = self.of([new], alike={(new, self.BACKBONE[2]): 0.9})
        assert found[new.key] == Placement("like", self.BACKBONE[2].key)

    def test_addition_follows_the_sentence_it_extends(self) -> None:
        new = span(1, 0)
        found = self.of([new], covers={(new, self.BACKBONE[4]): "1110"})
        assert found[new.key] == Placement("adds", self.BACKBONE[4].key)
        found = self.of([new], covers={(new, self.BACKBONE[4]): "1100"})
        assert found[new.key].reason != "adds"

    def test_addition_follows_its_predecessor_in_the_source(self) -> None:
        first, second = span(1, 0), span(1, 1)
        found = self.of([first, second], alike={(first, self.BACKBONE[2]): 0.9})
        assert found[second.key] == Placement("follows")

    def test_addition_follows_the_cover_of_its_predecessor(self) -> None:
        told, new = span(1, 0), span(1, 1, dependency="before")
        found = self.of([told, new], gone={told.key: (self.BACKBONE[3].key,)})
        assert found[new.key] == Placement("after")

    def test_addition_is_placed_by_its_day(self) -> None:
        new = span(1, 0)
        days = {one.key: date(2023, 3, 1 + n) for n, one in enumerate(self.BACKBONE)}
        found = self.of([new], days={**days, new.key: date(2023, 3, 1)})
        assert found[new.key] == Placement("day")

    def test_dependent_span_is_placed_after_its_antecedent(self) -> None:
        first, second = span(1, 0), span(1, 1, dependency="before")
        assert self.of([first, second])[second.key] == Placement("depends")

    def test_addition_is_placed_by_its_position_in_the_source(self) -> None:
        new = span(1, 0)
        assert self.of([new])[new.key] == Placement("place")


class TestDays:
    def of(self, text: str, day: str | None = None) -> list[date]:
        documents = processed(text, days=[day])
        return list(find_days(read_spans(0, documents[0]).spans, documents).values())

    def test_day_of_a_span_is_the_first_it_names(self) -> None:
        text = "It sank on March 14, and was raised on March 20. It left yesterday."
        assert self.of(text, "2023-03-22") == [date(2023, 3, 14), date(2023, 3, 21)]

    def test_day_of_a_year_is_its_middle(self) -> None:
        assert self.of("It was built in 1994.") == [date(1994, 7, 1)]

    def test_a_number_is_no_year(self) -> None:
        assert self.of("It carried 2,000 people and 1994,5 tons.") == []


def test_the_page_gives_the_weights_as_they_are() -> None:
    page = Path(__file__).parents[2] / "docs" / "research" / "order.md"
    rows = re.findall(r"\| `(_\w+)` \| −?([\d.]+) \|", page.read_text("utf-8"))
    assert len(rows) == 10
    assert rows == [(name, str(getattr(weights, name))) for name, _ in rows]
