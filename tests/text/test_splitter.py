"""The splitter: ends of sentences in news, web and speech, and the layout of the text."""

from __future__ import annotations

import textwrap
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.text import split, tokenize
from tatian.text.splitter import MAX_SENTENCE_TOKENS, split_tokens

TEXTS = st.text(st.sampled_from("aB1 .?!\n\r\"'”)[]…:-\t\ufeff👍"), max_size=120)


def cut(text: str) -> list[str]:
    return [sentence.of(text) for sentence in split(text)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["He left.", "She stayed.", "Did it rain?", "Yes!"],
        ["Mr. Smith met Gen. Jones on Jan. 5.", "They talked."],
        ["Acme Inc. bought J. P. Smith's firm for $3.5 million.", "It was cheap."],
        ["He moved to the U.S. in 1999.", "He left the U.S.", "The end."],
        ["It opens at 9 a.m. Monday.", "It closes at 5 p.m.", "We go home."],
        ["We met in St. Louis.", "He lives on Main St.", "The house is red."],
    ],
)
def test_abbreviations_do_not_end_sentences_unless_one_ends_there(sentences: list[str]) -> None:
    assert cut(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["The wind fell.", "By 7 a.m. Harbour Master Lund had reopened the quay.", "Boats left."],
        ["Nobody slept.", "At 11:40 p.m. I heard a shot."],
        ["Shortly after 3 p.m. The Beacon came in.", "At exactly 6:12 p.m. Inspector Voss called."],
        ["Between 2 a.m. and 4 a.m. Rangers searched the shore.", "Rain began."],
        ["On Tuesday, March 3, at about 9.15 p.m. Mayor Odile Renn spoke.", "People left."],
        ["“At 5 a.m. Father rose,” she said.", "He was late."],
        ["12.5 p.m. Train halted at Wick.", "12.20 p.m. Train left."],
        ["Polls close at 8 p.m. Pacific time.", "It rose at 4 a.m. Greenwich Mean Time."],
    ],
)
def test_a_clock_time_that_opens_a_sentence_stays_with_it(sentences: list[str]) -> None:
    assert cut(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["The shop shut at 9 p.m.", "At 10 p.m. Ann left."],
        ["They landed at 6:12 p.m.", "Captain Orr went ashore."],
        ["The vote began at 10 a.m.", "This time it passed."],
    ],
)
def test_a_clock_time_at_the_end_of_a_sentence_ends_it(sentences: list[str]) -> None:
    assert cut(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ['He said "No."', "Then he left."],
        ["“Are you sure?” she asked.", "“Yes.”"],
        ['"Stop!" Mr. Smith cried.', "Nobody stopped."],
        ["(It rained.)", "We stayed in (it was cold).", "Then we left."],
        ["It is known. [3] [4]", "He died in 2014."],
        ["That was fun! :)", "Thanks."],
    ],
)
def test_quotes_brackets_and_notes_stay_with_their_sentence(sentences: list[str]) -> None:
    joined = " ".join(sentences).replace("Smith cried", "Smith asked")
    assert cut(joined) == [one.replace("Smith cried", "Smith asked") for one in sentences]


@pytest.mark.parametrize(
    "sentence",
    [
        "I wonder ... maybe not.",
        "Well… perhaps.",
        "It rose 3.5 percent to 1.25 dollars.",
        "Visit www.example.com or write to a@b.org today.",
        "2. Methods and results",
    ],
)
def test_points_inside_a_sentence_do_not_end_it(sentence: str) -> None:
    assert cut(sentence) == [sentence]


def test_careless_web_text_without_capitals_is_split() -> None:
    assert cut("i went there. it was great!! go now") == [
        "i went there.",
        "it was great!!",
        "go now",
    ]


def test_missing_blank_after_a_full_stop_ends_the_sentence() -> None:
    assert cut("It ended.Then they left.") == ["It ended.", "Then they left."]


@pytest.mark.parametrize("gap", ["\n\n", "\r\n\r\n", "\n \t\n", "\r\r", "\u2029", "\n\n\n"])
def test_a_blank_line_ends_a_sentence_without_a_stop(gap: str) -> None:
    assert cut(f"Army chief resigns{gap}The secretary left.") == [
        "Army chief resigns",
        "The secretary left.",
    ]


WRAPPED = textwrap.fill(
    "The secretary of the army, Francis Harvey, resigned on Friday after a scandal over the "
    "treatment of soldiers at Walter Reed Hospital in Washington. The president accepted. He will "
    "be replaced by Pete Geren, a man from Fort Worth who knows Washington.",
    72,
)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_hard_wrapped_lines_do_not_end_sentences(newline: str) -> None:
    found = cut(WRAPPED.replace("\n", newline))
    assert [one.split()[0] for one in found] == ["The", "The", "He"]


def test_a_line_with_room_for_the_next_word_was_ended_on_purpose() -> None:
    text = f"Army chief resigns\n{WRAPPED}"
    assert cut(text)[0] == "Army chief resigns"


def test_each_line_of_a_list_is_a_sentence() -> None:
    assert cut("Milk\nBread and butter\nEggs") == ["Milk", "Bread and butter", "Eggs"]


SPEECH = (
    "so we looked at this question and i think that the government should not pay for it because "
    "people can decide for themselves and they know what is good for them and we believe that "
    "markets work better than ministries in almost every field that we have seen so far in this "
    "country and there is no reason to think that this one is different from all the others"
)


def test_speech_without_punctuation_is_cut_before_new_clauses() -> None:
    found = cut(SPEECH)
    assert len(found) > 2
    assert all(10 < len(one.split()) <= 40 for one in found)
    assert {one.split()[0] for one in found[1:]} <= {"and", "because", "so", "they", "there", "we"}


def test_each_line_of_speech_without_punctuation_is_a_sentence() -> None:
    lines = [
        "we think the state should not pay for this at all",
        "thank you",
        SPEECH.split(" and ")[0],
    ]
    assert cut("\n".join(lines)) == lines


def test_sentences_do_not_exceed_the_limit() -> None:
    text = "one, two; " * 5_000
    assert all(len(tokenize(one)) <= MAX_SENTENCE_TOKENS for one in cut(text))


def test_ruled_lines_and_lists_of_addresses_are_cut() -> None:
    assert cut("Bye ===== Next") == ["Bye", "=====", "Next"]
    assert cut("http://a.org http://b.org") == ["http://a.org", "http://b.org"]


@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff", "\x00"])
def test_a_blank_text_has_no_sentences(text: str) -> None:
    assert split(text) == []


@given(TEXTS)
def test_sentences_hold_every_token_exactly_once_in_order(text: str) -> None:
    tokens = tokenize(text)
    sentences = split_tokens(text, tokens)
    assert all(a.end <= b.start for a, b in pairwise(sentences))
    assert [t for s in sentences for t in tokens if s.contains(t)] == tokens


@given(TEXTS)
def test_sentences_begin_and_end_with_a_token(text: str) -> None:
    tokens = tokenize(text)
    starts, ends = {t.start for t in tokens}, {t.end for t in tokens}
    assert all(s.start in starts and s.end in ends for s in split(text))


def test_shillings_and_pence_end_no_sentence() -> None:
    text = "They earned 4d. an hour and 2s. 6d. a day. Boys got 3d. Girls got less."
    assert [sentence.of(text) for sentence in split(text)] == [
        "They earned 4d. an hour and 2s. 6d. a day.",
        "Boys got 3d.",
        "Girls got less.",
    ]
