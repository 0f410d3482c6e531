"""Small bases for the tests: sources that are lists, and a world of a few pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.building.builder import build
from tatian.knowledge.building.pages import Anchor, Page, Redirect
from tatian.knowledge.entities import Fact


class Listed:
    """A source that is a list."""

    def __init__(self, *items: Page | Redirect, name: str = "list") -> None:
        self.name = name
        self._items = items

    def __iter__(self) -> Iterator[Page | Redirect]:
        return iter(self._items)


def base_of(path: Path, *sources: Sequence[Page | Redirect]) -> KnowledgeBase:
    """A base in `path` of these sources, open."""
    build([Listed(*items, name=f"list {i}") for i, items in enumerate(sources)], path)
    return KnowledgeBase.open(path)


def vectors(texts: list[str]) -> npt.NDArray[np.float32]:
    """Rows of length one that depend on the text alone."""
    rows = np.array([[len(text), text.count("a") + 1, -1.0] for text in texts], dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


WORLD: tuple[Page | Redirect, ...] = (
    Page(
        "Jaguar",
        description="A cat of the Americas.",
        categories=("Cats",),
        anchors=(Anchor("Cat", "cats"), Anchor("Brazil", "Brazil")),
        text="The jaguar is the largest of the cats in Brazil. A jaguar swims.",
    ),
    Page(
        "Jaguar Cars",
        kind="organisation",
        description="A maker of cars.",
        anchors=(Anchor("Car", "cars", 2), Anchor("Jaguar", "jaguar")),
        aliases=("Jaguar Limited",),
        text="It makes cars, fast cars, not a jaguar. Its cars are named Jaguar.",
    ),
    Page("Cat", anchors=(Anchor("Jaguar", "jaguar"), Anchor("Brazil", "brazil"))),
    Page(
        "Car",
        anchors=(Anchor("Jaguar Cars", "Jaguar", 3), Anchor("Nowhere", "nowhere")),
        text="A Jaguar is a car.",
    ),
    Page(
        "Brazil",
        kind="location",
        wikidata="Q155",
        freebase="/m/015fr",
        facts=(
            Fact("head of state", "Lula da Silva", "2003", "2010"),
            Fact("head of state", "Dilma Rousseff", "2011-01-01", "2016-08-31"),
            Fact("continent", "South America"),
        ),
    ),
    Page("Jaguar, Texas", kind="location"),
    Page("Jaguar (computer)"),
    Page("Rosa Jaguar", kind="person"),
    Page("Jaguar (disambiguation)", role="disambiguation", anchors=(Anchor("SEPECAT Jaguar", ""),)),
    Page("SEPECAT Jaguar"),
    Page("List of cats", role="list", anchors=(Anchor("Jaguar", "jaguar"), Anchor("Cat", "cat"))),
    Redirect("Panthera onca", "Jaguar"),
    Redirect("Felis", "Cats"),
    Redirect("Cats", "cat"),
)

_TITLES = st.sampled_from(["A", "B", "C", "D", "Ab (c)", "D, E"])
_ANCHORS = st.builds(Anchor, _TITLES, st.sampled_from(["x", "y z", ""]), st.integers(0, 3))
_PAGES = st.builds(
    Page,
    _TITLES,
    kind=st.sampled_from([None, "person", "location"]),
    anchors=st.lists(_ANCHORS, max_size=3).map(tuple),
    role=st.sampled_from(["article", "article", "list", "disambiguation"]),
    aliases=st.lists(st.sampled_from(["x", "a", "Q R"]), max_size=2).map(tuple),
    wikidata=st.sampled_from(["", "Q1", "Q2"]),
)
_ITEMS = st.lists(_PAGES | st.builds(Redirect, _TITLES, _TITLES), min_size=1, max_size=8)
SOURCES = st.lists(_ITEMS, min_size=1, max_size=3).filter(
    lambda sources: any(isinstance(item, Page) for items in sources for item in items)
)
"""Any few sources that speak of the same few pages, with at least one page."""
