"""Characters that SGML writes as entities, so that offsets count what a reader sees."""

from __future__ import annotations

import re

ENTITY = r"&(?:[#][0-9]{1,7}|[#][xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,4});"
"""What may be an entity that `decode` knows."""

_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ENTITY = re.compile(ENTITY)


def decode(entity: str) -> str:
    """The character an entity stands for; one that is not known stands for itself."""
    name = entity[1:-1]
    if not name.startswith("#"):
        return _NAMED.get(name.lower(), entity)
    hexadecimal = name[1] in "xX"
    code = int(name[2:], 16) if hexadecimal else int(name[1:])
    is_character = 0 < code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code) if is_character else entity


def unescape(written: str) -> str:
    """A text or an attribute's value with its entities decoded."""
    return _ENTITY.sub(lambda found: decode(found[0]), written) if "&" in written else written


def escape(text: str) -> str:
    """Text as SGML content: reading it gives the same text back."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def quote(value: str) -> str:
    """A value as an attribute in double quotes."""
    return f'"{escape(value).replace(chr(34), "&quot;")}"'
