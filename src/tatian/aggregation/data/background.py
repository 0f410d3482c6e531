"""Background from a knowledge base, for instances that have none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from tatian.aggregation.data.records import Instance
from tatian.knowledge import Entity, KnowledgeBase

_KINDS = {"organization": "organisation"}
_OF = re.compile(r" of (?:the )?[A-Z].*$")
_WHOSE = re.compile(r"^.+?['’]s? ")
_LONGEST_NAME = 3


class Backgrounds:
    """Fills in background by the names of entities, and counts how many the base knows."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base
        self.asked = 0
        """Entities that had no background."""
        self.found = 0

    def fill(self, instance: Instance) -> Instance:
        """Return the instance with background for every entity in the base; existing texts stay."""
        background = {name: text for name, text in instance.background.items() if text.strip()}
        for name in dict.fromkeys(instance.entities):
            if name in background:
                continue
            self.asked += 1
            if (entity := self.entity(name, instance.type)) and entity.description:
                self.found += 1
                background[name] = entity.description
        return replace(instance, background=background)

    def taken(self) -> tuple[int, int]:
        """Return how many entities were asked for and found since the last call."""
        counts = self.asked, self.found
        self.asked = self.found = 0
        return counts

    def entity(self, name: str, type: str) -> Entity | None:
        """Return the entity of this type under the name, or under a shorter form of it."""
        kind = _KINDS.get(type, type)
        for form in _forms(name, person=type == "person"):
            for candidate in self._base.lookup(form).candidates:
                if candidate.kind == kind:
                    return self._base.entity(candidate.id)
        return None


def _forms(name: str, *, person: bool) -> Iterator[str]:
    """Yield the name, and for people the name without titles and places around it.

    "German Chancellor Angela Merkel", "Ted Cruz of Texas", "New York's Andrew Cuomo".
    """
    yield name
    if not person:
        return
    bare = _WHOSE.sub("", _OF.sub("", name))
    if bare != name:
        yield bare
    parts = bare.split()
    for length in range(min(_LONGEST_NAME, len(parts) - 1), 1, -1):
        yield " ".join(parts[-length:])
