"""``tatian kb lookup``: what terms may stand for."""

from __future__ import annotations

import json
import re
from calendar import monthrange
from typing import TYPE_CHECKING, Any

import click
import msgspec

from tatian.cli.common import (
    any_path,
    examples,
    format_option,
    number_option,
    print_table,
    say,
    write,
)

if TYPE_CHECKING:
    from tatian.knowledge.base import KnowledgeBase
    from tatian.knowledge.entities import Candidate, Entity, Fact, Lookup

_SHOWN = 60
"""Characters of a description in a table."""
_FACTS = 3
_DATE = re.compile(r"([+-]?\d{1,9})(?:-(\d{1,2}))?(?:-(\d{1,2}))?", re.ASCII)


@click.command(
    epilog=examples(
        "tatian kb lookup starter Paris",
        "tatian kb lookup wiki.kb jaguar 'video games' --limit 3 --format json",
    )
)
@click.argument("base", type=any_path, metavar="KB")
@click.argument("terms", nargs=-1, required=True, metavar="TERM...")
@number_option("--limit", help="The most pages to show for a term.", default=10)
@click.option(
    "--at",
    metavar="DATE",
    callback=lambda _context, _option, value: _date(value),
    help="Prefer facts that held then: a year, or a date such as 1999-12-31.",
)
@format_option
def lookup(base: str, terms: tuple[str, ...], limit: int, at: str | None, form: str) -> None:
    """Show which pages of KB, or of 'starter', each TERM may stand for, the likeliest first.

    The prior is the share of the links with that term that go to the page; where there are few,
    titles and other names have a say. A plural is looked up as its singular if it has no entry of
    its own. JSON adds ids, all facts, and the link probability: how often the term is a link where
    it stands in the texts that the base was built from.
    """
    from tatian.knowledge.opening import open_base

    with open_base(base) as opened:
        found = [opened.lookup(term) for term in terms]
        if form == "json":
            asked = zip(terms, found, strict=True)
            shown = [_plain(opened, term, one, limit, at) for term, one in asked]
            write(json.dumps(shown, indent=2, ensure_ascii=False))
            return
        _print(opened, found, limit, at)
    for term, one in zip(terms, found, strict=True):
        if not one.candidates:
            say("note", f"nothing in {base} is called '{term}'")


def _plain(
    base: KnowledgeBase, asked: str, found: Lookup, limit: int, at: str | None
) -> dict[str, Any]:
    return {
        "asked": asked,
        "term": found.term,
        "link_probability": found.link_probability,
        "candidates": [
            {
                "title": one.title,
                "kind": one.kind,
                "prior": one.prior,
                "count": one.count,
                "description": entity.description,
                "wikidata": entity.wikidata,
                "freebase": entity.freebase,
                "inlinks": entity.inlinks,
                "facts": msgspec.to_builtins(base.facts(one.id, at)),
            }
            for one in found.candidates[:limit]
            if (entity := _entity(base, one))
        ],
    }


def _print(base: KnowledgeBase, found: list[Lookup], limit: int, at: str | None) -> None:
    from tatian.statistics import Column, Table

    columns: list[Column | str] = [
        "term",
        "page",
        "kind",
        Column("prior", precision=3),
        "links",
        "description",
        "facts",
    ]
    rows = [
        (
            one.term,
            candidate.title,
            candidate.kind,
            candidate.prior,
            candidate.count,
            _cut(_entity(base, candidate).description),
            "; ".join(
                f"{fact.relation}: {fact.value}{_when(fact)}"
                for fact in base.facts(candidate.id, at)[:_FACTS]
            ),
        )
        for one in found
        for candidate in one.candidates[:limit]
    ]
    if rows:
        print_table(Table.of(columns, rows))


def _date(given: str | None) -> str | None:
    """A year, a month or a day that there is."""
    if given is None:
        return None
    match = _DATE.fullmatch(given.strip())
    if match:
        month, day = int(match[2] or 1), int(match[3] or 1)
        year = abs(int(match[1])) % 400 + 2000
        if 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]:
            return given.strip()
    raise click.BadParameter(f"'{given}' is no date: give a year, or a date such as 1999-12-31")


def _when(fact: Fact) -> str:
    if fact.since and fact.until:
        return f" ({fact.since}..{fact.until})"
    if fact.since or fact.until:
        return f" (since {fact.since})" if fact.since else f" (until {fact.until})"
    return ""


def _entity(base: KnowledgeBase, candidate: Candidate) -> Entity:
    found = base.entity(candidate.id)
    assert found is not None
    return found


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1].rstrip() + "…"
