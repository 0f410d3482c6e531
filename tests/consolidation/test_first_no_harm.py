"""Whole stories in which a rule could drop or tear what no other source says."""

from __future__ import annotations

import pytest

import tatian
from tatian.analysis.installed import unavailable
from tatian.text import Document, Metadata

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")

Source = tuple[str, str, str]
CRASH = "A bus fell into a ravine near Halden on Monday, killing four people. The road was closed."


def consolidated(*sources: Source) -> str:
    """The text of sources with a name, a date and a text each."""
    documents = [Document(n, text, Metadata(source=n, date=day)) for n, day, text in sources]
    return tatian.consolidate(documents).text


def test_brief_block_with_the_only_name_stays() -> None:
    wire = (
        "A cyclist was killed by a lorry in Halden on Monday evening. The driver, who was not "
        "hurt, was taken to a police station. The road was closed for three hours, police said."
    )
    post = "Cyclist Ola Berg was killed by a lorry."
    text = consolidated(("Wire", "2024-05-06", wire), ("Post", "2024-05-07", post))
    assert "Ola Berg" in text


def test_list_without_a_verb_is_no_headline() -> None:
    dead = (
        "The dead: Anna Berg, 34, a nurse from Halden; Tom Rusk, 40, a baker from Lune; Ida Holm, "
        "9, a pupil; Karl Moe, 71, a priest from Skag"
    )
    assert dead in consolidated(("Wire", "2024-05-06", f"{CRASH}\n\n{dead}"))


def test_line_below_the_headline_with_a_statement_of_its_own_stays() -> None:
    line = "The driver had drunk a bottle of whisky before the trip, police say."
    source = f"Bus falls into ravine\n{line}\nBy Ola Berg\n\n{CRASH}"
    assert line in consolidated(("Wire", "2024-05-06", source))


def test_sentence_inside_a_quotation_is_no_caption() -> None:
    source = (
        '"I heard a bang and ran to the door.\nThen the roof came down on my brother\n"He did not '
        'survive," said Ola Berg, who lives in Halden. The house burned down on Monday.'
    )
    assert "on my brother" in consolidated(("Wire", "2024-05-06", source))


def test_title_of_a_couple_gets_no_first_name() -> None:
    source = (
        "Ann Rusk, a teacher, won the lottery of Halden on Monday. Mr and Ms Rusk left Halden the "
        "same evening."
    )
    assert "Mr and Ms Rusk" in consolidated(("Wire", "2024-05-06", source))


def test_note_stands_before_a_day_after() -> None:
    wire = "The death toll of the quake in Halden rose to 12 a day after the quake."
    post = "In Halden the death toll rose to 13 a day after the quake, the mayor said."
    text = consolidated(("Wire", "2024-05-07", wire), ("Post", "2024-05-07", post))
    assert "13 (12 according to Wire) a day after" in text


def test_age_that_grows_by_two_in_a_day_is_a_conflict() -> None:
    wire = "Ann Dale, 40, was elected mayor of Halden on Friday. She was born in the town."
    post = "Ann Dale, 42, was elected mayor of Halden on Friday."
    text = consolidated(("Wire", "2021-12-31", wire), ("Post", "2022-01-01", post))
    assert "42 according to Post" in text


def test_remark_that_tells_two_publishers_apart_stays() -> None:
    wire = "A fire at a mill in Halden killed 12 people on Monday, the mayor said."
    late = "A fire at a mill in Halden on Monday killed 15 people, the mayor said."
    text = consolidated(("Wire (am)", "2024-05-06", wire), ("Wire (pm)", "2024-05-06", late))
    assert "according to Wire (" in text
