"""CoDEx's types: concepts with a page, described by their extracts."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tatian.errors import EmptyInput, InputError
from tatian.knowledge.building.facts import Concepts
from tatian.knowledge.building.pages import Page

ACTOR = {
    "label": "actor",
    "description": "person who acts (in a play)",
    "wiki": "https://en.wikipedia.org/wiki/Actor",
}
STATE = {"label": "single-party state", "wiki": "https://en.wikipedia.org/wiki/One-party_state"}


def concepts(folder: Path, said: object, extracts: dict[str, str] | None = None) -> list[Page]:
    path = folder / "concepts.json"
    path.write_text(json.dumps(said), encoding="utf-8")
    if extracts is None:
        return list(Concepts(path))
    with zipfile.ZipFile(folder / "extracts.zip", "w") as archive:
        for id, text in extracts.items():
            archive.writestr(f"extracts/{id}.txt", text)
    return list(Concepts(path, folder / "extracts.zip"))


def test_a_type_with_a_page_is_a_concept(tmp_path: Path) -> None:
    (page,) = concepts(tmp_path, {"Q33999": ACTOR})
    assert (page.title, page.kind, page.wikidata) == ("Actor", "concept", "Q33999")
    assert page.description == "Person who acts."


def test_a_label_that_is_not_the_title_is_an_alias(tmp_path: Path) -> None:
    (page,) = concepts(tmp_path, {"Q50686": STATE})
    assert (page.title, page.aliases) == ("One-party state", ("Single-party state",))


def test_a_type_without_a_page_is_left_out(tmp_path: Path) -> None:
    pages = concepts(tmp_path, {"Q1": {"label": "vocalist", "wiki": ""}, "Q33999": ACTOR})
    assert [page.title for page in pages] == ["Actor"]


def test_the_extract_describes_by_its_first_paragraph(tmp_path: Path) -> None:
    extract = "An actor (or actress) plays a character.\nThe word is old."
    (page,) = concepts(tmp_path, {"Q33999": ACTOR}, {"Q33999": extract})
    assert page.description == "An actor plays a character."


def test_a_long_extract_is_cut_at_a_sentence(tmp_path: Path) -> None:
    extract = "Actors play. " * 60
    (page,) = concepts(tmp_path, {"Q33999": ACTOR}, {"Q33999": extract})
    assert len(page.description) <= 600
    assert page.description.endswith("Actors play.")


def test_without_an_extract_the_description_stays(tmp_path: Path) -> None:
    (page,) = concepts(tmp_path, {"Q33999": ACTOR}, {"Q1": "Something else."})
    assert page.description == "Person who acts."


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ([], "not an object of Wikidata ids"),
        ({"Q1": {"wiki": "x"}}, "not an object of Wikidata ids"),
        ({"actor": ACTOR}, "expected a Wikidata id, found 'actor'"),
        (
            {"Q33999": {**ACTOR, "wiki": "https://en.wikipedia.org/wiki/"}},
            "record Q33999: expected",
        ),
    ],
)
def test_broken_records_are_refused(tmp_path: Path, said: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        concepts(tmp_path, said)


def test_an_empty_file_of_types_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmptyInput):
        concepts(tmp_path, {})


def test_invalid_archive_is_refused(tmp_path: Path) -> None:
    (tmp_path / "concepts.json").write_text(json.dumps({"Q33999": ACTOR}))
    (tmp_path / "bad.zip").write_bytes(b"no archive")
    with pytest.raises(InputError, match=r"bad.zip: not a ZIP archive"):
        list(Concepts(tmp_path / "concepts.json", tmp_path / "bad.zip"))


@pytest.mark.long
def test_real_data_is_read(data: Path) -> None:
    folder = data / "knowledge"
    pages = list(Concepts(folder / "concepts.json.gz", folder / "concept-extracts.zip"))
    assert len(pages) == 2_112
    assert sum(bool(page.description) for page in pages) > 2_100
    assert max(len(page.description) for page in pages) <= 600
