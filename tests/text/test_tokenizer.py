"""The tokenizer: treebank conventions, exact offsets, every character once, linear time."""

from __future__ import annotations

import re
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.text import tokenize
from tatian.text.tokenizer import BLANK

AWKWARD = st.text(
    st.one_of(
        st.sampled_from("aZé9.,;:!?'’\"“”()[]-–—/@#$%&*_+=<>~ \t\r\n…\u0301\u200d\ufeff\x00👍🇬🇧"),
        st.characters(),
    ),
    max_size=80,
)


def cut(text: str) -> str:
    return "|".join(token.text for token in tokenize(text))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("I don't, can't and won't.", "I|do|n't|,|ca|n't|and|wo|n't|."),
        (
            "He's, we're, I've, she'll, they'd, I'm",
            "He|'s|,|we|'re|,|I|'ve|,|she|'ll|,|they|'d|,|I|'m",
        ),
        ("It’s Bush’s; it isn’t", "It|’s|Bush|’s|;|it|is|n’t"),
        ("the parents' house", "the|parents|'|house"),
        (
            "We cannot; they're gonna, I wanna, gotta",
            "We|can|not|;|they|'re|gon|na|,|I|wan|na|,|got|ta",
        ),
        ("dont thats", "do|nt|that|s"),
        ("five o'clock with O'Connor", "five|o'clock|with|O'Connor"),
    ],
)
def test_clitics_are_separate_tokens(text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (
            "a well-known state-of-the-art 15-year plan",
            "a|well|-|known|state|-|of|-|the|-|art|15|-|year|plan",
        ),
        ("a non-profit's e-mail in mid-July", "a|non-profit|'s|e-mail|in|mid-July"),
        ("twenty-one", "twenty|-|one"),
        ("U.S.-led", "U.S.|-|led"),
    ],
)
def test_hyphenated_words_are_split_except_after_a_prefix(text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("$5.50, US$1,000 or £3m", "$|5.50|,|US$|1,000|or|£|3|m"),
        ("3.14% on 9/11 at 10:30", "3.14|%|on|9/11|at|10:30"),
        ("5pm, 430km but 20th, 1980s and 4G", "5|pm|,|430|km|but|20th|,|1980s|and|4G"),
        ("call 713-853-3989 or 555-0199", "call|713-853-3989|or|555-0199"),
        ("on 2004-11-17", "on|2004-11-17"),
        ("2-3 times, 1776-77", "2|-|3|times|,|1776|-|77"),
        ("No. 5 and pp. 3", "No.|5|and|pp.|3"),
    ],
)
def test_numbers_keep_their_points_and_lose_their_units(text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Mr. Smith met Gen. J. R. Jones", "Mr.|Smith|met|Gen.|J.|R.|Jones"),
        ("in the U.S. and the U.K., e.g. there", "in|the|U.S.|and|the|U.K.|,|e.g.|there"),
        ("a Ph.D. student at 5 p.m. Monday", "a|Ph.D.|student|at|5|p.m.|Monday"),
        ("Acme Inc. said (Acme Corp.)", "Acme|Inc.|said|(|Acme|Corp|.|)"),
        ("in St. Louis on Jan. 5", "in|St.|Louis|on|Jan.|5"),
    ],
)
def test_a_stop_belongs_to_its_abbreviation(text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("He lives in the U.S.", "He|lives|in|the|U.S|."),
        ("He left the U.S. The end", "He|left|the|U.S|.|The|end"),
        ("at 5 p.m. He left", "at|5|p.m|.|He|left"),
        ("He sat. She said no. Then", "He|sat|.|She|said|no|.|Then"),
        ("So do I. Then", "So|do|I|.|Then"),
        ("works at Acme Inc.\n\nNews", "works|at|Acme|Inc|.|News"),
    ],
)
def test_a_stop_that_also_ends_the_sentence_stands_alone(text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("see http://a.org/b?c=d&e. Or", "see|http://a.org/b?c=d&e|.|Or"),
        ("(www.example.com/x)", "(|www.example.com/x|)"),
        ("mail a.b+c@example.co.uk, please", "mail|a.b+c@example.co.uk|,|please"),
        ("on example.com and report.pdf", "on|example.com|and|report.pdf"),
        ("@user says #hashtag", "@user|says|#hashtag"),
    ],
)
def test_addresses_stay_whole_without_the_punctuation_after_them(text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Wait... what?! No!!!", "Wait|...|what|?!|No|!!!"),
        ("well -- yes", "well|--|yes"),
        ("“Yes,” he said ‘so’ \"no\" ``a''", "“|Yes|,|”|he|said|‘|so|’|\"|no|\"|``|a|''"),
        ("(a) [b] {c}", "(|a|)|[|b|]|{|c|}"),
        ("and/or", "and|/|or"),
        ("great :) thanks ;-) <3", "great|:)|thanks|;-)|<3"),
        ("AT&T", "AT&T"),
    ],
)
def test_punctuation_and_symbols_are_separate_tokens(text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize(
    "one", ["👩‍👩‍👧", "👍🏽", "🇬🇧", "❤️", "cafe\u0301", "naïve", "Łódź", "夏子"]
)
def test_grapheme_clusters_are_single_tokens(one: str) -> None:
    assert cut(f"x {one} y") == f"x|{one}|y"


def test_offsets_count_in_the_unchanged_text() -> None:
    text = "\ufeffOne\r\ntwo\tthree\u00a0four\x00five"
    assert [(t.text, t.start) for t in tokenize(text)] == [
        ("One", 1),
        ("two", 6),
        ("three", 10),
        ("four", 16),
        ("five", 21),
    ]


def test_part_of_a_text_keeps_the_offsets_of_the_whole() -> None:
    text = "One two three four"
    assert [(t.text, t.start) for t in tokenize(text, 4, 13)] == [("two", 4), ("three", 8)]


@given(AWKWARD)
def test_tokens_match_their_offsets_and_never_overlap(text: str) -> None:
    tokens = tokenize(text)
    assert all(token.text == token.of(text) and token.text for token in tokens)
    assert all(a.end <= b.start for a, b in pairwise(tokens))


@given(AWKWARD)
def test_every_character_that_is_not_blank_is_in_a_token(text: str) -> None:
    covered = "".join(token.text for token in tokenize(text))
    assert covered == re.sub(f"[{BLANK}]+", "", text)


@given(AWKWARD, AWKWARD)
def test_a_paragraph_is_cut_the_same_whatever_stands_before_it(before: str, text: str) -> None:
    shifted = [token.text for token in tokenize(f"{before}\n\n{text}", len(before) + 2)]
    assert shifted == [token.text for token in tokenize(text)]


@pytest.mark.parametrize(
    "unit",
    ["a", "a.", "a-", "a'", "a@", "1,", "http://", "a.com.", "(", '"', "é\u0301", "_a", ". "],
)
def test_time_is_linear_in_the_text(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        started = time.process_time()
        tokenize(text)
        return time.process_time() - started

    assert seconds(50_000) < 40 * max(seconds(5_000), 0.0025)
