"""Names, dates and amounts as wholes (3.2, 4.1), and the units they are found by."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.coreference.analysis import analyse
from tatian.coreference.definition.units import is_suffix, is_title, units
from tatian.text import Document

from .check_samples import found, strings


@pytest.mark.parametrize(
    ("marked", "string"),
    [
        ("Equitable of [a|Iowa] Cos. said it would move to [a|Iowa].", "Iowa"),
        ("Shares of Bank of [a|Boston] Corp. fell.", "Boston"),
        ("It was sold on January 5, [a|1995], early [a|this year^year].", "1995"),
        ("He came on [a|May] 3, 2001.", "May"),
        ("He paid [a|3] million dollars.", "3"),
        ("[a|Reuters] Holding PLC grew.", "Reuters"),
        ("[a|New York] Times reporters met.", "New York"),
    ],
)
def test_no_part_of_a_name_or_date_is_markable(marked: str, string: str) -> None:
    assert strings("part-of-name", marked) == [string]


@pytest.mark.parametrize(
    "marked",
    [
        "The [a|London]-based company left [a|London].",
        "It was sold to [a|Reuters Holding PLC] in May. [a|Reuters] was pleased.",
        "[a|Equitable of Iowa Cos.] said [a|it] would open an office in [b|Iowa].",
        "He came on [a|May 3, 2001] with [b|3 million dollars]. In [c|2001] he left.",
        "The [a|Ford] spokesman praised [b|Ford]'s plans.",
    ],
)
def test_whole_names_and_names_before_nouns_may_be_marked(marked: str) -> None:
    assert found(marked) == []


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("He met Frederick F. Fernwhistle Jr. there.", "Frederick F. Fernwhistle Jr."),
        ("Herr Dr. Georg Rath spoke.", "Georg Rath"),
        ("The Penn Central Co., which ran a railroad, closed.", "Penn Central Co."),
        ("Equitable of Iowa Cos. rose.", "Equitable of Iowa Cos."),
        ("It happened on December 7, 1941, in the morning.", "December 7, 1941"),
        ("It happened on 7 December 1941.", "7 December 1941"),
        ("She paid $1.2 million in cash.", "$1.2 million"),
        ("It cost 40,000 francs.", "40,000 francs"),
        ("He has 20% of the shares.", "20%"),
        ("He has 2.5 per cent of them.", "2.5 per cent"),
    ],
)
def test_units_have_their_suffix_and_no_title(text: str, unit: str) -> None:
    assert [one.of(text) for one in units(analyse(Document("d", text)))] == [unit]


def test_a_month_alone_is_a_word_like_any_other() -> None:
    text = "They may go in May, and march on."
    assert [one.kind for one in units(analyse(Document("d", text)))] == []


@given(st.text(alphabet="May 123, $%.JrCorp\n", max_size=40))
def test_units_lie_in_order_and_apart(text: str) -> None:
    found = units(analyse(Document("d", text)))
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(one.of(text).strip() for one in found)


@pytest.mark.parametrize("word", ["Jr.", "III", "Corp.", "PLC", "Cos."])
def test_suffixes_of_names_are_recognised(word: str) -> None:
    assert is_suffix(word)
    assert not is_suffix(word.lower())


@pytest.mark.parametrize(("word", "expected"), [("Mr.", True), ("Herr", True), ("Jr.", False)])
def test_titles_are_recognised(word: str, expected: bool) -> None:
    assert is_title(word) is expected
