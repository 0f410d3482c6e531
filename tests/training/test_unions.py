"""Unions that the project wrote, and the data that training leaves out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from tatian.corpora.bundles import Bundle
from tatian.training import unions as references
from tatian.training.data import SentenceUnion, has_free_licence
from tatian.training.unions import find_covered, find_unions, project_unions, written_unions

FOG = "The old ferry ran aground in thick fog."
WALL = "The ferry ran aground near the harbour wall on Monday."
BOTH = "The old ferry ran aground in thick fog near the harbour wall on Monday."
SHORT = "The ferry ran aground in fog."


def bundle(*sentences: str, told: dict[str, list[str]], reference: str = "?") -> Bundle:
    facts = [
        {"id": id, "text": "?", "sources": places, "keys": [["?"]], "importance": 1}
        for id, places in told.items()
    ]
    given: dict[str, Any] = {
        "id": "ferry",
        "accounts": [{"id": "A", "name": "a", "sentences": sentences}],
        "noise": [],
        "facts": facts,
        "reference": [{"text": reference, "facts": list(told)}],
    }
    return msgspec.convert(given, Bundle)


def test_a_reference_that_says_what_two_sentences_say_is_their_union() -> None:
    told = {"f1": ["A.0", "A.1"], "f2": ["A.1"]}
    assert list(find_unions(bundle(FOG, WALL, told=told, reference=BOTH))) == [
        SentenceUnion((FOG, WALL), BOTH)
    ]


@pytest.mark.parametrize(
    "reference",
    [
        "The old ferry ran aground.",
        f"{BOTH[:-1]}, while divers searched the cold black water below for survivors.",
    ],
)
def test_a_reference_that_leaves_out_or_adds_much_is_none(reference: str) -> None:
    told = {"f1": ["A.0", "A.1"]}
    assert not list(find_unions(bundle(FOG, WALL, told=told, reference=reference)))


def test_a_sentence_that_covers_another_is_their_union() -> None:
    found = list(find_covered(bundle(FOG, SHORT, told={"f1": ["A.0", "A.1"], "f2": ["A.0"]})))
    assert found == [SentenceUnion((FOG, SHORT), FOG)]


def test_a_name_or_number_of_its_own_keeps_a_sentence_from_being_covered() -> None:
    other = "The ferry Anna ran aground in fog."
    assert not list(find_covered(bundle(FOG, other, told={"f1": ["A.0", "A.1"], "f2": ["A.0"]})))


def test_a_written_union_consists_of_ranges_and_words() -> None:
    given = bundle(FOG, WALL, told={"f1": ["A.0"]})
    parts: list[references.Part] = [(0, 0, 38), " ", (1, 22, 54)]
    assert list(written_unions(given, [("A.0", "A.1", parts)])) == [
        SentenceUnion((FOG, WALL), BOTH)
    ]


def test_every_pair_of_a_folder_is_united_once(tmp_path: Path) -> None:
    one = bundle(FOG, WALL, told={"f1": ["A.0", "A.1"]}, reference=BOTH)
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_bytes(msgspec.json.encode(replace(one, id=name)))
    assert project_unions([tmp_path]) == [SentenceUnion((FOG, WALL), BOTH)]


def test_the_file_of_written_unions_contains_no_source_sentences() -> None:
    known = json.loads(references.WRITTEN.read_text("utf-8"))
    own = [p for each in known.values() for _, _, parts in each for p in parts if type(p) is str]
    assert max(len(text.split()) for text in own) <= 5


@pytest.mark.parametrize(
    ("name", "free"),
    [
        ("GUM_news_crane-3", True),
        ("GUM_whow_basil-3", False),
        ("GUM_fiction_claus", False),
        ("GUM_fiction_time-12", True),
        ("weblog-blogspot.com_x", True),
    ],
)
def test_texts_of_gum_that_forbid_commercial_use_are_left_out(name: str, free: bool) -> None:
    assert has_free_licence(name) is free
