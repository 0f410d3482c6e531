"""``tatian kb info``: what a knowledge base was built from and how much it holds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
import msgspec

from tatian.cli.common import any_path, examples, format_option, print_table, write

if TYPE_CHECKING:
    from tatian.knowledge.store import Info


@click.command(epilog=examples("tatian kb info starter", "tatian kb info wiki.kb --format json"))
@click.argument("base", type=any_path, metavar="KB")
@format_option
def info(base: str, form: str) -> None:
    """Show what KB, or 'starter', was built from and how much it holds."""
    from tatian.knowledge.opening import open_base

    with open_base(base) as opened:
        show(opened.info(), form)


def show(found: Info, form: str) -> None:
    """Print it as asked for."""
    if form == "json":
        write(json.dumps(msgspec.to_builtins(found), indent=2, ensure_ascii=False))
        return
    from tatian.statistics import Table

    counts = found.counts
    kinds = ((kind, number) for kind, number in sorted(counts.kinds.items()))
    rows: list[tuple[str, str | int]] = [
        ("file", found.path),
        ("size", f"{found.bytes / 1e6:.1f} MB"),
        ("schema", found.schema),
        ("built by", f"tatian {found.tatian}"),
        *((f"from {one.name}", _said(one.pages, one.redirects)) for one in found.sources),
        ("articles", counts.articles),
        *((f"articles, {kind}", number) for kind, number in kinds),
        ("lists", counts.lists),
        ("disambiguation pages", counts.disambiguations),
        ("redirects", counts.redirects),
        ("terms", counts.terms),
        ("senses", counts.senses),
        ("links", counts.links),
        ("facts", counts.facts),
        ("with a description", counts.described),
        ("with a vector", counts.vectors),
    ]
    shown = [(name, f"{value:,}" if isinstance(value, int) else value) for name, value in rows]
    print_table(Table.of(["knowledge base", ""], shown))


def _said(pages: int, redirects: int) -> str:
    return f"{pages:,} pages, {redirects:,} redirects" if redirects else f"{pages:,} pages"
