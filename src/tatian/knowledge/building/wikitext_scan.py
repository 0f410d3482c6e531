"""Makes wikitext safe to parse: one pass, in time proportional to its length, whatever it is.

A wikitext parser tries a construct, fails at the end of the page and tries again, so a page with
many unclosed brackets takes it minutes. Here comments, references and tags go, brackets without a
partner go, and the page falls into blocks (a line, or as many lines as a template or table spans).
What remains is well-formed and small, block by block, and parses quickly.
"""

from __future__ import annotations

import re
from collections import Counter

DEEPEST = 12
"""Constructs nested deeper than this are left out; real pages stay below 10."""
LONGEST_BLOCK = 100_000
"""Characters; a longer block falls into its lines."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)\b([^<>]*)>")
_MAGIC = re.compile(r"__[A-Z]{3,30}__")
_EXTERNAL = re.compile(
    r"\[(?:https?:|ftp:|mailto:|news:|irc:)?//?[^\s\[\]<>|]+[ \t]*([^\[\]\n]*)\]", re.IGNORECASE
)
_ADDRESS = re.compile(r"\b(?:https?|ftp)://[^\s\[\]<>|{}\"]+", re.IGNORECASE)
_QUOTES = re.compile(r"''+")
_MARKUP = re.compile(r"[\[\]{}'<>=*#:;|&!_\\/-]")
_BRACKET = re.compile(
    r"\n(?:(?P<table>[ \t:*#]*\{\|(?!\}))|(?P<end>[ \t]*\|\}(?!\})))?|\[\[|\{\{+|\]\]|\}\}+"
)
_WRITTEN = {"[[": ("[[", "]]"), "{{": ("{{", "}}"), "{|": ("{|", "|}")}
_PICTURE = re.compile(r"\s*(?:file|image|media)\s*:", re.IGNORECASE)

_DROPPED = frozenset(
    "ref math gallery timeline score syntaxhighlight source imagemap templatedata mapframe maplink "
    "graph hiero inputbox chem ce references templatestyles categorytree section noinclude "
    "indicator includeonly style script".split()
)
"""Elements whose contents are no prose."""
_BREAKS = frozenset("br hr p div li ul ol dl dd dt tr td th table blockquote center poem".split())


def blocks(source: str) -> list[str]:
    """The page as well-formed blocks: a line, a template, a table; a blank line is an empty one."""
    return _balanced("\n" + _scrubbed(source))


def _scrubbed(source: str) -> str:
    """Without comments, references, tags, addresses and quote marks of style."""
    text = _without_tags(_COMMENT.sub("", source.replace("\r\n", "\n").replace("\r", "\n")))
    if "__" in text:
        text = _MAGIC.sub("", text)
    if "//" in text:
        text = _ADDRESS.sub("", _EXTERNAL.sub(r"\1", text))
    return _QUOTES.sub(_apostrophes, text) if "''" in text else text


def _apostrophes(match: re.Match[str]) -> str:
    """What MediaWiki shows of a run of quotes: two, three and five are style, the rest stays."""
    length = len(match[0])
    if length == 4:
        return "'"
    return "'" * (length - 5)


def _without_tags(text: str) -> str:
    if "<" not in text:
        return text
    tags = list(_TAG.finditer(text))
    last = {tag[2].lower(): tag.start() for tag in tags if tag[1]}
    out: list[str] = []
    at = 0
    raw = ""
    for tag in tags:
        name, closing = tag[2].lower(), bool(tag[1])
        if raw:
            if not (closing and name == raw):
                continue
            if raw not in _DROPPED:
                out.append(_MARKUP.sub(_entity, text[at : tag.start()]))
            raw = ""
        else:
            out.append(text[at : tag.start()].replace("<", "&lt;"))
            if name in _BREAKS:
                out.append("\n" if name != "br" else " ")
            opens = not closing and not tag[3].endswith("/") and last.get(name, -1) > tag.start()
            if opens and (name in _DROPPED or name in ("nowiki", "pre")):
                raw = name
        at = tag.end()
    out.append(text[at:].replace("<", "&lt;"))
    return "".join(out)


def _entity(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"


class _Bracket:
    """An opening or closing bracket, and whether its partner was found."""

    __slots__ = ("end", "kind", "matched", "opens", "start")

    def __init__(self, kind: str, opens: bool, start: int, end: int) -> None:
        self.kind = kind
        self.opens = opens
        self.start = start
        self.end = end
        self.matched = False


def _balanced(text: str) -> list[str]:
    """Blocks in which every bracket has its partner; empty ones stand for blank lines."""
    found: list[str] = []
    block: list[str] = []
    depth = 0
    at = 0
    for bracket in _paired(text):
        if depth <= DEEPEST:
            block.append(text[at : bracket.start])
        at = bracket.end
        if bracket.kind == "\n":
            if depth == 0:
                found.append("".join(block))
                block.clear()
            elif depth <= DEEPEST:
                block.append("\n")
        elif bracket.matched:
            depth += bracket.opens
            if depth <= DEEPEST:
                block.append(_WRITTEN[bracket.kind][not bracket.opens])
            depth -= not bracket.opens
    block.append(text[at:])
    found.append("".join(block))
    return [part for whole in found for part in _manageable(whole)]


def _manageable(block: str) -> list[str]:
    if len(block) <= LONGEST_BLOCK:
        return [block]
    lines = _BRACKET.sub(lambda match: "\n" if match[0][0] == "\n" else " ", block).split("\n")
    return [
        line[i : i + LONGEST_BLOCK] for line in lines for i in range(0, len(line), LONGEST_BLOCK)
    ]


def _paired(text: str) -> list[_Bracket]:
    """All brackets and line ends; brackets know whether they have a partner."""
    brackets = _brackets(text)
    stack: list[_Bracket] = []
    waiting: Counter[str] = Counter()

    def drop() -> _Bracket:
        lost = stack.pop()
        waiting[lost.kind] -= 1
        return lost

    for bracket in brackets:
        link = bool(stack) and stack[-1].kind == "[["
        if bracket.kind == "\n":
            if link and text.startswith("\n", bracket.end) and not _is_picture(text, stack[-1]):
                drop()
        elif bracket.opens:
            if link and bracket.kind == "[[" and not _is_picture(text, stack[-1]):
                drop()
            stack.append(bracket)
            waiting[bracket.kind] += 1
        elif waiting[bracket.kind]:
            while stack[-1].kind != bracket.kind:
                drop()
            opener = drop()
            opener.matched = bracket.matched = True
    return brackets


def _brackets(text: str) -> list[_Bracket]:
    found: list[_Bracket] = []
    for match in _BRACKET.finditer(text):
        start, end = match.span()
        mark = match[0]
        if mark[0] == "\n":
            found.append(_Bracket("\n", False, start, start + 1))
            if end > start + 1:
                found.append(_Bracket("{|", match["table"] is not None, start + 1, end))
        elif mark[0] in "{}":
            for left in range(start, end - 1, 2):
                right = end if left + 3 == end else left + 2
                found.append(_Bracket("{{", mark[0] == "{", left, right))
        else:
            found.append(_Bracket("[[", mark == "[[", start, end))
    return found


def _is_picture(text: str, bracket: _Bracket) -> bool:
    return _PICTURE.match(text, bracket.end) is not None
