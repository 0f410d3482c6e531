"""Coverage, faithfulness and redundancy counted from content words (the union paper, §5.1)."""

import importlib
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.union.data import read
from tatian.union.metrics import estimate
from tatian.union.metrics.estimates import MISSING, REPEATED, UNFAITHFUL, Estimate, FoundWord
from tatian.union.metrics.wording import likeness, wording

STORE = "The fire has destroyed a large section of the store and fire crews are on the scene."
STREET = "A FIRE has badly damaged the Waitrose supermarket in Wellington's High Street."
UNION = (
    "The fire has destroyed a large section of the Waitrose supermarket in Wellington's High "
    "Street and fire crews are on the scene."
)
words = st.lists(
    st.sampled_from("fire Fire crews crew 12 twelve the of Waitrose U.S. store ran runs".split()),
    max_size=12,
).map(" ".join)


@pytest.fixture
def fitting(monkeypatch):
    """The benchmark that fits the weights."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benchmarks"))
    return importlib.import_module("union_estimates")


def texts(found):
    return [one.text for one in found]


def found(*texts):
    return tuple(FoundWord(0, len(text), text, 1.0) for text in texts)


def test_the_formulas_are_those_of_the_paper():
    whole = Estimate(8, missing=found("a", "b"), unfaithful=found("c"), repeated=found("d", "e"))
    assert whole.coverage == 8 / (8 + 2)
    assert whole.faithfulness == 1 - 1 / 8
    assert whole.redundancy == 1 - 2 / 8


def test_a_good_union_has_nothing_amiss():
    whole = estimate([STORE, STREET], UNION)
    assert (texts(whole.missing), texts(whole.unfaithful), texts(whole.repeated)) == ([], [], [])
    assert whole.total == 12


def test_words_of_a_lost_clause_are_missing_with_their_places():
    lost = estimate([STORE, STREET], "A fire has destroyed a large section of the store.")
    assert {"Waitrose", "Wellington", "Street"} <= set(texts(lost.missing))
    for word in lost.missing:
        assert [STORE, STREET][word.sentence][word.start : word.end] == word.text


def test_more_specific_words_are_not_missing():
    assert "store" not in texts(estimate([STORE, STREET], UNION).missing)


def test_shared_content_is_missing_once():
    lost = estimate(["Twelve people died in Halverne.", "Halverne mourns twelve."], "People died.")
    assert texts(lost.missing).count("Halverne") == 1
    assert len([word for word in lost.missing if word.text.lower() == "twelve"]) == 1


def test_a_name_no_source_has_is_unfaithful():
    assert texts(estimate([STORE, STREET], UNION + " Tesco").unfaithful) == ["Tesco"]


def test_a_sentence_put_in_twice_is_repeated():
    twice = estimate([STORE, STREET], f"{STREET} {UNION}")
    assert {"Waitrose", "supermarket", "High", "Street"} <= set(texts(twice.repeated))
    assert twice.redundancy < 0.8


def test_a_word_that_a_source_has_twice_may_come_twice():
    assert estimate([STORE, STREET], UNION).repeated == ()
    assert UNION.lower().count("fire") == 2


@pytest.mark.parametrize(
    ("source", "union"),
    [
        ("Twelve people died.", "12 people died."),
        ("The World Health Organization warned.", "The WHO warned."),
        ("U.S. troops left.", "United States troops left."),
        ("A polygamist was charged.", "He was charged with polygamy."),
        ("It rained in the US.", "It rained in the United States."),
        ("They met yesterday.", "They met on Monday."),
        ("Armstrong's rider won.", "The rider of Armstrong won."),
    ],
)
def test_content_in_another_form_is_not_missing(source, union):
    assert estimate([source], union).missing == ()


def test_another_number_is_missing():
    assert texts(estimate(["It cost 13 million."], "It cost 12 million.").missing) == ["13"]


def test_another_day_is_missing():
    lost = estimate(["They met on Tuesday in Rome."], "They met on Monday in Rome.")
    assert texts(lost.missing) == ["Tuesday"]


def test_an_empty_union_covers_nothing_and_an_empty_source_asks_nothing():
    assert estimate([STORE], "").coverage == 0
    assert estimate([""], "").coverage == 1
    assert estimate([], "Fire.").total == 1


@given(words)
def test_a_union_of_one_sentence_with_itself_has_nothing_amiss(text):
    whole = estimate([text], text)
    assert (whole.coverage, whole.faithfulness, whole.redundancy) == (1, 1, 1)


@given(words, words)
def test_concatenation_covers_everything_faithfully(first, second):
    whole = estimate([first, second], f"{first} {second}")
    assert (whole.coverage, whole.faithfulness) == (1, 1)


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_measured_and_every_word_stands_where_it_is_said_to(first, second, union):
    whole = estimate([first, second], union)
    for word in whole.missing:
        assert [first, second][word.sentence][word.start : word.end] == word.text
    for word in (*whole.unfaithful, *whole.repeated):
        assert union[word.start : word.end] == word.text
    for value in (whole.coverage, whole.faithfulness, whole.redundancy):
        assert 0 <= value <= 1
    assert whole.expected.repeated <= whole.total


def test_words_near_in_meaning_are_near_and_others_are_not():
    near = likeness(wording("robbers"), wording("thieves tables"))
    assert near[0].tolist()[0] == 1
    assert likeness(wording("killed"), wording("murdered tables"))[0, 0] > 0.5
    assert likeness(wording("killed"), wording("murdered tables"))[0, 1] < 0.3


def test_without_the_encoder_it_still_counts(tmp_path):
    program = (
        "from tatian.union.metrics import estimate\n"
        "found = estimate(['Fire crews came late.'], 'Fire crews came.')\n"
        "print(found.total, [one.text for one in found.missing])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={"TATIAN_WEIGHTS": str(tmp_path)},
        check=True,
    )
    assert done.stdout == "3 ['late']\n"


def test_estimate_takes_little_time():
    estimate([STORE, STREET], UNION)
    begun = time.process_time()
    for _ in range(50):
        estimate([STORE, STREET], UNION)
    assert (time.process_time() - begun) / 50 < 0.005


@pytest.mark.long
@pytest.mark.data
def test_references_are_nearly_as_good_as_the_authors_found_theirs(union_data):
    """By hand 98.3% coverage, 99.8% faithfulness and 99.8% redundancy, on a sample of 100."""
    found = [estimate(one.sentences, one.merged) for one in read(union_data / "eval.csv")]
    total = sum(one.total for one in found)
    missing = sum(len(one.missing) for one in found)
    assert total / (total + missing) == pytest.approx(0.983, abs=0.01)
    assert 1 - sum(len(one.unfaithful) for one in found) / total == pytest.approx(0.998, abs=0.005)
    assert 1 - sum(len(one.repeated) for one in found) / total == pytest.approx(0.998, abs=0.01)


@pytest.mark.long
@pytest.mark.data
@pytest.mark.parametrize(
    ("weights", "spoilt", "least"),
    [
        (MISSING, "missing_examples", 0.85),
        (UNFAITHFUL, "unfaithful_examples", 0.7),
        (REPEATED, "repeated_examples", 0.92),
    ],
)
def test_weights_distinguish_damaged_unions(union_data, fitting, weights, spoilt, least):
    some = read(union_data / "eval.csv")[::3]
    assert fitting.area(weights, list(getattr(fitting, spoilt)(some))) > least


@pytest.mark.long
@pytest.mark.data
def test_fitting_again_finds_weights_like_those_in_use(union_data, fitting):
    again = fitting.fit(list(fitting.repeated_examples(read(union_data / "train.csv")[:150])))
    kept = dict(zip(REPEATED.signs, again.signs, strict=True))
    assert all(one * other > 0 for one, other in kept.items() if abs(one) > 1)
