"""From wikitext to what a knowledge base keeps: links, categories, templates, plain text.

`mwparserfromhell` reads every block that has links, templates or tables; blocks of plain words
need no parser. `tatian.knowledge.building.wikitext_scan` prepares both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from html import unescape
from importlib.util import find_spec
from typing import TYPE_CHECKING

from msgspec import Struct

from tatian.errors import MissingExtra
from tatian.knowledge.building.pages import Anchor
from tatian.knowledge.building.wikitext_links import pipe_trick, target_of
from tatian.knowledge.building.wikitext_scan import blocks, shown_by, shows_words
from tatian.knowledge.entities import fold, words_of

if TYPE_CHECKING:
    from mwparserfromhell.nodes import Node, Tag, Template, Wikilink
    from mwparserfromhell.wikicode import Wikicode

LONGEST_SHOWN = 200
"""Characters; a link that shows more is a mistake of its writer."""

LONGEST_OPENING = 10
"""Paragraphs before the first heading among which the lead is looked for."""

_NEEDS_PARSER = ("[[", "{{", "{|")
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
    """What a page's wikitext says."""

    anchors: tuple[Anchor, ...] = ()
    categories: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    """Their names in lower case, in order, each once."""
    paragraphs: tuple[str, ...] = ()
    """Plain text: prose, list items, table cells, captions, headings."""
    lead: str = ""
    """The first paragraph of prose, with its parentheses."""

    @property
    def text(self) -> str:
        """All paragraphs, one a line."""
        return "\n".join(self.paragraphs)


def parse_wikitext(source: str, title: str = "") -> Wikitext:
    """Read any wikitext; broken markup is read as well as it can be, and never raises."""
    reader = _Reader(title)
    for block in blocks(source):
        reader.block(block)
    return reader.finished()


class _Reader:
    """Collects what the blocks of one page say."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._links: list[tuple[str, str]] = []
        self._categories: dict[str, None] = {}
        self._templates: dict[str, None] = {}
        self._paragraphs: list[str] = []
        self._prose: list[str] = []
        self._aside: list[str] = []
        self._opening: list[str] = []
        self._in_opening = True

    def block(self, block: str) -> None:
        """Take in one block, in page order."""
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
        self._flush_aside()

    def finished(self) -> Wikitext:
        """Everything, once all blocks are in."""
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
        if text and self._in_opening and len(self._opening) < LONGEST_OPENING:
            self._opening.append(text)
        self._add(text)

    def _add(self, text: str) -> None:
        if text:
            self._paragraphs.append(text)

    def _flush_aside(self) -> None:
        for text in self._aside:
            self._add(tidy(text))
        self._aside.clear()

    def _plain(self, wikitext: str) -> str:
        if not any(mark in wikitext for mark in _NEEDS_PARSER):
            return tidy(unescape(wikitext))
        if wikitext.startswith("{{") and self._is_silent(wikitext):
            return ""
        return tidy(self._shown(_parsed(wikitext).nodes))

    def _shown(self, nodes: Iterable[Node]) -> str:
        """The words that nodes show; links, categories and captions are noted on the way."""
        from mwparserfromhell import nodes as kinds

        out: list[str] = []
        listed = list(nodes)
        for index, node in enumerate(listed):
            if isinstance(node, kinds.Text):
                out.append(unescape(str(node.value)))
            elif isinstance(node, kinds.Wikilink):
                after = listed[index + 1] if index + 1 < len(listed) else None
                trail = ""
                if isinstance(after, kinds.Text):
                    found = _TRAIL.match(str(after.value))
                    trail = found[0] if found else ""
                out.append(self._link(node, trail))
            elif isinstance(node, kinds.Template):
                out.append(self._template(node))
            elif isinstance(node, kinds.HTMLEntity):
                out.append(unescape(str(node)))
            elif isinstance(node, kinds.Tag):
                out.append(self._tag(node))
            elif isinstance(node, kinds.Heading):
                out.append(self._shown(node.title.nodes))
            elif isinstance(node, kinds.ExternalLink):
                out.append("" if node.title is None else self._shown(node.title.nodes))
        return "".join(out)

    def _link(self, node: Wikilink, trail: str) -> str:
        target = target_of(str(node.title))
        if target.sort == "category":
            if target.title:
                self._categories.setdefault(target.title)
            return ""
        if target.sort == "hidden":
            return ""
        if target.sort == "picture":
            self._caption(node)
            return ""
        if node.text is None:
            shown = target.shown
        else:
            shown = tidy(self._shown(node.text.nodes)) or pipe_trick(target.shown)
        whole = shown + trail
        if target.sort == "page" and whole and len(whole) <= LONGEST_SHOWN:
            self._links.append((target.title, whole))
        return shown

    def _caption(self, node: Wikilink) -> None:
        """A picture shows its last argument, unless that is an option such as ``thumb``."""
        from mwparserfromhell.nodes import Text

        if node.text is None:
            return
        last: list[Node] = []
        for part in node.text.nodes:
            if isinstance(part, Text) and "|" in part.value:
                last = [Text(str(part.value).rpartition("|")[2])]
            else:
                last.append(part)
        if not _PICTURE_OPTION.fullmatch("".join(map(str, last)).strip()):
            self._aside.append(self._shown(last))

    def _template(self, node: Template) -> str:
        """What it shows. Named arguments are fields of a box: their links are no prose."""
        name = self._note_template(str(node.name))
        unnamed: list[str] = []
        before = len(self._links)
        for parameter in node.params:
            if not parameter.showkey or str(parameter.name).strip().lower() in _PROSE_FIELDS:
                unnamed.append(tidy(self._shown(parameter.value.nodes)))
            else:
                for inner in parameter.value.ifilter_templates():
                    self._note_template(str(inner.name))
        words = shown_by(name, unnamed, self._title)
        if not words:
            del self._links[before:]
        return words

    def _is_silent(self, wikitext: str) -> bool:
        """Whether it is one template that shows no words, such as a box: no need of a parser."""
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

    def _note_template(self, written: str) -> str:
        name = _template_name(written)
        if name and len(name) <= LONGEST_SHOWN:
            self._templates.setdefault(name)
        return name

    def _tag(self, node: Tag) -> str:
        if node.tag is None or node.contents is None:
            return ""
        words = self._shown(node.contents.nodes)
        if str(node.tag) in ("td", "th"):
            self._aside.append(words)
            return ""
        return words


def _template_name(written: str) -> str:
    name = _SPACE.sub(" ", unescape(written).replace("_", " ")).strip().lower()
    return name.removeprefix("template:").removeprefix("subst:")


def tidy(text: str) -> str:
    """One space between words, none before punctuation, no markup that a parser left over."""
    plain = " ".join(_LEFTOVER.sub(" ", text).split())
    if "(" in plain:
        plain = _EMPTY.sub("", plain)
    return _BEFORE_MARK.sub(r"\1", plain) if any(map(plain.__contains__, _SPACED_MARKS)) else plain


def _lead(opening: list[str], title: str) -> str:
    """The paragraph that says what the page is about: the first that names it, else the first."""
    prose = [text for text in opening if _is_prose(text)]
    words = [word for word in words_of(title.partition(" (")[0]) if len(word) > 2]
    for text in prose[:4]:
        start = fold(text[:300])
        if any(word[:5] in start for word in words):
            return text
    return next(iter(prose or opening), "")


def _is_prose(text: str) -> bool:
    """Long enough for a sentence and no note to the reader."""
    if len(text) < 12 or _NOTE.match(text):
        return False
    return len(text) >= 100 or any(mark in text for mark in ".!?")


def require_parser() -> None:
    """Raise at once, and not in a worker process, where the parser is not installed."""
    if find_spec("mwparserfromhell") is None:
        raise MissingExtra("reading wikitext", "kb")


def _parsed(wikitext: str) -> Wikicode:
    try:
        import mwparserfromhell
    except ImportError as error:
        raise MissingExtra("reading wikitext", "kb") from error
    return mwparserfromhell.parse(wikitext, skip_style_tags=True)
