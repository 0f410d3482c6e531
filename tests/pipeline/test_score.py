"""`tatian.score`: which step is scored is told by what is given."""

from __future__ import annotations

from pathlib import Path

import pytest

import tatian
from tatian.aggregation.data import Instance
from tatian.errors import EmptyInput, InputError
from tatian.formats.links import build_document
from tatian.text import CHAINS, Chain, Document, Link, Mention
from tatian.union.data import UnionInstance as Pair

TEXT = "Oslo is large. It grew."
LINKED = build_document("a", TEXT, [Link(0, 4, ("Oslo",))])
CHAINED = Document("a", TEXT).with_layer(
    CHAINS, [Chain("0", (Mention(0, 4), Mention(15, 17)))], "test"
)
KEY = "#begin document (a); part 000\na\t0\t0\tMary\t(0)\na\t0\t1\tshe\t(0)\n#end document\n"


def test_documents_are_scored_by_the_layer_they_have() -> None:
    assert tatian.score([LINKED], [LINKED]).value("linking") == 1
    assert tatian.score([CHAINED], [CHAINED], metrics=["muc"]).metrics == ("muc",)


def test_documents_with_both_layers_need_the_step() -> None:
    both = LINKED.with_layer(CHAINS, CHAINED.get(CHAINS), "test")
    with pytest.raises(InputError, match="both chains and links: say which step"):
        tatian.score([both], [both])
    assert tatian.score([both], [both], "mentions").value("full") == 1
    assert tatian.score([both], [both], "coreference").value("muc") == 1


def test_options_are_those_of_the_step() -> None:
    shorter = build_document("a", TEXT, [Link(0, 3, ("Oslo",))])
    assert tatian.score([LINKED], [shorter]).value("full") == 0
    assert tatian.score([LINKED], [shorter], match="weak").value("full") == 1


def test_files_are_read_in_any_format(tmp_path: Path) -> None:
    (tmp_path / "key.conll").write_text(KEY)
    found = tatian.score(tmp_path / "key.conll", str(tmp_path / "key.conll"))
    assert found.value("conll") == 1


def test_instances_of_the_other_steps_are_scored() -> None:
    task = [Instance("i", ("A", "B"), "person", aggregations=("x",), candidates=("x", "y"))]
    assert tatian.score(task, {"i": [("x", 2.0), ("y", 1.0)]}).value("map") == 1
    unions = [Pair("1", ("A ferry sank.", "It sank."), "A ferry sank.")]
    assert tatian.score(unions, unions).value("rougeL") == 1


def test_empty_gold_is_an_error() -> None:
    with pytest.raises(EmptyInput, match="nothing to score against"):
        tatian.score([], [])
