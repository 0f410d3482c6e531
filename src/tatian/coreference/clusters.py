"""Things in groups that grow by links, unless something speaks against it."""

from __future__ import annotations

from collections.abc import Mapping, Set

from msgspec import Struct

PersonName = frozenset[str]
"""The telling words of a person's name."""


class _Group(Struct):
    """What is known of those in a group."""

    members: set[int]
    names: set[PersonName]
    genders: set[int]
    apart: set[int]
    """Those that are none of them."""


class Clusters:
    """Words, or phrases, by their numbers, in groups that grow by links."""

    def __init__(
        self,
        people: Mapping[int, PersonName] | None = None,
        gender: Mapping[int, int] | None = None,
        apart: Mapping[int, Set[int]] | None = None,
    ) -> None:
        """`people` are those that stand for persons by name, each with that name.

        `gender` says which are of a man, and which of a woman; `apart`, which are not the same
        thing, each way.
        """
        self._people = people or {}
        self._gender = gender or {}
        self._apart = apart or {}
        self._groups: dict[int, _Group] = {}

    def of(self, one: int) -> _Group:
        """The group that it is in, by itself if nothing was joined with it."""
        if one not in self._groups:
            self._groups[one] = _Group(
                {one},
                {self._people[one]} if one in self._people else set(),
                {self._gender[one]} if one in self._gender else set(),
                set(self._apart.get(one, ())),
            )
        return self._groups[one]

    def join(self, one: int, other: int, *, renames: bool = False) -> bool:
        """Make two groups one; False where they cannot be the same thing.

        People whose names have no word in common stay apart, unless the text `renames` somebody.
        """
        first, second = self.of(one), self.of(other)
        if first is second:
            return True
        small, large = sorted((first, second), key=lambda group: len(group.members))
        if not large.apart.isdisjoint(small.members) or len(small.genders | large.genders) > 1:
            return False
        if not renames and any(a.isdisjoint(b) for a in small.names for b in large.names):
            return False
        large.members |= small.members
        large.names |= small.names
        large.genders |= small.genders
        large.apart |= small.apart
        self._groups |= dict.fromkeys(small.members, large)
        return True

    def groups(self) -> list[list[int]]:
        """The groups by their first members, each in order."""
        each = {id(group): sorted(group.members) for group in self._groups.values()}
        return sorted(each.values())
