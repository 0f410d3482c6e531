"""One article of the New York Times Annotated Corpus: NITF XML, as it really is on the disc.

Broken files are mended step by step (wrong encoding, entities without a definition, unclosed
elements), and the repairs are counted. An article is given up only if nothing can be read.
"""

from __future__ import annotations

import html
import re
from html.entities import html5
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from tatian import limits
from tatian.corpora.articles import Article
from tatian.corpora.markup import MarkupParser
from tatian.formats import Losses, file_name
from tatian.text.dates import calendar_day

TYPES = {"person": "person", "location": "location", "org": "organization"}
"""The indexing service's elements, and their entity types (TESA §3.2)."""
_INDEXED = "indexing_service"
_LEAD = re.compile(r"^LEAD:\s*")
_FILED = re.compile(
    r"(?:[;,.]?\s*(?:photos?|maps?|charts?|graphs?|diagrams?|drawings?|tables?|lists?))*"
    r"\s*\((?:S|M|L)\)\s*$",
    re.IGNORECASE,
)
"""End of an abstract in the archive: illustrations and length of the article."""
_STAMP = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)")
_DATE_PARTS = ("publication_year", "publication_month", "publication_day_of_month")


class NotNitf(ValueError):
    """A file that is no article, even after mending."""


def parse(data: bytes, path: str, defects: Losses) -> Article:
    """Parse the article in a file's bytes; `defects` receives repairs and missing parts."""
    if not data.strip():
        raise NotNitf("empty or damaged")
    root = _tree(data, path, defects)
    if root is None or root.tag != "nitf":
        raise NotNitf("no NITF document")
    paragraphs = _body(root)
    title = _title(root)
    date = _date(root)
    for what, there in (("text", paragraphs), ("headline", title), ("date", date)):
        if not there:
            defects.add(f"articles without {what}", path)
    return Article(
        id=_id(root) or file_name(path),
        title=title,
        paragraphs=paragraphs,
        abstract=_abstract(root),
        date=date,
        path=path,
        entities=_entities(root),
    )


def _tree(data: bytes, path: str, defects: Losses) -> Element | None:
    """Return the file as a tree, by the strictest reader that accepts it."""
    try:
        return ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):
        pass
    text, guessed = decode_file(data)
    if guessed:
        defects.add("files not in the encoding they declare, read as Windows-1252", path)
    text, changed = mend_references(text)
    if changed:
        defects.add("files with characters or entities that XML does not allow, mended", path)
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError):
        defects.add("files with unclosed or misplaced elements, mended", path)
    return lenient_tree(text, "nitf")


def words(element: Element | None) -> str:
    """All text in an element, on one line."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def _id(root: Element) -> str:
    element = root.find(".//doc-id")
    return "" if element is None else element.get("id-string", "").strip()


def _title(root: Element) -> str:
    """Return the headline as printed, or else that of the head."""
    return words(root.find(".//hedline/hl1")) or words(root.find("./head/title"))


def _date(root: Element) -> str:
    published = root.find(".//pubdata")
    if published is not None and (
        stamp := _STAMP.match(published.get("date.publication", "").strip())
    ):
        return _iso(*stamp.groups())
    meta = {
        element.get("name"): element.get("content", "").strip() for element in root.iter("meta")
    }
    return _iso(*(meta.get(part, "") for part in _DATE_PARTS))


def _iso(year: str, month: str, day: str) -> str:
    day_found = calendar_day(year, month, day)
    return day_found.isoformat() if day_found is not None else ""


def _abstract(root: Element) -> str:
    element = root.find(".//abstract")
    if element is None:
        return ""
    paragraphs = [words(paragraph) for paragraph in element.iter("p")] or [words(element)]
    plain = (_FILED.sub("", paragraph).strip() for paragraph in paragraphs)
    return " ".join(
        paragraph if paragraph[-1] in ".!?\"'" else f"{paragraph}."
        for paragraph in plain
        if paragraph
    )


def _body(root: Element) -> tuple[str, ...]:
    """Return the paragraphs of the full text, or else of the lead."""
    for wanted in ("full_text", "lead_paragraph"):
        for block in root.iter("block"):
            if block.get("class") == wanted and (paragraphs := _paragraphs(block)):
                return paragraphs
    content = root.find(".//body.content")
    return () if content is None else _paragraphs(content)


def _paragraphs(block: Element) -> tuple[str, ...]:
    """Return the paragraphs without the mark of a lead, and without its repetition."""
    paragraphs: list[str] = []
    for element in block.iter("p"):
        text = _LEAD.sub("", words(element))
        if text and (not paragraphs or text != paragraphs[-1]):
            paragraphs.append(text)
    return tuple(paragraphs)


def _entities(root: Element) -> dict[str, tuple[str, ...]]:
    """Return the indexing service's names by type; classifiers of that type count as well."""
    by_type: dict[str, list[str]] = {}
    for element in root.iterfind(".//identified-content/*"):
        if element.get("class") != _INDEXED:
            continue
        tag = element.get("type", "") if element.tag == "classifier" else element.tag
        if (type := TYPES.get(tag)) and (name := words(element)):
            by_type.setdefault(type, []).append(name)
    return {type: tuple(dict.fromkeys(names)) for type, names in by_type.items()}


_REFERENCE = re.compile(r"&(#[0-9]{1,4000};|#[xX][0-9a-fA-F]+;|[A-Za-z][A-Za-z0-9]*;)?")
_OWN = frozenset(("amp;", "lt;", "gt;", "quot;", "apos;"))
"""Entities that XML itself defines."""
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_PROLOGUE = re.compile(r"^\ufeff?\s*(?:<\?xml[^>]*\?>)?")


def decode_file(data: bytes) -> tuple[str, bool]:
    """Return the text of a file, and whether Windows-1252 had to be guessed."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace"), False
    try:
        return data.decode("utf-8"), False
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace"), True


def mend_references(text: str) -> tuple[str, bool]:
    """Return the text with valid references and characters, and whether any were invalid."""
    plain = _PROLOGUE.sub("", text, count=1)
    allowed = _FORBIDDEN.sub("", _REFERENCE.sub(_mended_reference, plain))
    return allowed, allowed != plain


def _mended_reference(reference: re.Match[str]) -> str:
    name = reference[1]
    if name is None:
        return "&amp;"
    if name in _OWN:
        return reference[0]
    if name.startswith("#"):
        return html.escape(_FORBIDDEN.sub("", html.unescape(reference[0])), quote=False)
    return html.escape(html5[name], quote=False) if name in html5 else f"&amp;{name}"


def lenient_tree(text: str, root: str) -> Element | None:
    """Return a tree of all elements from the first `root` on; None without one."""
    reader = _Reader(root)
    reader.read(text)
    return reader.found


class _Reader(MarkupParser):
    """Closes open elements and ignores ends of elements that were never begun."""

    def __init__(self, root: str) -> None:
        super().__init__()
        self._root = root
        self._open: list[Element] = []
        self.found: Element | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element; a paragraph ends the one before it."""
        if self.found is None and tag != self._root:
            return
        if tag == "p" and any(element.tag == "p" for element in self._open):
            self.handle_endtag("p")
        element = Element(tag, {name: value or "" for name, value in attrs})
        if self.found is None:
            self.found = element
        elif self._open:
            self._open[-1].append(element)
        if len(self._open) < limits.NITF_DEPTH:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add an empty element."""
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
        """Add text to the innermost element, as in an element tree."""
        if not self._open:
            return
        element = self._open[-1]
        if len(element):
            element[-1].tail = (element[-1].tail or "") + data
        else:
            element.text = (element.text or "") + data
