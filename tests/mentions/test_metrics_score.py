"""What counts when predicted mentions are scored against gold ones."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tatian.errors import EmptyInput, InputError
from tatian.mentions.metrics import coverage, score
from tatian.scoring.linking import LinkCounts
from tatian.scoring.metric import Rates
from tatian.text.layers import PARTS, DocumentPart

from .score_samples import FREE, GOLD, OPEN, TEXT, USERS, linked, mention


def test_gold_against_itself_is_perfect() -> None:
    found = score([GOLD], [GOLD])
    assert found.rates() == found.rates("detection") == Rates(1, 1, 1)
    assert found.accuracy == 1


def test_precision_is_of_predictions_and_recall_of_gold() -> None:
    found = score([GOLD], [linked(FREE, mention("freedom", "Liberty"))])
    assert (found.precision, found.recall) == (1 / 2, 1 / 3)
    assert found.f1 == pytest.approx(2 / 5)


def test_any_of_the_gold_pages_is_right() -> None:
    found = score([GOLD], [linked(mention("users", "End user"))])
    assert found.total() == LinkCounts(right=1, predicted=1, found=1, gold=3)


def test_several_right_pages_are_several_right_links_for_one_mention() -> None:
    found = score([GOLD], [linked(USERS)])
    assert found.total() == LinkCounts(right=2, predicted=2, found=1, gold=3)


def test_every_wrong_page_is_a_wrong_link() -> None:
    found = score([GOLD], [linked(mention("free", "Gratis", "Free software", "Freedom"))])
    assert found.total() == LinkCounts(right=1, predicted=3, found=1, gold=3)


def test_entries_of_one_span_are_one_mention() -> None:
    apart = linked(FREE, OPEN, mention("users", "End user"), mention("users", "User (computing)"))
    found = score([apart], [linked(mention("users", "End user"))])
    assert found.total().gold == 3
    assert found.total().found == 1


def test_titles_are_compared_as_wikipedia_writes_them() -> None:
    found = score([GOLD], [linked(mention("free", "free_software"))])
    assert found.precision == 1


def test_titles_differ_by_case_after_the_first_letter() -> None:
    found = score([GOLD], [linked(mention("free", "Free Software"))])
    assert found.precision == 0


def test_redirects_are_resolved_on_both_sides() -> None:
    pages = {"Libre software": "Free software", "Free software": "Free software"}
    found = score(
        [linked(FREE)],
        [linked(mention("free", "Libre_software"))],
        redirects=lambda title: pages.get(title, title),
    )
    assert found.f1 == 1


def test_redirects_to_a_page_are_one_link() -> None:
    found = score(
        [linked(FREE)],
        [linked(mention("free", "Libre software", "Free software"))],
        redirects=lambda title: "Free software",
    )
    assert found.total().predicted == 1


def test_detection_counts_spans_whatever_their_pages() -> None:
    found = score([GOLD], [linked(mention("free", "Gratis"), mention("users", "A", "B"))])
    assert found.total("detection") == LinkCounts(right=2, predicted=2, found=2, gold=3)
    assert found.f1 == 0


def test_linking_is_the_accuracy_of_the_best_page_on_spans_that_match() -> None:
    predicted = linked(
        FREE, mention("open source software", "Software"), mention("freedom", "Liberty")
    )
    found = score([GOLD], [predicted])
    assert found.accuracy == 1 / 2


def test_a_right_page_that_is_not_the_best_does_not_count_for_linking() -> None:
    found = score([GOLD], [linked(mention("free", "Gratis", "Free software"))])
    assert (found.accuracy, found.recall) == (0, 1 / 3)


def test_overlapping_span_matches_only_weakly() -> None:
    predicted = [linked(mention("open source", "Open-source software"))]
    assert score([GOLD], predicted).recall == 0
    assert score([GOLD], predicted, match="weak").recall == 1 / 3


def test_spans_that_only_touch_do_not_match() -> None:
    gold = linked(mention("open ", "Openness"))
    assert score([gold], [linked(mention("source", "Openness"))], match="weak").f1 == 0


def test_long_prediction_matches_only_one_gold_mention() -> None:
    gold = linked(mention("open source", "X"), mention("software", "X"))
    found = score([gold], [linked(mention("open source software", "X"))], match="weak")
    assert found.total() == LinkCounts(right=1, predicted=1, found=1, gold=2)


def test_gold_without_a_page_is_ignored_with_what_matches_it() -> None:
    gold = linked(FREE, mention("users"))
    found = score([gold], [linked(FREE, mention("users", "End user"))])
    assert found.total() == LinkCounts(1, 1, 1, 1)


def test_optional_gold_is_ignored_with_what_matches_it() -> None:
    gold = linked(FREE, mention("users", "End user", tags=("optional",)))
    for title in ("End user", "User (computing)"):
        assert score([gold], [linked(FREE, mention("users", title))]).total() == LinkCounts(
            1, 1, 1, 1
        )


def test_gold_with_ids_of_unknown_pages_counts_and_is_found_by_the_same_id() -> None:
    gold = linked(mention("users", ids=("Q1",)))
    assert score([gold], [linked(mention("users", "End user"))]).total() == LinkCounts(0, 1, 0, 1)
    assert score([gold], [gold]).f1 == 1


def test_prediction_without_a_page_counts_only_for_detection() -> None:
    found = score([GOLD], [linked(mention("free"))])
    assert found.total().predicted == 0
    assert found.total("detection").right == 1


def test_gold_that_the_base_lacks_is_left_out_with_what_matches_it() -> None:
    found = score(
        [GOLD],
        [linked(FREE, mention("open source software", "Software"))],
        in_kb=lambda title: title in {"Free software", "End user"},
    )
    assert found.total() == LinkCounts(right=1, predicted=1, found=1, gold=2)
    assert found.coverage == (2, 3)


def test_a_prediction_beside_gold_that_is_left_out_still_counts() -> None:
    found = score(
        [GOLD],
        [linked(mention("software", "Software"))],
        in_kb=lambda title: title == "Free software",
    )
    assert found.total().predicted == 1


def test_prediction_only_on_excluded_gold_is_ignored() -> None:
    gold = linked(mention("open", "Openness"), mention("source software", "Missing"))
    inside = score(
        [gold],
        [linked(mention("software", "Software"))],
        in_kb=lambda title: title == "Openness",
        match="weak",
    )
    across = score(
        [gold],
        [linked(mention("open source", "Software"))],
        in_kb=lambda title: title == "Openness",
        match="weak",
    )
    assert (inside.total().predicted, across.total().predicted) == (0, 1)


def test_coverage_resolves_redirects() -> None:
    assert coverage([GOLD], lambda title: title == "X", lambda title: "X") == (3, 3)


def test_only_the_evaluated_parts_count() -> None:
    gold = GOLD.with_layer(PARTS, [DocumentPart(0, 10, "", True)], "test")
    found = score([gold], [linked(FREE, mention("freedom", "Liberty"))])
    assert found.total() == LinkCounts(1, 1, 1, 1)


def test_predictions_below_the_threshold_are_left_out_and_those_without_a_score_are_not() -> None:
    predicted = linked(
        replace(FREE, score=0.2), replace(OPEN, score=0.5), mention("users", "End user")
    )
    assert score([GOLD], [predicted], threshold=0.5).total().predicted == 2


def test_micro_adds_counts_and_macro_averages_texts() -> None:
    empty = linked(id="s2", text="Nothing here.")
    silent = linked(id="s3")
    gold = [GOLD, empty, linked(FREE, id="s3")]
    found = score(gold, [linked(FREE), empty, silent])
    assert found.rates().recall == 1 / 4
    assert found.rates("full", "macro").recall == pytest.approx((1 / 3 + 1 + 0) / 3)


def test_texts_are_paired_by_id_in_any_order() -> None:
    other = linked(OPEN, id="s2")
    assert score([GOLD, other], [other, GOLD]).f1 == 1


def test_single_texts_are_a_pair_whatever_their_ids() -> None:
    assert score([GOLD], [replace(GOLD, id="mine")]).f1 == 1


def test_texts_without_a_prediction_are_named() -> None:
    gold = [linked(id=f"s{number}") for number in range(8)]
    with pytest.raises(InputError, match=r"prediction lacks documents 's1', .*'s5' and 2 more"):
        score(gold, gold[:1])


def test_predictions_for_other_texts_are_named() -> None:
    with pytest.raises(InputError, match="the gold lacks document 's2'"):
        score([GOLD], [GOLD, linked(id="s2")])


def test_repeated_ids_are_refused() -> None:
    with pytest.raises(InputError, match="the prediction has two documents called 's1'"):
        score([GOLD], [GOLD, GOLD])


def test_a_text_that_differs_is_refused_with_the_place() -> None:
    with pytest.raises(InputError, match=r"text 's1' differs from character 4 on: .*'libre"):
        score([GOLD], [linked(text=TEXT.replace("free", "libre", 1))])


def test_a_mention_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match=r"the prediction has a mention at 4\.\.4"):
        score([GOLD], [linked(replace(FREE, end=4))])


def test_no_gold_is_an_error() -> None:
    with pytest.raises(EmptyInput):
        score([], [])


def test_json_holds_fractions_and_how_they_were_made() -> None:
    plain = score([GOLD], [linked(FREE)], threshold=0.25).to_json()
    assert (plain["precision"], plain["recall"], plain["f1"]) == (1, 1 / 3, 1 / 2)
    assert plain["detection"]["f1"] == 1 / 2
    assert plain["linking"] == {"accuracy": 1, "right": 1, "mentions": 1}
    assert plain["counts"] == {"right": 1, "predicted": 1, "found": 1, "gold": 3}
    assert plain["signature"].startswith("mentions|match:strong|nil:ignore|threshold:0.25|n:1|")
