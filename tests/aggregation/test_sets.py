"""Which entities of a text are worth naming together."""

from __future__ import annotations

import re

import pytest

from tatian.aggregation.sets import LISTED_WEIGHT, find_nameable
from tatian.errors import LayerMissing
from tatian.text import (
    CHAINS,
    SENTENCES,
    TOKENS,
    WORDS,
    Chain,
    Document,
    Mention,
    Word,
    split,
    tokenize,
)


def document(text: str, **types: str) -> Document:
    """A text in which every word given is a name of the type given; lower case makes no name."""
    chains = []
    for name, type in types.items():
        found = [match.span() for match in re.finditer(rf"\b{name}\b", text)]
        mentions = tuple(Mention(start, end, type) for start, end in found)
        chains.append(Chain(name, mentions, type))
    made = Document("d", text).with_layer(CHAINS, chains, "test")
    return made.with_layer(SENTENCES, split(text), "test")


def sets(made: Document) -> list[tuple[str, ...]]:
    return [one.entities.names for one in find_nameable(made)]


def test_an_enumeration_is_a_set() -> None:
    made = document("Ann, Bob and Cid left.", Ann="PER", Bob="PER", Cid="PER")
    (found,) = find_nameable(made)
    assert found.entities.names == ("Ann", "Bob", "Cid")
    assert found.reasons == ("listed together",)
    assert found.score == LISTED_WEIGHT


def test_a_plural_referring_to_a_list_raises_its_score() -> None:
    made = document("Ann and Bob left. They ran.", Ann="PER", Bob="PER", They="")
    (found,) = find_nameable(made)
    assert found.score > LISTED_WEIGHT
    assert "taken up by a plural" in found.reasons


def test_a_list_of_different_types_is_no_set() -> None:
    assert sets(document("Ann and Paris left.", Ann="PER", Paris="LOC")) == []


def test_names_without_a_conjunction_are_no_list() -> None:
    assert sets(document("He left Lyon, Rhone.", Lyon="LOC", Rhone="LOC")) == []


def test_a_list_goes_on_as_long_as_conjunctions_do() -> None:
    made = document("Ann and Bob and Cid left.", Ann="PER", Bob="PER", Cid="PER")
    assert sets(made) == [("Ann", "Bob", "Cid")]


def test_after_a_closed_list_another_begins() -> None:
    made = document("Ann and Bob, Cid and Dan left.", Ann="PER", Bob="PER", Cid="PER", Dan="PER")
    assert sorted(sets(made)) == [("Ann", "Bob"), ("Cid", "Dan")]


def test_a_name_inside_a_name_is_no_member() -> None:
    text = "Ann Lee and Bob left."
    chains = [
        Chain("piece", (Mention(0, 3, "PER"),), "PER"),
        Chain("ann", (Mention(0, 7, "PER"),), "PER"),
        Chain("bob", (Mention(12, 15, "PER"),), "PER"),
    ]
    made = Document("d", text).with_layer(CHAINS, chains, "test")
    assert sets(made.with_layer(SENTENCES, split(text), "test")) == [("Ann Lee", "Bob")]


def test_the_end_of_a_longer_list_is_no_list() -> None:
    made = document("Mayors, Ann and Bob left.", Ann="PER", Bob="PER")
    assert sets(made) == [("Ann", "Bob")]
    heads = [(5, "nsubj"), (2, "punct"), (0, "conj"), (4, "cc"), (0, "conj"), (-1, "root")]
    words = [Word(at, "X", "", head, relation) for at, (head, relation) in enumerate(heads)]
    parsed = made.with_layer(TOKENS, tokenize(made.text), "test").with_layer(WORDS, words, "test")
    assert sets(parsed) == []


def test_given_types_take_precedence() -> None:
    made = document("Ann and Bob left.", Ann="PER", Bob="ORG")
    assert sets(made) == []
    (found,) = find_nameable(made, types={"Bob": "PER"})
    assert (found.entities.names, found.entities.type) == (("Ann", "Bob"), "PER")


def test_subjects_of_neighbouring_sentences_are_parallel() -> None:
    made = document("Ann said no. Bob said yes.", Ann="PER", Bob="PER")
    (found,) = find_nameable(made)
    assert found.reasons == ("parallel mentions (first)",)


def test_sentences_that_are_apart_are_not_parallel() -> None:
    assert sets(document("Ann said no. It rained. Bob said yes.", Ann="PER", Bob="PER")) == []


def test_entities_in_two_shared_sentences_are_a_set() -> None:
    text = "Then Ann met Bob. It rained. Later Bob saw Ann."
    (found,) = find_nameable(document(text, Ann="PER", Bob="PER"))
    assert found.reasons == ("shared sentences",)


def test_more_signs_give_a_higher_score() -> None:
    text = "Ann and Bob left. Later Bob saw Ann."
    (found,) = find_nameable(document(text, Ann="PER", Bob="PER"))
    assert set(found.reasons) == {"listed together", "shared sentences"}
    assert found.score > LISTED_WEIGHT


def test_a_set_has_at_most_six_members() -> None:
    names = ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay", "Gus"]
    text = f"{', '.join(names[:-1])} and {names[-1]} left."
    assert sets(document(text, **dict.fromkeys(names, "PER"))) == []


def test_entity_listed_twice_is_no_set() -> None:
    assert sets(document("Ann and Ann left.", Ann="PER")) == []


def test_namesakes_are_no_set() -> None:
    made = document("Ann and Bob left.", Ann="PER", Bob="PER")
    first, second = made.get(CHAINS)
    text = "Ann and Ann left."
    chains = [first, Chain(second.id, (Mention(8, 11, "PER"),), "PER")]
    twice = Document("d", text).with_layer(CHAINS, chains, "test")
    assert sets(twice.with_layer(SENTENCES, split(text), "test")) == []


def test_a_plural_of_another_number_does_not_refer_to_a_list() -> None:
    text = "Ann and Bob left. The three ran."
    chains = [*document(text, Ann="PER", Bob="PER").get(CHAINS)]
    chains.append(Chain("three", (Mention(18, 27),)))
    made = Document("d", text).with_layer(CHAINS, chains, "test")
    (found,) = find_nameable(made.with_layer(SENTENCES, split(text), "test"))
    assert found.reasons == ("listed together",)


def test_sets_below_the_least_score_are_left_out() -> None:
    made = document("Ann said no. Bob said yes.", Ann="PER", Bob="PER")
    assert find_nameable(made, least=0.5) == ()


def test_the_best_set_comes_first_with_the_sentences_that_show_it() -> None:
    text = "Ann said no. Bob said yes. It is Lyon and Nice."
    made = document(text, Ann="PER", Bob="PER", Lyon="LOC", Nice="LOC")
    first, second = find_nameable(made)
    assert first.entities.type == "LOC"
    assert first.span.of(text) == "It is Lyon and Nice."
    assert second.span.of(text) == "Ann said no. Bob said yes."


def test_a_document_without_chains_is_an_error() -> None:
    with pytest.raises(LayerMissing):
        find_nameable(Document("d", "Ann and Bob left."))


def test_an_empty_document_has_no_sets() -> None:
    assert sets(document("")) == []
