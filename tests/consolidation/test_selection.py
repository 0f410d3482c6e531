"""Which units stay: everything is told, as little as possible twice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import tatian
from tatian.analysis.installed import unavailable
from tatian.consolidation.arrangement import arrange, bring_back_context
from tatian.consolidation.plan import Selection, SourceRanks, StoryComparison, StorySources
from tatian.consolidation.selection import drop_redundant, find_forecasts
from tatian.consolidation.spans import Key, SourceSpan, SourceSpans
from tatian.text import Document, Span

from .bundles import PIPELINE
from .plans import Covers, coverage, span

LEAD, OWN = span(0, 0, "A ferry sank."), span(0, 1, "Tugs came.")
OTHER, MORE = span(1, 0, "A boat went down."), span(1, 1, "Divers found a tear.")
THIRD = span(2, 0, "Fog hid the bank.")


def chosen(
    *accounts: Sequence[SourceSpan], covers: Covers, old: frozenset[int] = frozenset()
) -> Selection:
    """What stays if the first account is the backbone."""
    spans = [one for account in accounts for one in account]
    model, forecasts = coverage(spans, covers), find_forecasts(spans, old)
    return drop_redundant(accounts, model, 0, older=old, forecasts=forecasts)


def test_covered_span_is_dropped_with_its_cover() -> None:
    selection = chosen([LEAD, OWN], [OTHER, MORE], covers={(MORE, OWN): "1111"})
    assert selection.kept == {LEAD.key, OWN.key, OTHER.key}
    assert selection.dropped == {MORE.key: (OWN.key,)}


def test_source_in_the_first_person_covers_no_others() -> None:
    spans, covers = [LEAD, OWN, OTHER, MORE], {(OWN, MORE): "1111", (MORE, OWN): "1111"}
    selection = drop_redundant(
        [[LEAD, OWN], [OTHER, MORE]], coverage(spans, covers), 0, own_voice={0}
    )
    assert selection.dropped == {OWN.key: (MORE.key,)}


def test_what_opens_the_text_covers_spans_of_every_source() -> None:
    lead, opener = span(1, 0, "A ship sank."), span(2, 0, "A ferry sank off the Skerry bank.")
    covers: Covers = {(LEAD, opener): "1111", (lead, opener): "1111"}
    selection = drop_redundant(
        [[LEAD, OWN], [lead, MORE], [opener]],
        coverage([LEAD, OWN, lead, MORE, opener], covers),
        0,
        ranks=SourceRanks((0, 1, 2)),
    )
    assert selection.dropped == {LEAD.key: (opener.key,), lead.key: (opener.key,)}


def test_uncovered_span_is_kept() -> None:
    selection = chosen([LEAD, OWN], [OTHER, MORE], covers={(MORE, OWN): "1000"})
    assert selection.kept == {LEAD.key, OWN.key, OTHER.key, MORE.key}


def test_several_spans_can_cover_one_together() -> None:
    halves: Covers = {(MORE, OWN): "1110", (MORE, THIRD): "0011"}
    selection = chosen([LEAD, OWN], [OTHER, MORE], [THIRD], covers=halves)
    assert set(selection.dropped[MORE.key]) == {OWN.key, THIRD.key}


def test_fragments_of_many_spans_do_not_cover_one() -> None:
    others = [span(0, index) for index in range(1, 5)]
    scraps = {
        (MORE, one): "".join("01"[n == at] for n in range(4)) for at, one in enumerate(others)
    }
    assert MORE.key in chosen([LEAD, *others], [OTHER, MORE], covers=scraps).kept


def test_fuller_of_two_equivalent_spans_is_kept() -> None:
    both: Covers = {(OWN, MORE): "1111", (MORE, OWN): "11110000"}
    selection = chosen([LEAD, OWN], [OTHER, MORE], covers=both)
    assert selection.dropped == {OWN.key: (MORE.key,)}


def test_of_twins_one_stays() -> None:
    twins: Covers = {(THIRD, MORE): "1111", (MORE, THIRD): "1111"}
    selection = chosen([LEAD], [OTHER, MORE], [THIRD], covers=twins)
    assert len(selection.kept & {MORE.key, THIRD.key}) == 1


def test_lead_is_kept_though_two_spans_cover_it() -> None:
    halves: Covers = {(LEAD, OTHER): "1110", (LEAD, MORE): "0011"}
    assert LEAD.key in chosen([LEAD, OWN], [OTHER, MORE], covers=halves).kept


def test_lead_is_replaced_by_a_span_that_says_more() -> None:
    selection = chosen([LEAD, OWN], [OTHER], covers={(LEAD, OTHER): "1111"})
    assert selection.dropped == {LEAD.key: (OTHER.key,)}


def test_antecedent_of_a_kept_span_is_kept() -> None:
    leaning = span(1, 2, "However, it was small.", dependency="before")
    selection = chosen([LEAD, OWN], [OTHER, MORE, leaning], covers={(MORE, OWN): "1111111110"})
    assert MORE.key in selection.kept


def test_antecedent_is_dropped_only_if_certainly_covered() -> None:
    leaning = span(1, 2, "However, it was small.", dependency="before")
    selection = chosen([LEAD, OWN], [OTHER, MORE, leaning], covers={(MORE, OWN): "1111"})
    assert selection.dropped == {MORE.key: (OWN.key,)}


def test_antecedent_can_be_dropped_with_its_dependent() -> None:
    leaning = span(1, 2, "However, it was small.", dependency="before")
    told: Covers = {(MORE, OWN): "1111", (leaning, OWN): "1111"}
    selection = chosen([LEAD, OWN], [OTHER, MORE, leaning], covers=told)
    assert set(selection.dropped) == {MORE.key, leaning.key}


def test_span_that_gives_a_name_can_be_dropped() -> None:
    named = span(1, 2, "He had slept.", dependency="name")
    selection = chosen([LEAD, OWN], [OTHER, MORE, named], covers={(MORE, OWN): "1111"})
    assert set(selection.dropped) == {MORE.key}


def test_only_cover_of_a_dropped_span_is_kept() -> None:
    chain: Covers = {(MORE, OWN): "111", (OWN, THIRD): "1111"}
    selection = chosen([LEAD, OWN], [OTHER, MORE], [THIRD], covers=chain)
    assert selection.dropped == {MORE.key: (OWN.key,)}


def test_cover_can_be_dropped_if_another_covers_the_span() -> None:
    chain: Covers = {(MORE, OWN): "111", (MORE, THIRD): "111", (OWN, THIRD): "1111"}
    selection = chosen([LEAD, OWN], [OTHER, MORE], [THIRD], covers=chain)
    assert selection.dropped == {MORE.key: (THIRD.key,), OWN.key: (THIRD.key,)}


def test_forecast_mostly_covered_by_a_later_source_is_dropped() -> None:
    forecast = span(1, 1, "The trial is expected to open on Monday.")
    most: Covers = {(forecast, OWN): "1111111000"}
    assert forecast.key in chosen([LEAD, OWN], [OTHER, forecast], covers=most).kept
    later = chosen([LEAD, OWN], [OTHER, forecast], covers=most, old=frozenset({1}))
    assert forecast.key in later.dropped


WORDS = st.text("01", min_size=4, max_size=4)


@st.composite
def bundles(draw: st.DrawFn) -> tuple[list[list[SourceSpan]], Covers]:
    """Accounts of a few units, and for any two which words of the one the other tells."""
    dependency = st.sampled_from(["", "", "name", "noun", "before"])
    accounts = [
        [
            span(number, index, dependency=draw(dependency) if index else "")
            for index in range(count)
        ]
        for number, count in enumerate(draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    ]
    spans = [one for account in accounts for one in account]
    pairs = [(one, other) for one in spans for other in spans if one is not other]
    return accounts, {pair: draw(WORDS) for pair in pairs if draw(st.booleans())}


@given(bundles())
def test_dropped_spans_are_covered_by_kept_ones(
    given: tuple[list[list[SourceSpan]], Covers],
) -> None:
    accounts, covers = given
    spans = [one for account in accounts for one in account]
    selection = chosen(*accounts, covers=covers)
    assert selection.kept | set(selection.dropped) == {one.key for one in spans}
    assert selection.kept.isdisjoint(selection.dropped)
    for key, tellers in selection.dropped.items():
        assert tellers
        assert selection.kept.issuperset(tellers)
        assert coverage(spans, covers).covered_share(key, tellers) > 0.5


@given(bundles())
def test_kept_spans_depend_on_no_uncovered_dropped_span(
    given: tuple[list[list[SourceSpan]], Covers],
) -> None:
    accounts, covers = given
    spans = [one for account in accounts for one in account]
    selection = chosen(*accounts, covers=covers)
    for account in accounts:
        for before, one in pairwise(account):
            if one.dependency == "before" and one.key in selection.kept:
                went = selection.dropped.get(before.key)
                assert went is None or coverage(spans, covers).covered_share(before.key, went) > 0.5


@pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
class TestCoverage:
    """A unit is told only if its predicates, participants and figures are, by two at most."""

    STORM = "The ferry Corvina sank off Orme in a storm on Monday. "

    def woven(self, *texts: str) -> str:
        """The text that is made of accounts of the storm."""
        given = [Document(str(n), self.STORM + text) for n, text in enumerate(texts)]
        return tatian.consolidate(given).text

    @pytest.mark.parametrize(
        ("texts", "kept"),
        [
            (
                (
                    "Nineteen of the 80 people aboard the ferry died. Captain Anna Rees was saved.",
                    "The death of the ship's cook brought the toll to 21.",
                ),
                "toll to 21",
            ),
            (
                (
                    "Captain Anna Rees was saved. Captain Rees steered the ferry toward the "
                    "harbour in the storm.",
                    "The ferry's owner, Captain Anna Rees, waited on the pier in the storm.",
                ),
                "owner, Captain Anna Rees, waited on the pier",
            ),
            (
                (
                    "The mate accused the owner of neglect.",
                    "The owner accused the mate of neglect.",
                ),
                "The owner accused the mate",
            ),
            (
                (
                    "A lifeboat from Vey, steered by Tom Hale, took 40 passengers ashore.",
                    "A lifeboat took 40 passengers ashore before 9 p.m.",
                ),
                "9 p.m.",
            ),
        ],
    )
    def test_uncovered_sentence_is_kept(self, texts: tuple[str, ...], kept: str) -> None:
        assert kept in self.woven(*texts)

    @pytest.mark.parametrize(
        ("texts", "gone"),
        [
            (
                (
                    "A lifeboat from Vey, steered by Tom Hale, took 40 passengers ashore.",
                    "A lifeboat took forty passengers ashore.",
                ),
                "forty",
            ),
            (
                ("The mate accused the owner of neglect.", "The owner was accused by the mate."),
                "was accused by",
            ),
            (
                (
                    "Tom Hale, 40, was found guilty of neglect of the ferry by a jury in Vey.",
                    "Tom Haale was found guilty of neglect of the ferry.",
                ),
                "Haale",
            ),
        ],
    )
    def test_paraphrased_sentence_is_dropped(self, texts: tuple[str, ...], gone: str) -> None:
        assert gone not in self.woven(*texts)

    def test_the_fullest_lead_opens_the_text(self) -> None:
        short, full = (
            "Tom Hale was found guilty of neglect.",
            "Tom Hale, 40, was found guilty of neglect of the ferry Corvina by a jury in Vey.",
        )
        rest = "The ferry sank off Orme in a storm. Tugs and lifeboats searched for two days."
        given = [Document("a", f"{short} {rest}"), Document("b", f"{full} He will appeal.")]
        text = tatian.consolidate(given).text
        assert text.startswith(f"{full} He will appeal.")
        assert short not in text

    def test_of_three_that_have_a_part_each_none_can_be_spared(self) -> None:
        thirds: Covers = {(MORE, OWN): "1100", (MORE, THIRD): "0010", (MORE, OTHER): "0001"}
        assert MORE.key in chosen([LEAD, OWN], [OTHER, MORE], [THIRD], covers=thirds).kept


class TestRestoredContext:
    """A span that is kept again for its context replaces the one that had covered it."""

    NEXT = span(1, 2, "It was ten feet long.", "before")

    def kept(
        self, covers: Covers, *more: SourceSpan, needed: frozenset[Key] = frozenset()
    ) -> frozenset[Key]:
        """What stays when MORE comes back for NEXT; OWN had covered it."""
        accounts = [[LEAD, OWN], [OTHER, MORE, self.NEXT], [*more]]
        spans = [one for account in accounts for one in account]
        model = coverage(spans, covers)
        sources = tuple(
            SourceSpans(Document(str(n), ""), tuple(one), {}) for n, one in enumerate(accounts)
        )
        story = StorySources(sources, (None,) * 3, {})
        comparison = StoryComparison(story, model, model, (), 2, frozenset())
        dropped = {MORE.key: (OWN.key,), **{one.key: (OWN.key,) for one in more[1:]}}
        selection = Selection(frozenset(one.key for one in spans) - dropped.keys(), dropped)
        back = bring_back_context(selection, [MORE.key], needed | {MORE.key}, comparison)
        assert back.kept | back.dropped.keys() == {one.key for one in spans}
        return back.kept

    def test_covered_span_is_dropped_in_turn(self) -> None:
        assert OWN.key not in self.kept({(OWN, MORE): "1111"})

    def test_span_is_kept_if_it_says_more(self) -> None:
        assert OWN.key in self.kept({(OWN, MORE): "1100"})

    def test_span_is_kept_if_needed(self) -> None:
        assert OWN.key in self.kept({(OWN, MORE): "1111"}, needed=frozenset({OWN.key}))

    def test_span_is_kept_if_it_alone_covers_a_dropped_one(self) -> None:
        twin = span(2, 1, "Three tugs came.")
        covers: Covers = {(OWN, MORE): "1111", (twin, OWN): "1111"}
        assert OWN.key in self.kept(covers, THIRD, twin)
        assert OWN.key not in self.kept({**covers, (twin, MORE): "1111"}, THIRD, twin)


class TestClearContext:
    """A span that refers to another one brings it back, though the text covers it elsewhere."""

    FIRST = span(1, 1, "A woman brought a lamp.")
    SECOND = replace(
        span(1, 2, "Then she lit it at his feet.", "before"),
        pronoun=Span(205, 208),
        pronoun_text="she",
    )
    THIRD = span(1, 3, "Dale left when she saw it.", "before")

    def kept(self, pronoun: str, text: str = THIRD.text) -> frozenset[Key]:
        third = replace(self.THIRD, text=text, pronoun=Span(320, 322), pronoun_text=pronoun)
        accounts = [[LEAD, OWN], [OTHER, self.FIRST, self.SECOND, third]]
        spans = [one for account in accounts for one in account]
        covers: Covers = {(self.FIRST, LEAD): "1111", (self.SECOND, LEAD): "1111"}
        model = coverage(spans, covers)
        sources = tuple(
            SourceSpans(PIPELINE.process(Document(str(n), "Fog came.")), tuple(one), {})
            for n, one in enumerate(accounts)
        )
        story = StorySources(sources, (None,) * 2, {})
        ranks = SourceRanks((0, 1))
        comparison = StoryComparison(story, model, model, (), 0, frozenset(), ranks)
        dropped = {one.key: (LEAD.key,) for one in (self.FIRST, self.SECOND)}
        selection = Selection(frozenset(one.key for one in spans) - dropped.keys(), dropped)
        return arrange(comparison, selection, shortened=False).selection.kept

    def test_object_brings_back_what_it_needs_and_what_that_needs(self) -> None:
        assert {self.FIRST.key, self.SECOND.key} <= self.kept("it")

    def test_opening_behind_a_connective_does_so_too(self) -> None:
        assert self.SECOND.key in self.kept("they", "So they grumbled.")

    def test_owner_does_not(self) -> None:
        assert self.SECOND.key not in self.kept("his", "Dale gave his lamp to her.")
