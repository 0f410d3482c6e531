"""The words of Turtle: names, strings, numbers and marks, each with its place in the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tatian.errors import InputError


class Token(NamedTuple):
    """One of them; of the kind ``end`` after the last."""

    kind: str
    text: str
    at: int


_LOCAL = r"(?:[\w\-:·\u2010-\u203f]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%])"
_TOKEN = re.compile(
    rf"""
      (?P<space>(?:[ \t\r\n]+|\#[^\n]*)+)
    | (?P<iri><[^>\n]*>)
    | (?P<long>\"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*''')
    | (?P<short>"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')
    | (?P<blank>_:\w(?:[\w.\-]*[\w\-])?)
    | (?P<number>[+-]?(?:\d+\.\d*[eE][+-]?\d+|\.?\d+[eE][+-]?\d+|\d*\.\d+|\d+)(?![\w:]))
    | (?P<pname>(?:[^\W\d_](?:[\w.\-]*[\w\-])?)?:(?:{_LOCAL}(?:(?:{_LOCAL}|\.)*{_LOCAL})?)?)
    | (?P<at>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    | (?P<word>[A-Za-z]+)
    | (?P<type>\^\^)
    | (?P<mark>[.;,\[\]()])
    """,
    re.VERBOSE | re.DOTALL,
)


def scan(text: str, refused: Callable[[str, int], InputError]) -> Iterator[Token]:
    """The tokens of a file, then ``end`` for ever; `refused` makes the error for a place."""
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise refused(f"cannot read '{text[at : at + 20].splitlines()[0]}'", at)
        if match.lastgroup != "space":
            yield Token(match.lastgroup or "", match[0], at)
        at = match.end()
    while True:
        yield Token("end", "", len(text))
