"""Examples to look at: which phrases are shown, and how gold is told from the rest."""

from __future__ import annotations

import pytest

from tatian.aggregation.data.records import Instance
from tatian.aggregation.metrics.answers import Answers, GenerationLine
from tatian.aggregation.views import (
    format_score,
    show_phrases,
    show_ranking,
    to_text,
)
from tatian.errors import InputError

PLACES = ("ports", "cities", "lakes", "states", "rivers", "hills", "towns", "seas")
INSTANCE = Instance(
    "i1",
    ("Lisbon", "Porto"),
    "location",
    title="Two Cities, <One> River",
    context="Lisbon and Porto & Portofino will tax short stays.",
    background={"Porto": "A city in Portugal."},
    aggregations=("cities", "seas"),
    candidates=PLACES,
)
RANKING = tuple((phrase, 0.9 - place / 10) for place, phrase in enumerate(PLACES))
RANKED = Answers("ranking", {"i1": RANKING})
GENERATED = Answers(
    "generation",
    generations={
        "i1": GenerationLine("i1", (("Cities", 0.5), ("places", 0.1)), (("Porto: kind city",), ()))
    },
)
SYSTEMS = {"Ranker": RANKED, "Generator": GENERATED}


def test_a_ranking_shows_the_first_six_and_the_remaining_gold() -> None:
    found = show_ranking(RANKING, INSTANCE.aggregations)
    assert [one.rank for one in found] == [1, 2, 3, 4, 5, 6, 8]
    assert [one.text for one in found if one.gold] == ["cities", "seas"]


def test_a_generation_shows_ten_and_matches_gold_as_scoring_does() -> None:
    answer = GenerationLine("i", tuple((f"phrase {n}", 0.5) for n in range(11)))
    assert len(show_phrases(answer, [])) == 10
    assert show_phrases(answer, ["Phrase 3"])[3].gold
    assert show_phrases(GenerationLine("i", (("the two cities", 1.0),)), ["cities"])[0].gold
    assert not show_phrases(GenerationLine("i", (("old cities", 1.0),)), ["cities"])[0].gold


def test_an_instance_that_a_system_did_not_answer_is_refused() -> None:
    with pytest.raises(InputError, match="instance 'i1': no answer of the system 'Ranker'"):
        to_text([INSTANCE], {"Ranker": Answers("ranking")})


def test_text_marks_gold_with_a_star_and_gaps_with_dots() -> None:
    assert to_text([INSTANCE], SYSTEMS).splitlines() == [
        "Entities  Lisbon and Porto",
        "id i1; location; gold: cities, seas",
        "  Ranker",
        "     1. ports [0.900]",
        "     2. cities* [0.800]",
        "     3. lakes [0.700]",
        "     4. states [0.600]",
        "     5. rivers [0.500]",
        "     6. hills [0.400]",
        "    …",
        "     8. seas* [0.200]",
        "  Generator",
        "     1. Cities* [0.500]",
        "     2. places [0.100]",
    ]


def test_a_terminal_shows_gold_in_bold() -> None:
    lines = to_text([INSTANCE], SYSTEMS, bold=True).splitlines()
    assert "     2. \x1b[1mcities\x1b[0m [0.800]" in lines


def test_control_characters_in_names_are_escaped() -> None:
    odd = Instance("i\x1b[2J", ("Lis\x1bbon", "Porto"), "location", aggregations=("a\x07b",))
    text = to_text([odd], {"s\x1b": Answers("ranking", {odd.id: (("a\x07b", 1.0),)})})
    assert not {"\x1b", "\x07"} & set(text)


def test_three_entities_are_joined_as_in_the_papers() -> None:
    assert "A, B and C" in to_text([Instance("i", ("A", "B", "C"), "person")], {})


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (0.9931, "0.993"),
        (-0.0, "0.000"),
        (1.0, "1.000"),
        (217.0, "217"),
        (-3.25, "-3.250"),
        (0.00012, "1.2e-04"),
        (float("-inf"), "-inf"),
    ],
)
def test_scores_are_written_as_in_the_papers(value: float, written: str) -> None:
    assert format_score(value) == written
