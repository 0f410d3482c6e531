"""A small world for the linkers' tests: people, places, and two meanings of a jaguar."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.building.pages import Anchor, Page, Redirect
from tatian.text import Link

from ..knowledge.bases import base_of

WORLD: tuple[Page | Redirect, ...] = (
    Page("Jaguar", description="A cat of the Americas.", text="The jaguar is a cat."),
    Page("Jaguar Cars", kind="organisation", description="A maker of cars."),
    Page("Cat"),
    Page("Forest"),
    Page("Car"),
    Page("Motorway"),
    Page(
        "Zoo",
        anchors=(Anchor("Jaguar", "jaguar"), Anchor("Cat", "cat"), Anchor("Forest", "forest")),
        text="A jaguar is a cat of the forest.",
    ),
    Page("Garage", anchors=(Anchor("Jaguar Cars", "jaguar", 40), Anchor("Car", "car"))),
    Page(
        "Garden",
        anchors=(Anchor("Jaguar", "jaguar"), Anchor("Cat", "cat"), Anchor("Forest", "forest")),
    ),
    Page(
        "Road",
        anchors=(
            Anchor("Jaguar Cars", "jaguar", 30),
            Anchor("Car", "car"),
            Anchor("Motorway", "motorway"),
        ),
    ),
    Page("Hillary Clinton", kind="person", description="A politician."),
    Page("United States", kind="location", aliases=("US",)),
    Page("Secretary of State"),
    Page("Oslo", kind="location"),
    Page("Student"),
    Page("List of cats", role="list"),
    *(Page(f"Filler {number}") for number in range(40)),
    Redirect("Pupil", "Student"),
)


def world(folder: Path) -> KnowledgeBase:
    """The base of this world."""
    return base_of(folder / "world.kb", WORLD)


def mention(text: str, term: str, title: str, nth: int = 0, **values: object) -> Link:
    """The `nth` place of a term, linked."""
    start = -1
    for _ in range(nth + 1):
        start = text.index(term, start + 1)
    made = Link(start, start + len(term), (title,) if title else ())
    return replace(made, **values)
