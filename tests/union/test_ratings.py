"""Judges' ratings: read from records and tables, averaged, held against metrics."""

import json

import msgspec
import pytest

from tatian.errors import EmptyInput, InputError
from tatian.statistics import Score, kendall_tau
from tatian.text import Authorship
from tatian.text.layers import Record
from tatian.union.annotation import UnionJudgement
from tatian.union.ratings import (
    Rating,
    SideBySide,
    agreement,
    correlation_table,
    correlations,
    human_score_table,
    human_scores,
    merge_ratings,
    parse,
)

CSV = """item,system,judge,coverage,faithfulness,redundancy,fluency
1,a,ann,4,4,4,5
1,b,ann,2,4,3,4
2,a,ann,3,4,4,5
2,b,ann,1,4,4,4
"""
ANN = Authorship(by="ann", kind="person")


def lines(*records):
    return "".join(msgspec.json.encode(record).decode() + "\n" for record in records)


def record(id, item, replaces=None, **systems):
    answer = SideBySide({name: UnionJudgement(*values) for name, values in systems.items()})
    return Record(id, "union.judge", item, ANN, answer, replaces)


def test_a_table_is_read():
    assert parse(CSV)[1] == Rating("1", "b", "ann", 2, 4, 3, 4)
    assert len(parse("\ufeff" + CSV)) == 4


def test_records_of_judges_who_saw_all_systems_are_read():
    text = lines(record("r1", "1", a=(4, 4, 4, 5), b=(2, 4, 3, 4)))
    assert parse(text) == parse(CSV)[:2]


def test_a_record_of_one_union_names_its_system_in_the_item():
    text = lines(Record("r1", "union.judge", "1@a", ANN, UnionJudgement(4, 4, 4, 5)))
    assert parse(text) == parse(CSV)[:1]


def test_a_corrected_record_no_longer_counts():
    text = lines(
        record("r1", "1", a=(1, 1, 1, 1)), record("r2", "1", replaces="r1", a=(4, 4, 4, 5))
    )
    assert parse(text) == parse(CSV)[:1]


def test_criteria_asked_one_at_a_time_come_together():
    apart = parse("item,system,judge,coverage,fluency\n1,a,ann,4,\n1,a,ann,,5\n")
    assert merge_ratings(apart) == [Rating("1", "a", "ann", coverage=4, fluency=5)]


def test_repeated_ratings_are_merged_and_conflicting_ones_refused():
    assert len(merge_ratings(parse(CSV) * 2)) == 4
    with pytest.raises(InputError, match="'ann' gave item '1' of system 'a' two different"):
        merge_ratings([Rating("1", "a", "ann", coverage=4), Rating("1", "a", "ann", coverage=3)])


def test_consolidation_and_the_lowest_score_need_all_three():
    assert Rating("1", "a", "", 2, 4, 3).consolidation == 3
    assert Rating("1", "a", "", 2, 4, 3).lowest == 2
    assert Rating("1", "a", "", 2, 4).consolidation is None
    assert Rating("1", "a", "", 2, 4).lowest is None


def test_systems_have_means_with_standard_errors():
    found = human_scores(parse(CSV))
    assert list(found) == ["a", "b"]
    assert found["a"].scores["coverage"].value == 3.5
    assert found["a"].scores["coverage"].standard_error == pytest.approx(0.5)
    assert found["b"].scores["consolidation"].value == 3
    assert found["b"].scores["fluency"].value == 4


def test_judges_of_one_item_are_averaged_before_items():
    text = CSV + "1,a,ben,2,4,4,5\n"
    assert human_scores(parse(text))["a"].scores["coverage"].values == (3, 3)


def test_lowest_scores_are_counted_and_shared_out():
    found = human_scores(parse(CSV))["b"]
    assert found.lowest == {1: 1, 2: 1, 3: 0, 4: 0}
    assert found.shares == {1: 0.5, 2: 0.5, 3: 0, 4: 0}


def test_the_table_has_the_columns_of_the_paper():
    table = human_score_table(human_scores(parse(CSV)))
    assert [column.name for column in table.columns] == [
        "system",
        "coverage",
        "faithfulness",
        "redundancy",
        "consolidation",
        "fluency",
        "lowest 4",
        "lowest 3",
        "lowest 2",
        "lowest 1",
    ]


def test_unrated_criteria_have_no_column():
    table = human_score_table(human_scores(parse("item,system,coverage\n1,a,4\n2,a,3\n")))
    assert [column.name for column in table.columns][:3] == ["system", "coverage", "lowest 4"]
    assert table.rows[0][2] is None


def test_agreement_is_measured_where_two_judges_met():
    text = CSV + "1,a,ben,4,4,4,5\n1,b,ben,2,4,3,3\n"
    found = agreement(parse(text))
    assert found["coverage"] == 1
    assert found["fluency"] < 1
    assert agreement(parse(CSV)) == {}


def test_metrics_are_correlated_with_judges_over_all_rated_unions():
    scores = {
        "a": {"rouge1": Score.of("rouge1", [0.9, 0.8], ids=["1", "2"])},
        "b": {"rouge1": Score.of("rouge1", [0.6, 0.7], ids=["1", "2"])},
    }
    found = correlations(parse(CSV), scores)["rouge1"]
    assert found["coverage"] == kendall_tau([0.9, 0.8, 0.6, 0.7], [4, 3, 2, 1])
    assert found["consolidation"].items == 4
    table = correlation_table({"rouge1": found})
    assert table.rows[0][0] == "rouge1"
    assert table.rows[0][1].value == found["coverage"].tau


def test_only_items_with_a_rating_count():
    scores = {"a": {"rouge1": Score.of("rouge1", [0.9, 0.5, 0.1], ids=["1", "x", "2"])}}
    assert correlations(parse(CSV), scores)["rouge1"]["coverage"].items == 2


def test_systems_nobody_rated_are_named():
    scores = {"c": {"rouge1": Score.of("rouge1", [0.9], ids=["1"])}}
    with pytest.raises(InputError, match=r"both scored \(c\) and rated \(a, b\)"):
        correlations(parse(CSV), scores)


def test_ids_that_never_meet_are_an_error():
    scores = {"a": {"rouge1": Score.of("rouge1", [0.9, 0.8], ids=["x", "y"])}}
    with pytest.raises(InputError, match="rated and scored items have no ids in common"):
        correlations(parse(CSV), scores)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,judge\n1,ann\n", "f:1: expected the columns item, system, judge, coverage"),
        ("item,system,coverage\n1,a,5\n", "f:2: coverage is rated from 1 to 4, not 5"),
        ("item,system,coverage\n1,a,good\n", "f:2: invalid literal"),
        ("{}\n", "f:1: Object missing required field 'id'"),
        (
            json.dumps({"id": "r", "task": "t", "item": "1", "made": {"by": "a"}, "answer": {}}),
            "f:1: ",
        ),
        (
            lines(Record("r", "t", "1", ANN, UnionJudgement(4, 4, 4, 4))),
            "f:1: item '1' has no system: expected PAIR@SYSTEM",
        ),
        (lines(record("r", "1", a=(1, 1, 1, 1))) * 2, "f:2: duplicate record id 'r'"),
    ],
)
def test_bad_ratings_are_named_by_file_and_line(text, message):
    with pytest.raises(InputError) as caught:
        parse(text, path="f")
    assert str(caught.value).startswith(message)


def test_a_file_without_ratings_is_an_error():
    with pytest.raises(EmptyInput, match="no ratings"):
        parse("item,system,coverage\n")
