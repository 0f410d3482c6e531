"""Items of the aggregation page: an instance without its answers, what is sent, and gold."""

from __future__ import annotations

from msgspec import Struct

from tatian.aggregation.data import Instance
from tatian.aggregation.data.checking import check
from tatian.workbench.tasks import NewItem, Plain, reading
from tatian.workbench.tasks.reading import converted, plain

LONGEST = 10_000
"""Characters of an excerpt: a few sentences are asked for."""
MOST_ENTITIES = 12
_TYPES = {
    "people": "person",
    "persons": "person",
    "area": "location",
    "areas": "location",
    "locations": "location",
    "organizations": "organization",
}
"""Other words for the types of entities that files may have."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What a campaign of aggregations can be told."""

    background: bool = True
    """Whether annotators see what an encyclopedia says of the entities."""


class Content(Struct, frozen=True, omit_defaults=True):
    """An item as it is stored: an instance without its answers."""

    entities: tuple[str, ...]
    type: str
    title: str = ""
    context: str = ""
    background: dict[str, str] = {}
    links: dict[str, str] = {}
    """The https address of an entity's page, where its name does not lead there."""
    date: str = ""
    source: str = ""
    mentions: dict[str, tuple[tuple[int, int], ...]] = {}

    def __post_init__(self) -> None:
        check(self.instance("item"))
        if len(self.entities) > MOST_ENTITIES:
            raise ValueError(f"{len(self.entities)} entities: at most {MOST_ENTITIES} fit a page")
        if len(self.context) > LONGEST:
            raise ValueError(f"context: more than {LONGEST:,} characters: take an excerpt")
        for name, address in self.links.items():
            if name not in self.entities:
                raise ValueError(f"links: of '{name}', which is not among the entities")
            if not address.startswith("https://") or " " in address:
                raise ValueError(f"links: '{address}' is no https address")

    def instance(self, id: str) -> Instance:
        """As data sets and models know it."""
        return Instance(
            id, self.entities, self.type, self.title, self.context, self.background,
            date=self.date, source=self.source, mentions=self.mentions,
        )  # fmt: skip


class Given(Struct, frozen=True):
    """What the page sends: phrases, or the box ticked."""

    phrases: tuple[str, ...] = ()
    not_applicable: bool = False


class Gold(Struct, frozen=True):
    """All phrases that are right, none where N/A is; and why."""

    phrases: tuple[str, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        if not all(phrase.strip() for phrase in self.phrases):
            raise ValueError("an empty phrase")


def read_item(row: Plain, number: int) -> NewItem:
    """An item of a line or row; one without an id is called by its number."""
    fields = {name: row[name] for name in Content.__struct_fields__ if row.get(name)}
    if isinstance(names := fields.get("entities"), str):
        fields["entities"] = _divided(names)
    if isinstance(kind := fields.get("type"), str):
        fields["type"] = _TYPES.get(said := kind.strip().lower(), said)
    content = converted(fields, Content, "not an instance")
    gold = reading.gold(row)
    if isinstance(gold, str):
        gold = {"phrases": _divided(gold)}
    elif isinstance(gold, list):
        gold = {"phrases": gold}
    right = None if gold is None else plain(converted(gold, Gold, "gold"))
    return reading.item(row, number, plain(content), right)


def _divided(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(";") if part.strip()]
