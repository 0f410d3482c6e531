"""How sure a score is, and whether one response is better than another."""

from __future__ import annotations

import pytest

import tatian
from tatian.coreference.metrics import ChainPair, score_pairs
from tatian.scoring import compare_all

KEY = [("0", ["a", "b", "c"]), ("1", ["d", "e"])]
GOOD = [("0", ["a", "b", "c"]), ("1", ["d"]), ("2", ["e"])]
BAD = [("0", ["a"]), ("1", ["b", "c", "d"])]


def scored(*responses, **options):
    pairs = [ChainPair(f"d{number}", KEY, chains) for number, chains in enumerate(responses)]
    return score_pairs(pairs, options={"match": "exact"}, **options)


def test_a_total_score_is_that_of_the_added_counts():
    found = scored(GOOD, BAD, KEY)
    for metric in found.metrics:
        whole = found.score(metric)
        assert whole.value == pytest.approx(found.rates(metric).f1)
        assert whole.standard_error is not None
        assert whole.interval.low <= whole.value <= whole.interval.high


def test_a_macro_score_is_the_mean_of_the_documents():
    found = scored(GOOD, BAD)
    mean = sum(one.f1 for one in found.each("b3")) / 2
    assert found.score("b3", "macro").value == pytest.approx(mean)
    assert found.rates("b3", "macro").f1 == pytest.approx(mean)


def test_a_signature_states_how_a_figure_was_computed():
    found = scored(GOOD, BAD, singletons=False)
    line = found.signature("macro")
    assert line.startswith("coref|match:exact|singletons:drop|average:macro|n:2|data:")
    assert line.endswith(f"|version:{tatian.__version__}")
    assert "|match:exact|singletons:drop|average:micro|n:2|bs:1000|seed:1|" in str(
        found.score("muc").signature
    )


def test_a_signature_depends_on_the_key_but_not_the_response():
    assert scored(GOOD).data == scored(BAD).data
    other = score_pairs([ChainPair("d0", BAD, GOOD)])
    assert other.data != scored(GOOD).data


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_a_significantly_better_response_is_detected(test):
    better, worse = scored(*[GOOD] * 12), scored(*[BAD] * 12)
    found = {one.metric: one for one in compare_all(better, worse, test=test)}
    assert set(found) == set(better.metrics)
    assert found["b3"].difference > 0
    assert found["b3"].p_value < 0.01


def test_scores_are_kept_for_each_document():
    found = scored(GOOD, BAD)
    assert found.ids == ("d0", "d1")
    assert found.each("muc")[0].recall == pytest.approx(2 / 3)
