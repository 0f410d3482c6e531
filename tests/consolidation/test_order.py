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
from tatian.consolidation.choice import Selection
from tatian.consolidation.order import Placement, days_of, order
from tatian.consolidation.units import Key, Unit
from tatian.consolidation.units import account as units_of

from .bundles import processed
from .plans import telling, unit

Alike = Mapping[tuple[Unit, Unit], float]


def told(
    *accounts: Sequence[Unit],
    alike: Alike | None = None,
    gone: Mapping[Key, tuple[Key, ...]] | None = None,
    days: Mapping[Key, date] | None = None,
) -> list[tuple[Unit, ...]]:
    """The paragraphs, the first account being the backbone."""
    units = [one for account in accounts for one in account]
    lost = gone or {}
    choice = Selection(frozenset(one.key for one in units if one.key not in lost), lost)
    return order(accounts, choice, telling(units, alike=alike), days or {}).paragraphs


def flat(paragraphs: Sequence[Sequence[Unit]]) -> list[Unit]:
    return [one for paragraph in paragraphs for one in paragraph]


def topics(count: int, account: int = 0) -> list[Unit]:
    """Units of which every two, one after the other, are about one thing."""
    return [unit(account, index) for index in range(2 * count)]


def pairs_alike(units: Sequence[Unit]) -> dict[tuple[Unit, Unit], float]:
    return dict.fromkeys(zip(units[::2], units[1::2], strict=True), 0.9)


class TestPlaces:
    BACKBONE = topics(4)
    ALIKE = pairs_alike(BACKBONE)

    def test_one_account_alone_is_told_in_its_order(self) -> None:
        assert flat(told(self.BACKBONE, alike=self.ALIKE)) == self.BACKBONE

    def test_an_addition_stands_beside_what_it_is_most_like(self) -> None:
        new = unit(1, 0)
        text = told(self.BACKBONE, [new], alike={**self.ALIKE, (new, self.BACKBONE[2]): 0.9})
        assert abs(flat(text).index(new) - flat(text).index(self.BACKBONE[2])) == 1

    def test_an_addition_that_is_like_nothing_parts_nothing_that_belongs_together(self) -> None:
        new = unit(1, 0)
        text = flat(told(self.BACKBONE, [new], alike=self.ALIKE))
        assert text.index(new) % 2 == 0

    def test_an_addition_never_parts_a_unit_from_what_it_leans_on(self) -> None:
        leaning = [unit(0, 0), unit(0, 1, leans="before")]
        new = unit(1, 0)
        assert flat(told(leaning, [new], alike={(new, leaning[0]): 0.9})) == [*leaning, new]

    def test_additions_that_follow_each_other_in_their_account_stay_together(self) -> None:
        new = [unit(1, 0), unit(1, 1)]
        first, last = self.BACKBONE[2], self.BACKBONE[6]
        alike = {(new[0], first): 0.9, (new[1], first): 0.6, (new[1], last): 0.6}
        text = flat(told(self.BACKBONE, new, alike={**self.ALIKE, **alike}))
        assert text.index(new[1]) == text.index(new[0]) + 1

    def test_an_addition_stands_on_the_right_side_of_the_days_that_are_told(self) -> None:
        new = unit(1, 0)
        days = {one.key: date(2023, 3, 10 + n) for n, one in enumerate(self.BACKBONE)}
        like = {**self.ALIKE, **{(new, one): 0.9 for one in self.BACKBONE}}
        early = told(self.BACKBONE, [new], alike=like, days={**days, new.key: date(2023, 3, 9)})
        late = told(self.BACKBONE, [new], alike=like, days={**days, new.key: date(2023, 3, 30)})
        assert flat(early).index(new) < flat(late).index(new)

    def test_what_leans_on_a_unit_that_went_stands_after_its_teller(self) -> None:
        went, leaning = unit(1, 0), unit(1, 1, leans="name")
        teller = self.BACKBONE[2]
        alike = {**self.ALIKE, (leaning, teller): 0.5, (leaning, self.BACKBONE[6]): 0.5}
        text = told(self.BACKBONE, [went, leaning], alike=alike, gone={went.key: (teller.key,)})
        assert flat(text)[2:4] == [teller, leaning]

    def test_what_tells_what_went_stands_before_what_followed_that(self) -> None:
        first, (new, more) = topics(3), [unit(1, 0), unit(1, 1)]
        text = flat(told(first, [new, more], gone={first[3].key: (new.key,)}))
        assert text[text.index(new) + 1] is first[4]

    def test_what_came_of_an_expectation_stands_behind_it(self) -> None:
        first, came = topics(2), unit(1, 0)
        units = [*first, came]
        choice = Selection(frozenset(one.key for one in units), {})
        given = telling(units, {(first[1], came): "1000"}, {(came, first[0]): 0.3})
        for expected, before in ((), first[0]), ((first[1].key,), first[1]):
            text = flat(order((first, [came]), choice, given, {}, expected=expected).paragraphs)
            assert text[text.index(came) - 1] is before

    def test_without_anything_left_there_are_no_paragraphs(self) -> None:
        assert told([], []) == []

    def test_the_other_accounts_are_told_if_nothing_of_the_first_is_left(self) -> None:
        assert flat(told([], topics(1, account=1))) == topics(1, account=1)


class TestParagraphs:
    def test_a_new_topic_begins_a_new_one(self) -> None:
        units = topics(2)
        assert told(units, alike=pairs_alike(units)) == [tuple(units[:2]), tuple(units[2:])]

    def test_one_topic_is_one_paragraph(self) -> None:
        units = [unit(0, index) for index in range(4)]
        alike = {(one, two): 0.9 for one in units for two in units if one is not two}
        assert told(units, alike=alike) == [tuple(units)]

    def test_even_one_topic_is_divided_when_it_is_long(self) -> None:
        units = [unit(0, index) for index in range(30)]
        alike = {(one, two): 0.9 for one in units for two in units if one is not two}
        assert max(map(len, told(units, alike=alike))) < 10

    def test_the_paragraphs_that_an_account_has_are_kept(self) -> None:
        opening = (True, False, False, True, False)
        units = [replace(unit(0, index), opens=opens) for index, opens in enumerate(opening)]
        assert told(units) == [tuple(units[:3]), tuple(units[3:])]


@st.composite
def plans(draw: st.DrawFn) -> tuple[list[list[Unit]], Selection, Alike, dict[Key, date]]:
    """Accounts with units of any kind, of which some went, alike and dated anyhow."""
    leans = st.sampled_from(["", "", "name", "noun", "before"])
    accounts = [
        [unit(number, index, leans=draw(leans) if index else "") for index in range(count)]
        for number, count in enumerate(draw(st.lists(st.integers(0, 6), min_size=1, max_size=3)))
    ]
    units = [one for account in accounts for one in account]
    kept = [one for one in units if draw(st.booleans())]
    gone = {one.key: tuple(two.key for two in kept[:2]) for one in units if one not in kept}
    alike = {
        (one, other): draw(st.sampled_from([0.2, 0.5, 0.9]))
        for at, one in enumerate(units)
        for other in units[:at]
        if draw(st.booleans())
    }
    days = {one.key: date(2023, 3, draw(st.integers(1, 28))) for one in kept[::2]}
    return accounts, Selection(frozenset(one.key for one in kept), gone), alike, days


@given(plans())
def test_every_account_keeps_its_order_and_nothing_that_stays_is_lost(
    given: tuple[list[list[Unit]], Selection, Alike, dict[Key, date]],
) -> None:
    accounts, choice, alike, days = given
    units = [one for account in accounts for one in account]
    ordered = order(accounts, choice, telling(units, alike=alike), days)
    text = flat(ordered.paragraphs)
    assert ordered.placings.keys() == choice.kept
    for account in accounts:
        kept = [one for one in account if one.key in choice.kept]
        assert [one for one in text if one in account] == kept
    assert len(text) == len(choice.kept)


@given(plans())
def test_what_leans_follows_what_it_leans_on(
    given: tuple[list[list[Unit]], Selection, Alike, dict[Key, date]],
) -> None:
    accounts, choice, alike, days = given
    units = [one for account in accounts for one in account]
    text = order(accounts, choice, telling(units, alike=alike), days).paragraphs
    for account in accounts:
        for before, one in pairwise(account):
            if one.leans and {before.key, one.key} <= choice.kept:
                (paragraph,) = [units for units in text if one in units]
                assert paragraph[paragraph.index(one) - 1] is before


class TestGrounds:
    BACKBONE = topics(4)
    ALIKE = pairs_alike(BACKBONE)

    def of(
        self,
        *others: Sequence[Unit],
        alike: Alike | None = None,
        tells: Mapping[tuple[Unit, Unit], str] | None = None,
        gone: Mapping[Key, tuple[Key, ...]] | None = None,
        days: Mapping[Key, date] | None = None,
    ) -> dict[Key, Placement]:
        units = [one for account in (self.BACKBONE, *others) for one in account]
        lost = gone or {}
        choice = Selection(frozenset(one.key for one in units if one.key not in lost), lost)
        told = telling(units, tells, {**self.ALIKE, **(alike or {})})
        return order((self.BACKBONE, *others), choice, told, days or {}).placings

    def test_the_account_that_leads_keeps_its_order(self) -> None:
        assert {*self.of().values()} == {Placement("order")}

    def test_beside_what_it_is_most_like(self) -> None:
        new = unit(1, 0)
        found = self.of([new], alike={(new, self.BACKBONE[2]): 0.9})
        assert found[new.key] == Placement("like", self.BACKBONE[2].key)

    def test_behind_what_it_tells_more_of(self) -> None:
        new = unit(1, 0)
        found = self.of([new], tells={(new, self.BACKBONE[4]): "1110"})
        assert found[new.key] == Placement("adds", self.BACKBONE[4].key)
        found = self.of([new], tells={(new, self.BACKBONE[4]): "1100"})
        assert found[new.key].ground != "adds"

    def test_behind_what_its_account_has_before_it(self) -> None:
        first, second = unit(1, 0), unit(1, 1)
        found = self.of([first, second], alike={(first, self.BACKBONE[2]): 0.9})
        assert found[second.key] == Placement("follows")

    def test_behind_what_tells_what_its_account_has_before_it(self) -> None:
        told, new = unit(1, 0), unit(1, 1, leans="before")
        found = self.of([told, new], gone={told.key: (self.BACKBONE[3].key,)})
        assert found[new.key] == Placement("after")

    def test_by_the_day_that_it_names(self) -> None:
        new = unit(1, 0)
        days = {one.key: date(2023, 3, 1 + n) for n, one in enumerate(self.BACKBONE)}
        found = self.of([new], days={**days, new.key: date(2023, 3, 1)})
        assert found[new.key] == Placement("day")

    def test_what_leans_stands_behind_what_it_leans_on(self) -> None:
        first, second = unit(1, 0), unit(1, 1, leans="before")
        assert self.of([first, second])[second.key] == Placement("leans")

    def test_by_its_place_in_its_account_where_nothing_else_speaks(self) -> None:
        new = unit(1, 0)
        assert self.of([new])[new.key] == Placement("place")


class TestDays:
    def of(self, text: str, day: str | None = None) -> list[date]:
        documents = processed(text, days=[day])
        return list(days_of(units_of(0, documents[0]).units, documents).values())

    def test_the_first_day_that_a_unit_names(self) -> None:
        text = "It sank on March 14, and was raised on March 20. It left yesterday."
        assert self.of(text, "2023-03-22") == [date(2023, 3, 14), date(2023, 3, 21)]

    def test_else_the_middle_of_the_year_that_it_names(self) -> None:
        assert self.of("It was built in 1994.") == [date(1994, 7, 1)]

    def test_a_number_is_no_year(self) -> None:
        assert self.of("It carried 2,000 people and 1994,5 tons.") == []


def test_the_page_gives_the_weights_as_they_are() -> None:
    page = Path(__file__).parents[2] / "docs" / "research" / "order.md"
    rows = re.findall(r"\| `(_\w+)` \| −?([\d.]+) \|", page.read_text("utf-8"))
    assert len(rows) == 10
    assert rows == [(name, str(getattr(weights, name))) for name, _ in rows]
