"""Figures, times and names of two sentences: equal, entailed, excluded, superseded, unrelated."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tatian.analysis import analyze
from tatian.analysis.installed import unavailable
from tatian.claims import compare_claims, placed_claims
from tatian.text import Document, Metadata

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")
TABLE = Path(__file__).parents[2] / "corpus" / "claims"
LABELS = {"equal", "entails", "entailed", "exclude", "superseded", "unrelated"}


def related(
    first: str, second: str, days: tuple[str | None, str | None] = (None, None)
) -> list[tuple[str, str, str]]:
    """The claims of two sentences that say something of each other, names apart."""
    documents = [
        analyze(Document(f"{number}", text, Metadata(date=day)))
        for number, (text, day) in enumerate(zip((first, second), days, strict=True))
    ]
    pairs = compare_claims(*map(placed_claims, documents))
    return [
        (pair.first.text, pair.comparison.relation, pair.second.text)
        for pair in pairs
        if pair.comparison.relation != "unrelated" and pair.first.kind != "name"
    ]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (
            "The ferry Ilma had 99 people aboard when she struck the reef.",
            "Officials said 97 people were aboard the Ilma when she struck the reef.",
            ("99 people", "exclude", "97 people"),
        ),
        (
            "A Halverne mother of 13 was killed by a gang.",
            "The video shows the moment a Halverne mother of 12 was killed by the gang.",
            ("mother of 13", "exclude", "mother of 12"),
        ),
        (
            "The mudslide at Kessar killed 26 villagers.",
            "At least 20 people died in the mudslide at Kessar.",
            ("26 villagers", "entails", "At least 20 people"),
        ),
        (
            "The dam at Orme gave way at 7:40 on Tuesday.",
            "The dam at Orme gave way shortly before eight on Tuesday.",
            ("7:40", "entails", "shortly before eight"),
        ),
        (
            "The blast in the laundry at Orme came at 3:15 p.m.",
            "The blast in the laundry at Orme came at 3:10 p.m.",
            ("3:15 p.m.", "exclude", "3:10 p.m."),
        ),
        (
            "One in five pupils in Leipzig comes to school without breakfast.",
            "In Leipzig 20 percent of pupils come to school without breakfast.",
            ("One in five pupils", "equal", "20 percent"),
        ),
        (
            "The suspect is 5ft 11in tall, police in Orme said.",
            "Police in Orme said the suspect is 1.80 m tall.",
            ("5ft 11in", "equal", "1.80 m"),
        ),
        (
            "Ardent will pay $13.9 billion for Polwhele.",
            "Ardent will pay nearly $14 billion for Polwhele.",
            ("$13.9 billion", "entails", "nearly $14 billion"),
        ),
    ],
)
def test_claims_about_one_thing(first: str, second: str, expected: tuple[str, str, str]) -> None:
    assert expected in related(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "A quake of magnitude 2.0 shook the village on Monday.",
            "The quake of 1989 had a magnitude of 4.2, the institute said.",
        ),
        ("The blast killed nine workers.", "The blast injured nineteen workers."),
        (
            "Half of the town's 8,000 residents were evacuated.",
            "4,000 residents were evacuated from the town.",
        ),
        (
            "The alarm was raised at 2:20 a.m. by a porter.",
            "Engines reached the mill at 2:35 a.m., the brigade said.",
        ),
    ],
)
def test_claims_about_different_things(first: str, second: str) -> None:
    assert related(first, second) == []


def test_days_are_compared_by_date() -> None:
    days = ("2018-03-05", "2018-03-06")
    found = related(
        "The painting was stolen from the museum in Ghent the previous Thursday.",
        "The painting was stolen from the museum in Ghent on March 1.",
        days,
    )
    assert [relation for _, relation, _ in found] == ["equal"]


def test_a_later_toll_supersedes_an_earlier_one() -> None:
    found = related(
        "The train crash at Bhalpur killed 34 people.",
        "The train crash at Bhalpur killed 36 people.",
        ("2022-10-03", "2022-10-05"),
    )
    assert found == [("34 people", "superseded", "36 people")]


def test_last_week_is_not_this_week() -> None:
    found = related("The bank raised its rate last week.", "The bank raised its rate this week.")
    assert found == [("last week", "exclude", "this week")]


@pytest.mark.parametrize(("name", "size"), [("train", 840), ("dev", 300), ("test", 240)])
def test_the_table_marks_one_claim_in_each_sentence(name: str, size: int) -> None:
    lines = (TABLE / f"{name}.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == size
    for row in rows:
        assert row["label"] in LABELS
        assert all(row[side].count(row[f"claim_{side}"]) == 1 for side in "ab"), row
