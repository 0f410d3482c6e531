"""All metrics in one call: which there are, what they keep for each item."""

import pytest

from tatian.scoring.metric import METRICS
from tatian.scoring.novelty import novel_rate
from tatian.union.data import UnionInstance
from tatian.union.metrics import USUAL, estimate, score, score_references
from tatian.union.metrics.mistakes import CRITERIA

PAIR = ("A ferry ran aground in fog.", "A ferry ran aground near Halverne.")
GOLD = "A ferry ran aground near Halverne in fog."


def instances(*unions):
    return [UnionInstance(str(number), PAIR, union) for number, union in enumerate(unions)]


GOLDS = instances(GOLD, GOLD, GOLD)
SOME = instances(GOLD, "A ferry ran aground.", "A ferry and a tanker ran aground in fog.")


ALL = tuple(METRICS["union"])


@pytest.mark.parametrize("metric", ALL)
def test_a_metric_comes_alone(metric):
    assert score(GOLDS, SOME, [metric]).metrics == (metric,)


def test_the_usual_ones_come_in_the_order_of_the_table():
    assert list(score(GOLDS, SOME, USUAL)) == [
        "rouge1",
        "rouge2",
        "rougeL",
        "nli",
        "delta_cr",
        "delta_cr_abs",
        "coverage",
        "faithfulness",
        "redundancy",
    ]


def test_nli_is_one_for_the_reference_itself_and_zero_for_a_loss():
    assert score(GOLDS, SOME, ["nli"])["nli"].values[:2] == (1, 0)


def test_the_entailment_model_is_part_of_the_signature():
    signature = str(score(GOLDS, SOME, ["nli"])["nli"].signature)
    assert signature.startswith("nli|model:encoder|threshold:0.5|n:3|")


def test_estimates_add_counts_up_before_dividing():
    found = [estimate(one.sentences, one.merged) for one in SOME]
    total = sum(one.total for one in found)
    missing = sum(len(one.missing) for one in found)
    scores = score(GOLDS, SOME, CRITERIA)
    assert scores["coverage"].value == pytest.approx(total / (total + missing))
    assert scores["coverage"].values == pytest.approx([one.coverage for one in found])
    assert scores["faithfulness"].values == pytest.approx([one.faithfulness for one in found])


def test_an_absent_prediction_covers_nothing_and_says_nothing_wrong():
    scores = score(GOLDS[:1], instances(None), CRITERIA)
    assert scores["coverage"].value == 0
    assert scores["faithfulness"].value == scores["redundancy"].value == 1


def test_novel_words_pairs_and_triples_are_those_no_source_has():
    sources = ["A ferry ran aground.", "It ran in fog."]
    assert novel_rate(sources, "A ferry ran in snow.", 1) == 1 / 5
    assert novel_rate(sources, "A ferry ran in snow.", 2) == 1 / 4
    assert novel_rate(sources, "A ferry ran in snow.", 3) == 2 / 3
    assert novel_rate(sources, "A FERRY, ran aground", 3) == 0
    assert novel_rate(sources, "Ferry", 2) == 0


def test_a_slow_model_does_not_judge_the_definition_of_the_references():
    def slow(pairs):
        assert list(pairs) == []
        yield from ()

    gold = instances("A ferry ran aground off Halverne.")
    found = score_references(gold, ["rouge1", "nli", "definition"], nli_model=slow)
    assert list(found) == ["rouge1", "nli"]
    assert "definition" in score_references(gold, ["definition"])
