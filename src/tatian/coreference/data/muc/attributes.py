"""The attributes of a tag: in any order and case, in double, single or no quotes."""

from __future__ import annotations

import re

from tatian.coreference.data.muc.elements import Attribute
from tatian.coreference.data.muc.entities import unescape

_PIECE = re.compile(
    r"""\s*+(?:
        (?P<written>(?P<name>[A-Za-z][\w.:-]*+)
        (?P<value>\s*+=\s*+(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?P<bare>[^\s"'=]++)))?+)
        (?=\s|$)
        |(?P<junk>\S++))""",
    re.VERBOSE,
)


def parse(written: str) -> tuple[tuple[Attribute, ...], tuple[str, ...]]:
    """The attributes in what follows a tag's name, and what is wrong with the rest of it."""
    attributes: dict[str, Attribute] = {}
    wrong: list[str] = []
    for found in _PIECE.finditer(written):
        whole, name, value, double, single, bare, junk = found.groups()
        if junk is not None:
            wrong.append(f"{junk!r} is not an attribute")
            continue
        name = name.upper()
        if name in attributes:
            wrong.append(f"{name} is given twice")
            continue
        if value is None:
            wrong.append(f"{whole!r} has no value")
        meant = unescape(double or single or bare or "").strip()
        attributes[name] = Attribute(name, meant, whole)
    return tuple(attributes.values()), tuple(wrong)
