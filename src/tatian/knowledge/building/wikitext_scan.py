"""Preparation of wikitext for parsing, in one pass and linear time.

A wikitext parser tries a construct, fails at the end of the page and tries again, so a page with
many unclosed brackets takes it minutes. Here comments, references and tags are removed, as are
brackets without a partner. The page is cut into blocks (a line, or the lines of a template or
table). The rest is well-formed and small, block by block, and parses quickly. The end of the module
has the words that templates show, and the targets of links.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from msgspec import Struct

from tatian import limits
from tatian.assets import sections
from tatian.knowledge.entities import page_title
from tatian.text.lexicon import phrase_set

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
    r"(?P<whole>\[\[[^\[\]{}\n]*\]\]|\{\{[^\[\]{}\n]*\}\}(?!\}))"
    r"|\n(?:(?P<table>[ \t:*#]*\{\|(?!\}))|(?P<end>[ \t]*\|\}(?!\}))|(?=\n))"
    r"|\[\[|\{\{+|\]\]|\}\}+"
)
_ANY = re.compile(r"(?<=\n)[ \t:*#]*\{\|(?!\})|(?<=\n)[ \t]*\|\}(?!\})|\[\[|\{\{+|\]\]|\}\}+")
_WRITTEN = {"[[": ("[[", "]]"), "{{": ("{{", "}}"), "{|": ("{|", "|}")}
_PICTURE = re.compile(r"\s*(?:file|image|media)\s*:", re.IGNORECASE)

_SECTIONS = sections(Path(__file__).with_name("wikitext.txt"))
LISTS = {name: phrase_set(listed) for name, listed in _SECTIONS.items()}
_DROPPED = LISTS["dropped tags"]
"""Elements whose content is not prose."""
_BREAKS = frozenset("br hr p div li ul ol dl dd dt tr td th table blockquote center poem".split())


def blocks(source: str) -> list[str]:
    """Return the page as well-formed blocks: lines, templates, tables; blank lines are empty."""
    return _balance("\n" + _scrub(source))


def _scrub(source: str) -> str:
    """Remove comments, references, tags, addresses and quote marks of style."""
    text = _without_tags(_COMMENT.sub("", source.replace("\r\n", "\n").replace("\r", "\n")))
    if "__" in text:
        text = _MAGIC.sub("", text)
    if "//" in text:
        text = _ADDRESS.sub("", _EXTERNAL.sub(r"\1", text))
    return _QUOTES.sub(_apostrophes, text) if "''" in text else text


def _apostrophes(match: re.Match[str]) -> str:
    """Return the visible part of a run of quotes: two, three and five are style, the rest stays."""
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


class _Bracket(Struct):
    """An opening or closing bracket, and whether it has a partner."""

    kind: str
    opens: bool
    start: int
    end: int
    matched: bool = False


def _balance(text: str) -> list[str]:
    """Return blocks in which every bracket has its partner; empty ones stand for blank lines."""
    complete: list[str] = []
    block: list[str] = []
    depth = 0
    at = 0

    def add(part: str) -> None:
        if depth == 0 and "\n" in part:
            first, *lines, last = part.split("\n")
            complete.extend(("".join((*block, first)), *lines))
            block[:] = [last]
        elif depth <= limits.WIKI_DEPTH:
            block.append(part)

    for bracket in _pair_brackets(text):
        if bracket.start > at:
            add(text[at : bracket.start])
        at = bracket.end
        if not bracket.kind:
            if depth < limits.WIKI_DEPTH:
                block.append(text[bracket.start : at])
        elif bracket.matched:
            depth += bracket.opens
            if depth <= limits.WIKI_DEPTH:
                block.append(_WRITTEN[bracket.kind][not bracket.opens])
            depth -= not bracket.opens
    add(text[at:])
    complete.append("".join(block))
    return [part for well_formed in complete for part in _split_long_block(well_formed)]


def _split_long_block(block: str) -> list[str]:
    if len(block) <= limits.WIKI_BLOCK_CHARACTERS:
        return [block]
    lines = _ANY.sub(" ", block).split("\n")
    return [
        line[i : i + limits.WIKI_BLOCK_CHARACTERS]
        for line in lines
        for i in range(0, len(line), limits.WIKI_BLOCK_CHARACTERS)
    ]


def _pair_brackets(text: str) -> list[_Bracket]:
    """Return all brackets, marked if they have a partner; empty pairs are one bracket."""
    brackets: list[_Bracket] = []
    stack: list[_Bracket] = []
    waiting: Counter[str] = Counter()

    def open_link() -> bool:
        return stack[-1].kind == "[[" and not _PICTURE.match(text, stack[-1].end)

    def drop() -> _Bracket:
        lost = stack.pop()
        waiting[lost.kind] -= 1
        return lost

    for match in _BRACKET.finditer(text):
        start, end = match.span()
        mark = text[start : start + 2]
        if match.lastgroup == "whole":
            if stack and mark == "[[" and open_link():
                drop()
            brackets.append(_Bracket("", False, start, end))
            continue
        if mark == "\n\n":
            if stack and open_link():
                drop()
            continue
        for bracket in _brackets(match, start, end, mark):
            brackets.append(bracket)
            if bracket.opens:
                if stack and bracket.kind == "[[" and open_link():
                    drop()
                stack.append(bracket)
                waiting[bracket.kind] += 1
            elif waiting[bracket.kind]:
                while stack[-1].kind != bracket.kind:
                    drop()
                drop().matched = bracket.matched = True
    return brackets


def _brackets(match: re.Match[str], start: int, end: int, mark: str) -> list[_Bracket]:
    """Return the brackets of a run of braces, with one of three if their number is odd."""
    if mark[0] == "\n":
        return [_Bracket("{|", match["table"] is not None, start + 1, end)]
    if mark[0] in "[]":
        return [_Bracket("[[", mark == "[[", start, end)]
    return [
        _Bracket("{{", mark == "{{", left, end if left + 3 == end else left + 2)
        for left in range(start, end - 1, 2)
    ]


FIRST = LISTS["first argument"]
"""Templates that show their first argument."""
SECOND = LISTS["second argument"]
"""Templates that show their second argument."""
_SHOWN = {
    "–": "ndash, en dash",
    "—": "mdash, em dash",
    " – ": "snd, spnd, spaced ndash, spaced en dash, snds, dash",
    " — ": "spaced mdash",
    " ": "nbsp, space, spaces, thinsp, thin space, hair space, hsp, -, !, pipe",
    " · ": "·, dot",
    " • ": "•, bullet",
    "ʿ": "ayin",
    "ʾ": "hamza",
    "ʻ": "okina",
    "£": "pound",
    "€": "euro",
    "π": "pi",
    "♯": "sharp",
    "♭": "flat",
    "♮": "natural",
    "°": "degree",
    "×": "times",
    **{shown: shown for shown in ("'", "'s", "' \"", "\" '", "=")},
    **{shown: shown.lower() for shown in ("AD", "CE", "BC", "BCE")},
}
WRITTEN = {name: shown for shown, named in _SHOWN.items() for name in named.split(", ")}
"""Templates with a fixed text."""
_SHIPS = LISTS["ships"]
_CIRCA = frozenset(("circa", "c.", "ca", "c", "approx", "born circa"))


@lru_cache(10_000)
def shows_words(name: str) -> bool:
    """Return whether a template of this name puts words into the text."""
    return bool(template_words(name, ("a", "b", "c", "d"), "page"))


def template_words(name: str, arguments: Sequence[str], page: str) -> str:
    """Return the words that a template puts into a sentence; empty for boxes and unknown ones.

    `arguments` are the unnamed ones, as plain text; `name` is in lower case.
    """
    first = arguments[0].strip() if arguments else ""
    second = arguments[1].strip() if len(arguments) > 1 else ""
    if name in WRITTEN:
        return WRITTEN[name]
    if name in SECOND or name.startswith(("lang-rtl", "font ")):
        return second
    if name in FIRST or (name.startswith("lang-") and len(name) < 12):
        return first
    if name in ("convert", "cvt", "val"):
        return _measure(first, second, arguments)
    if name in _CIRCA:
        return f"c. {first}" if first else "c."
    if name in _SHIPS:
        return f"{name.upper()} {first}".strip()
    if name in ("ship", "sclass", "sclass2"):
        return f"{first} {second}".strip()
    if name in ("frac", "fraction", "sfrac"):
        return "/".join(argument.strip() for argument in arguments[:2])
    if name in ("as of", "asof"):
        return f"As of {first}" if first else ""
    if name in ("pagename", "fullpagename", "basepagename", "subst:pagename"):
        return page
    function, colon, rest = name.partition(":")
    return rest.strip() if colon and function in ("formatnum", "lc", "uc", "ucfirst") else ""


def _measure(first: str, second: str, arguments: Sequence[str]) -> str:
    """Return "5 km" for ``{{convert|5|km|mi}}``, "5 to 8 km" for ``{{convert|5|to|8|km|mi}}``."""
    if second in ("to", "-", "–", "and", "or", "x", "by", "to(-)") and len(arguments) > 3:
        joint = second if second.isalpha() else "–"
        unit = arguments[3].strip()
        space = " " if joint.isalpha() else ""
        return f"{first}{space}{joint}{space}{arguments[2].strip()} {unit}"
    return f"{first} {second}".strip()


LinkSort = Literal["page", "picture", "category", "elsewhere", "hidden"]
"""``elsewhere`` shows its words but leads to no article; ``hidden`` shows nothing."""

_MAX_TITLE_LENGTH = 255
_NOT_IN_TITLE = re.compile(r"[\[\]{}|<>\n\x00-\x1f\ufffd]")
_REDIRECT = re.compile(r"\s*#\s*REDIRECT(?:ION)?\s*:?\s*\[\[([^\[\]|\n]+)", re.IGNORECASE)
_PARENTHESIS = re.compile(r"\s*\([^()]*\)\s*$")

_PICTURES = frozenset(("file", "image", "media"))
_OUTSIDE = LISTS["namespaces"] | LISTS["projects"] | LISTS["languages"] | _PICTURES | {"category"}


class Target(Struct, frozen=True):
    """Target of a link (a page, a picture, a category or something outside), and its words."""

    sort: LinkSort
    title: str
    """The page, without section; for a category its name."""
    shown: str


@lru_cache(1 << 14)
def target_of(written: str) -> Target:
    """Parse the text before the first bar of a link."""
    plain = " ".join(unescape(written).replace("_", " ").split())
    if "%" in plain:
        plain = unquote(plain, errors="replace")
    colon = plain.startswith(":")
    plain = plain.lstrip(": ")
    shown = plain
    prefix, separator, rest = plain.partition(":")
    space = prefix.strip().lower()
    if separator and not colon:
        if space in _PICTURES:
            return Target("picture", rest.strip(), "")
        if space == "category":
            return Target("category", page_title(rest.partition("#")[0]), "")
        if space in LISTS["languages"]:
            return Target("hidden", "", "")
    title = page_title(plain.partition("#")[0])
    if (separator and space in _OUTSIDE) or not _is_title(title):
        return Target("elsewhere", "", shown)
    return Target("page", title, shown.partition("#")[0].strip())


def pipe_trick(shown: str) -> str:
    """Return what ``[[Pipe (computing)|]]`` shows: no parenthesis, nothing after a comma."""
    unqualified = _PARENTHESIS.sub("", shown)
    return unqualified if unqualified != shown else shown.partition(", ")[0]


def redirect_target(source: str) -> str:
    """Return the page that a redirect leads to; empty if it is no redirect."""
    match = _REDIRECT.match(source)
    if match is None:
        return ""
    target = target_of(match[1])
    return target.title if target.sort == "page" else ""


def _is_title(title: str) -> bool:
    if not title or _NOT_IN_TITLE.search(title) or title.startswith(("/", "../", "./")):
        return False
    return len(title.encode()) <= _MAX_TITLE_LENGTH
