"""``tatian mentions stats``: what files of mentions hold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from tatian.cli.common import any_path, examples, format_option, kb_option, print_table, write
from tatian.cli.mentions.reading import from_option, read_texts

if TYPE_CHECKING:
    from tatian.mentions.data.summary import Summary
    from tatian.statistics import Cell, Column

_COUNTS = (
    "texts",
    "sentences",
    "tokens",
    "mentions",
    "places",
    "named",
    "general",
    "unsaid",
    "unlinked",
    "nested",
    "lower",
    "pages",
)
_RATIOS = {
    "per_sentence": "mentions per sentence",
    "sentence_length": "tokens per sentence",
    "titles_per_mention": "pages per linked term",
    "coverage": "share of tokens covered",
}


@click.command(
    epilog=examples(
        "tatian mentions stats VoxEL.ttl",
        "tatian mentions stats dev.jsonl test.jsonl --kb wiki.kb --format json",
    )
)
@click.argument("files", nargs=-1, required=True, type=any_path)
@from_option
@kb_option
@format_option
def stats(files: tuple[str, ...], origin: str | None, kb: str | None, form: str) -> None:
    """Count the mentions of each FILE: named and general, per sentence, by tag and type.

    A mention is a term, its place and one page, as in the paper: a term with two right pages is two
    mentions at one place. Where a file does not say which are names, the knowledge base does.
    """
    found = {path: _summary(path, origin, kb) for path in files}
    if form == "json":
        plain = {path: _plain(one) for path, one in found.items()}
        write(
            json.dumps(plain if len(files) > 1 else plain[files[0]], indent=2, ensure_ascii=False)
        )
        return
    _print(found)


def _summary(path: str, origin: str | None, kb: str | None) -> Summary:
    from tatian.mentions.data.summary import summarize

    texts = read_texts([path], origin)
    if kb is None:
        return summarize(texts)
    from tatian.knowledge import open_base

    with open_base(kb) as base:

        def kind(title: str) -> str | None:
            entity = base.entity(title)
            return entity.kind if entity else None

        return summarize(texts, kind)


def _plain(summary: Summary) -> dict[str, Any]:
    counts: dict[str, Any] = {name: getattr(summary, name) for name in _COUNTS}
    ratios = {name: getattr(summary, name) for name in _RATIOS}
    return {**counts, **ratios, "types": summary.types, "tags": summary.tags}


def _print(found: dict[str, Summary]) -> None:
    from tatian.statistics import Column, Table

    columns: list[Column | str] = ["", *(Column(path, precision=2) for path in found)]
    rows: list[tuple[Cell, ...]] = [
        (name, *(getattr(one, name) for one in found.values())) for name in _COUNTS
    ]
    rows += [
        (label, *(getattr(one, name) for one in found.values())) for name, label in _RATIOS.items()
    ]
    for kind in ("types", "tags"):
        for key in sorted({key for one in found.values() for key in getattr(one, kind)}):
            label = f"type {key}" if kind == "types" else key
            rows.append((label, *(getattr(one, kind).get(key, 0) for one in found.values())))
    print_table(Table.of(columns, rows))
