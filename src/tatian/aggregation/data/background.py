"""Background from a knowledge base for instances without any."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from tatian.aggregation.data.records import Instance
from tatian.knowledge import Entity, KnowledgeBase

_KINDS = {"organization": "organisation"}
_PLACE_AFTER_OF = re.compile(r" of (?:the )?[A-Z].*$")
_POSSESSIVE = re.compile(r"^.+?['’]s? ")
_MAX_NAME_LENGTH = 3


class Backgrounds:
    """Adds background by the names of entities, and counts how many the base has."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base
        self.asked = 0
        """Number of entities without background."""
        self.found = 0

    def fill(self, instance: Instance) -> Instance:
        """Add missing background for every entity that the base has."""
        background = {name: text for name, text in instance.background.items() if text.strip()}
        for name in dict.fromkeys(instance.entities):
            if name in background:
                continue
            self.asked += 1
            if (entity := self.entity(name, instance.type)) and entity.description:
                self.found += 1
                background[name] = entity.description
        return replace(instance, background=background)

    def pop_counts(self) -> tuple[int, int]:
        """Return and reset the numbers of entities asked for and found."""
        counts = self.asked, self.found
        self.asked = self.found = 0
        return counts

    def entity(self, name: str, type: str) -> Entity | None:
        """Return the entity of this type with the name, or with a shorter form of it."""
        kind = _KINDS.get(type, type)
        for form in _forms(name, person=type == "person"):
            for candidate in self._base.lookup(form).candidates:
                if candidate.kind == kind:
                    return self._base.entity(candidate.id)
        return None


def _forms(name: str, *, person: bool) -> Iterator[str]:
    """Yield the name, and a person's name without "German Chancellor" or "of Texas" around it."""
    yield name
    if not person:
        return
    core = _POSSESSIVE.sub("", _PLACE_AFTER_OF.sub("", name))
    if core != name:
        yield core
    parts = core.split()
    for length in range(min(_MAX_NAME_LENGTH, len(parts) - 1), 1, -1):
        yield " ".join(parts[-length:])
