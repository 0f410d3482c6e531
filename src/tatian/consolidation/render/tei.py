"""Consolidation as a critical edition in TEI P5, with the sources as its witnesses.

A sentence that sources word differently is an `app`: the lemma is what the text has, the readings
are what the sources have. A conflict is an `app` of its own, on the words in question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from tatian.consolidation.render import Edition, Verse, Witness
from tatian.consolidation.render.notes import Parallel, parallels, title
from tatian.consolidation.render.plain import VerseRun, verse_runs
from tatian.views.wording import printable, squeeze

if TYPE_CHECKING:
    from tatian.consolidation.result import Consolidation, Disagreement

NAMESPACE = "http://www.tei-c.org/ns/1.0"
ID, LANGUAGE = (f"{{http://www.w3.org/XML/1998/namespace}}{name}" for name in ("id", "lang"))
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
DAY = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
"""Dates that TEI accepts."""
PRINCIPLES = (
    "The text consists of sentences of the witnesses, chosen and put in order. A lemma has as its "
    "witnesses those that have the sentence word for word. Where the text has changed a sentence, "
    "the sentence itself is a reading of type “source”; readings of type “same” are sentences of "
    "witnesses that say the same, of type “part” those of which the sentence says a part, of "
    "type “other” those that give another figure, time or name. Words of no witness are marked "
    "with who is responsible for them."
)
AUTHORS = {"glue": "#tatian", "own": "#editor"}
"""Authors of words that no source has."""


def to_tei(consolidation: Consolidation) -> str:
    """Render the edition: header with the witnesses, text with its apparatus, what was left out."""
    edition = Edition(consolidation)
    root = Element("TEI", {"xmlns": NAMESPACE, LANGUAGE: "en"})
    root.append(_header(edition))
    text = SubElement(root, "text")
    text.append(_body(edition))
    text.extend(_back(edition))
    return f"{DECLARATION}{tostring(root, encoding='unicode')}\n"


def _header(edition: Edition) -> Element:
    from tatian import __version__

    consolidation = edition.consolidation
    header = Element("teiHeader")
    file = SubElement(header, "fileDesc")
    titles = SubElement(file, "titleStmt")
    _add(titles, "title", title(edition))
    responsible = [("tatian", "consolidation", "Tatian")]
    if any(word.own for word in edition.words):
        responsible.append(("editor", "words of their own", "the editor"))
    if consolidation.writer:
        responsible.append(("writer", "wording", consolidation.writer.model))
    for mark, did, name in responsible:
        statement = SubElement(titles, "respStmt", {ID: mark})
        _add(statement, "resp", did)
        _add(statement, "name", name)
    _add(SubElement(file, "publicationStmt"), "p", "Not published.")
    SubElement(file, "sourceDesc").append(_witnesses(edition.witnesses))
    encoding = SubElement(header, "encodingDesc")
    application = SubElement(SubElement(encoding, "appInfo"), "application")
    application.attrib.update(ident="tatian", version=__version__)
    _add(application, "label", "Tatian")
    _add(SubElement(encoding, "editorialDecl"), "p", PRINCIPLES)
    SubElement(encoding, "variantEncoding", method="parallel-segmentation", location="internal")
    languages = SubElement(SubElement(header, "profileDesc"), "langUsage")
    _add(languages, "language", "English", ident="en")
    indent(header)
    return header


def _witnesses(witnesses: Sequence[Witness]) -> Element:
    listed = Element("listWit")
    for witness in witnesses:
        account = witness.account
        entry = SubElement(SubElement(listed, "witness", {ID: witness.letter}), "bibl")
        _add(entry, "title", account.title or witness.name)
        if account.source:
            _add(entry, "publisher", account.source)
        if account.date:
            when = {"when": account.date} if DAY.fullmatch(account.date) else {}
            _add(entry, "date", account.date, **when)
        _add(entry, "idno", account.id, type="id")
        if account.path:
            _add(entry, "idno", account.path, type="file")
    return listed


def _body(edition: Edition) -> Element:
    body = Element("body")
    _add(body, "head", title(edition))
    part = SubElement(body, "div")
    paragraph = Element("p")
    for verse, related in zip(edition.verses, parallels(edition), strict=True):
        if verse.heading:
            part = SubElement(body, "div") if len(part) else part
            _add(part, "head", verse.heading, resp=AUTHORS["glue"])
        if verse.opens:
            paragraph = SubElement(part, "p")
            paragraph.text = paragraph.tail = "\n"
        paragraph.append(_sentence(edition, verse, related))
    if not edition.verses:
        SubElement(part, "p")
    return body


def _sentence(edition: Edition, verse: Verse, related: Sequence[Parallel]) -> Element:
    """Render a sentence of the text, with an apparatus where sources have other words."""
    sentence = Element("seg", {ID: f"s{verse.number}", "type": "sentence"})
    sources = [other.witness for other in related if other.relation not in ("same", "part")]
    if sources:
        sentence.set("source", _pointers(sources))
    sentence.tail = "\n"
    words = printable(squeeze(edition.text[verse.start : verse.sentence.end]))
    covering = [parallel for parallel in related if parallel.relation != "lent"]
    verbatim = [parallel.witness for parallel in covering if parallel.text == words]
    others = [parallel for parallel in covering if parallel.text != words]
    if not others:
        _fill(sentence, edition, verse)
        return sentence
    entry = SubElement(sentence, "app", type="sentence")
    lemma = SubElement(entry, "lem")
    if verbatim:
        lemma.set("wit", _pointers(verbatim))
    else:
        lemma.set("resp", _responsible(edition, verse))
    _fill(lemma, edition, verse)
    for other in others:
        kind = "source" if other.relation == "taken" else other.relation
        _add(
            entry, "rdg", other.text, wit=f"#{other.witness.letter}", n=str(other.number), type=kind
        )
    for part in entry:
        part.tail = "\n"
    return sentence


def _responsible(edition: Edition, verse: Verse) -> str:
    """Return the author of a sentence that no source has verbatim."""
    if any(word.own for word in verse.sentence.tokens):
        return "#editor"
    writer = edition.consolidation.writer
    return "#writer" if writer and verse.number - 1 in writer.worded else "#tatian"


def _fill(parent: Element, edition: Edition, verse: Verse) -> None:
    """Add the words of a sentence, with their authors and conflicts."""
    noted: set[int] = set()
    for run in verse_runs(edition, verse):
        if run.conflict is not None and run.conflict not in noted:
            noted.add(run.conflict)
            parent.append(_conflict(edition, verse, run, run.conflict))
        elif run.author:
            SubElement(parent, "seg", type=run.author, resp=AUTHORS[run.author]).text = run.text
        elif len(parent):
            parent[-1].tail = (parent[-1].tail or "") + run.text
        else:
            parent.text = (parent.text or "") + run.text


def _conflict(edition: Edition, verse: Verse, run: VerseRun, number: int) -> Element:
    conflict = edition.consolidation.contradictions[number]
    entry = Element("app", {ID: f"d{number + 1}-s{verse.number}", **_type(conflict)})
    claims = _claims(edition, conflict)
    lemma = _add(entry, "lem", run.text)
    if witnesses := claims.pop(squeeze(run.text), ()):
        lemma.set("wit", _pointers(witnesses))
    for reading, witnesses in claims.items():
        _add(entry, "rdg", reading, wit=_pointers(witnesses))
    _add(entry, "note", conflict.why)
    return entry


def _type(conflict: Disagreement) -> dict[str, str]:
    return {"type": conflict.kind, "subtype": conflict.relation}


def _claims(edition: Edition, conflict: Disagreement) -> dict[str, list[Witness]]:
    """Return what sources say in a conflict, each with those that say it."""
    claims: dict[str, list[Witness]] = {}
    for claim in conflict.claims:
        claims.setdefault(squeeze(claim.text), []).append(edition.witness(claim.document))
    return claims


def _back(edition: Edition) -> Iterable[Element]:
    """Render conflicts outside the text, and omitted sentences with the reason."""
    back = Element("back")
    outside = [
        contradiction
        for contradiction, point in zip(
            edition.consolidation.contradictions, edition.points, strict=True
        )
        if not point.words
    ]
    if outside:
        part = SubElement(back, "div", type="disagreements")
        _add(part, "head", "Disagreements that the text does not mention")
        entries = SubElement(part, "listApp")
        for conflict in outside:
            entry = SubElement(entries, "app", _type(conflict))
            for reading, witnesses in _claims(edition, conflict).items():
                _add(entry, "rdg", reading, wit=_pointers(witnesses))
            _add(entry, "note", conflict.why)
    unused = [
        (witness, number, sentence)
        for witness in edition.witnesses
        for account in (witness.account,)
        for number, sentence in zip(account.numbers, account.sentences, strict=True)
        if sentence.fate == "unused"
    ]
    if unused:
        part = SubElement(back, "div", type="omissions")
        _add(part, "head", "Left out")
        items = SubElement(part, "list")
        for witness, number, sentence in unused:
            item = SubElement(items, "item", n=f"{witness.letter}.{number}")
            words = witness.account.text[sentence.start : sentence.end]
            _add(item, "quote", words, source=f"#{witness.letter}")
            _add(item, "note", sentence.why, type="reason")
    indent(back)
    return [back] if len(back) else []


def _pointers(witnesses: Iterable[Witness]) -> str:
    return " ".join(dict.fromkeys(f"#{witness.letter}" for witness in witnesses))


def _add(parent: Element, tag: str, text: str, **attributes: str) -> Element:
    child = SubElement(parent, tag, attributes)
    child.text = printable(squeeze(text)) or None
    return child
