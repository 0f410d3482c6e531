"""Chains as lists of their words."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from tatian.coreference.comparing.kinds import KINDS
from tatian.coreference.comparing.result import Side
from tatian.coreference.views.lists import Group, Item, Listing

MANY = 12
"""Mentions of one chain that are written out before the rest is only counted."""


def chains_html(side: Side, text: str, title: str, *, attribute: str, opened: bool = False) -> str:
    """Every chain of several mentions; `attribute` says by which data the text knows them."""
    entries = []
    for chain, members in enumerate(side.members):
        if len(members) > 1:
            label = escape(side.labels[chain])
            words = [side.mentions[index].of(text) for index in members]
            entries.append(
                f'<li data-{attribute}="{label}"><b class="label">{label}</b> '
                f'<span class="count">{len(words)}</span> {words_html(words)}</li>'
            )
    if not entries:
        return ""
    shown = " open" if opened else ""
    return (
        f'<details class="chains"{shown}><summary>{escape(title)} '
        f'<span class="count">{len(entries)}</span></summary><ol>{"".join(entries)}</ol></details>'
    )


def listings_html(found: Iterable[Listing]) -> str:
    """What is divided, joined, lacking and invented."""
    return "\n".join(
        f'<section class="list e-{one.kind}"><h3><span class="sign" aria-hidden="true">'
        f"{KINDS[one.kind].sign}</span> {escape(one.title)}</h3>"
        f"<ul>{''.join(_item_html(item, one.verb) for item in one.items)}</ul></section>"
        for one in found
    )


def words_html(words: list[str] | tuple[str, ...]) -> str:
    """Phrases with semicolons between them, the rest counted."""
    shown = "; ".join(f"<bdi>{escape(word)}</bdi>" for word in words[:MANY])
    rest = len(words) - MANY
    return f"{shown} <i>and {rest} more</i>" if rest > 0 else shown


def _item_html(item: Item, verb: str) -> str:
    label = f'<b class="label">{escape(item.label)}</b>'
    if not verb:
        return f"<li>{label} {words_html(item.groups[0].words)}</li>"
    return f"<li>{label} {verb}<ul>{''.join(map(_group_html, item.groups))}</ul></li>"


def _group_html(group: Group) -> str:
    return f'<li><b class="label">{escape(group.label)}</b> {words_html(group.words)}</li>'
