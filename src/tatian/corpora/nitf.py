"""An article of the New York Times Annotated Corpus: NITF XML, valid or not.

Invalid XML is parsed like a web page, with any entities and unclosed elements, and counted. A file
is given up only if nothing in it can be read.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from tatian import limits
from tatian.corpora.articles import Article
from tatian.corpora.markup import MarkupParser
from tatian.formats import Losses, file_name
from tatian.text.dates import calendar_day

ENTITY_TYPES = {"person": "person", "location": "location", "org": "organization"}
"""The indexing service's elements, and their entity types (TESA §3.2)."""
_INDEX_CLASS = "indexing_service"
_LEAD_MARK = re.compile(r"^LEAD:\s*")
_ABSTRACT_END = re.compile(
    r"(?:[;,.]?\s*(?:photos?|maps?|charts?|graphs?|diagrams?|drawings?|tables?|lists?))*"
    r"\s*\((?:S|M|L)\)\s*$",
    re.IGNORECASE,
)
"""End of an abstract in the archive: illustrations and length of the article."""
_STAMP = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)")
_DATE_PARTS = ("publication_year", "publication_month", "publication_day_of_month")


class NotNitf(ValueError):
    """Raised for a file that is not an article, even after repairs."""


def parse(data: bytes, path: str, defects: Losses) -> Article:
    """Parse the article in a file's bytes; `defects` receives repairs and missing parts."""
    if not data.strip():
        raise NotNitf("empty or damaged")
    root = _tree(data, path, defects)
    if root is None or root.tag != "nitf":
        raise NotNitf("not an NITF document")
    paragraphs = _body(root)
    title = text_of(root.find(".//hedline/hl1")) or text_of(root.find("./head/title"))
    date = _date(root)
    for what, value in (("text", paragraphs), ("headline", title), ("date", date)):
        if not value:
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
    """Return the file as a tree; None if it has no article."""
    try:
        return ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError):
        pass
    defects.add("files of invalid XML, repaired", path)
    reader = _LenientParser()
    reader.read(_FORBIDDEN.sub("", _decode(data, path, defects)))
    return reader.root


def _decode(data: bytes, path: str, defects: Losses) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        defects.add("files not in the encoding they declare, read as Windows-1252", path)
        return data.decode("cp1252", "replace")


def text_of(element: Element | None) -> str:
    """Return all text in an element, on one line."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def _id(root: Element) -> str:
    element = root.find(".//doc-id")
    return "" if element is None else element.get("id-string", "").strip()


def _date(root: Element) -> str:
    published = root.find(".//pubdata")
    date = "" if published is None else published.get("date.publication", "")
    if stamp := _STAMP.match(date.strip()):
        year, month, day = stamp.groups()
    else:
        meta = {item.get("name"): item.get("content", "").strip() for item in root.iter("meta")}
        year, month, day = (meta.get(part, "") for part in _DATE_PARTS)
    parsed = calendar_day(year, month, day)
    return parsed.isoformat() if parsed is not None else ""


def _abstract(root: Element) -> str:
    element = root.find(".//abstract")
    if element is None:
        return ""
    paragraphs = [text_of(paragraph) for paragraph in element.iter("p")] or [text_of(element)]
    plain = filter(None, (_ABSTRACT_END.sub("", text).strip() for text in paragraphs))
    return " ".join(text if text[-1] in ".!?\"'" else f"{text}." for text in plain)


def _body(root: Element) -> tuple[str, ...]:
    """Return the paragraphs of the full text, or else of the lead."""
    for kind in ("full_text", "lead_paragraph"):
        for block in root.iter("block"):
            if block.get("class") == kind and (paragraphs := _paragraphs(block)):
                return paragraphs
    content = root.find(".//body.content")
    return () if content is None else _paragraphs(content)


def _paragraphs(block: Element) -> tuple[str, ...]:
    """Return the paragraphs; the mark ``LEAD:`` and a repeated lead are removed."""
    paragraphs: list[str] = []
    for element in block.iter("p"):
        text = _LEAD_MARK.sub("", text_of(element))
        if text and (not paragraphs or text != paragraphs[-1]):
            paragraphs.append(text)
    return tuple(paragraphs)


def _entities(root: Element) -> dict[str, tuple[str, ...]]:
    """Return the indexing service's names by type; classifiers of that type count as well."""
    by_type: dict[str, list[str]] = {}
    for element in root.iterfind(".//identified-content/*"):
        if element.get("class") != _INDEX_CLASS:
            continue
        tag = element.get("type", "") if element.tag == "classifier" else element.tag
        if (type := ENTITY_TYPES.get(tag)) and (name := text_of(element)):
            by_type.setdefault(type, []).append(name)
    return {type: tuple(dict.fromkeys(names)) for type, names in by_type.items()}


_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that XML does not allow."""


class _LenientParser(MarkupParser):
    """Builds a tree: closes open elements, and ignores end tags without a start."""

    def __init__(self) -> None:
        super().__init__()
        self._open: list[Element] = []
        self.root: Element | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element; a paragraph ends the one before it."""
        if self.root is None and tag != "nitf":
            return
        if tag == "p" and any(element.tag == "p" for element in self._open):
            self.handle_endtag("p")
        element = Element(tag, {name: value or "" for name, value in attrs})
        if self.root is None:
            self.root = element
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
