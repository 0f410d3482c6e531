"""Consolidation for word processors: styles, headings, and a real footnote for each sentence."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

from tatian.consolidation.render import Edition, places
from tatian.consolidation.render.notes import title
from tatian.consolidation.render.plain import (
    Footnote,
    VerseRun,
    claims_line,
    footnotes,
    group_conflicts,
    source_details,
    verse_runs,
)
from tatian.errors import MissingExtra
from tatian.views.wording import join_items, printable, squeeze

try:
    import docx
    from docx.enum.style import WD_STYLE_TYPE
    from docx.enum.text import WD_UNDERLINE
    from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
    from docx.opc.packuri import PackURI
    from docx.opc.part import XmlPart
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import Pt
    from docx.text.paragraph import Paragraph
except ModuleNotFoundError as error:
    raise MissingExtra("writing .docx", "files") from error

if TYPE_CHECKING:
    from docx.document import Document
    from docx.oxml.xmlchemy import BaseOxmlElement

    from tatian.consolidation.result import Consolidation

NOTE, MARK = "footnote text", "footnote reference"
"""Names that word processors give the styles of footnotes."""
DISPUTED, GLUE, OWN = "Disputed", "Joining Words", "Editor's Words"
"""Styles of words: in conflict between sources, written by Tatian, written by a person."""
LANGUAGE = "en-US"


def to_docx(consolidation: Consolidation) -> bytes:
    """Render the document: title, text, conflicts, sources."""
    edition = Edition(consolidation)
    document = docx.Document()
    _define_styles(document)
    _describe(document, edition)
    document.add_heading(printable(squeeze(title(edition))), 0)
    notes = _Notes(document)
    _write_text(document, edition, notes)
    for heading, disagreements in group_conflicts(consolidation):
        document.add_heading(heading)
        for disagreement in disagreements:
            place = f"{disagreement.kind.capitalize()}, {places(disagreement)}"
            claims = f"{place}: {claims_line(edition, disagreement)}"
            document.add_paragraph(
                printable(f"{claims} ({squeeze(disagreement.why)})"), "List Number"
            )
    document.add_heading("Accounts")
    for witness in edition.witnesses:
        item = document.add_paragraph(style="List Bullet")
        item.add_run(witness.letter, "Strong")
        item.add_run(f" {', '.join(source_details(witness))}")
    notes.attach()
    return _without_times(document)


def _write_text(document: Document, edition: Edition, notes: _Notes) -> None:
    if not edition.verses:
        document.add_paragraph("Nothing of the accounts was used.")
    paragraph: Paragraph | None = None
    for verse, note in zip(edition.verses, footnotes(edition), strict=True):
        if verse.heading:
            document.add_heading(printable(squeeze(verse.heading)))
        if paragraph is None or verse.opens:
            paragraph = document.add_paragraph()
        else:
            paragraph.add_run(" ")
        for run in verse_runs(edition, verse):
            paragraph.add_run(run.text, _style(run))
        notes.add(paragraph, note)


def _style(run: VerseRun) -> str | None:
    if run.conflict is not None:
        return DISPUTED
    return {"glue": GLUE, "own": OWN, "": None}[run.author]


class _Notes:
    """Footnotes part of the package, which python-docx does not write."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._root = OxmlElement("w:footnotes")
        self._count = 0
        for number, kind in ((-1, "separator"), (0, "continuationSeparator")):
            self._append(number, kind).add_run()._r.append(OxmlElement(f"w:{kind}"))

    def add(self, paragraph: Paragraph, note: Footnote) -> None:
        """Set a mark at the end of a paragraph, and its note."""
        self._count += 1
        mark = _element("w:footnoteReference", id=self._count)
        paragraph.add_run(style=MARK)._r.append(mark)
        footnote = self._append(self._count)
        footnote.style = NOTE
        footnote.add_run(style=MARK)._r.append(OxmlElement("w:footnoteRef"))
        for number, citation in enumerate(note.citations):
            footnote.add_run("; " if number else " ")
            footnote.add_run(citation.witness.letter, "Strong")
            name = printable(squeeze(citation.witness.name))
            date = citation.witness.account.date
            footnote.add_run(f" ({', '.join(filter(None, (name, date)))}), {citation.details}")
        remarks = [*([] if note.citations else ["no account"]), *note.remarks]
        if remarks:
            footnote.add_run(f"{'; ' if note.citations else ' '}{'; '.join(remarks)}")

    def attach(self) -> None:
        """Put the notes into the package."""
        part = self._document.part
        name = PackURI("/word/footnotes.xml")
        notes = XmlPart(name, CONTENT_TYPE.WML_FOOTNOTES, self._root, part.package)
        part.relate_to(notes, RELATIONSHIP_TYPE.FOOTNOTES)
        listed_in = OxmlElement("w:footnotePr")
        listed_in.extend(_element("w:footnote", id=number) for number in (-1, 0))
        settings = self._document.settings.element
        settings.find(qn("w:compat")).addprevious(listed_in)

    def _append(self, number: int, kind: str = "") -> Paragraph:
        note = _element("w:footnote", **({"type": kind} if kind else {}), id=number)
        self._root.append(note)
        note.append(OxmlElement("w:p"))
        return Paragraph(note[0], self._document._body)


def _element(tag: str, **attributes: object) -> BaseOxmlElement:
    return OxmlElement(tag, {qn(f"w:{name}"): str(value) for name, value in attributes.items()})


def _define_styles(document: Document) -> None:
    styles = document.styles
    note = styles.add_style(NOTE, WD_STYLE_TYPE.PARAGRAPH, builtin=True)
    note.base_style = styles["Normal"]
    note.font.size = Pt(9)
    note.paragraph_format.space_after = Pt(2)
    styles.add_style(MARK, WD_STYLE_TYPE.CHARACTER, builtin=True).font.superscript = True
    styles.add_style(DISPUTED, WD_STYLE_TYPE.CHARACTER).font.underline = WD_UNDERLINE.WAVY
    styles.add_style(GLUE, WD_STYLE_TYPE.CHARACTER).font.italic = True
    styles.add_style(OWN, WD_STYLE_TYPE.CHARACTER).font.bold = True


def _describe(document: Document, edition: Edition) -> None:
    """Set title, author, subject and language; no times, so that equal texts give equal files."""
    properties = document.core_properties
    properties.title = printable(squeeze(title(edition)))[:255]
    properties.author = "Tatian"
    names = printable(squeeze(join_items([witness.name for witness in edition.witnesses])))
    properties.subject = f"Consolidated from {names}"[:255]
    properties.comments = ""
    properties.language = LANGUAGE
    for name in ("created", "modified"):
        for dated in properties._element.findall(qn(f"dcterms:{name}")):
            properties._element.remove(dated)


def _without_times(document: Document) -> bytes:
    """Return the file without the times at which its parts were packed."""
    saved, packed = io.BytesIO(), io.BytesIO()
    document.save(saved)
    with zipfile.ZipFile(saved) as before, zipfile.ZipFile(packed, "w") as after:
        for name in before.namelist():
            after.writestr(zipfile.ZipInfo(name), before.read(name), zipfile.ZIP_DEFLATED)
    return packed.getvalue()
