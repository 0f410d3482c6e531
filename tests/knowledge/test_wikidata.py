"""A Wikidata dump becomes pages with aliases, kinds and dated facts."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import EmptyInput, InputError
from tatian.knowledge.building.pages import Page
from tatian.knowledge.building.wikidata import WikidataDump
from tatian.knowledge.entities import Fact


def entity(value: str) -> dict[str, Any]:
    number = int(value[1:])
    held = {"entity-type": "item", "numeric-id": number, "id": value}
    return {"snaktype": "value", "datavalue": {"value": held, "type": "wikibase-entityid"}}


def moment(time: str, precision: int) -> dict[str, Any]:
    held = {"time": time, "timezone": 0, "before": 0, "after": 0, "precision": precision}
    return {"snaktype": "value", "datavalue": {"value": held, "type": "time"}}


def said(value: str, rank: str = "normal", **qualifiers: Any) -> dict[str, Any]:
    statement = {"mainsnak": entity(value), "type": "statement", "rank": rank, "references": []}
    return statement | ({"qualifiers": qualifiers} if qualifiers else {})


def item(number: int, label: str, title: str = "", **rest: Any) -> dict[str, Any]:
    claims = {key: value for key, value in rest.items() if key.startswith("P")}
    return {
        "type": "item",
        "id": f"Q{number}",
        "labels": {
            "en": {"language": "en", "value": label},
            "fr": {"language": "fr", "value": "x"},
        },
        "descriptions": {"en": {"language": "en", "value": rest.get("description", "a thing")}},
        "aliases": {"en": [{"language": "en", "value": name} for name in rest.get("aliases", ())]},
        "claims": claims or [],
        "sitelinks": {"enwiki": {"site": "enwiki", "title": title, "badges": []}} if title else [],
    }


ITEMS = [
    item(
        900,
        "Ida Holm",
        "Ida Holm (engineer)",
        description="Norwegian engineer",
        aliases=["I. Holm", "Ida Marie Holm"],
        P31=[said("Q5")],
        P106=[said("Q901"), said("Q902", rank="preferred"), said("Q903", rank="deprecated")],
        P39=[
            said(
                "Q904",
                P580=[moment("+1996-05-01T00:00:00Z", 11)],
                P582=[moment("+2001-00-00T00:00:00Z", 9)],
            )
        ],
        P27=[said("Q20")],
        P18=[
            {"mainsnak": {"snaktype": "value", "datavalue": {"value": "a.jpg", "type": "string"}}}
        ],
        P102=[{"mainsnak": {"snaktype": "somevalue"}, "rank": "normal"}],
    ),
    item(901, "engineer", "Engineer", P279=[said("Q905")]),
    item(902, "keeper"),
    item(904, "director of lighthouses"),
    item(20, "Norway", "Norway", P31=[said("Q6256")], P47=[said("Q34")]),
    item(906, "Mercury", "Mercury", P31=[said("Q4167410")]),
    item(907, "lists", "List of lighthouses", P31=[said("Q13406463")]),
    item(908, "Category", "Category:Seas", P31=[said("Q4167836")]),
    item(909, "Holm Works", "Holm Works", P31=[said("Q4830453")]),
]


def dumped(items: list[dict[str, Any]]) -> str:
    return "[\n" + ",\n".join(json.dumps(one) for one in items) + "\n]\n"


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "latest-all.json"
    path.write_text(dumped(ITEMS), "utf-8")
    return path


@pytest.fixture
def pages(dump: Path) -> dict[str, Page]:
    return {page.wikidata: page for page in WikidataDump(dump)}


def test_items_with_an_english_page_are_pages_of_that_title(pages: dict[str, Page]) -> None:
    assert [page.title for page in pages.values()] == [
        "Ida Holm (engineer)",
        "Engineer",
        "Norway",
        "Mercury",
        "List of lighthouses",
        "Holm Works",
    ]


def test_label_and_aliases_are_other_names(pages: dict[str, Page]) -> None:
    assert pages["Q900"].aliases == ("Ida Holm", "I. Holm", "Ida Marie Holm")
    assert pages["Q20"].aliases == ()


def test_the_description_is_a_sentence(pages: dict[str, Page]) -> None:
    assert pages["Q900"].description == "Norwegian engineer."


def test_what_an_item_is_an_instance_of_gives_its_kind(pages: dict[str, Page]) -> None:
    kinds = {page.title: page.kind for page in pages.values()}
    assert kinds["Ida Holm (engineer)"] == "person"
    assert kinds["Norway"] == "location"
    assert kinds["Holm Works"] == "organisation"
    assert kinds["Engineer"] == "concept"


def test_disambiguation_pages_and_lists_are_marked(pages: dict[str, Page]) -> None:
    assert pages["Q906"].role == "disambiguation"
    assert pages["Q907"].role == "list"
    assert pages["Q900"].role == "article"


def test_facts_have_titles_or_labels_and_dates(pages: dict[str, Page]) -> None:
    assert pages["Q900"].facts == (
        Fact("occupation", "keeper"),
        Fact("occupation", "Engineer"),
        Fact("position", "director of lighthouses", since="1996-05-01", until="2001"),
        Fact("nationality", "Norway"),
    )


def test_values_that_the_dump_does_not_name_are_left_out(pages: dict[str, Page]) -> None:
    assert pages["Q20"].facts == ()


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress)])
def test_compressed_dumps_give_the_same(dump: Path, suffix: str, pack: Any) -> None:
    packed = dump.with_name(dump.name + suffix)
    packed.write_bytes(pack(dump.read_bytes()))
    assert list(WikidataDump(packed)) == list(WikidataDump(dump))


@pytest.mark.parametrize(
    ("time", "precision", "iso"),
    [
        ("+1996-05-01T00:00:00Z", 11, "1996-05-01"),
        ("+1996-05-00T00:00:00Z", 10, "1996-05"),
        ("+1996-00-00T00:00:00Z", 9, "1996"),
        ("+1990-00-00T00:00:00Z", 8, ""),
        ("-0044-03-15T00:00:00Z", 11, "-0044-03-15"),
        ("+00000001996-05-01T00:00:00Z", 11, "1996-05-01"),
    ],
)
def test_dates_are_as_precise_as_they_are_known(
    tmp_path: Path, time: str, precision: int, iso: str
) -> None:
    held = said("Q2", P580=[moment(time, precision)])
    path = tmp_path / "a.json"
    path.write_text(dumped([item(1, "a", "A", P39=[held]), item(2, "b")]), "utf-8")
    assert [page.facts for page in WikidataDump(path)] == [(Fact("position", "b", since=iso),)]


def test_temporary_files_are_gone_afterwards(dump: Path, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    assert list(WikidataDump(dump, work=work))
    assert list(work.iterdir()) == []


class TestBrokenDumps:
    """What cannot be read is named with its line."""

    def fails(self, tmp_path: Path, text: str, message: str) -> None:
        path = tmp_path / "broken.json"
        path.write_text(text, "utf-8")
        with pytest.raises(InputError, match=message):
            list(WikidataDump(path))

    def test_a_broken_line(self, tmp_path: Path) -> None:
        text = dumped(ITEMS).replace('"claims": {"P279"', '"claims": {"P279', 1)
        self.fails(tmp_path, text, r"broken\.json:3: not an item of Wikidata")

    def test_a_file_cut_off(self, tmp_path: Path) -> None:
        text = "\n".join(dumped(ITEMS).splitlines()[:4])
        self.fails(tmp_path, text, "the file was cut off")

    @pytest.mark.parametrize("text", ["", "[\n]\n", "<xml/>"])
    def test_another_kind_of_file(self, tmp_path: Path, text: str) -> None:
        self.fails(tmp_path, text, "not a Wikidata dump")

    def test_standard_input_cannot_be_read_twice(self) -> None:
        with pytest.raises(InputError, match="read twice"):
            list(WikidataDump("-"))

    def test_a_dump_without_english_pages_is_empty(self, tmp_path: Path) -> None:
        path = tmp_path / "a.json"
        path.write_text(dumped([item(1, "a")]), "utf-8")
        with pytest.raises(EmptyInput, match="no item has a page"):
            list(WikidataDump(path))

    @given(st.data())
    def test_no_change_of_a_dump_raises_anything_else(
        self, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
    ) -> None:
        text = dumped(ITEMS[:2]).encode()
        at = data.draw(st.integers(0, len(text)))
        noise = data.draw(st.binary(max_size=20))
        path = tmp_path_factory.getbasetemp() / "noise.json"
        path.write_bytes(text[:at] + noise + text[at + len(noise) :])
        try:
            pages = list(WikidataDump(path))
        except InputError:
            return
        assert all(page.title for page in pages)
