"""Markables in groups that grow together unless something keeps two of their members apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from tatian.coreference.definition.outline import Marked, Outline
from tatian.coreference.definition.rulings import Ruling
from tatian.coreference.definition.speech import is_about_clause

FullName = tuple[str, str]
"""A person's first and last word of a name of two or more."""


class _Group(Struct):
    """A chain while it grows."""

    members: list[int]
    apart: set[int]
    """What no member corefers with."""
    names: set[FullName]


class Clusters:
    """Starts with every markable alone; rulings that forbid a link hold from the beginning."""

    def __init__(self, outline: Outline, known: Sequence[Ruling]) -> None:
        self._outline = outline
        self._group = {
            one.order: _Group([one.order], set(), _full_names(outline, one))
            for one in outline.markables
        }
        for ruling in known:
            if ruling.verdict == "forbid":
                one, other = outline.of(ruling.anaphor), outline.of(ruling.antecedent)
                self._group[one.order].apart.add(other.order)
                self._group[other.order].apart.add(one.order)

    def is_alone(self, one: Marked) -> bool:
        """Whether nothing has been joined with it."""
        return len(self._group[one.order].members) == 1

    def join(self, one: Marked, other: Marked, *, renames: bool = False) -> None:
        """Make two markables one thing, unless a rule forbids it for any two of their groups.

        People of different full names stay apart, unless the text `renames` somebody.
        """
        first, second = self._group[one.order], self._group[other.order]
        if first is second or is_about_clause(one) or is_about_clause(other):
            return
        small, large = sorted((first, second), key=lambda group: len(group.members))
        if any(order in large.apart for order in small.members):
            return
        if not renames and any(_differ(a, b) for a in small.names for b in large.names):
            return
        large.members.extend(small.members)
        large.apart |= small.apart
        large.names |= small.names
        for order in small.members:
            self._group[order] = large

    def groups(self) -> Iterator[list[Marked]]:
        """The groups by their first markable, each in order."""
        seen: set[int] = set()
        for one in self._outline.markables:
            if one.order not in seen:
                members = self._group[one.order].members
                seen.update(members)
                yield [self._outline.markables[order] for order in sorted(members)]


def _full_names(outline: Outline, one: Marked) -> set[FullName]:
    if one.unit is None or one.unit.type != "PER":
        return set()
    words = [word.strip(".,") for word in one.unit.of(outline.document.text).lower().split()]
    return {(words[0], words[-1])} if len(words) > 1 else set()


def _differ(one: FullName, other: FullName) -> bool:
    return set(one).isdisjoint(other)
