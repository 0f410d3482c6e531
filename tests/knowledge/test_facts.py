"""Fact files: entities in JSON lines, facts among them as Freebase's paths."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

from tatian.errors import EmptyInput, InputError, NotText
from tatian.knowledge.building.facts import MAX_NEIGHBOURS, FactFiles, freebase_paths
from tatian.knowledge.building.pages import Anchor, Page
from tatian.knowledge.entities import Fact

OBAMA = {
    "id": "/m/02mjmr",
    "label": "Obama",
    "alternatives": ["Barack Hussein Obama"],
    "description": "44th president (of the United States)",
    "wikidata_id": "Q76",
    "wikipedia": "https://en.wikipedia.org/wiki/Barack_Obama",
}
HAWAII = {"id": "/m/03gh4", "label": "Hawaii", "wikipedia": None}
HONOLULU = {"id": "/m/02hrh0_", "label": "Honolulu"}
POLITICIAN = {
    "id": "/m/0fj9f",
    "label": "politician",
    "wikipedia": "https://en.wikipedia.org/wiki/Politician",
}
NAMELESS = {"id": "/m/0nameless", "label": "Q14941814"}

BORN = "/people/person/place_of_birth"
CONTAINS = "/location/location/contains"
TRADE = "/people/person/profession"


def files(folder: Path, entities: list[object], facts: list[tuple[str, str, str]]) -> FactFiles:
    one, other = folder / "entities.jsonl", folder / "facts.tsv"
    one.write_text("".join(json.dumps(entity) + "\n" for entity in entities), encoding="utf-8")
    other.write_text("".join("\t".join(fact) + "\n" for fact in facts), encoding="utf-8")
    return FactFiles(one, other)


def pages(folder: Path, entities: list[object], *facts: tuple[str, str, str]) -> dict[str, Page]:
    return {page.title: page for page in files(folder, entities, list(facts))}


def test_the_title_is_that_of_the_wikipedia_page_and_the_label_an_alias(tmp_path: Path) -> None:
    page = pages(tmp_path, [OBAMA])["Barack Obama"]
    assert page.aliases == ("Obama", "Barack Hussein Obama")
    assert (page.wikidata, page.freebase) == ("Q76", "/m/02mjmr")


def test_percent_signs_in_addresses_are_decoded(tmp_path: Path) -> None:
    address = "https://en.wikipedia.org/wiki/Orhan_Pamuk%27s_%C5%9Eehir"
    assert "Orhan Pamuk's Şehir" in pages(tmp_path, [{**OBAMA, "wikipedia": address}])


def test_without_a_page_the_label_is_the_title(tmp_path: Path) -> None:
    assert list(pages(tmp_path, [{"id": "/m/1", "label": "voice actor"}])) == ["Voice actor"]


def test_an_entity_with_neither_page_nor_label_is_left_out(tmp_path: Path) -> None:
    source = files(tmp_path, [OBAMA, NAMELESS], [])
    assert [page.title for page in source] == ["Barack Obama"]


def test_the_description_becomes_a_sentence_without_parentheses(tmp_path: Path) -> None:
    assert pages(tmp_path, [OBAMA])["Barack Obama"].description == "44th president."


def test_a_path_gives_a_relation_that_can_be_read(tmp_path: Path) -> None:
    found = pages(tmp_path, [OBAMA, HONOLULU], ("/m/02mjmr", BORN, "/m/02hrh0_"))
    assert found["Barack Obama"].facts == (Fact("place of birth", "Honolulu"),)
    assert found["Honolulu"].facts == ()


def test_most_informative_facts_come_first(tmp_path: Path) -> None:
    facts = ("/m/02mjmr", BORN, "/m/02hrh0_"), ("/m/02mjmr", TRADE, "/m/0fj9f")
    found = pages(tmp_path, [OBAMA, HONOLULU, POLITICIAN], *facts)
    relations = [fact.relation for fact in found["Barack Obama"].facts]
    assert relations == ["occupation", "place of birth"]


def test_containment_is_inverted_to_location(tmp_path: Path) -> None:
    found = pages(tmp_path, [HAWAII, HONOLULU], ("/m/03gh4", CONTAINS, "/m/02hrh0_"))
    assert found["Honolulu"].facts == (Fact("located in", "Hawaii"),)
    assert found["Hawaii"].facts == ()


def test_facts_link_both_pages_to_each_other(tmp_path: Path) -> None:
    found = pages(tmp_path, [OBAMA, HONOLULU], ("/m/02mjmr", BORN, "/m/02hrh0_"))
    assert found["Barack Obama"].anchors == (Anchor("Honolulu", ""),)
    assert found["Honolulu"].anchors == (Anchor("Barack Obama", ""),)


def test_hubs_link_only_to_pages_in_their_own_facts(tmp_path: Path) -> None:
    people = [
        {"id": f"/m/p{number}", "label": f"Person {number}"} for number in range(MAX_NEIGHBOURS + 1)
    ]
    facts = [(person["id"], TRADE, "/m/0fj9f") for person in people]
    found = pages(tmp_path, [*people, POLITICIAN], *facts)
    assert found["Politician"].anchors == ()
    assert found["Person 0"].anchors == (Anchor("Politician", ""),)


def test_the_kind_is_what_most_facts_take_a_thing_for(tmp_path: Path) -> None:
    found = pages(
        tmp_path,
        [OBAMA, HAWAII, HONOLULU, POLITICIAN],
        ("/m/02mjmr", BORN, "/m/02hrh0_"),
        ("/m/02mjmr", TRADE, "/m/0fj9f"),
        ("/m/03gh4", CONTAINS, "/m/02hrh0_"),
    )
    kinds = {title: page.kind for title, page in found.items()}
    assert kinds == {
        "Barack Obama": "person",
        "Hawaii": "location",
        "Honolulu": "location",
        "Politician": "concept",
    }


def test_a_thing_of_which_only_the_place_is_known_is_a_place(tmp_path: Path) -> None:
    found = pages(tmp_path, [HAWAII, HONOLULU], ("/m/03gh4", CONTAINS, "/m/02hrh0_"))
    assert found["Honolulu"].kind == "location"


def test_without_facts_the_kind_stays_open(tmp_path: Path) -> None:
    assert pages(tmp_path, [OBAMA])["Barack Obama"].kind is None


def test_unmapped_paths_and_unknown_entities_are_left_out(tmp_path: Path) -> None:
    facts = [
        ("/m/02mjmr", "/common/topic/webpage", "/m/02hrh0_"),
        ("/m/02mjmr", BORN, "/m/elsewhere"),
        ("/m/02mjmr", BORN, "/m/02hrh0_"),
    ]
    source = files(tmp_path, [OBAMA, HONOLULU], facts)
    assert sum(len(page.facts) for page in source) == 1


def test_entities_are_not_linked_to_themselves(tmp_path: Path) -> None:
    found = pages(tmp_path, [HAWAII], ("/m/03gh4", CONTAINS, "/m/03gh4"))
    assert found["Hawaii"].anchors == ()


def test_compressed_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "entities.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(OBAMA).encode()))
    assert [page.title for page in FactFiles(path)] == ["Barack Obama"]


def test_standard_input_is_read_even_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = io.BytesIO(gzip.compress(json.dumps(OBAMA).encode()))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(packed)))
    assert [page.title for page in FactFiles("-")] == ["Barack Obama"]


@pytest.mark.parametrize(
    ("content", "kind", "said"),
    [
        (b'{"id": "/m/1", "label": "A"}\n{"id": 3}\n', InputError, ":2: not an entity"),
        (b'{"id": "/m/1", "label": "A"}\nnonsense\n', InputError, ":2: not an entity"),
        (b'{"id": "/m/1", "label": "\xff"}\n', NotText, ":1: not UTF-8"),
        (b'{"id": "/m/1", "label": "A", "wikipedia": "/wiki/%FF"}', InputError, ":1: '/wiki/%FF'"),
        (b"\n", EmptyInput, "no entity"),
    ],
)
def test_a_broken_entity_file_is_refused_with_the_line(
    tmp_path: Path, content: bytes, kind: type[InputError], said: str
) -> None:
    path = tmp_path / "entities.jsonl"
    path.write_bytes(content)
    with pytest.raises(kind, match=said):
        list(FactFiles(path))


def test_a_broken_fact_file_is_refused_with_the_line(tmp_path: Path) -> None:
    source = files(tmp_path, [OBAMA], [("a", "b", "c"), ("a", "b", "")])
    with pytest.raises(InputError, match=r"facts.tsv:2: expected subject, path and object"):
        list(source)


def test_a_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "entities.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(OBAMA).encode() * 99)[:-12])
    with pytest.raises(InputError, match="damaged gzip file, or one that was cut off"):
        list(FactFiles(path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere.jsonl: no such file"):
        list(FactFiles(tmp_path / "nowhere.jsonl"))


def test_mapped_paths_have_a_wording() -> None:
    for name, path in freebase_paths().items():
        assert name.startswith("/")
        for relation in (path.relation, path.inverse):
            assert relation == relation.lower().strip()
        for kind in (path.subject, path.object):
            assert kind in {"", "person", "location", "organisation", "concept"}


@pytest.mark.long
def test_facts_decide_the_kind_of_nearly_all_real_entities(data: Path) -> None:
    folder = data / "knowledge"
    kinds = [one.kind for one in FactFiles(folder / "entities.jsonl.gz", folder / "facts.tsv.gz")]
    assert len(kinds) == 14_510
    assert sum(kind is not None for kind in kinds) / len(kinds) > 0.97
