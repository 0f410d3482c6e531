"""The head-match baseline: equal names, equal head nouns, the nearest pronoun antecedent."""

from __future__ import annotations

import pytest

from tatian.analysis import analyze
from tatian.coreference.models.head_match import HeadMatch
from tatian.errors import InputError
from tatian.text import CHAINS


def chains(text: str, scheme: str = "ontonotes") -> list[list[str]]:
    """The chains found in a text, each as its mentions' strings."""
    found = HeadMatch(scheme).resolve(analyze(text))
    return [[one.of(found.text) for one in chain.mentions] for chain in found.get(CHAINS)]


def test_nouns_of_one_lemma_corefer_whatever_their_form() -> None:
    assert chains("The old ferry left. Two hours later the ferry sank.") == [
        ["The old ferry", "the ferry"]
    ]


def test_an_indefinite_phrase_begins_a_new_chain() -> None:
    assert chains("The ferry left. A ferry arrived. The ferry was late.") == [
        ["A ferry", "The ferry"]
    ]


def test_a_person_is_known_by_the_last_name() -> None:
    assert chains("Jonas Verrick left the room. Verrick came back.") == [
        ["Jonas Verrick", "Verrick"]
    ]


def test_places_corefer_only_by_their_whole_name() -> None:
    assert chains("Many people left New York. Many visitors came from York.") == []


def test_a_pronoun_goes_with_the_nearest_phrase_that_agrees() -> None:
    found = chains("Maria Lopez saw Peter Gray in Paris. He waved.")
    assert found == [["Peter Gray", "He"]]


def test_gender_learnt_from_a_pronoun_holds_for_the_chain() -> None:
    found = chains("Robin Hale spoke. She smiled. Then he left.")
    assert found == [["Robin Hale", "She"]]


def test_a_thing_is_not_she() -> None:
    assert chains("The report appeared in Geneva. She smiled.") == []


def test_number_must_agree() -> None:
    assert chains("The boxes stood on the table. They were empty.") == [["The boxes", "They"]]


def test_a_pronoun_looks_no_further_than_three_sentences_back() -> None:
    filler = "Rain fell. Wind blew. Snow came. Night fell. "
    assert chains(f"Peter Gray left. {filler}He slept.") == []


def test_first_persons_corefer_over_any_distance() -> None:
    found = chains("I left. Rain fell. Wind blew. Snow came. Night fell. They took my coat.")
    assert ["I", "my"] in found


def test_we_is_not_i() -> None:
    assert chains("I left. We came back.") == []


def test_an_owner_inside_a_phrase_is_not_the_phrase() -> None:
    assert chains("Peter Gray sold his house.") == [["Peter Gray", "his"]]


@pytest.mark.parametrize("scheme", ["gum", "litbank"])
def test_schemes_with_singletons_keep_phrases_alone(scheme: str) -> None:
    assert ["a red car"] in chains("Peter Gray bought a red car.", scheme)


def test_the_muc_scheme_follows_the_definition() -> None:
    found = HeadMatch().resolve(analyze("Mr. Peter Gray left. Gray came back."))
    (chain,) = found.get(CHAINS)
    assert [(one.head or one).of(found.text) for one in chain.mentions] == ["Peter Gray", "Gray"]


def test_a_closing_comma_is_no_part_of_a_mention() -> None:
    found = HeadMatch("gum").resolve(analyze("The mayor, who was tired, slept."))
    mentions = [one.of(found.text) for chain in found.get(CHAINS) for one in chain.mentions]
    assert "The mayor, who was tired" in mentions


def test_an_unknown_scheme_is_refused() -> None:
    with pytest.raises(InputError, match="choose from muc"):
        HeadMatch("ace")
