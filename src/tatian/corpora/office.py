"""Running text of Word, OpenDocument, RTF and EPUB files."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from msgspec import Struct

from tatian.corpora.archives import ZipArchive
from tatian.corpora.decoding import Warn, decode
from tatian.corpora.properties import build_document
from tatian.corpora.web import WebPage
from tatian.errors import EmptyInput, MissingExtra, NotText
from tatian.text import Document

CELLS = " | "
"""Separator of cells; a row of a table becomes one line."""
_BREAKS = {"tab": " ", "br": "\n", "cr": "\n", "line-break": "\n", "s": " ", "noBreakHyphen": "-"}
"""Elements of either format that stand for a character."""


class _Markup(Struct, frozen=True):
    """Names of the elements of a format."""

    paragraphs: frozenset[str]
    row: str
    cell: str
    text: str | None
    """The only element that holds text; None if all do."""
    skipped: frozenset[str]
    """Elements outside the running text: notes, comments, deletions, alternatives."""


_WORD_MARKUP = _Markup(
    frozenset({"p"}),
    "tr",
    "tc",
    "t",
    frozenset("del moveFrom Fallback instrText delText pPr rPr sdtPr sectPr docPart pict".split()),
)
_OPEN_DOCUMENT_MARKUP = _Markup(
    frozenset({"p", "h"}),
    "table-row",
    "table-cell",
    None,
    frozenset(
        "note annotation annotation-end tracked-changes table-of-content alphabetical-index "
        "illustration-index table-index bibliography sequence-decls forms title desc "
        "ruby-text".split()
    ),
)
_CONTENTS_STYLE = re.compile(r"(TOC|Contents|Verzeichnis)\s?\d", re.IGNORECASE)
_HEADING_STYLE = re.compile(r"(Title|Heading\s?1|berschrift1|Titel)$", re.IGNORECASE)


def read_docx(data: bytes, name: str, warn: Warn) -> list[Document]:
    """Read the body of a Word document, without headers, footers, notes and comments."""
    archive = ZipArchive(data, name, "Word document")
    main = next((part for part in _MAIN_PARTS if part in archive), _MAIN_PARTS[0])
    tree = archive.xml(main)
    core = _values(archive, "docProps/core.xml")
    headings = (
        "".join(block.itertext())
        for block in tree.iter("p")
        if (style := _inner(block, "pPr", "pStyle")) is not None
        and _HEADING_STYLE.match(style.get("val", ""))
    )
    creator = core.get("publisher") or core.get("creator")
    document = build_document(
        _blocks(tree, _WORD_MARKUP),
        titles=(core.get("title"), next(filter(str.strip, headings), None)),
        source=creator,
        created=None if creator == "python-docx" else core.get("created"),
    )
    return [_require_text(document, name, "a Word document")]


_MAIN_PARTS = ("word/document.xml", "word/document2.xml")


def read_odt(data: bytes, name: str, warn: Warn) -> list[Document]:
    """Read the body of an OpenDocument text."""
    archive = ZipArchive(data, name, "OpenDocument text")
    manifest = "META-INF/manifest.xml"
    if manifest in archive and b"encryption-data" in archive.part(manifest):
        raise NotText("encrypted: save it without a password first", path=name)
    body = archive.xml("content.xml").find("body/text")
    if body is None:
        raise NotText("an OpenDocument file of another kind: save it as .odt first", path=name)
    meta = _values(archive, "meta.xml")
    headings = ("".join(block.itertext()) for block in body.iter("h"))
    document = build_document(
        _blocks(body, _OPEN_DOCUMENT_MARKUP),
        titles=(meta.get("title"), next(headings, None)),
        source=meta.get("publisher") or meta.get("initial-creator") or meta.get("creator"),
        created=meta.get("creation-date") or meta.get("date"),
    )
    return [_require_text(document, name, "an OpenDocument text")]


def _require_text(document: Document, name: str, what: str) -> Document:
    if not document.text:
        raise EmptyInput(f"{what} without text", path=name)
    return document


def _values(archive: ZipArchive, part: str) -> dict[str, str]:
    """Return the values in an XML file of properties; of several, the first."""
    values: dict[str, str] = {}
    if part in archive:
        for element in archive.xml(part).iter():
            if element.text and element.text.strip():
                values.setdefault(element.tag, element.text.strip())
    return values


def _blocks(node: Element, markup: _Markup) -> Iterator[str]:
    """Yield paragraphs and rows of tables in the order of the document."""
    if node.tag in markup.skipped:
        return
    if node.tag in markup.paragraphs:
        boxes: list[Element] = []
        if not _is_contents(node):
            yield "".join(_pieces(node, markup, boxes, takes_text=markup.text is None))
        for box in boxes:
            yield from _blocks(box, markup)
    elif node.tag == markup.row:
        parts = [*node.findall(markup.cell), *node.findall(f"sdt/sdtContent/{markup.cell}")]
        cells = [list(filter(str.strip, _blocks(cell, markup))) for cell in parts]
        filled = list(filter(None, cells))
        if len(filled) == 1:
            yield from filled[0]
        else:
            yield CELLS.join(" ".join(" ".join(cell).split()) for cell in filled)
    else:
        for child in node:
            yield from _blocks(child, markup)


def _inner(node: Element, outer: str, inner: str) -> Element | None:
    """Return a grandchild by name; this is several times as fast as a path expression."""
    child = node.find(outer)
    return None if child is None else child.find(inner)


def _is_contents(paragraph: Element) -> bool:
    style = _inner(paragraph, "pPr", "pStyle")
    style_name = paragraph.get("style-name", "") if style is None else style.get("val", "")
    return _CONTENTS_STYLE.match(style_name) is not None


def _pieces(
    node: Element, markup: _Markup, boxes: list[Element], *, takes_text: bool
) -> Iterator[str]:
    """Yield the text of a paragraph; text boxes in it are added to `boxes`."""
    if takes_text and node.text:
        yield node.text
    for child in node:
        if child.tag in _BREAKS and child.get("type") != "page":
            yield _BREAKS[child.tag]
        elif child.tag in ("txbxContent", "text-box"):
            boxes.append(child)
        elif child.tag not in markup.skipped and _inner(child, "rPr", "vanish") is None:
            takes_child_text = markup.text in (None, child.tag)
            yield from _pieces(child, markup, boxes, takes_text=takes_child_text)
        if markup.text is None and child.tail:
            yield child.tail


_RTF_INFO = re.compile(rb"\{\\(title|author|creatim)\s?([^{}]*+)\}", re.IGNORECASE)
_RTF_DAY = re.compile(rb"\\yr(\d{4})\\mo(\d\d?)\\dy(\d\d?)")


def read_rtf(data: bytes, name: str, warn: Warn) -> list[Document]:
    """Read the text of an RTF document."""
    try:
        from striprtf.striprtf import rtf_to_text
    except ImportError as error:
        raise MissingExtra(f"{name}: reading RTF", "files") from error
    info = {key.lower(): value for key, value in _RTF_INFO.findall(data[:65536])}
    try:
        text = rtf_to_text(data.decode("latin-1"), encoding="cp1252", errors="replace")
        properties = {
            key: rtf_to_text(f"{{\\rtf1 {value.decode('latin-1')}}}") for key, value in info.items()
        }
    except (ValueError, LookupError, IndexError, TypeError, OverflowError) as error:
        raise NotText("a damaged RTF document", path=name) from error
    created = None
    if day := _RTF_DAY.search(info.get(b"creatim", b"")):
        created = "-".join(part.decode().zfill(2) for part in day.groups())
    lines = text.split("\n")
    document = build_document(
        (line.replace("|", CELLS).strip(" |") if "|" in line else line for line in lines),
        titles=(properties.get(b"title"),),
        source=properties.get(b"author"),
        created=created,
    )
    return [_require_text(document, name, "an RTF document")]


def read_epub(data: bytes, name: str, warn: Warn) -> list[Document]:
    """Read all chapters of a book in the order of its spine, as one source."""
    archive = ZipArchive(data, name, "EPUB book")
    encryption = "META-INF/encryption.xml"
    if encryption in archive and re.search(rb"URI=\"[^\"]+\.x?html?\"", archive.part(encryption)):
        raise NotText("a protected book: its text is encrypted", path=name)
    root = archive.xml("META-INF/container.xml").find(".//rootfile")
    place = "" if root is None else root.get("full-path", "")
    book = archive.xml(place)
    manifest = {item.get("id"): item for item in book.iter("item")}
    meta = {element.tag: element.text for element in reversed(list(book.iter())) if element.text}
    paragraphs: list[str] = []
    for reference in book.iter("itemref"):
        item = manifest.pop(reference.get("idref"), None)
        is_linear = reference.get("linear") != "no"
        if item is None or not is_linear or "nav" in item.get("properties", "").split():
            continue
        href = unquote(item.get("href", ""))
        inner = posixpath.normpath(posixpath.join(posixpath.dirname(place), href))
        if inner in archive and (markup := archive.part(inner)).strip():
            page = WebPage(_NOTE.sub("", decode(markup, name, warn, declared=True)), by_name=False)
            paragraphs += [block.text for block in page.blocks]
    document = build_document(
        paragraphs,
        titles=(meta.get("title"),),
        source=meta.get("publisher") or meta.get("creator"),
        created=meta.get("date"),
    )
    return [_require_text(document, name, "an EPUB book")]


_NOTE = re.compile(r"<a\b[^<>]{0,300}noteref[^<>]{0,300}>[^<>]{0,20}</a>")
