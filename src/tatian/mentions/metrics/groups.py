"""What mentions can be told apart by, so that a figure for all does not hide one for some."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

from tatian.mentions.metrics.matching import Item
from tatian.mentions.metrics.tasks import Groups

By = Literal["named", "form", "overlap", "type", "tag"]
BYS: tuple[By, ...] = get_args(By)
Kinds = Callable[[str], str | None]
"""What a page is (person, location, organisation, concept), by its title."""


def groups_of(by: By, kinds: Kinds | None = None) -> Groups:
    """The groups of a mention by what the corpus says of it.

    `named` tells names from general terms, `form` and `overlap` read the tags of that name
    (``form:pronoun``), `tag` takes every tag whole, `type` each of several (``Q5|Q215627``). Where
    nobody said whether a mention is a name, `kinds` of its page decides: people, places and
    organisations are.
    """
    if by == "type":
        return lambda item: tuple(filter(None, item.mention.type.split("|")))
    if by == "tag":
        return lambda item: item.mention.tags
    if by == "named":
        return lambda item: _named(item, kinds)
    prefix = f"{by}:"
    return lambda item: tuple(
        tag.removeprefix(prefix) for tag in item.mention.tags if tag.startswith(prefix)
    )


def _named(item: Item, kinds: Kinds | None) -> tuple[str, ...]:
    if item.mention.named is not None:
        return ("named",) if item.mention.named else ("general",)
    kind = kinds(item.titles[0]) if kinds and item.titles else None
    if kind is None:
        return ()
    return ("general",) if kind == "concept" else ("named",)
