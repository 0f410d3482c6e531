"""Text as a recogniser of speech would give it."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tatian.errors import InputError
from tatian.formats.links import build_document, evaluated_parts, links_of
from tatian.mentions.speech import (
    RecognitionRates,
    garble,
    homophones,
    number_words,
    simulate,
    spell_acronym,
    split_in_two,
)
from tatian.text import Link, Span

SPEECH = 'Refugees left the U.K. in 1889; "open-source" tools, 3.5% of 21st century ones, help.'


def speak(text: str, seed: int = 1, **rates: float) -> str:
    """A text with only the given things happening to it."""
    return simulate(
        build_document("t", text), replace(RecognitionRates.none(), **rates), seed=seed
    ).text.text


def test_rates_of_0_change_nothing() -> None:
    assert speak(SPEECH + "  \n ") == SPEECH + "  \n "


def test_case_is_lost() -> None:
    assert speak(SPEECH, case=1) == SPEECH.lower()


def test_stops_and_other_marks_are_lost_apart() -> None:
    assert speak('He said: "no, thanks (really)."', stops=1) == 'He said: "no thanks (really)"'
    assert speak('He said: "no, thanks (really)."', marks=1) == "He said no, thanks really."


def test_a_lost_mark_between_words_leaves_a_blank() -> None:
    assert speak("open-source and/or free", marks=1) == "open source and or free"


def test_acronyms_are_spelt_with_underscores() -> None:
    assert speak("The UK and the U.S. left NATO", acronyms=1) == "The u_k and the u_s left NATO"


def test_numbers_are_said_in_words() -> None:
    assert speak("In 1889, 3.5% won", numbers=1) == (
        "In eighteen eighty nine, three point five percent won"
    )


def test_words_are_replaced_by_homophones() -> None:
    assert speak("weather", homophones=1) == "whether"


def test_a_word_can_be_recognised_as_a_phrase() -> None:
    assert speak("refugees", homophones=1) == "refute these"


def test_words_are_dropped_with_their_blank() -> None:
    assert speak("all of it", dropped=1) == ""
    heard = {speak("one two three four five six", seed, dropped=0.4) for seed in range(20)}
    assert all("  " not in one for one in heard)
    assert len(heard) > 5


def test_long_words_are_split_now_and_then_with_a_stop() -> None:
    heard = {speak("monarchy", seed, split=1) for seed in range(40)}
    assert all(re.fullmatch(r"\w{2,}\.? \w{2,}", one) for one in heard)
    assert any(". " in one for one in heard)


def test_words_are_run_together() -> None:
    assert speak("turned away from", merged=1) == "turnedawayfrom"


def test_stray_periods_are_inserted_between_words() -> None:
    assert speak("turned away from", stray=1) == "turned. away. from"


def test_fillers_are_inserted_before_words() -> None:
    assert re.fullmatch(r"(uh|um|you know|i mean) yes", speak("yes", fillers=1))


def test_letters_are_misheard() -> None:
    heard = speak("table", garbled=1)
    assert heard != "table"
    assert len(heard) == 5


def test_a_transcript_keeps_stops_and_words() -> None:
    found = simulate(build_document("t", SPEECH), RecognitionRates.transcript()).text.text
    assert found == (
        "refugees left the u.k. in eighteen eighty nine open source tools, three point five "
        "percent of twenty first century ones, help."
    )


def test_simulation_depends_on_the_seed() -> None:
    text = build_document("t", SPEECH * 5)
    assert simulate(text, seed=3) == simulate(text, seed=3)
    assert simulate(text, seed=3).text.text != simulate(text, seed=4).text.text


def test_the_simulation_of_a_text_does_not_depend_on_earlier_texts() -> None:
    texts = [build_document(str(number), SPEECH) for number in range(3)]
    alone = simulate(texts[2]).text.text
    assert [simulate(text) for text in texts][2].text.text == alone


def test_a_rate_outside_0_to_1_is_refused() -> None:
    with pytest.raises(InputError, match="the rate 'split' must lie between 0 and 1, not 2"):
        RecognitionRates(split=2)


def test_mentions_have_correct_offsets() -> None:
    start = SPEECH.index("U.K.")
    text = build_document("t", SPEECH, (Link(start, start + 4),))
    heard = simulate(text).text
    assert [one.of(heard.text) for one in links_of(heard)] == ["u_k"]


def test_evaluated_parts_are_where_they_truly_are() -> None:
    text = build_document("t", "In the UK, now.", evaluated=(Span(7, 10), Span(14, 15)))
    found = simulate(text, replace(RecognitionRates.none(), acronyms=1, stops=1)).text
    assert [part.of(found.text) for part in evaluated_parts(found)] == ["", "u_k"]


def test_a_mention_that_was_dropped_has_vanished() -> None:
    text = build_document("t", "cats", (Link(0, 4),))
    found = simulate(text, replace(RecognitionRates.none(), dropped=1))
    assert (links_of(found.text), found.vanished) == ((), links_of(text))


rates = st.builds(
    RecognitionRates, *[st.sampled_from([0.0, 0.3, 1.0])] * len(RecognitionRates.__struct_fields__)
)


@given(st.text(max_size=60), rates, st.integers(0, 5))
def test_characters_are_mapped_in_order_inside_the_new_text(
    text: str, chosen: RecognitionRates, seed: int
) -> None:
    found = simulate(build_document("t", text), chosen, seed=seed)
    places = [place for place in found.places if place]
    assert len(found.places) == len(text)
    assert places == sorted(places)
    assert all(0 <= start < end <= len(found.text.text) for start, end in places)


@given(st.text("aBc dE,.", max_size=40), st.integers(0, 5))
def test_characters_that_are_only_lowered_map_one_to_one(text: str, seed: int) -> None:
    chosen = replace(RecognitionRates.none(), case=1.0, stops=0.5, merged=0.5, dropped=0.2)
    found = simulate(build_document("t", text), chosen, seed=seed)
    for letter, place in zip(text, found.places, strict=True):
        if place:
            assert found.text.text[slice(*place)] == letter.lower()


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("0", "zero"),
        ("13", "thirteen"),
        ("42", "forty two"),
        ("100", "one hundred"),
        ("215", "two hundred and fifteen"),
        ("1,000", "one thousand"),
        ("1,000,001", "one million one"),
        ("1905", "nineteen oh five"),
        ("1900", "nineteen hundred"),
        ("2020", "two thousand twenty"),
        ("1990s", "nineteen nineties"),
        ("3.14", "three point one four"),
        ("21st", "twenty first"),
        ("12th", "twelfth"),
        ("20th", "twentieth"),
        ("cat", None),
        ("1" * 19, None),
    ],
)
def test_number_words_spell_out_numbers(written: str, words: str | None) -> None:
    assert number_words(written) == words


@given(st.integers(0, 10**15 - 1))
def test_all_numbers_have_words(value: int) -> None:
    assert re.fullmatch(r"[a-z]+( [a-z]+)*", number_words(str(value)) or "")


@pytest.mark.parametrize(
    ("written", "heard"), [("UK", "u_k"), ("U.S.A.", "u_s_a"), ("NATO", None), ("Cat", None)]
)
def test_acronyms_are_spelt_out(written: str, heard: str | None) -> None:
    assert spell_acronym(written) == heard


def test_homophones_are_symmetric_and_irreflexive() -> None:
    table = homophones()
    assert len(table) > 500
    for word, others in table.items():
        assert word not in others
        assert all(word in table[other] for other in others if " " not in other)


def test_short_words_are_not_split() -> None:
    assert split_in_two("cat", Random(1)) is None


def test_words_without_near_sounds_are_not_garbled() -> None:
    assert garble("hhh", Random(1)) is None


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("$120", "one hundred and twenty dollars"),
        ("$5 million", "five million dollars"),
        ("\u20ac30", "thirty euros"),
        ("$1", "one dollar"),
        ("\u00a33.50", "three pounds and fifty pence"),
        ("$1.5bn", "one point five billion dollars"),
        ("$1889", "one thousand eight hundred and eighty nine dollars"),
    ],
)
def test_amounts_are_said_with_their_currency(written: str, words: str) -> None:
    assert speak(f"It cost {written}.", numbers=1) == f"It cost {words}."
    assert speak(f"It cost {written}.") == f"It cost {written}."


def test_an_amount_behind_letters_is_a_word_of_its_own() -> None:
    assert speak("US$20", numbers=1) == "US twenty dollars"


def test_a_sign_that_is_not_said_is_a_mark() -> None:
    assert speak("only $20", marks=1) == "only 20"


def test_periods_after_dropped_words_follow_the_output_before_them() -> None:
    heard = {speak("One, two, three four. Five?", seed, dropped=0.5) for seed in range(60)}
    assert "One, four." in heard
    assert not any(re.search(r"^[.,?]|\s[.,?]|[.,?]\s*[.,?]", one) for one in heard)
