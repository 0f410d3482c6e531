"""Wikitext to the content of a knowledge base: links, categories, templates, plain text.

`tatian.knowledge.building.wikitext_scan` returns blocks in which every bracket has its partner.
Here a block with links, templates or tables is a tree, and is read from its root.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from html import unescape
from typing import NamedTuple

from msgspec import Struct

from tatian.knowledge.building.pages import Anchor
from tatian.knowledge.building.wikitext_scan import (
    blocks,
    pipe_trick,
    shows_words,
    target_of,
    template_words,
)
from tatian.knowledge.entities import fold, words_of

MAX_SHOWN_CHARACTERS = 200
"""Maximum number of characters that a link shows; longer ones are mistakes."""

MAX_OPENING_PARAGRAPHS = 10
"""Paragraphs in which the lead is searched."""

_WHOLE = re.compile(r"\[\[[^\[\]{}\n]*\]\]|\{\{[^\[\]{}\n]*\}\}")
_MARK = re.compile(rf"({_WHOLE.pattern}|\[\[|\]\]|\{{\{{|\}}\}}|\n\{{\||\n\|\}}(?!\}}))")
_PARTNER = {"[[": "]]", "{{": "}}", "\n{|": "\n|}"}
_LINE_START = re.compile(r"\n(?:[*#:;]+|-{4,}|=+([^=\n]+)=+)")
_NOT_IN_LINK = re.compile(r"[\n\[\]{}<>]")
_NOT_IN_NAME = re.compile(r"[\[\]{}<>]|\S[^\S\n]*\n\s*\S")
_CELLS = re.compile(r"(\n[^\S\n]*(?:\|-|\||!)|\|\||!!|\|)")
_HEADING = re.compile(r"(={1,6})(.+?)\1\s*$")
_LIST = re.compile(r"[*#:;]+\s*")
_PROSE_FIELDS = frozenset(("1", "2", "text", "quote", "content"))
_BRACES = re.compile(r"\{\{|\}\}")
_NAMES = re.compile(r"\{\{([^|{}\[\]]*)")
_TRAIL = re.compile(r"[a-z]+")
_BEFORE_MARK = re.compile(r" ([,;.:!?)\]])(?!\S)")
_EMPTY = re.compile(r" ?\([ ,;:]*\)")
_SPACED_MARKS = tuple(f" {mark}" for mark in ",;.:!?)]")
_NOTE = re.compile(
    r"(?:for (?:other|the)\b.{0,200}\bsee|this (?:article|page) (?:is|concerns|deals)|coordinates:|"
    r"not to be confused|see also|main article|.{0,60}redirects here)",
    re.IGNORECASE,
)
_LEFTOVER = re.compile(r"\[\[|\]\]|\{\{+|\}\}+|\{\||''+|<!--|-->|&[lg]t;")
_SPACE = re.compile(r"\s+")
_PICTURE_OPTION = re.compile(
    r"(?:thumb|thumbnail|frame|framed|frameless|border|left|right|center|centre|none|baseline|sub|"
    r"super|top|text-top|middle|bottom|text-bottom|upright|\d*x?\d+\s*px|"
    r"(?:alt|link|class|upright|page|lang|thumb|thumbnail)\s*=.*)?\s*",
    re.IGNORECASE | re.DOTALL,
)


class Wikitext(Struct, frozen=True):
    """Content of a page's wikitext."""

    anchors: tuple[Anchor, ...] = ()
    categories: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    """Names of templates in lower case, in order, each once."""
    paragraphs: tuple[str, ...] = ()
    """Plain text: prose, list items, table cells, captions, headings."""
    lead: str = ""
    """The first paragraph of prose, with its parentheses."""

    @property
    def text(self) -> str:
        """All paragraphs, one a line."""
        return "\n".join(self.paragraphs)


def parse_wikitext(source: str, title: str = "") -> Wikitext:
    """Parse any wikitext, broken markup as well as possible; never raise."""
    reader = _Reader(title)
    for block in blocks(source):
        reader.block(block)
    return reader.finish()


class _Reader:
    """Collects the content of one page, block by block."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._links: list[tuple[str, str]] = []
        self._categories: dict[str, None] = {}
        self._templates: dict[str, None] = {}
        self._paragraphs: list[str] = []
        self._prose: list[str] = []
        self._captions: list[str] = []
        """Captions and cells, which become paragraphs of their own."""
        self._opening: list[str] = []
        self._in_opening = True

    def block(self, block: str) -> None:
        """Add one block, in page order."""
        stripped = block.strip()
        if not stripped:
            self._end_paragraph()
            return
        heading = _HEADING.match(stripped)
        if heading is not None:
            self._end_paragraph()
            self._in_opening = not self._opening
            self._add(self._plain(heading[2]))
        elif stripped[0] in "*#:;":
            self._end_paragraph()
            self._add(self._plain(_LIST.sub("", stripped, count=1)))
        elif stripped.startswith("{|"):
            self._end_paragraph()
            self._plain(stripped)
        elif stripped[0] in "|!":
            self._end_paragraph()
            self._add(self._plain(stripped.lstrip("|!-+} ")))
        else:
            text = self._plain(stripped)
            if text:
                self._prose.append(text)
        self._flush_captions()

    def finish(self) -> Wikitext:
        """Return the content of all blocks."""
        self._end_paragraph()
        return Wikitext(
            anchors=tuple(
                Anchor(target, shown, count)
                for (target, shown), count in Counter(self._links).items()
            ),
            categories=tuple(self._categories),
            templates=tuple(self._templates),
            paragraphs=tuple(self._paragraphs),
            lead=_lead(self._opening, self._title),
        )

    def _end_paragraph(self) -> None:
        text = " ".join(self._prose)
        self._prose.clear()
        if text and self._in_opening and len(self._opening) < MAX_OPENING_PARAGRAPHS:
            self._opening.append(text)
        self._add(text)

    def _add(self, text: str) -> None:
        if text:
            self._paragraphs.append(text)

    def _flush_captions(self) -> None:
        for text in self._captions:
            self._add(tidy(text))
        self._captions.clear()

    def _plain(self, wikitext: str) -> str:
        if "[[" not in wikitext and "{{" not in wikitext and "{|" not in wikitext:
            return tidy(unescape(wikitext))
        if wikitext.startswith("{{") and self._is_wordless(wikitext):
            return ""
        return tidy(self._visible_words(_tree(wikitext)))

    def _visible_words(self, items: Sequence[Item]) -> str:
        """Return the words that items show, and record links, categories and captions."""
        out: list[str] = []
        for index, item in enumerate(items):
            if isinstance(item, str):
                out.append(_words(item))
            elif item.mark == "[[":
                after = items[index + 1] if index + 1 < len(items) else None
                out.append(self._link(item, after))
            elif item.mark == "{{":
                out.append(self._template(item))
            else:
                out.append(self._table(item.items))
        return "".join(out)

    def _link(self, node: WikiNode, after: Item | None) -> str:
        title, text = _split_at(node.items, "|")
        if _has(_NOT_IN_LINK, title):
            return self._visible_words(("[[", *node.items, "]]"))
        target = target_of(_source(title))
        if target.sort == "category" and target.title:
            self._categories.setdefault(target.title)
        elif target.sort == "picture" and text is not None:
            self._caption(text)
        if target.sort in ("category", "picture", "hidden"):
            return ""
        shown = target.shown
        if text is not None:
            shown = tidy(self._visible_words(text)) or pipe_trick(shown)
        if target.sort == "page":
            trail = _TRAIL.match(after) if isinstance(after, str) else None
            anchor_text = shown + trail[0] if trail else shown
            if anchor_text and len(anchor_text) <= MAX_SHOWN_CHARACTERS:
                self._links.append((target.title, anchor_text))
        return shown

    def _caption(self, text: Sequence[Item]) -> None:
        """Record the last argument of a picture, unless that is an option such as ``thumb``."""
        last = _parts(text)[-1]
        if not _PICTURE_OPTION.fullmatch(_source(last).strip()):
            self._captions.append(self._visible_words(last))

    def _template(self, node: WikiNode) -> str:
        """Return the words it shows, without named arguments, which are fields of a box."""
        first, *arguments = _parts(node.items)
        written = _source(first)
        if not written.strip() or _has(_NOT_IN_NAME, first):
            return self._visible_words(("{{", *node.items, "}}"))
        name = self._note_template(written)
        unnamed: list[str] = []
        before = len(self._links)
        for argument in arguments:
            key, value = _split_at(argument, "=")
            if value is None:
                unnamed.append(tidy(self._visible_words(argument)))
            elif _source(key).strip().lower() in _PROSE_FIELDS:
                unnamed.append(tidy(self._visible_words(value)))
            else:
                self._note_templates(value)
        words = template_words(name, unnamed, self._title)
        if not words:
            del self._links[before:]
        return words

    def _table(self, items: Sequence[Item]) -> str:
        """Return the words outside the cells, which become paragraphs of their own."""
        outside: list[Item] = []
        cell: list[Item] | None = None
        passed, first_line, attributes, head = True, False, False, False
        for item in items:
            if not isinstance(item, str):
                if not passed:
                    (outside if cell is None else cell).append(item)
                first_line = first_line and item.mark != "\n{|"
                continue
            for index, piece in enumerate(_CELLS.split(item)):
                ended = piece.find("\n")
                if passed and ended < 0:
                    continue
                opens = index & 1 and ended == 0
                if opens or (first_line and (piece == "||" or (piece == "!!" and head))):
                    if cell is not None:
                        self._captions.append(self._visible_words(cell))
                    passed = bool(opens) and piece[-1] == "-"
                    cell = None if passed else []
                    first_line = attributes = not passed
                    head = piece[-1] == "!" if opens else head
                elif piece == "|" and attributes:
                    cell, attributes = [], False
                elif piece:
                    (outside if cell is None else cell).append(piece[ended:] if passed else piece)
                    if ended >= 0:
                        passed = first_line = attributes = False
        if cell is not None:
            self._captions.append(self._visible_words(cell))
        return self._visible_words(outside)

    def _is_wordless(self, wikitext: str) -> bool:
        """Return whether the text is one template without words, such as an infobox."""
        depth = 0
        for brace in _BRACES.finditer(wikitext):
            depth += 1 if brace[0] == "{{" else -1
            if depth == 0 and brace.end() < len(wikitext):
                return False
        names = _NAMES.findall(wikitext)
        if not names or shows_words(_template_name(names[0])):
            return False
        for name in names:
            self._note_template(name)
        return True

    def _note_templates(self, items: Sequence[Item]) -> None:
        for item in items:
            if not isinstance(item, str):
                if item.mark == "{{":
                    self._note_template(_source(_parts(item.items)[0]))
                self._note_templates(item.items)

    def _note_template(self, written: str) -> str:
        name = _template_name(written)
        if name and len(name) <= MAX_SHOWN_CHARACTERS:
            self._templates.setdefault(name)
        return name


def _has(pattern: re.Pattern[str], items: Sequence[Item]) -> bool:
    """Return whether the text of items matches, or a link or table is among them."""
    return any(
        pattern.search(item) if isinstance(item, str) else item.mark != "{{" for item in items
    )


def _template_name(written: str) -> str:
    name = _SPACE.sub(" ", unescape(written).replace("_", " ")).strip().lower()
    return name.removeprefix("template:").removeprefix("subst:")


def tidy(text: str) -> str:
    """Normalise spaces and punctuation, and remove leftover markup."""
    plain = " ".join(_LEFTOVER.sub(" ", text).split())
    if "(" in plain:
        plain = _EMPTY.sub("", plain)
    return _BEFORE_MARK.sub(r"\1", plain) if any(map(plain.__contains__, _SPACED_MARKS)) else plain


def _lead(opening: list[str], title: str) -> str:
    """Return the defining paragraph: the first with the title, or else the first."""
    prose = [text for text in opening if _is_prose(text)]
    words = [word for word in words_of(title.partition(" (")[0]) if len(word) > 2]
    for text in prose[:4]:
        start = fold(text[:300])
        if any(word[:5] in start for word in words):
            return text
    return next(iter(prose or opening), "")


def _is_prose(text: str) -> bool:
    """Return whether a text is long enough for a sentence, and not a note to the reader."""
    if len(text) < 12 or _NOTE.match(text):
        return False
    return len(text) >= 100 or any(mark in text for mark in ".!?")


class WikiNode(NamedTuple):
    """A link, template or table, and the content of its brackets."""

    mark: str
    items: list[Item]


Item = str | WikiNode


def _tree(block: str) -> list[Item]:
    """Return a block's text and nodes; a bracket without a partner is text."""
    opened = [WikiNode("", [])]
    for piece in filter(None, _MARK.split("\n" + block)):
        if piece in _PARTNER:
            opened.append(WikiNode(piece, []))
        elif len(opened) > 1 and piece == _PARTNER[opened[-1].mark]:
            node = opened.pop()
            opened[-1].items.append(node)
        elif _WHOLE.fullmatch(piece):
            opened[-1].items.append(WikiNode(piece[:2], [piece[2:-2]]))
        else:
            opened[-1].items.append(piece)
    while len(opened) > 1:
        mark, items = opened.pop()
        opened[-1].items.extend((mark, *items))
    return opened[0].items


def _source(items: Sequence[Item]) -> str:
    """Return the wikitext of items."""
    if len(items) == 1 and isinstance(items[0], str):
        return items[0]
    return "".join(
        item if isinstance(item, str) else f"{item.mark}{_source(item.items)}{_PARTNER[item.mark]}"
        for item in items
    )


def _split_at(items: Sequence[Item], mark: str) -> tuple[Sequence[Item], Sequence[Item] | None]:
    """Return the items before the first `mark` outside of brackets, and after it if any."""
    for index, item in enumerate(items):
        if isinstance(item, str) and mark in item:
            before, _, behind = item.partition(mark)
            return [*items[:index], before], [behind, *items[index + 1 :]]
    return items, None


def _parts(items: Sequence[Item]) -> list[list[Item]]:
    """Return the items between bars."""
    parts: list[list[Item]] = [[]]
    for item in items:
        if isinstance(item, str):
            first, *more = item.split("|")
            parts[-1].append(first)
            parts += [[part] for part in more]
        else:
            parts[-1].append(item)
    return parts


def _words(text: str) -> str:
    """Return a text without the marks of lists and rules at the beginning of lines."""
    return unescape(_LINE_START.sub(r"\n\1", text) if "\n" in text else text)
