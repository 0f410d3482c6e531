"""Reads documents from MUC SGML: text, parts, markables and chains."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tatian.errors import InputError
from tatian.formats import ORIGINAL, Original
from tatian.formats.ecbplus_text import find_date
from tatian.formats.muc.elements import Element, ScannedDocument
from tatian.formats.muc.markables import MARKABLES, Markable, chains_of, minimum
from tatian.formats.muc.scanner import scan
from tatian.text import CHAINS, Authorship, Document, Metadata
from tatian.text.dates import calendar_day
from tatian.text.layers import PARTS

NAME = "muc"
IDENT = "IDENT"

_AUTHOR = Authorship(by="MUC", kind="person")


def read(text: str, path: str | None = None) -> Iterator[Document]:
    """Yield the documents of a file; markup that leaves chains in doubt is an `InputError`."""
    scanned = scan(text, path)
    for document in scanned.documents:
        yield read_scanned(document, text[document.start : document.end], path)


def read_scanned(scanned: ScannedDocument, source: str, path: str | None) -> Document:
    """Return a document from its scan and its part of the file."""
    markables = tuple(_markables(scanned, path))
    document = Document(scanned.id, scanned.text, describe(scanned, path))
    document = document.with_layer(ORIGINAL, [Original(NAME, source)], _AUTHOR)
    document = document.with_layer(PARTS, scanned.parts, _AUTHOR)
    document = document.with_layer(MARKABLES, markables, _AUTHOR)
    return document.with_layer(CHAINS, chains_of(markables), _AUTHOR)


def _markables(scanned: ScannedDocument, path: str | None) -> Iterator[Markable]:
    for problem in scanned.problems:
        if problem.fatal:
            named = f"markable '{problem.id}': " if problem.id else ""
            raise _error(f"{named}{problem.message}", path, problem.line)
    ids: set[str] = set()
    for element in scanned.corefs:
        if element.id and element.id in ids:
            raise _error(f"two markables have the ID '{element.id}'", path, element.line)
        ids.add(element.id)
    for index, element in enumerate(scanned.corefs):
        wrong = _find_fault(element, ids)
        head = None if wrong else minimum(scanned, index)
        if head is None and not wrong and element.get("MIN"):
            wrong = f"its MIN '{element.get('MIN')}' is not in it"
        if wrong:
            named = f"markable '{element.id}'" if element.id else "a markable"
            raise _error(f"{named}: {wrong}", path, element.line)
        yield Markable(
            element.span.start,
            element.span.end,
            id=element.id,
            antecedent=element.get("REF") or None,
            head=head if head != element.span else None,
            optional=element.optional,
        )


def _find_fault(element: Element, ids: set[str]) -> str | None:
    """Return what is wrong with a markable; None if nothing."""
    reference, status = element.get("REF"), element.get("STATUS")
    if not element.id:
        return "it has no ID"
    if not len(element.span):
        return "it is empty"
    if reference == element.id:
        return "its REF is its own ID"
    if reference and reference not in ids:
        return f"no markable has the ID '{reference}' of its REF"
    if (element.get("TYPE") or IDENT).upper() != IDENT:
        return f"its TYPE is '{element.get('TYPE')}', not {IDENT}"
    if status and not element.optional:
        return f"its STATUS is '{status}', not OPT"
    if status and not reference:
        return "it is OPT without REF"
    return None


def _error(what: str, path: str | None, line: int) -> InputError:
    advice = "'tatian coref check' shows all that is wrong with the file"
    return InputError(f"{what}; {advice}", path=path, line=line)


_AMERICAN_DATE = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{2}|\d{4})\b")
_SIX_DIGITS = re.compile(r"\b((?:\d\d)?\d\d)(\d\d)(\d\d)\b")
_PIVOT_YEAR = 50
"""Two-digit years from this one on belong to the 1900s, earlier ones to the 2000s."""
_LEADING_AT_SIGNS = re.compile(r"^[ \t]*@+", re.MULTILINE)
"""Marks of table lines, which headlines of these texts have as well."""


def describe(document: ScannedDocument, path: str | None) -> Metadata:
    """Return the headline, the annotated date (the second of two) and the source."""
    headline = _LEADING_AT_SIGNS.sub(" ", _content(document, "HL"))
    dates = [part for part in document.parts if part.name == "DD" and part.annotated]
    written = dates[0].of(document.text) if dates else _content(document, "DATE")
    return Metadata(
        title=" ".join(headline.split()) or None,
        date=read_date(written),
        source=" ".join(_content(document, "SO").split()) or None,
        path=path,
    )


def read_date(written: str) -> str | None:
    """Return a date as ISO 8601; ``01/05/94`` is read the American way, as in MUC-6."""
    if match := _AMERICAN_DATE.search(written):
        month, day, year = match.groups()
    elif match := _SIX_DIGITS.search(written):
        year, month, day = match.groups()
    else:
        return find_date(written.split())
    century = (1900 if int(year) >= _PIVOT_YEAR else 2000) if len(year) == 2 else 0
    date = calendar_day(century + int(year), month, day)
    return date.isoformat() if date is not None else None


def _content(document: ScannedDocument, name: str) -> str:
    contents = (element.content for element in document.elements if element.name == name)
    return next((content.of(document.text) for content in contents), "")
