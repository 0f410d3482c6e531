"""From a task and rankings to figures: means, groups, intervals, tests, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from tatian.aggregation.data.records import Instance
from tatian.aggregation.metrics import RankingScores, score
from tatian.aggregation.metrics.ablation import ablations, only, results
from tatian.errors import EmptyInput, InputError

PHRASES = ("cities", "poets", "rivers")


def instance(id: str, *entities: str, type: str = "location", gold: str = "cities") -> Instance:
    named = entities or ("Lisbon", "Porto")
    return Instance(id, named, type, aggregations=(gold,), candidates=PHRASES)


def ranking(*phrases: str) -> list[tuple[str, float]]:
    return [(phrase, float(-place)) for place, phrase in enumerate(phrases)]


RIGHT = ranking("cities", "poets", "rivers")
WRONG = ranking("poets", "rivers", "cities")
TASK = [
    instance("a"),
    instance("b", "Ada Lovelace", "Mary Shelley", "Jane Austen", type="person", gold="poets"),
    instance("c", "Duero", "Tagus", gold="rivers"),
]
RANKED = {"a": RIGHT, "b": RIGHT, "c": RIGHT}


@pytest.fixture
def scores() -> RankingScores:
    return score(TASK, RANKED, train=[instance("t", "LISBON", "Ada  lovelace")])


def test_means_are_over_instances(scores: RankingScores) -> None:
    assert scores.value("map") == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert scores.value("mrr") == scores.value("map")
    assert scores.value("r@10") == 1
    assert scores.metrics == ("map", "r@10", "mrr")


def test_groups_by_type_and_number_of_entities(scores: RankingScores) -> None:
    assert {name: part.value("map") for name, part in scores.by("type").items()} == {
        "location": pytest.approx(2 / 3),
        "person": 1 / 2,
    }
    assert {name: len(part.ids) for name, part in scores.by("size").items()} == {
        "2": 2,
        "3": 1,
    }


def test_numbers_of_entities_come_in_order() -> None:
    names = [f"place {number}" for number in range(10)]
    task = [instance("ten", *names), instance("two")]
    found = score(task, {"ten": RIGHT, "two": RIGHT})
    assert list(found.by("size")) == ["2", "10"]


def test_seen_are_instances_that_share_any_entity_with_training_whatever_its_case(
    scores: RankingScores,
) -> None:
    groups = scores.by("seen")
    assert {name: list(part.ids) for name, part in groups.items()} == {
        "seen": ["a", "b"],
        "unseen": ["c"],
    }


def test_seen_needs_training_instances() -> None:
    with pytest.raises(InputError, match="training instances are needed"):
        score(TASK, RANKED).by("seen")


def test_worst_instances_come_first(scores: RankingScores) -> None:
    assert scores.worst(2) == ("c", "b")


def test_plain_data_holds_fractions_and_intervals(scores: RankingScores) -> None:
    plain = scores.to_json()
    assert plain["map"] == scores["map"].value
    assert set(plain["intervals"]) == {"map", "r@10", "mrr"}
    assert plain["instances"] == 3
    assert plain["signature"].startswith("aggregation|ties:expected|n:3|data:")


@pytest.mark.parametrize(
    ("ranked", "message"),
    [
        ({"a": RIGHT, "b": RIGHT}, "without an answer: 'c'"),
        ({}, "without an answer: 'a' and 2 more"),
        ({**RANKED, "d": RIGHT}, "that the task does not have: 'd'"),
        ({**RANKED, "b": ranking("cities", "poets")}, "'b': candidates that are not ranked: 'riv"),
        ({**RANKED, "b": ranking(*PHRASES, "seas")}, "ranked phrases that are no candidates: 'sea"),
        ({**RANKED, "b": ranking(*PHRASES, "cities")}, "'b': 'cities' is ranked twice"),
        ({**RANKED, "b": [("poets", math.nan), *RIGHT[::2]]}, "'poets' is not a number"),
        ({**RANKED, "b": RIGHT[::-1]}, "'poets' has a higher score than the one ranked above"),
    ],
)
def test_rankings_that_do_not_fit_the_task_are_refused(
    ranked: dict[str, list[tuple[str, float]]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        score(TASK, ranked)


def test_likelihoods_of_zero_may_be_minus_infinity() -> None:
    ranked = [("cities", -1.0), ("poets", -math.inf), ("rivers", -math.inf)]
    assert score(TASK[:1], {"a": ranked}).value("map") == 1


def test_a_task_without_instances_is_refused() -> None:
    with pytest.raises(EmptyInput, match="no instances"):
        score([], {})


def test_two_instances_of_one_id_are_refused() -> None:
    with pytest.raises(InputError, match="two instances of the task have the id 'a'"):
        score([TASK[0], TASK[0]], {"a": RIGHT})


def test_instances_without_gold_or_candidates_are_refused() -> None:
    bare = Instance("a", ("Lisbon", "Porto"), "location")
    with pytest.raises(InputError, match="'a': candidates: none; aggregations: none"):
        score([bare], {"a": []})


def score_many(ranked: Sequence[tuple[str, float]], count: int = 30) -> RankingScores:
    task = [instance(f"i{number}") for number in range(count)]
    return score(task, {one.id: ranked for one in task})


def test_the_table_of_results_has_the_papers_columns() -> None:
    table = results({"Ours": score_many(RIGHT), "Theirs": score_many(WRONG)})
    assert [column.name for column in table.columns] == ["Method", "MAP", "R@10", "MRR"]
    ours, theirs = table.format_cells()
    assert [cell.text for cell in ours] == ["Ours", "1.000", "1.000", "1.000"]
    assert [cell.text for cell in theirs] == ["Theirs", "0.333", "1.000", "0.333"]
    assert [cell.bold for cell in ours] == [False, True, True, True]
    assert [cell.mark for cell in theirs] == ["", "†", "", "†"]


def test_single_system_has_no_significance_marks() -> None:
    ((_, *figures),) = results({"Ours": score_many(WRONG)}).format_cells()
    assert {cell.mark for cell in figures} == {""}


def test_the_table_of_ablations_shows_losses_beside_the_full_figure() -> None:
    table = ablations({"Ours": {"all": score_many(RIGHT), "entities": score_many(WRONG)}})
    assert [column.name for column in table.columns] == [
        "Method",
        "context, entities",
        "info., entities",
        "entities",
    ]
    (row,) = table.format_cells()
    assert [cell.text for cell in row] == ["Ours (1.000)", "–", "–", "-0.667"]


def test_ablations_need_the_full_system() -> None:
    with pytest.raises(InputError, match="'Ours' is there with parts of its input only"):
        ablations({"Ours": {"entities": score_many(WRONG)}})


def test_inputs_are_left_out_as_in_the_paper() -> None:
    whole = Instance(
        "a", ("Lisbon", "Porto"), "location", "Title", "Text.", {"Porto": "A city."}, ("cities",)
    )
    seen = {
        name: [bool(part) for part in (one.title, one.context, one.background, one.entities)]
        for name in ("all", "context", "background", "entities")
        if (one := only(whole, name))
    }
    assert seen == {
        "all": [True, True, True, True],
        "context": [True, True, False, True],
        "background": [False, False, True, True],
        "entities": [False, False, False, True],
    }
