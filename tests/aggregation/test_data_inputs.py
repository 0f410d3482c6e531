"""An instance as one text (§5.3)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tatian.aggregation.data.records import Input, join_inputs

from .data_samples import CITIES

BACKGROUND = "Porto is the second largest city in Portugal."
CONTEXT = "Two Cities Tax Tourists: Lisbon and Porto will tax short stays from May."
NAMES = "Lisbon, Porto"


def test_the_text_is_background_then_title_and_excerpt_then_names() -> None:
    assert join_inputs(CITIES) == f"{BACKGROUND} {CONTEXT} {NAMES}"


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        (("context", "entities"), f"{CONTEXT} {NAMES}"),
        (("background", "entities"), f"{BACKGROUND} {NAMES}"),
        (("entities",), NAMES),
    ],
)
def test_ablations_leave_parts_out(inputs: tuple[Input, ...], expected: str) -> None:
    assert join_inputs(CITIES, inputs) == expected


def test_background_comes_in_the_order_of_the_entities() -> None:
    both = replace(CITIES, background={"Porto": "Second.", "Lisbon": "First."})
    assert join_inputs(both, ["background"]) == "First. Second."


def test_without_a_title_the_input_has_only_the_excerpt() -> None:
    assert join_inputs(replace(CITIES, title=""), ["context"]) == CITIES.context


def test_the_last_words_of_a_long_text_are_kept() -> None:
    assert join_inputs(CITIES, words=4) == "from May. Lisbon, Porto"
    assert len(join_inputs(replace(CITIES, context="word " * 2000)).split()) == 750
    assert len(join_inputs(replace(CITIES, context="word " * 2000), words=None).split()) > 2000
