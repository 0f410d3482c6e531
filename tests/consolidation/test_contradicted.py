"""Accounts that contradict each other: nothing is settled silently, nothing is pinned on others."""

from __future__ import annotations

import pytest
from tatian.consolidation.weaving import consolidate

from tatian.consolidation.result import Consolidation
from tatian.text import Document

pytestmark = pytest.mark.parametrize("fast", [True, False], ids=["fast", "default"])

MET = "President Emmanuel Macron met Olaf Scholz in Berlin on Monday. "


def woven(first: str, second: str, fast: bool) -> Consolidation:
    return consolidate([Document("a", first), Document("b", second)], fast=fast)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "A ferry sank off Greece, killing at least 3 people.",
            "A ferry sank off Greece. At least 5 people died, the coast guard said.",
        ),
        (
            "A ferry sank off Greece, killing 3 people.",
            "A ferry sank off Greece. 5 people died, the coast guard said.",
        ),
    ],
    ids=["at least", "exact"],
)
def test_a_disputed_figure_is_noted_and_keeps_its_own_source(
    first: str, second: str, fast: bool
) -> None:
    found = woven(first, second, fast)
    assert [one.kind for one in found.contradictions] == ["number"]
    assert "3 people (" in found.text
    assert "5 people died, the coast guard said." in found.text
    assert "5 3" not in found.text


def test_a_denial_is_shown_where_the_other_account_affirms(fast: bool) -> None:
    found = woven(
        MET + "They did not agree on a gas price cap.",
        "French president Macron and German Chancellor Scholz agreed on a gas price cap in Berlin"
        " on Monday.",
        fast,
    )
    assert [one.kind for one in found.contradictions] == ["polarity"]
    assert "agreed (did not agree, according to another account) on" in found.text


def test_a_denial_that_is_no_dispute_is_still_told(fast: bool) -> None:
    found = woven(
        "The two ministers met in Orm. Nobody there signed the fishing treaty.",
        "The two ministers met in Orm, and both there signed the fishing treaty.",
        fast,
    )
    assert "Nobody" in found.text
    assert "both" in found.text


def test_nobody_hurt_and_two_injured_are_noted(fast: bool) -> None:
    fire = "A fire destroyed a warehouse in Leeds. "
    found = woven(fire + "No one was hurt.", fire + "Two firefighters were injured.", fast)
    assert [one.kind for one in found.contradictions] == ["polarity"]
    assert "no one was hurt" in found.text.lower()
