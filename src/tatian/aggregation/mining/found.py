"""What mining a text gives."""

from __future__ import annotations

from msgspec import Struct

from tatian.aggregation.data.records import Instance


class Found(Struct, frozen=True):
    """One aggregation of a text: an instance whose context no longer has the phrase."""

    instance: Instance
    pattern: str
    """Which way of saying it: hearst, such-as, other, apposition, numbered, close, of, plural."""
    sentence: str
    """As the text has it."""
