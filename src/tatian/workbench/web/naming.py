"""What an item is called where people look for it: how it begins, not its number."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import shorten
from typing import Any

from tatian.workbench.tasks import Plain

_LONGEST = 60


def beginning(content: Plain) -> str:
    """The first words of what is shown of an item, so that people know it again; "" without any."""
    texts = [text for value in content.values() for text in _texts(value)]
    first = next((text for text in texts if " " in text), "")
    return shorten(first, _LONGEST, placeholder=" …")


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, in order."""
    if isinstance(value, str):
        yield " ".join(value.split())
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
