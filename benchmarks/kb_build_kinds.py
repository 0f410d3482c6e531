"""Agreement of kinds found in a page's own words with those from Freebase's facts."""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from pathlib import Path
from urllib.parse import unquote

import msgspec

from tatian.knowledge.building.mediawiki import Dump
from tatian.knowledge.building.pages import Page
from tatian.knowledge.entities import Kind, page_title
from tatian.statistics import Cell, Column, Table

KINDS: tuple[Kind, ...] = ("person", "location", "organisation", "concept")
PATHS: dict[Kind, tuple[str, ...]] = {
    "person": (
        "/people/person/",
        "/film/actor/",
        "/government/politician/",
        "/people/deceased_person",
    ),
    "location": ("/location/",),
    "organisation": (
        "/organization/organization/",
        "/organization/non_profit",
        "/business/business_operation/",
        "/education/educational_institution/",
        "/sports/sports_team/",
    ),
    "concept": (
        "/award/award_category",
        "/biology",
        "/base/culturalevent",
        "/computer",
        "/education/field_of_study",
        "/film/film/",
        "/film/film_genre",
        "/food",
        "/language/",
        "/media_common",
        "/medicine/",
        "/music/genre",
        "/music/instrument",
        "/people/cause_of_death",
        "/people/ethnicity",
        "/people/profession",
        "/religion/religion",
        "/sports/sport/",
        "/time/event",
        "/tv/tv_program/",
    ),
}
"""Paths that show their subject's kind; entities with paths of two kinds are not used."""


class Row(msgspec.Struct):
    """Fields of an entity that are needed."""

    id: str
    wikipedia: str | None = None


def kinds_by_facts(knowledge: Path) -> dict[str, Kind]:
    """Return kinds by title, from the paths of an entity's facts."""
    paths: defaultdict[str, set[Kind]] = defaultdict(set)
    with gzip.open(knowledge / "facts.tsv.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            subject, path, _ = line.split("\t", 2)
            for kind, starts in PATHS.items():
                if path.startswith(starts):
                    paths[subject].add(kind)
    kinds_of: dict[str, Kind] = {}
    with gzip.open(knowledge / "entities.jsonl.gz") as rows:
        for line in rows:
            row = msgspec.json.decode(line, type=Row)
            kinds = paths[row.id]
            if row.wikipedia and len(kinds) == 1:
                kinds_of[page_title(unquote(row.wikipedia.rpartition("/wiki/")[2]))] = min(kinds)
    return kinds_of


def kinds_table(knowledge: Path) -> Table:
    """Tabulate right and wrong kinds, over the pages that both have."""
    gold = kinds_by_facts(knowledge)
    dump = Dump(knowledge / "schoolswiki-pages-articles.xml.bz2", processes=2)
    counts: Counter[tuple[Kind, Kind]] = Counter()
    for page in dump:
        if isinstance(page, Page) and page.title in gold:
            counts[gold[page.title], page.kind or "concept"] += 1
    rows: list[tuple[Cell, ...]] = []
    for kind in KINDS:
        count = sum(counts[kind, other] for other in KINDS)
        rows.append(
            (kind, count, counts[kind, kind] / count, *(counts[kind, other] for other in KINDS))
        )
    whole = counts.total()
    right = sum(counts[kind, kind] for kind in KINDS)
    columns = tuple(Column(f"said {kind}", precision=0) for kind in KINDS)
    rows.append(("all", whole, right / whole, *("" for _ in KINDS)))
    return Table(
        (
            Column("told by facts"),
            Column("pages", precision=0),
            Column("right", precision=3),
            *columns,
        ),
        tuple(rows),
        title="Kinds of Schools pages; the rules were written with an eye on these pages",
    )
