"""Chains from a file in the place of a resolver."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tatian.coreference.models.precomputed import Precomputed
from tatian.errors import InputError
from tatian.pipeline import Pipeline
from tatian.text import CHAINS, Document

TEXT = "They asked Jonas Verrick.\nHe left Halverne."
WORDS = ["They", "asked", "Jonas", "Verrick", ".", "He", "left", "Halverne", "."]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "clusters.jsonl"
    records = [
        {"id": "a", "tokens": WORDS, "clusters": [[[2, 3], [5, 5]]]},
        {"id": "b", "text": TEXT, "clusters": [[[11, 24], [26, 28]]]},
    ]
    path.write_text("\n".join(map(json.dumps, records)), "utf-8")
    return str(path)


def chains(document: Document) -> list[list[str]]:
    return [[m.of(document.text) for m in chain.mentions] for chain in document.get(CHAINS)]


@pytest.mark.parametrize("id", ["a", "b"])
def test_a_document_gets_the_chains_of_its_id_whatever_the_spacing(file: str, id: str) -> None:
    assert chains(Precomputed(file).resolve(Document(id, TEXT))) == [["Jonas Verrick", "He"]]


def test_a_file_of_one_document_is_meant_whatever_its_id(tmp_path: Path) -> None:
    path = tmp_path / "one.json.gz"
    one = {"text": TEXT, "clusters": [[[26, 28]]]}
    path.write_bytes(gzip.compress(json.dumps(one).encode()))
    assert chains(Precomputed(str(path)).resolve(Document("x", TEXT))) == [["He"]]


def test_the_pipeline_builds_on_them_and_keeps_lone_names(file: str) -> None:
    pipeline = Pipeline(analyser="rules", detector="names", resolver=Precomputed(file))
    assert chains(pipeline.process(Document("b", TEXT))) == [["Jonas Verrick", "He"], ["Halverne"]]


def test_a_document_that_the_file_lacks_is_named(file: str) -> None:
    with pytest.raises(InputError, match=r"clusters.jsonl: no document 'c' in it"):
        Precomputed(file).resolve(Document("c", TEXT))


def test_another_text_is_refused(file: str) -> None:
    with pytest.raises(InputError, match=r"the text of 'b' is not that of document 'b'"):
        Precomputed(file).resolve(Document("b", TEXT + " Fog."))
