"""Spotting: which phrases of a text are taken for terms, after the benchmark's guidelines."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.knowledge import dictionary as dictionary_module
from tatian.knowledge.dictionary import Dictionary
from tatian.knowledge.entities import normal_form
from tatian.mentions.spots import STOP_TERMS, Spot, extend_by_titles, spots, spots_in


def dictionary_of(terms: Iterable[str]) -> Dictionary:
    forms = sorted({form for form in map(normal_form, terms) if form})
    return Dictionary.from_terms((form, number) for number, form in enumerate(forms))


def spot_texts(text: str, *terms: str, **options: bool) -> list[str]:
    return [spot.of(text) for spot in spots(text, dictionary_of(terms), **options)]


def test_the_longest_phrase_is_spotted_and_nothing_within_it() -> None:
    assert spot_texts("He plays video games.", "video", "game", "video game") == ["video games"]


def test_phrases_do_not_overlap_and_the_left_one_wins() -> None:
    terms = ("new york", "york city council", "council")
    assert spot_texts("the New York City Council", *terms) == ["New York", "Council"]


def test_overlapping_phrases_are_returned_on_request() -> None:
    terms = ("video", "game", "video game")
    assert spot_texts("video games", *terms, longest=False) == ["video", "video games", "games"]


def test_every_occurrence_is_spotted() -> None:
    text = "Voters vote, and other voters watch the voter."
    assert spot_texts(text, "voter") == ["Voters", "voters", "voter"]


def test_a_term_written_as_the_text_has_it_is_preferred_to_its_singular() -> None:
    dictionary = Dictionary.from_terms([("customs", 1), ("custom", 2)])
    assert spots("marriage customs", dictionary) == [Spot(9, 16, 1, "exact")]


@pytest.mark.parametrize("text", ["students", "the student's book", "students' rights"])
def test_plural_and_possessive_are_the_same_term(text: str) -> None:
    assert [word.rstrip("s") for word in spot_texts(text, "student")] == ["student"]


def test_the_possessive_ending_is_no_part_of_the_spot() -> None:
    assert spot_texts("the Attorney General's office", "attorney general") == ["Attorney General"]


@pytest.mark.parametrize("word", ["first", "known", "today", "different", "numbers", "July", "he"])
def test_contentless_terms_are_not_spotted(word: str) -> None:
    assert spot_texts(f"It was {word} there.", word, "number") == []


def test_numbers_in_digits_are_not_spotted_but_names_with_digits_are() -> None:
    terms = ("1999", "3.5", "9/11", "20th century")
    assert spot_texts("1999, 3.5, 9/11 and the 20th century", *terms) == ["9/11", "20th century"]


def test_empty_stop_list_excludes_nothing() -> None:
    assert len(spots("the first 1999", dictionary_of(["the", "first", "1999"]), stop=())) == 3


def test_a_stop_word_is_not_taken_for_the_plural_of_something() -> None:
    assert "does" in STOP_TERMS
    assert spot_texts("He does it", "doe") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They told us that it works.", []),
        ("The US and the WHO said who it was.", ["US", "WHO"]),
        ("THEY TOLD US THAT IT WORKS", []),
        ("they told us that it works", []),
        ("IT is a word", ["IT"]),
    ],
)
def test_pronouns_are_never_spotted_and_acronyms_are(text: str, expected: list[str]) -> None:
    assert spot_texts(text, "us", "it", "who") == expected


@pytest.mark.parametrize(
    "text", ["HILLARY CLINTON SPOKE", "hillary clinton spoke", "Hillary Clinton spoke"]
)
def test_names_are_spotted_despite_case(text: str) -> None:
    assert spot_texts(text, "Hillary Clinton") == [text[:15]]


@pytest.mark.parametrize("term", ["UK", "U.K."])
@pytest.mark.parametrize("written", ["u_k", "u k", "U.K."])
def test_spelled_abbreviations_are_one_term_with_their_last_stop(written: str, term: str) -> None:
    assert spot_texts(f"from the {written} they came", term) == [written]


def test_a_spelled_abbreviation_is_no_pronoun() -> None:
    assert spot_texts("in the U.S. they say", "us") == ["U.S."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in the United States", ["United States"]),
        ("He read The Times and the newspaper", ["The Times", "newspaper"]),
        ("they heard the who there", ["the who"]),
    ],
)
def test_a_lower_case_article_is_not_part_of_a_name_without_one(
    text: str, expected: list[str]
) -> None:
    terms = ("the United States", "United States", "The Times", "the newspaper", "newspaper")
    assert spot_texts(text, *terms, "times", "The Who", "who") == expected


def test_initials_are_not_divided() -> None:
    assert spot_texts("the U.S. army and J.K. Rowling", "the u", "s army", "k rowling") == []


@pytest.mark.parametrize("text", ["at 3 p.m. today", "at 3 pm today", "at three p m today"])
def test_the_time_of_day_is_no_mention(text: str) -> None:
    assert spot_texts(text, "pm", "p m") == []


def test_decimal_figures_are_no_spelled_abbreviation() -> None:
    assert spot_texts("up 9.2 points", "92") == []


def test_stray_stops_of_a_recogniser_do_not_break_a_term() -> None:
    text = "the jewish. refugees were turned away"
    assert spot_texts(text, "Jewish refugees", "jewish") == ["jewish. refugees"]


def test_the_end_of_a_sentence_breaks_a_term() -> None:
    assert spot_texts("He is a king. Arthur knows.", "King Arthur") == []


def test_halves_of_compounds_are_spotted_only_where_asked_for() -> None:
    text = "French-speaking open-source fans"
    terms = ("french", "open source", "source")
    assert spot_texts(text, *terms) == ["open-source"]
    assert spot_texts(text, *terms, halves=True) == ["French", "open-source"]


def titled(text: str, *terms: str, person: str) -> list[str]:
    def is_person(spot: Spot) -> bool:
        return spot.of(text).lower() == person.lower()

    found = spots(text, dictionary_of([*terms, person]))
    return [spot.of(text) for spot in extend_by_titles(text, found, is_person)]


def test_a_name_is_marked_with_its_title() -> None:
    text = "Here US Secretary of State Hillary Clinton met students."
    found = titled(text, "US", "Secretary of State", "student", person="Hillary Clinton")
    assert found == ["US Secretary of State Hillary Clinton", "students"]


def test_titles_without_a_page_belong_to_the_name_as_well() -> None:
    assert titled("Then Attorney General Edwin Meese left.", person="Edwin Meese") == [
        "Attorney General Edwin Meese"
    ]


def test_titles_are_known_in_text_without_capitals() -> None:
    text = "then prime minister tony blair spoke"
    assert titled(text, "minister", person="tony blair") == ["prime minister tony blair"]


def test_an_occupation_in_small_letters_is_no_title_of_a_name_in_capitals() -> None:
    assert titled("The actor Tom Hanks", "actor", person="Tom Hanks") == ["actor", "Tom Hanks"]


def test_title_in_the_paragraph_before_is_not_added() -> None:
    text = "The President\n\nBill Clinton spoke"
    assert titled(text, "president", person="Bill Clinton") == ["President", "Bill Clinton"]


def test_a_title_apart_from_the_name_stays_apart() -> None:
    text = "The President, Bill Clinton, spoke"
    assert titled(text, "president", person="Bill Clinton") == ["President", "Bill Clinton"]


def test_a_name_that_ends_like_a_title_is_not_swallowed() -> None:
    text = "Billie Jean King President Bill Clinton"
    dictionary = dictionary_of(["Billie Jean King", "Bill Clinton"])
    found = extend_by_titles(text, spots(text, dictionary), lambda spot: True)
    assert [spot.of(text) for spot in found] == ["Billie Jean King", "President Bill Clinton"]


def test_the_caller_decides_which_modifiers_precede_a_title() -> None:
    text = "Apple CEO Tim Cook"
    found = spots(text, dictionary_of(["Apple", "Tim Cook"]))
    kept = extend_by_titles(text, found, lambda spot: spot.start > 0, lambda spot: False)
    assert [spot.of(text) for spot in kept] == ["Apple", "CEO Tim Cook"]


letters = st.sampled_from("abs .-,'\nBU")


@given(st.lists(st.text(letters, max_size=6), max_size=12), st.text(letters, max_size=60))
def test_spots_are_ordered_disjoint_and_have_their_text(written: list[str], text: str) -> None:
    dictionary = dictionary_of(written)
    forms = {number: form for form, number in dictionary}
    found = spots(text, dictionary, stop=())
    assert all(one.end <= other.start for one, other in pairwise(found))
    for spot in found:
        form = normal_form(spot.of(text))
        if spot.form == "exact":
            assert form == forms[spot.term]
        elif spot.form == "spelled":
            assert form.replace(" ", "") == forms[spot.term]
        else:
            assert form.startswith(forms[spot.term][:-1])


@given(st.lists(st.text(letters, max_size=6), max_size=12), st.text(letters, max_size=60))
def test_longest_phrase_at_each_start_is_chosen(written: list[str], text: str) -> None:
    dictionary = dictionary_of(written)
    every = spots(text, dictionary, longest=False, halves=True, stop=())
    longest = spots(text, dictionary, halves=True, stop=())
    ends = {spot.start: spot.end for spot in every}
    for spot in every:
        ends[spot.start] = max(ends[spot.start], spot.end)
    assert all(ends[spot.start] == spot.end for spot in longest)
    covered = [range(spot.start, spot.end) for spot in longest]
    assert all(any(spot.start in one for one in covered) for spot in every)


@given(st.lists(st.text(letters, max_size=6), max_size=8), st.text(letters, max_size=300))
def test_spots_of_long_texts_equal_those_of_their_parts(written: list[str], text: str) -> None:
    dictionary = dictionary_of(written)
    whole = spots(text, dictionary, stop=())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dictionary_module, "CHUNK", 20)
        assert spots(text, dictionary, stop=()) == whole


@given(
    st.lists(st.text(letters, max_size=6), max_size=8),
    st.lists(st.text(letters, max_size=20), max_size=6),
)
def test_spotting_many_texts_equals_spotting_each(written: list[str], texts: list[str]) -> None:
    dictionary = dictionary_of(written)
    expected = [spots(text, dictionary) for text in texts]
    assert list(spots_in(texts, dictionary)) == expected
    assert list(spots_in(iter(texts), dictionary)) == expected
