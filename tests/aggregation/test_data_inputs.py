"""An instance as one text (§5.3), and the files fairseq trains with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tatian.aggregation.data import Instance
from tatian.aggregation.data.inputs import Input, Kind, files, join_inputs

from .data_samples import CITIES, instances

BACKGROUND = "Porto is the second largest city in Portugal."
CONTEXT = "Two Cities Tax Tourists: Lisbon and Porto will tax short stays from May."
NAMES = "Lisbon, Porto"


def lines(kind: Kind, name: str, *made: Instance) -> dict[str, list[str]]:
    return {called: list(text) for called, text in files(kind, name, made)}


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


def test_without_a_title_the_excerpt_stands_alone() -> None:
    assert join_inputs(replace(CITIES, title=""), ["context"]) == CITIES.context


def test_the_last_words_of_a_long_text_are_kept() -> None:
    assert join_inputs(CITIES, words=4) == "from May. Lisbon, Porto"
    assert len(join_inputs(replace(CITIES, context="word " * 2000)).split()) == 750
    assert len(join_inputs(replace(CITIES, context="word " * 2000), words=None).split()) > 2000


def test_generation_has_a_line_for_every_right_phrase() -> None:
    made = lines("generative", "val", CITIES)
    assert made["val.source"] == [join_inputs(CITIES) + "\n"] * 2
    assert made["val.target"] == ["portuguese cities\n", "cities\n"]


def test_classification_has_a_labelled_row_for_every_candidate() -> None:
    (called, rows), *_ = lines("discriminative", "val", CITIES).items()
    assert called == "dev.tsv"
    assert rows[0] == "index\tsentence1\tsentence2\tlabel\n"
    cells = [row.rstrip("\n").split("\t") for row in rows[1:]]
    assert [cell[0] for cell in cells] == ["0", "1", "2"]
    assert [cell[2:] for cell in cells] == [
        ["ski resorts", "not_entailment"],
        ["cities", "entailment"],
        ["portuguese cities", "entailment"],
    ]


@given(st.lists(instances(gold=1), min_size=1, max_size=3), st.sampled_from(["train", "test"]))
def test_no_text_breaks_a_line_or_a_column(made: list[Instance], name: str) -> None:
    generation = lines("generative", name, *made)
    golds = sum(len(one.aggregations) for one in made)
    assert [len("".join(text).split("\n")) - 1 for text in generation.values()] == [golds] * 2
    rows = "".join(lines("discriminative", name, *made)[f"{name}.tsv"]).split("\n")[:-1]
    assert len(rows) == 1 + sum(len(one.candidates) for one in made)
    assert {row.count("\t") for row in rows} == {3}
