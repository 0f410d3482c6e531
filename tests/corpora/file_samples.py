"""One story as each kind of file that people have, by writers that are not ours where we can."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from datetime import datetime
from email.message import EmailMessage
from html import escape
from typing import Any

TITLE = "Ferry aground off Halverne"
PARAGRAPHS = (
    "A ferry with 212 people on board ran aground off Halverne on Tuesday morning. The harbour "
    "master, Zoë Müller-Lucas, said that nobody was hurt.",
    "“We heard a scrape and stopped,” said a passenger from the island of Sennick. The company "
    "cancelled all sailings for the rest of the week.",
    "The ship is to be pulled free at high tide, and the captain will be questioned.",
)
TEXT = "\n\n".join(PARAGRAPHS)


def pdf(
    paragraphs: Iterable[str] = PARAGRAPHS,
    *,
    title: str | None = TITLE,
    columns: int = 1,
    **options: Any,
) -> bytes:
    """Pages with a running head and page numbers, by reportlab; `options` go to its template."""
    from reportlab.lib.pagesizes import A5
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

    def furniture(canvas: Any, document: Any) -> None:
        canvas.drawString(40, 570, "The Halverne Courier")
        canvas.drawCentredString(210, 20, f"Page {document.page}")

    out = io.BytesIO()
    document = BaseDocTemplate(out, pagesize=A5, invariant=1, title=title or "untitled", **options)
    width = 340 / columns
    frames = [Frame(40 + width * n, 60, width - 12, 470, 0, 0, 0, 0) for n in range(columns)]
    document.addPageTemplates([PageTemplate("all", frames, onPage=furniture)])
    body = ParagraphStyle(
        "body", fontName="Times-Roman", fontSize=11, leading=13, spaceAfter=6, alignment=4
    )
    heading = ParagraphStyle("heading", fontSize=18, leading=22, spaceAfter=10, alignment=1)
    document.build(
        [Paragraph(TITLE, heading), *(Paragraph(escape(one), body) for one in paragraphs)]
    )
    return out.getvalue()


def lines_pdf(lines: Iterable[tuple[float, float, str]], size: float = 10, **options: Any) -> bytes:
    """Lines at their places on one page, written in the order given, by reportlab."""
    from reportlab.lib.pagesizes import A5
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=A5, invariant=1, **options)
    canvas.setFont("Times-Roman", size)
    for left, base, text in lines:
        canvas.drawString(left, base, text)
    canvas.save()
    return out.getvalue()


def docx(paragraphs: Iterable[str] = PARAGRAPHS, *, table: bool = False) -> bytes:
    """A document with a header, by python-docx."""
    import docx as writer

    document = writer.Document()
    about = document.core_properties
    about.title, about.author, about.created = TITLE, "Zoë Müller", datetime(2023, 3, 14)
    document.sections[0].header.paragraphs[0].text = "The Halverne Courier"
    document.add_heading(TITLE, 0)
    for one in paragraphs:
        document.add_paragraph(one)
    if table:
        cells = document.add_table(2, 2)
        for place, text in enumerate(("Aboard", "212", "Hurt", "0")):
            cells.cell(place // 2, place % 2).text = text
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def packed(parts: dict[str, str | bytes]) -> bytes:
    """An archive of files by their names, by the standard library."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            how = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), content, how)
    return out.getvalue()


_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_NAMES = " ".join(f'xmlns:{one}="{_ODF}:{one}:1.0"' for one in ("office", "text", "table", "meta"))


def odt(body: str | None = None) -> bytes:
    """An OpenDocument text with these elements in its body."""
    written = "".join(f"<text:p>{escape(one)}</text:p>" for one in PARAGRAPHS)
    body = body or f"<text:h>{TITLE}</text:h>{written}"
    return packed(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<office:document-content {_NAMES}><office:body><office:text>{body}"
            "</office:text></office:body></office:document-content>",
            "meta.xml": f'<office:document-meta {_NAMES} xmlns:dc="http://purl.org/dc/elements/1.1/">'
            f"<office:meta><dc:title>{TITLE}</dc:title><dc:creator>Zoë Müller</dc:creator>"
            "<meta:creation-date>2023-03-14T08:00:00</meta:creation-date></office:meta>"
            "</office:document-meta>",
            "META-INF/manifest.xml": "<manifest/>",
        }
    )


def epub(chapters: Iterable[str] = PARAGRAPHS) -> bytes:
    """A book of a chapter for each paragraph, with a table of contents."""
    pages = {f"text/chapter {n}.xhtml": one for n, one in enumerate(chapters)}
    items = "".join(
        f'<item id="c{n}" href="{name.replace(" ", "%20")}"/>' for n, name in enumerate(pages)
    )
    spine = "".join(f'<itemref idref="c{n}"/>' for n in range(len(pages)))
    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/book.opf"/>'
            "</rootfiles></container>",
            "OPS/book.opf": '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
            f"<dc:title>{TITLE}</dc:title><dc:creator>Zoë Müller</dc:creator>"
            "<dc:date>2023-03-14</dc:date></metadata><manifest>"
            f'<item id="n" href="nav.xhtml" properties="nav"/>{items}</manifest>'
            f'<spine><itemref idref="n"/>{spine}</spine></package>',
            "OPS/nav.xhtml": "<html><body><nav><ol><li>Chapter 1</li></ol></nav></body></html>",
        }
        | {
            f"OPS/{name}": f"<html><body><h1>{n}</h1><p>{escape(one)}</p></body></html>"
            for n, (name, one) in enumerate(pages.items())
        }
    )


def rtf() -> bytes:
    """An RTF document as word processors write it, all that is not ASCII by its number."""
    body = "\\par\n".join(PARAGRAPHS)
    written = "".join(one if ord(one) < 128 else f"\\u{ord(one)}?" for one in body)
    return (
        rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title " + TITLE.encode() + rb"}"
        rb"{\author Zo\'eb M\'fcller}{\creatim\yr2023\mo3\dy14}}{\header Courier}\pard "
        + written.encode()
        + rb"\par}"
    )


def mail(text: str = TEXT, *, html: str | None = None, **headers: str) -> bytes:
    """A mail, by the standard library."""
    message = EmailMessage()
    given = {"From": "Zoë Müller <zoe@example.org>", "Subject": f"Re: {TITLE}"}
    for name, value in {**given, "Date": "Tue, 14 Mar 2023 09:30:00 +0100", **headers}.items():
        message[name] = value
    message["Message-ID"] = "<1@example.org>"
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    return message.as_bytes()


def mbox() -> bytes:
    """A mailbox of two messages."""
    line = b"From zoe@example.org Tue Mar 14 09:30:00 2023\n"
    return b"\n".join([line + mail(), line + mail("A second mail says that nobody was hurt.")])


def srt() -> bytes:
    """Subtitles of the story, two lines each."""
    words = TEXT.split()
    cues = [" ".join(words[n : n + 8]) for n in range(0, len(words), 8)]
    return "\r\n".join(
        f"{n + 1}\r\n00:00:{n:02},000 --> 00:00:{n:02},900\r\n{one}\r\n"
        for n, one in enumerate(cues)
    ).encode()


def vtt() -> bytes:
    """The same as WebVTT, with a speaker."""
    cues = srt().decode().replace("\r\n", "\n").replace(",000", ".000").replace(",900", ".900")
    return ("WEBVTT\n\nNOTE made for a test\n\n" + cues).encode()


def html() -> bytes:
    """A web page with furniture around the story."""
    story = "".join(f"<p>{escape(one)}</p>" for one in PARAGRAPHS)
    return (
        f"<!doctype html><title>{TITLE}</title><nav><a href=/>Home</a></nav>"
        f"<article><h1>{TITLE}</h1>{story}</article><footer>Imprint</footer>"
    ).encode()


def samples() -> dict[str, bytes]:
    """A file of each kind by its name."""
    found = {
        "story.txt": f"{TITLE}\n\n{TEXT}\n".encode(),
        "story.html": html(),
        "story.pdf": pdf(),
        "story.docx": docx(table=True),
        "story.odt": odt(),
        "story.rtf": rtf(),
        "story.epub": epub(),
        "story.eml": mail(html=f"<p>{escape(TEXT)}</p>"),
        "story.mbox": mbox(),
        "story.srt": srt(),
        "story.vtt": vtt(),
    }
    return {**found, "all.zip": packed(dict(found))}
