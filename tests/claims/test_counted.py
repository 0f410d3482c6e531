"""What a figure counts."""

from __future__ import annotations

import pytest

from tatian.analysis import analyze
from tatian.analysis.installed import unavailable
from tatian.claims import read_placed
from tatian.text import Document
from tatian.text.content import concept

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")


@pytest.mark.parametrize(
    ("counted", "thing"),
    [
        ("villagers", "people"),
        ("villages", "villages"),
        ("prisoners", "people"),
        ("prisons", "prisons"),
        ("bodies", "people"),
    ],
)
def test_persons_are_people_but_places_with_their_stem_are_not(counted: str, thing: str) -> None:
    (claim,) = (c.claim for c in read_placed(analyze(Document("a", f"They saw four {counted}."))))
    assert claim.scope.thing == concept(thing)
