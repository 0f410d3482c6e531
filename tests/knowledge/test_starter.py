"""The base in the package: made from the committed tables, and good for everyday news."""

from __future__ import annotations

import importlib.util
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tatian.errors import AssetError, InputError
from tatian.knowledge import base as opening
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.building.tables import HEADER, EntityTable, parse_row

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_starter.py"
_spec = importlib.util.spec_from_file_location("build_starter", SCRIPT)
assert _spec is not None
assert _spec.loader is not None
making = importlib.util.module_from_spec(_spec)
sys.modules["build_starter"] = making
_spec.loader.exec_module(making)

CONTENT = (
    "SELECT id, title, kind, description, inlinks FROM entities ORDER BY id",
    "SELECT id, form, linked FROM terms ORDER BY id",
    "SELECT term, entity, count, weight FROM senses ORDER BY term, entity",
    "SELECT entity, place, relation, value, since, until FROM facts ORDER BY entity, place",
    "SELECT entity, sources FROM links ORDER BY entity",
)


@pytest.fixture(scope="module")
def base() -> Iterator[KnowledgeBase]:
    with opening.open_base() as opened:
        yield opened


def small(folder: Path, *lines: str, name: str = "places.tsv") -> Path:
    (folder / name).write_text("\n".join(("\t".join(HEADER), *lines)) + "\n", encoding="utf-8")
    return folder


def first(base: KnowledgeBase, term: str) -> str:
    return base.lookup(term).candidates[0].title


def test_the_shipped_base_was_made_from_the_committed_tables() -> None:
    assert making.made_from(opening.base_path("starter")) == making.fingerprint(), (
        "a table was changed after the base was built: run python scripts/build_starter.py"
    )


@pytest.mark.long
def test_starter_base_is_reproducible(tmp_path: Path) -> None:
    making.make(tmp_path / "again.db")
    with (
        sqlite3.connect(tmp_path / "again.db") as again,
        sqlite3.connect(opening.base_path("starter")) as shipped,
    ):
        for query in CONTENT:
            assert again.execute(query).fetchall() == shipped.execute(query).fetchall()
    again.close()
    shipped.close()


def test_base_and_dictionary_are_small() -> None:
    files = opening.TABLES.glob("starter.db*")
    assert sum(file.stat().st_size for file in files) < 5_000_000


def test_starter_tables_have_over_1500_entities() -> None:
    written = [path for path in making.tables() if path.name not in {"countries.tsv", "cities.tsv"}]
    assert sum(1 for path in written for _ in EntityTable(path).rows()) > 1_500


@pytest.mark.parametrize(
    ("term", "title"),
    [
        ("Paris", "Paris"),
        ("Birmingham", "Birmingham"),
        ("Portland", "Portland, Oregon"),
        ("u_k", "United Kingdom"),
        ("the netherlands", "Netherlands"),
        ("French", "France"),
        ("New York", "New York City"),
        ("Merkel", "Angela Merkel"),
        ("Lincoln", "Abraham Lincoln"),
        ("Jordan", "Jordan"),
        ("Bombay", "Mumbai"),
        ("yuan", "Renminbi"),
    ],
)
def test_most_common_meaning_comes_first(base: KnowledgeBase, term: str, title: str) -> None:
    assert first(base, term) == title


def test_ambiguous_georgia_has_both_candidates(base: KnowledgeBase) -> None:
    found = {candidate.title for candidate in base.lookup("Georgia").candidates}
    assert {"Georgia (country)", "Georgia (U.S. state)"} <= found


def test_every_article_has_a_description(base: KnowledgeBase) -> None:
    assert [entity.title for entity in base if not entity.description.endswith((".", "!"))] == []


def test_every_country_has_its_capital_with_the_title_of_a_city(base: KnowledgeBase) -> None:
    facts = {fact.relation: fact.value for fact in base.facts("Costa Rica")}
    assert facts["capital"] == "San José, Costa Rica"
    capital = base.entity("San José, Costa Rica")
    assert capital is not None
    assert capital.kind == "location"


def test_cities_of_one_country_are_related(base: KnowledgeBase) -> None:
    paris, lyon, osaka = (base.id_of(title) for title in ("Paris", "Lyon", "Osaka"))
    assert paris is not None
    assert lyon is not None
    assert osaka is not None
    assert base.relatedness(paris, lyon) > base.relatedness(paris, osaka)


def test_a_city_counts_by_its_inhabitants_and_less_than_what_people_chose() -> None:
    city = parse_row("Paris, Texas\t\tlocation\ttype=city|population=24782")
    capital = parse_row("Bern\t\tlocation\ttype=city|capital of=Switzerland|population=121631")
    giant = parse_row("Shanghai\t\tlocation\ttype=city|population=99999999")
    chosen = parse_row("Mont Blanc\t\tlocation\ttype=mountain")
    counts = [making.links(row) for row in (city, capital, giant, chosen)]
    assert counts == [1, making.MIN_CAPITAL_LINKS, making.LINKS - 1, making.LINKS]


def test_entities_link_to_those_whose_facts_name_them(tmp_path: Path) -> None:
    folder = small(
        tmp_path, "Lyon\t\tlocation\tcountry=France", "Nantes\t\tlocation\tcountry=France"
    )
    assert making.namers(folder) == {"France": ["Lyon", "Nantes"]}


def test_a_base_of_other_tables_has_another_fingerprint(tmp_path: Path) -> None:
    before = making.fingerprint(small(tmp_path, "Lyon\t\tlocation\t"))
    assert making.fingerprint(small(tmp_path, "Lyon\tLyons\tlocation\t")) != before
    assert making.fingerprint(small(tmp_path, "X\t\tconcept\t", name="more.tsv")) != before


def test_base_names_the_fingerprint_of_its_tables(tmp_path: Path) -> None:
    folder = small(tmp_path, "Lyon\t\tlocation\tcountry=France")
    making.make(tmp_path / "own.db", folder)
    assert making.made_from(tmp_path / "own.db") == making.fingerprint(folder)


def test_a_folder_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no tables \(\*\.tsv\)"):
        making.make(tmp_path / "own.db", tmp_path)


def test_a_missing_base_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(opening, "TABLES", tmp_path)
    with pytest.raises(AssetError, match="reinstall tatian"):
        opening.open_base()
