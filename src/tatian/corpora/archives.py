"""Kinds of files by their content, and untrusted zip files read in memory within limits."""

from __future__ import annotations

import io
import lzma
import posixpath
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile, ZipInfo

from tatian import limits
from tatian.assets import rows
from tatian.corpora.decoding import refuse_binary
from tatian.errors import EmptyInput, InputError, NotText

_ENDINGS = {kind: endings.split() for kind, endings in rows(Path(__file__).with_name("kinds.tsv"))}
NOT_PROSE = frozenset(_ENDINGS.pop("not prose"))
"""Endings of files that a directory may hold beside texts."""
BY_ENDING = {ending: kind for kind, endings in _ENDINGS.items() for ending in endings}
_JSON_START = re.compile(rb'(\xef\xbb\xbf)?\s*(\[\s*)?\{\s*"\w+"\s*:')
_CAPTIONS_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:WEBVTT(?:[ \t][^\n]*)?\r?\n|\s{0,20}\d{1,6}\s*\n\s*"
    rb"\d{1,3}:\d{2}:\d{2}[.,]\d{1,3}[ \t]*-->)"
)
CONLLU_START = re.compile(
    rb"(\xef\xbb\xbf)?\s*"
    rb"(# ?((sent_id|text) ?=|(newdoc|newpar|global\.columns)\b)|1(-\d+)?\t[^\n]*\t)"
)
_PAGE_START = re.compile(
    rb"(\xef\xbb\xbf)?(\s++|<\?xml[^>]*+>|<!--.*?-->)*+<(!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_MAILBOX_START = re.compile(rb"From \S[^\n]{0,80}\d\d:\d\d[^\n]{0,40}\d{4}\r?\n[\w-]{1,60}:")
_MAIL_LINE = re.compile(rb"([\w-]{1,60}):|[ \t]")
_MAIL_FIELDS = {b"from", b"date"}
_MAIL_MARKS = {b"message-id", b"mime-version", b"received", b"delivered-to", b"return-path"}
_BINARY_KINDS = ("pdf", "docx", "odt", "epub", "zip")
_SAMPLE_BYTES = 4096
_ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06")
_OLD_OFFICE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLD_OFFICE_KINDS = (
    ("EncryptedPackage", "encrypted: save it without a password first"),
    ("WordDocument", "an old Word document: save it as .docx first"),
    ("__substg1.0_", "an Outlook message: save it as .eml first"),
)
_KIND_BY_PART = (
    ("word/document.xml", "docx"),
    ("word/document2.xml", "docx"),
    ("META-INF/container.xml", "epub"),
    ("content.xml", "odt"),
)
READERS = {
    "page": ("tatian.corpora.web:read_page", "web page"),
    "pdf": ("tatian.corpora.pdf:read_pdf", "PDF document"),
    "docx": ("tatian.corpora.office:read_docx", "Word document"),
    "odt": ("tatian.corpora.office:read_odt", "OpenDocument text"),
    "rtf": ("tatian.corpora.office:read_rtf", "RTF document"),
    "epub": ("tatian.corpora.office:read_epub", "EPUB book"),
    "eml": ("tatian.corpora.mail:read_eml", "mail"),
    "mbox": ("tatian.corpora.mail:read_mbox", "mailbox"),
    "captions": ("tatian.corpora.transcripts:read_captions", "transcript"),
}
"""Reader of each kind, and its name for users."""
_NO_PROSE_PARTS = ("xl/workbook.xml", "xl/workbook.bin", "ppt/presentation.xml")


def kind_of(data: bytes, expected: str, path: str) -> str:
    """Return the kind of a file by its content; its name suggests `expected` (or ``unknown``).

    Raises `NotText` if the content is of a kind without readable text.
    """
    sample = data[:_SAMPLE_BYTES]
    if expected == "json":
        refuse_binary(data, path)
        return expected
    if b"%PDF-" in sample[:1024]:
        return "pdf"
    if sample.startswith(_ZIP_SIGNATURES):
        return _kind_of_zip(data, expected, path)
    if sample.startswith(_OLD_OFFICE_SIGNATURE):
        for mark, message in _OLD_OFFICE_KINDS:
            if mark.encode("utf-16-le") in data:
                raise NotText(message, path=path)
    if sample.startswith(b"{\\rtf"):
        return "rtf"
    refuse_binary(data, path)
    if _CAPTIONS_START.match(sample):
        return "captions"
    if expected != "eml" and _PAGE_START.match(sample):
        return "page"
    if expected == "unknown":
        if _JSON_START.match(sample):
            return "json"
        if _MAILBOX_START.match(sample):
            return "mbox"
        return "eml" if _begins_like_mail(sample) else "text"
    is_misnamed = expected == "rtf" or (expected in _BINARY_KINDS and _is_text(data))
    return "text" if is_misnamed else expected


def _is_text(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\0" not in data


def _begins_like_mail(sample: bytes) -> bool:
    """Return whether the sample begins with mail headers, some of them in mails only."""
    lines = sample.replace(b"\r\n", b"\n").partition(b"\n\n")[0].split(b"\n")
    matches = [_MAIL_LINE.match(line) for line in lines[:-1]]
    fields = {match[1].lower() for match in matches if match and match[1]}
    return all(matches) and fields >= _MAIL_FIELDS and not fields.isdisjoint(_MAIL_MARKS)


def _kind_of_zip(data: bytes, expected: str, path: str) -> str:
    try:
        archive = ZipArchive(data, path, "zip archive")
    except NotText:
        return expected if expected in ("docx", "odt", "epub") else "zip"
    if any(part in archive for part in _NO_PROSE_PARTS):
        raise NotText("a table or slides, not running text: save it as .txt first", path=path)
    return next((kind for part, kind in _KIND_BY_PART if part in archive), "zip")


_ENTRY_HEADER = b"PK\x01\x02"
_ENCRYPTED = 0x1
_ZIP_ERRORS = (
    BadZipFile,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    OverflowError,
    lzma.LZMAError,
    struct.error,
    zlib.error,
)
_UNPRINTABLE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


class ZipArchive:
    """A zip archive in memory, whose files are read one at a time."""

    def __init__(self, data: bytes, name: str, what: str) -> None:
        """Open an archive; `what` is its kind in error messages."""
        self.name = name
        self._what = what
        self._bytes_left = limits.ARCHIVE_BYTES
        too_many = f"has more than {limits.ARCHIVE_FILES} files: divide it"
        if data.count(_ENTRY_HEADER) > 4 * limits.ARCHIVE_FILES:
            raise InputError(too_many, path=name)
        try:
            self._zip = ZipFile(io.BytesIO(data))
        except _ZIP_ERRORS as error:
            raise NotText(f"a damaged {what}", path=name) from error
        self._infos = {info.filename: info for info in self._zip.infolist()}
        if len(self._infos) > limits.ARCHIVE_FILES:
            raise InputError(too_many, path=name)

    def __contains__(self, inner: str) -> bool:
        """Return whether the archive has a file of this name."""
        return inner in self._infos

    def part(self, inner: str, limit: int = limits.ARCHIVE_PART_BYTES) -> bytes:
        """Return the content of a file; raise `InputError` above its limit or the archive's."""
        info = self._infos.get(inner)
        if info is None:
            message = f"a damaged {self._what}: '{printable_name(inner)}' is missing"
            raise NotText(message, path=self.name)
        if info.flag_bits & _ENCRYPTED:
            raise NotText("encrypted: save it without a password first", path=self._location(inner))
        allowed = min(limit, self._bytes_left)
        try:
            with self._zip.open(info) as file:
                data = file.read(allowed + 1)
        except _ZIP_ERRORS as error:
            raise NotText(f"a damaged {self._what}", path=self._location(inner)) from error
        if len(data) > limit:
            message = f"larger than the limit of {limit // 2**20} MiB, unpacked"
            raise InputError(message, path=self._location(inner))
        if len(data) > allowed:
            message = f"more than {limits.ARCHIVE_BYTES // 2**20} MiB in it, unpacked: divide it"
            raise InputError(message, path=self.name)
        self._bytes_left -= len(data)
        return data

    def _location(self, inner: str) -> str:
        return f"{self.name}/{printable_name(inner)}" if self._what == "zip archive" else self.name

    def xml(self, inner: str) -> Element:
        """Return one file as a tree of XML without namespaces."""
        try:
            return xml_tree(self.part(inner))
        except expat.ExpatError as error:
            message = f"a damaged {self._what}: '{printable_name(inner)}' is not XML"
            raise NotText(message, path=self.name) from error

    def members(self) -> Iterator[str]:
        """Yield the names of all files that are not hidden, sorted."""
        infos = [i for i in self._infos.values() if not i.is_dir() and not _is_hidden(i)]
        if not infos:
            raise EmptyInput("an archive without files", path=self.name)
        if all(info.flag_bits & _ENCRYPTED for info in infos):
            raise NotText("encrypted: unpack it with its password first", path=self.name)
        yield from sorted(info.filename for info in infos)


def printable_name(inner: str) -> str:
    """Return the name of an archived file in printable form: one line, a relative path."""
    parts = posixpath.normpath(inner.replace("\\", "/")).split("/")
    plain = "/".join(part for part in parts if part not in ("", ".", ".."))
    return _UNPRINTABLE.sub("\ufffd", plain)[-200:] or "\ufffd"


def is_hidden(name: str) -> bool:
    """Return whether a file or folder is hidden, or made by the operating system."""
    return name.startswith((".", "~$")) or name in ("__MACOSX", "Thumbs.db", "desktop.ini")


def _is_hidden(info: ZipInfo) -> bool:
    parts = PurePosixPath(info.filename.replace("\\", "/")).parts
    return any(is_hidden(part) for part in parts if part not in (".", ".."))


def xml_tree(data: bytes) -> Element:
    """Return a tree of XML without namespaces; `ExpatError` for entities and invalid XML."""
    builder = TreeBuilder()
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > limits.XML_DEPTH:
            raise expat.ExpatError("nested too deeply")
        plain = {name.rpartition("}")[2]: value for name, value in attributes.items()}
        builder.start(tag.rpartition("}")[2], plain)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag.rpartition("}")[2])

    def refuse(*_: object) -> None:
        raise expat.ExpatError("entities are not read")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except (ValueError, LookupError) as error:
        raise expat.ExpatError(str(error)) from error
    return builder.close()
