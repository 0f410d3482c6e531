"""A small world for the ranked linker: an air force of a place, a poet, and things with endings."""

from __future__ import annotations

from pathlib import Path

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.building.pages import Anchor, Page, Redirect
from tatian.text import NAMES, SENTENCES, TOKENS, Document, Name, split, tokenize

from ..knowledge.bases import base_of

PLACES = tuple(
    Page(f"Place {number}", anchors=(Anchor("Israel", "Israel"), Anchor("Tooth", "tooth")))
    for number in range(4)
)
WORLD: tuple[Page | Redirect, ...] = (
    Page("Israel", kind="location", aliases=("Israeli",), description="A country."),
    Page("Air force", description="Armed forces in the air."),
    Page("Israeli Air Force", kind="organisation", description="Armed forces in the air."),
    Page("Pablo Neruda", kind="person", description="A poet."),
    Page("Toxicity"),
    Page("Tooth"),
    Page("New York City", kind="location"),
    Page("York", kind="location"),
    Page("New York City Hall", kind="location"),
    Page(
        "Defence",
        anchors=(
            Anchor("Air force", "air force", 5),
            Anchor("Israel", "Israel", 5),
            Anchor("Israel", "Israeli", 5),
            Anchor("Pablo Neruda", "Pablo Neruda", 3),
            Anchor("New York City", "New York City", 3),
            Anchor("York", "York", 3),
        ),
        text="The air force of Israel. Israeli. Pablo Neruda saw New York City and York.",
    ),
    Page("Lone island"),
    *PLACES,
    *(Page(f"Filler {number}") for number in range(30)),
)


def world(folder: Path) -> KnowledgeBase:
    """The base of this world."""
    return base_of(folder / "ranked.kb", WORLD)


def document(text: str, *names: tuple[str, str]) -> Document:
    """A text with tokens, sentences and names (words and type), every occurrence of each."""
    made = Document("d", text).with_layer(TOKENS, tokenize(text), "test")
    made = made.with_layer(SENTENCES, split(text), "test")
    found = []
    for words, kind in names:
        at = text.find(words)
        while at >= 0:
            found.append(Name(at, at + len(words), kind))
            at = text.find(words, at + 1)
    return made.with_layer(NAMES, sorted(found), "test")
