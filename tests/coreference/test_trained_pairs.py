"""What the trained resolver is told of two words, and of the words around a head."""

from __future__ import annotations

import numpy as np
import pytest

from tatian.coreference.models.network import NOT_BELOW, OFFSETS, span_input
from tatian.coreference.models.pairs import PAIR, codes, name_keys, pair_features
from tatian.coreference.words import RELATION, Analysis, Text

from .trained_samples import CAPTAIN, COOKS, analysis, sample

NAMES = sample(
    "Ada/PROPN/nsubj/2 Holt/PROPN/flat/0 met/VERB/root/-1 Peter/PROPN/obj/2 Holt/PROPN/flat/3",
    names=[(0, 2, "PER"), (3, 5, "PER")],
)
ORDER = (
    "lemma word phrase same_name shares_name within_name overlap same_type other_type same_gender "
    "other_sex human_thing same_number other_number same_person other_person same_pronoun "
    "pronoun_to_other other_to_pronoun name_to_noun noun_to_name the indefinite this same_sentence "
    "hangs_on carries apposition predicate siblings covers covered subjects subject"
).split()


def features_of(given: Analysis, anaphor: int, antecedent: int) -> dict[str, float]:
    """The features of one pair that are not zero."""
    rows = codes(Text(given))
    features, _, _ = pair_features(rows[anaphor], rows[antecedent], np)
    return {name: float(one) for name, one in zip(ORDER, features, strict=True) if one}


def test_there_are_as_many_features_as_the_weights_have() -> None:
    rows = codes(Text(CAPTAIN))
    assert len(pair_features(rows[:, None], rows[None], np)[0]) == PAIR == len(ORDER)


def test_features_of_a_pronoun_and_a_name() -> None:
    assert features_of(CAPTAIN, 8, 0).keys() == {"pronoun_to_other", "subjects", "subject"}


def test_features_of_names_that_share_a_word() -> None:
    features = features_of(NAMES, 3, 0)
    assert features["shares_name"] == 1
    assert features["overlap"] == 0.5
    assert "within_name" not in features
    assert "same_name" not in features
    assert features["same_type"] == 1


def test_an_apposition_is_attached_to_its_antecedent() -> None:
    features = features_of(CAPTAIN, 5, 0)
    assert {"hangs_on", "apposition", "the", "noun_to_name", "covered"} <= features.keys()


def test_genders_that_differ_are_a_feature() -> None:
    features = features_of(analysis("he she", tags=["PRON", "PRON"]), 1, 0)
    assert {"other_sex", "same_person", "same_number"} <= features.keys()


def test_a_predicate_knows_its_subject() -> None:
    given = sample(
        "Ada/PROPN/nsubj/3 is/AUX/cop/3 the/DET/det/3 mayor/NOUN/root/-1 ./PUNCT/punct/3"
    )
    assert "predicate" in features_of(given, 3, 0)


def test_arguments_of_one_verb_are_siblings() -> None:
    assert "siblings" in features_of(CAPTAIN, 10, 8)
    assert "siblings" not in features_of(COOKS, 3, 2)


def test_sentences_between_are_counted_and_never_negative() -> None:
    rows = codes(Text(CAPTAIN))
    _, between, kinds = pair_features(rows[:, None], rows[None], np)
    assert between[8, 0] == 1
    assert between[0, 8] == 0
    assert kinds[8, 0] == 2 * 3 + 0
    assert kinds[5, 8] == 1 * 3 + 2


def test_titles_and_initials_are_no_keys_of_a_name() -> None:
    text = Text(analysis("Mr. J Holt", names=[(0, 3, "PER")]))
    assert name_keys(text, 0) == ["holt"]


@pytest.mark.parametrize("head", range(8))
def test_span_features_are_relative_to_the_head(head: int) -> None:
    given = span_input(Text(CAPTAIN), np.array([head]))
    assert given.words.tolist() == [list(range(8))]
    assert given.features[0, head, 3] == 1
    assert given.offsets[0, head] == OFFSETS // 2


def test_words_below_a_head_have_the_relation_of_their_branch() -> None:
    given = span_input(Text(CAPTAIN), np.array([0]))
    flat, appos = RELATION["flat"], RELATION["appos"]
    assert given.via.tolist() == [[NOT_BELOW, flat, *[appos] * 5, NOT_BELOW]]


def test_heads_of_sentences_of_different_length_are_padded() -> None:
    given = span_input(Text(CAPTAIN), np.array([0, 10]))
    assert given.real.sum(1).tolist() == [8, 3]
    assert given.words[1, :3].tolist() == [8, 9, 10]
    assert not given.features[1, 3:].any()


def test_span_input_accepts_no_heads() -> None:
    assert span_input(Text(CAPTAIN), np.zeros(0, np.int64)).words.shape == (0, 0)
