"""The metrics of sentence unions, against the standard implementation and the paper."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis import analysers
from tatian.errors import EmptyInput, InputError
from tatian.scoring.compression import compression_rate
from tatian.union.data import UnionInstance, read
from tatian.union.generate import generate
from tatian.union.metrics import ROUGE, content_words, rouge, score

ODD = [
    "",
    "  \n",
    ".",
    "İstanbul",
    "naïve Straße ﬁre ǅ K",
    "漢字 🎉",
    "don't x_y ١٢ ²",
    "\ufeffThe Dying lies",
    "a\u0301b\x00c",
    "running runs ran RUNNING",
]


@cache
def scorer():
    from rouge_score import rouge_scorer  # Takes a second or two.

    return rouge_scorer.RougeScorer(list(ROUGE), use_stemmer=True)


def standard(reference, prediction):
    return {name: one.fmeasure for name, one in scorer().score(reference, prediction).items()}


def gold(*unions):
    return [
        UnionInstance(str(i), ("Fire crews came late.", "Crews came."), u)
        for i, u in enumerate(unions)
    ]


@given(
    st.text(st.sampled_from("abinges AS'-.é1\n"), max_size=60),
    st.text(st.sampled_from("abinges AS'-.é1\n"), max_size=60),
)
def test_rouge_equals_the_standard_implementation(reference, prediction):
    assert rouge([(reference, prediction)]) == [standard(reference, prediction)]


@given(st.text(max_size=40), st.text(max_size=40))
def test_rouge_equals_the_standard_implementation_on_any_text(reference, prediction):
    assert rouge([(reference, prediction)]) == [standard(reference, prediction)]


def test_rouge_equals_the_standard_implementation_on_odd_text():
    pairs = [(reference, prediction) for reference in ODD for prediction in ODD]
    assert rouge(pairs) == [standard(*pair) for pair in pairs]


@pytest.mark.long
@pytest.mark.data
def test_rouge_equals_the_standard_implementation_on_the_dataset(union_data):
    pairs = [
        (one.merged, prediction)
        for one in read(union_data / "eval.csv")
        for prediction in (*one.sentences, " ".join(one.sentences))
    ]
    assert rouge(pairs) == [standard(*pair) for pair in pairs]


@pytest.mark.long
@pytest.mark.data
@pytest.mark.parametrize(
    ("model", "expected"),
    [("longer", (87.1, 80.7, 85.5, 32, 32)), ("concatenation", (83.0, 77.1, 71.6, -69, 69))],
)
def test_floors_on_eval_are_the_known_ones(union_data, model, expected):
    instances = read(union_data / "eval.csv")
    scores = score(instances, list(generate(instances, model, prepare=analysers.create().analyze)))
    names = (*ROUGE, "delta_cr", "delta_cr_abs")
    digits = (1, 1, 1, 0, 0)
    found = [round(100 * scores[n].value, d) for n, d in zip(names, digits, strict=True)]
    assert found == list(expected)


def test_content_words_leave_out_stop_words_and_punctuation():
    words = content_words("It wasn't the Army's 2-year plan, he can’t say.")
    assert words == ["army", "2", "year", "plan", "say"]


def test_union_as_long_as_the_longer_sentence_is_fully_compressed():
    assert compression_rate(["Fire crews came late.", "Crews came."], "Fire crews came late.") == 1


def test_concatenation_is_not_compressed():
    sentences = ["Fire crews came late.", "Crews came."]
    assert compression_rate(sentences, " ".join(sentences)) == 0


def test_compression_counts_content_words():
    union = "The fire crews, which were there, came late and died."
    assert compression_rate(["Fire crews came late.", "The crews died."], union) == 0.5


def test_compression_of_many_sentences_counts_all_but_the_longest():
    sentences = ["Red fire came.", "Red fire.", "Blue fire."]
    assert compression_rate(sentences, "Red blue fire came.") == 1 - 1 / 4


def test_compression_is_defined_for_sentences_without_content():
    assert compression_rate(["Red fire.", "It was."], "Red fire.") == 1
    assert compression_rate(["It was."], "") == 1


def test_perfect_unions_score_one_and_differ_by_nothing():
    instances = gold("Fire crews came late.", "Late crews came.")
    scores = score(instances, instances)
    assert {name: one.value for name, one in scores.items()} == {
        "rouge1": 1,
        "rouge2": 1,
        "rougeL": 1,
        "delta_cr": 0,
        "delta_cr_abs": 0,
    }


def test_difference_is_positive_when_the_prediction_is_shorter():
    scores = score(gold("Fire crews came late."), gold("Crews came."))
    assert scores["delta_cr"].value == 1
    assert score(gold("Crews came."), gold("Fire crews came late."))["delta_cr"].value == -1


def test_absolute_difference_does_not_cancel():
    scores = score(gold("Crews came.", "Crews came late."), gold("Crews came late.", "Crews came."))
    assert scores["delta_cr"].value == 0
    assert scores["delta_cr_abs"].value == 0.5


def test_scores_carry_errors_ids_and_a_signature():
    found = score(gold("Crews came.", "Crews late."), gold("Crews.", "Crews late."))["rouge1"]
    assert found.standard_error > 0
    assert found.ids == ("0", "1")
    assert str(found.signature).startswith("rouge1|stem:porter|measure:f|n:2|")


def test_signature_depends_on_the_gold_data_only():
    one, other = gold("Crews came."), gold("Crews.")
    first, second = score(one, other)["rouge1"], score(one, one)["rouge1"]
    assert first.signature == second.signature
    assert score(other, other)["rouge1"].signature.data != first.signature.data


def test_an_absent_prediction_scores_zero():
    assert score(gold("Crews came."), gold(None))["rouge1"].value == 0


def test_wrong_number_of_predictions_is_refused():
    with pytest.raises(InputError, match="predictions: 1, gold instances: 2"):
        score(gold("a", "b"), gold("a"))


def test_predictions_for_other_sentences_are_named():
    other = [UnionInstance("x", ("Something else.", "Entirely."), "a")]
    with pytest.raises(InputError, match=r"prediction 1 \('x'\) is about other sentences"):
        score(gold("a"), other)


def test_gold_without_a_union_is_named():
    with pytest.raises(InputError, match=r"gold instance 1 \('0'\) has no merged sentence"):
        score(gold(None), gold("a"))


def test_scoring_nothing_is_an_error():
    with pytest.raises(EmptyInput):
        score([], [])
