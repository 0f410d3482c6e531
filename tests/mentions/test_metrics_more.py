"""Groups of mentions, thresholds, and systems side by side."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tatian.formats.links import build_document as linked_text
from tatian.mentions.metrics import best_threshold, score
from tatian.scoring.linking import LinkCounts
from tatian.text import Link

from .score_samples import FREE, GOLD, OPEN, USERS, linked, mention


def test_scores_distinguish_names_and_general_terms() -> None:
    gold = linked(replace(FREE, named=False), replace(OPEN, named=True))
    found = score([gold], [linked(FREE, mention("open source software", "Software"))], by="named")
    assert found.groups == {"general": LinkCounts(1, 1, 1, 1), "named": LinkCounts(0, 1, 0, 1)}


def test_the_page_decides_whether_an_unlabelled_mention_is_a_name() -> None:
    kinds = {"Free software": "concept", "Open-source software": "organisation"}
    found = score([GOLD], [linked(FREE)], by="named", kinds=kinds.get)
    assert found.groups["general"] == LinkCounts(1, 1, 1, 1)
    assert found.groups["named"] == LinkCounts(gold=1)
    assert found.groups["ungrouped"] == LinkCounts(gold=1)


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        ("form", {"common", "full"}),
        ("overlap", {"max"}),
        ("tag", {"form:common", "form:full", "overlap:max"}),
        ("type", {"MISC", "Q5"}),
    ],
)
def test_mentions_are_grouped_by_what_the_corpus_says(by: str, groups: set[str]) -> None:
    gold = linked(
        replace(FREE, tags=("form:common", "overlap:max"), type="MISC|Q5"),
        replace(OPEN, tags=("form:full",)),
    )
    found = score([gold], [gold], by=by)
    assert set(found.groups) - {"ungrouped"} == groups


def test_wrong_prediction_without_a_label_is_in_no_group() -> None:
    gold = linked(replace(FREE, type="MISC"))
    wrong = mention("freedom", "Liberty")
    assert score([gold], [linked(wrong)], by="type").groups["ungrouped"].predicted == 1
    own = linked(replace(wrong, type="MISC"))
    assert score([gold], [own], by="type").groups == {"MISC": LinkCounts(0, 1, 0, 1)}


def test_the_groups_add_up_to_the_whole() -> None:
    gold = linked(replace(FREE, type="MISC"), OPEN, replace(USERS, type="PER"))
    found = score([gold], [linked(FREE, USERS, mention("freedom", "Liberty"))], by="type")
    summed = [sum(column) for column in zip(*found.groups.values(), strict=True)]
    assert LinkCounts(*summed) == found.total()


SCORED = linked(
    replace(FREE, score=0.9),
    mention("open source software", "Software", score=0.4),
    mention("freedom", "Liberty", score=0.2),
)


def test_threshold_drops_links_with_lower_confidence() -> None:
    kept = [score([GOLD], [SCORED], threshold=least).precision for least in (0.2, 0.4, 0.9)]
    assert kept == [1 / 3, 1 / 2, 1]


def test_scores_have_standard_errors() -> None:
    gold = [linked(FREE, OPEN, id=f"s{number}") for number in range(10)]
    half = [*gold[:5], *(linked(id=text.id) for text in gold[5:])]
    measured = score(gold, half)["full"]
    assert measured.value == pytest.approx(2 / 3)
    assert measured.interval is not None
    assert measured.interval.low < 2 / 3 < measured.interval.high


def test_the_bootstrap_aggregate_equals_the_micro_f1() -> None:
    gold = [linked(FREE, USERS, id="a"), linked(OPEN, id="b")]
    predicted = [linked(USERS, mention("freedom", "X"), id="a"), linked(id="b")]
    found = score(gold, predicted)
    assert found["full"].value == pytest.approx(found.f1)


def test_best_threshold_drops_mostly_wrong_links() -> None:
    text = "Oslo and Bergen"
    gold = [linked_text("a", text, [Link(0, 4, ("Oslo",))])]
    found = [linked_text("a", text, [Link(0, 4, ("Oslo",), 0.9), Link(9, 15, ("Bergen",), 0.3)])]
    assert best_threshold(gold, found) == (0.9, 1.0)


def test_of_equally_good_thresholds_the_lowest_is_best() -> None:
    gold = [linked_text("a", "Oslo", [Link(0, 4, ("Oslo",))])]
    found = [linked_text("a", "Oslo", [Link(0, 4, ("Oslo",), 0.9)])]
    assert best_threshold(gold, found) == (0.0, 1.0)
