"""XML that no strict reader takes, made readable: encodings, entities, elements left open."""

from __future__ import annotations

import html
import re
from html.entities import html5
from html.parser import HTMLParser
from xml.etree.ElementTree import Element

_REFERENCE = re.compile(r"&(#[0-9]+;|#[xX][0-9a-fA-F]+;|[A-Za-z][A-Za-z0-9]*;)?")
_OWN = frozenset(("amp;", "lt;", "gt;", "quot;", "apos;"))
"""The entities that XML itself defines."""
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_PROLOGUE = re.compile(r"^\ufeff?\s*(?:<\?xml[^>]*\?>)?")
_DEEPEST = 100
"""Elements nested deeper than this are taken for text of the one around them."""


def decoded(data: bytes) -> tuple[str, bool]:
    """The text of a file, and whether it had to be guessed that it is Windows-1252."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace"), False
    try:
        return data.decode("utf-8"), False
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace"), True


def mended(text: str) -> tuple[str, bool]:
    """The text with references and characters that XML allows, and whether any were not."""
    plain = _PROLOGUE.sub("", text, count=1)
    allowed = _FORBIDDEN.sub("", _REFERENCE.sub(_mended_reference, plain))
    return allowed, allowed != plain


def _mended_reference(found: re.Match[str]) -> str:
    name = found[1]
    if name is None:
        return "&amp;"
    if name in _OWN:
        return found[0]
    if name.startswith("#"):
        return html.escape(_FORBIDDEN.sub("", html.unescape(found[0])), quote=False)
    return html.escape(html5[name], quote=False) if name in html5 else f"&amp;{name}"


def lenient_tree(text: str, root: str) -> Element | None:
    """A tree of whatever elements there are from the first `root` on; None without one."""
    reader = _Reader(root)
    reader.feed(text)
    reader.close()
    return reader.found


class _Reader(HTMLParser):
    """Closes what is left open and passes over ends of what was never begun."""

    def __init__(self, root: str) -> None:
        super().__init__(convert_charrefs=True)
        self._root = root
        self._open: list[Element] = []
        self.found: Element | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element; a paragraph ends the one before it."""
        if self.found is None and tag != self._root:
            return
        if tag == "p" and any(one.tag == "p" for one in self._open):
            self.handle_endtag("p")
        element = Element(tag, {name: value or "" for name, value in attrs})
        if self.found is None:
            self.found = element
        elif self._open:
            self._open[-1].append(element)
        if len(self._open) < _DEEPEST:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An empty element."""
        depth = len(self._open)
        self.handle_starttag(tag, attrs)
        if len(self._open) > depth:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        """End the innermost element of this name, and all in it."""
        for depth in range(len(self._open) - 1, -1, -1):
            if self._open[depth].tag == tag:
                del self._open[depth:]
                return

    def handle_data(self, data: str) -> None:
        """Text of the innermost element, where an element tree keeps it."""
        if not self._open:
            return
        here = self._open[-1]
        if len(here):
            here[-1].tail = (here[-1].tail or "") + data
        else:
            here.text = (here.text or "") + data
