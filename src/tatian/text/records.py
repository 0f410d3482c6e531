"""What people answer when they annotate: who, when, on which item, with which guidelines."""

from __future__ import annotations

from typing import Generic, TypeVar

from msgspec import Struct

from tatian.text.layers import Authorship

T = TypeVar("T")


class Record(Struct, Generic[T], frozen=True, omit_defaults=True):
    """One answer of one annotator to one item; a correction is a new record."""

    id: str
    task: str
    """Which question was asked, e.g. ``union`` or ``mentions.confirm``."""
    item: str
    """The id of what was annotated."""
    made: Authorship
    answer: T
    replaces: str | None = None
    """The id of an earlier record that this one corrects."""
    preannotated: bool = False
    """Whether the annotator saw a model's suggestion first."""
