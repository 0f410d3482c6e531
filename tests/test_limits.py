"""Limits at their edge: what is as large as allowed is taken, one more is refused in one line."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from xml.parsers.expat import ExpatError

import msgspec
import pytest
from reportlab.pdfgen.canvas import Canvas

from tatian import limits
from tatian.corpora import read
from tatian.corpora.archives import ZipArchive, xml_tree
from tatian.corpora.mail import read_mbox
from tatian.corpora.pdf import read_pdf
from tatian.errors import TatianError
from tatian.formats.files import open_files
from tatian.knowledge.building.pages import lines_of
from tatian.mcp import FindContradictions, SourceInput
from tatian.text.streams import open_stream

from .corpora.file_samples import packed

MESSAGE = b"From ann@example.org Mon Nov 16 10:00:00 2026\nFrom: ann@example.org\n\nA ferry sank.\n"


def write_text(size: int) -> str:
    Path("text.txt").write_text("x" * size)
    return "text.txt"


def document(size: int) -> None:
    with open_stream("text.txt", data=bytes(size)) as stream:
        stream.read()


def documents(size: int) -> None:
    read(write_text(size), warn=print)


def line(size: int) -> None:
    list(lines_of(write_text(size)))


def annotated(size: int) -> None:
    open_files(write_text(size))


def files_of_archive(count: int) -> None:
    ZipArchive(packed({f"{n}.txt": "x" for n in range(count)}), "a.zip", "zip archive")


def bytes_of_archive(size: int) -> None:
    archive = ZipArchive(packed({"a": bytes(size - 1), "b": b"x"}), "a.zip", "zip archive")
    for name in archive.members():
        archive.part(name)


def part_of_document(size: int) -> None:
    ZipArchive(packed({"a": bytes(size)}), "a.docx", "Word document").part("a")


def nested_xml(depth: int) -> None:
    xml_tree(b"<a>" * depth + b"</a>" * depth)


def messages(count: int) -> None:
    assert len(read_mbox(MESSAGE * count, "a.mbox", print)) == count


def pages(count: int) -> None:
    out = io.BytesIO()
    canvas = Canvas(out)
    for _ in range(count):
        canvas.drawString(40, 500, "A ferry ran aground.")
        canvas.showPage()
    canvas.save()
    read_pdf(out.getvalue(), "a.pdf", print)


def mcp_text(length: int) -> None:
    msgspec.convert({"text": "x" * length}, SourceInput)


def mcp_sources(count: int) -> None:
    msgspec.convert({"accounts": [{"text": "A ferry sank."}] * count}, FindContradictions)


REFUSED: list[tuple[str, int | None, Callable[[int], None], str]] = [
    ("DOCUMENT_BYTES", None, document, "text.txt: larger than the limit of 64 MiB"),
    ("TOTAL_CHARACTERS", 10**6, documents, "too much to read at once: the limit is 1 million cha"),
    ("ANNOTATED_BYTES", 99, annotated, "limit of 99 bytes"),
    ("TABLE_LINE_BYTES", None, line, "limit of 16 MiB"),
    ("ARCHIVE_FILES", None, files_of_archive, "a.zip: has more than 2000 files: divide it"),
    ("ARCHIVE_BYTES", 2**20, bytes_of_archive, "a.zip: more than 1 MiB in it, unpacked: divide"),
    ("ARCHIVE_PART_BYTES", None, part_of_document, "larger than the limit of 32 MiB, unpacked"),
    ("XML_DEPTH", None, nested_xml, "nested too deeply"),
    ("MAIL_MESSAGES", 3, messages, "a.mbox: has more than 3 messages: divide it"),
    ("PDF_PAGES", 3, pages, "a.pdf: has more than 3 pages: divide it"),
    ("MCP_TEXT_CHARACTERS", None, mcp_text, "Expected `str` of length <= 100000"),
    ("MCP_SOURCES", None, mcp_sources, "Expected `array` of length <= 50"),
]


@pytest.mark.parametrize(
    ("name", "lower", "taken", "said"), REFUSED, ids=[row[0] for row in REFUSED]
)
def test_exceeding_a_limit_fails_with_one_line(
    name: str,
    lower: int | None,
    taken: Callable[[int], None],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    if lower is not None:
        monkeypatch.setattr(limits, name, lower)
    limit = getattr(limits, name)
    taken(limit)
    with pytest.raises((TatianError, ExpatError, msgspec.ValidationError)) as refused:
        taken(limit + 1)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
