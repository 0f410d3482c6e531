"""Several systems in one table, with tests between them."""

import json

import pytest

from tatian.errors import InputError
from tatian.scoring.comparison import MARK, compare_systems
from tatian.statistics import paired_bootstrap
from tatian.union.data import UnionInstance
from tatian.union.metrics import NOVEL, QUICK, ROUGE, compare

PAIR = ("A ferry ran aground in fog.", "A ferry ran aground near Halverne at night.")
GOLD = "A ferry ran aground near Halverne at night in fog."


def unions(text, items=12):
    return [UnionInstance(str(number), PAIR, text) for number in range(items)]


def varied(*texts):
    return [UnionInstance(str(n), PAIR, texts[n % len(texts)]) for n in range(12)]


SYSTEMS = {
    "bad": unions("Fog."),
    "good": varied(GOLD, "A ferry ran aground near Halverne in fog."),
    "same": varied("A ferry ran aground near Halverne in fog.", GOLD),
}


@pytest.fixture(scope="module")
def found():
    return compare(unions(GOLD), SYSTEMS, QUICK)


def test_systems_are_rows_and_metrics_columns(found):
    table = found.table("Union")
    assert [column.name for column in table.columns] == [
        "system",
        "ROUGE-1",
        "ROUGE-2",
        "ROUGE-L",
        "ΔCR",
        "|ΔCR|",
    ]
    assert [row[0] for row in table.rows] == ["bad", "good", "same"]


def test_each_metric_is_tested_against_its_best_system(found):
    rouge = [test for test in found.tests if test.metric == "rouge1"]
    assert {test.baseline for test in rouge} == {"good"}
    assert {test.system for test in rouge} == {"bad", "same"}


def test_only_significant_differences_are_marked(found):
    marked = {row[0].text: row[1].mark for row in found.table().format_cells()}
    assert marked == {"bad": MARK, "good": "", "same": ""}


def test_the_best_is_the_largest_the_smallest_or_the_nearest_to_zero(found):
    for metric in ("delta_cr", "delta_cr_abs"):
        assert {test.baseline for test in found.tests if test.metric == metric} == {"good"}


def test_a_baseline_may_be_chosen():
    found = compare(unions(GOLD), SYSTEMS, ROUGE, baseline="bad")
    assert {test.baseline for test in found.tests} == {"bad"}
    assert "differs from 'bad'" in found.note


def test_p_values_are_corrected_for_the_number_of_systems(found):
    for test in found.tests:
        assert test.p_value >= test.comparison.p_value
    first = next(one for one in found.tests if (one.metric, one.system) == ("rouge1", "bad"))
    assert first.p_value == pytest.approx(2 * first.comparison.p_value)


def test_tests_are_the_paired_ones_of_statistics(found):
    test = next(one for one in found.tests if one.metric == "rouge1")
    scores = found.systems
    assert test.comparison == paired_bootstrap(
        scores[test.system]["rouge1"], scores[test.baseline]["rouge1"]
    )


def test_randomization_may_be_asked_for():
    found = compare(unions(GOLD), SYSTEMS, ROUGE, test="randomization")
    assert found.tests[0].comparison.method == "approximate randomization"
    assert "approximate randomization" in found.note


def test_novelty_has_no_best_and_so_no_tests():
    assert compare(unions(GOLD), SYSTEMS, NOVEL).tests == ()


def test_single_system_is_shown_without_tests():
    found = compare(unions(GOLD), {"good": SYSTEMS["good"]}, QUICK)
    assert found.tests == ()
    assert found.note == "per cent ± standard error over 12 items"


def test_json_has_scores_and_tests(found):
    plain = json.loads(json.dumps(found.to_json()))
    assert set(plain["systems"]) == set(SYSTEMS)
    assert plain["systems"]["good"]["rouge1"]["value"] == found.systems["good"]["rouge1"].value
    assert plain["tests"][0].keys() == {
        "metric",
        "system",
        "baseline",
        "difference",
        "p_value",
        "p_corrected",
        "significant",
    }


def test_custom_columns_precede_the_metrics(found):
    from tatian.statistics import Column

    table = found.table("", {"bad": [1.5], "good": [2.5], "same": [None]}, Column("judged"))
    assert [column.name for column in table.columns][:2] == ["system", "judged"]
    assert table.rows[1][1] == 2.5


def test_an_unknown_baseline_lists_the_systems():
    with pytest.raises(InputError, match="no system 'best' to compare with: there are bad, good"):
        compare(unions(GOLD), SYSTEMS, ROUGE, baseline="best")


def test_nothing_to_compare_is_an_error():
    with pytest.raises(InputError, match="no systems"):
        compare_systems({}, {})
