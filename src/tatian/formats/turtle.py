"""Parser for Turtle, the RDF syntax of NIF files; yields the triples of a file.

All of Turtle 1.1 is supported. Two deviations found in real files are accepted: undeclared prefixes
are kept as they are (``el:Mnt-Full``), and an IRI may contain any character but ``>``. Parts that
no NIF file uses are ignored: a literal's language and type, a list's order.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urljoin

from msgspec import Struct

from tatian.errors import InputError


class _Token(NamedTuple):
    """A token; the end of the file has the kind ``end``."""

    kind: str
    text: str
    at: int


_LOCAL = r"(?:[\w\-:·\u2010-\u203f]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%])"
_SPACE = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)+")
_TOKEN = re.compile(
    rf"""
      (?P<iri><[^>\n]*>)
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


RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
_MAX_DEPTH = 100
"""Maximum nesting depth of blank nodes and lists."""


class Iri(Struct, frozen=True):
    """A resource with a name."""

    value: str


class BlankNode(Struct, frozen=True):
    """A resource without a name of its own."""

    value: str


class Literal(Struct, frozen=True):
    """A literal: a string, number or boolean."""

    value: str


Term = Iri | BlankNode | Literal


class Triple(NamedTuple):
    """Subject, predicate, object, and the line of the object."""

    subject: Iri | BlankNode
    predicate: str
    object: Term
    line: int


_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_LOCAL_ESCAPE = re.compile(r"\\(.)")
_UNSAFE = re.compile(r'[\x00-\x20<>"{}|^`\\]')


def statements(text: str, path: str | None = None) -> Iterator[Triple]:
    """Yield the triples of a Turtle file, in order; error messages name `path` and the line."""
    return _Parser(text, path).statements()


class _Parser:
    def __init__(self, text: str, path: str | None) -> None:
        self._text = text.removeprefix("\ufeff")
        self._path = path
        self._breaks = [line_end.start() for line_end in re.finditer("\n", self._text)]
        self._prefixes: dict[str, str] = {}
        self._base = ""
        self._blanks = 0
        self._depth = 0
        self._next = _Token("", "", 0)
        self._take()

    def _line(self, at: int) -> int:
        return bisect_left(self._breaks, at) + 1

    def _error(self, problem: str, at: int) -> InputError:
        return InputError(f"not Turtle: {problem}", path=self._path, line=self._line(at))

    def _take(self) -> _Token:
        """Return the next token, and read one ahead."""
        token = self._next
        at = token.at + len(token.text)
        if blank := _SPACE.match(self._text, at):
            at = blank.end()
        if match := _TOKEN.match(self._text, at):
            self._next = _Token(match.lastgroup or "", match[0], at)
        elif at == len(self._text):
            self._next = _Token("end", "", at)
        else:
            raise self._error(f"cannot read '{self._text[at : at + 20].splitlines()[0]}'", at)
        return token

    def _expect(self, mark: str) -> None:
        token = self._take()
        if token.text != mark or token.kind != "mark":
            raise self._unexpected(token, f"'{mark}'")

    def _unexpected(self, token: _Token, wanted: str) -> InputError:
        shown = f"'{token.text[:40]}'" if token.text else "the end of the file"
        return self._error(f"{wanted} expected, not {shown}", token.at)

    def _is(self, *marks: str) -> bool:
        return self._next.kind == "mark" and self._next.text in marks

    def statements(self) -> Iterator[Triple]:
        while self._next.kind != "end":
            if not self._directive():
                yield from self._triples()
                self._expect(".")

    def _directive(self) -> bool:
        word = self._next.text.lower() if self._next.kind in ("at", "word") else ""
        if word.lstrip("@") not in ("prefix", "base"):
            return False
        self._take()
        if word.endswith("prefix"):
            name = self._take()
            if name.kind != "pname" or not name.text.endswith(":"):
                raise self._unexpected(name, "a prefix such as 'nif:'")
            self._prefixes[name.text[:-1]] = self._iri(self._take())
        else:
            self._base = self._iri(self._take())
        if word.startswith("@"):
            self._expect(".")
        return True

    def _triples(self) -> Iterator[Triple]:
        alone = self._is("[")
        inner: list[Triple] = []
        subject = self._node(inner)
        if isinstance(subject, Literal):
            raise self._error("a literal cannot be a subject", self._next.at)
        yield from inner
        if not (alone and self._is(".")):
            yield from self._properties(subject)

    def _properties(self, subject: Iri | BlankNode) -> Iterator[Triple]:
        while True:
            predicate = self._predicate()
            while True:
                inner: list[Triple] = []
                line = self._line(self._next.at)
                value = self._node(inner)
                yield Triple(subject, predicate, value, line)
                yield from inner
                if not self._is(","):
                    break
                self._take()
            if not self._is(";"):
                return
            while self._is(";"):
                self._take()
            if self._is(".", "]") or self._next.kind == "end":
                return

    def _predicate(self) -> str:
        token = self._take()
        if token.kind == "word" and token.text == "a":
            return RDF + "type"
        return self._iri(token)

    def _iri(self, token: _Token) -> str:
        if token.kind == "iri":
            value = self._unescaped(token.text[1:-1], token.at)
            with suppress(ValueError):
                return urljoin(self._base, value) if self._base else value
            return value
        if token.kind == "pname":
            prefix, _, local = token.text.partition(":")
            local = _LOCAL_ESCAPE.sub(r"\1", local)
            return self._prefixes.get(prefix, f"{prefix}:") + local
        raise self._unexpected(token, "a name such as nif:isString or <http://...>")

    def _node(self, inner: list[Triple]) -> Term:
        """Return a subject or object; triples of nested nodes are appended to `inner`."""
        token = self._take()
        match token.kind:
            case "iri" | "pname":
                return Iri(self._iri(token))
            case "blank":
                return BlankNode(token.text)
            case "long" | "short":
                return self._literal(token)
            case "number":
                return Literal(token.text)
            case "word" if token.text in ("true", "false"):
                return Literal(token.text)
            case "mark" if token.text in "[(":
                return self._nested(token, inner)
        raise self._unexpected(token, "a name, a literal or a bracket")

    def _nested(self, token: _Token, inner: list[Triple]) -> BlankNode:
        if self._depth >= _MAX_DEPTH:
            raise self._error(f"more than {_MAX_DEPTH} levels of nesting", token.at)
        self._depth += 1
        self._blanks += 1
        node = BlankNode(f"[{self._blanks}]")
        if token.text == "(":
            while not self._is(")"):
                self._node(inner)
        elif not self._is("]"):
            inner.extend(self._properties(node))
        self._expect(")" if token.text == "(" else "]")
        self._depth -= 1
        return node

    def _literal(self, token: _Token) -> Literal:
        edge = 3 if token.kind == "long" else 1
        value = self._unescaped(token.text[edge:-edge], token.at)
        if self._next.kind == "at":
            self._take()
        elif self._next.kind == "type":
            self._take()
            self._iri(self._take())
        return Literal(value)

    def _unescaped(self, text: str, at: int) -> str:
        if "\\" not in text:
            return text

        def character(match: re.Match[str]) -> str:
            code = match[1] or match[2]
            if code:
                number = int(code, 16)
                if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
                    raise self._error(f"'{match[0]}' is not a valid character", at)
                return chr(number)
            if match[3] not in _ESCAPED:
                raise self._error(f"'{match[0]}' is not a valid escape sequence", at)
            return _ESCAPED[match[3]]

        return _ESCAPE.sub(character, text)


def quote_literal(text: str) -> str:
    """Return a string as a Turtle literal on one line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    for mark, character in (("n", "\n"), ("r", "\r"), ("t", "\t"), ("b", "\b"), ("f", "\f")):
        escaped = escaped.replace(character, f"\\{mark}")
    return f'"{escaped}"'


def bracket_iri(iri: str) -> str:
    """Return an IRI in angle brackets, with unsafe characters escaped."""
    return "<" + _UNSAFE.sub(lambda character: f"\\u{ord(character[0]):04X}", iri) + ">"
