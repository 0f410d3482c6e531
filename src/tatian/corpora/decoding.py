"""Decoding of bytes without silent guesses: UTF-8, UTF-16 with a mark, else Windows-1252.

Windows-1252 gives a warning. Byte order marks and line ends stay, so that offsets are exact.
"""

from __future__ import annotations

import codecs
import io
import re
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress

from tatian.errors import EmptyInput, InputError, NotText

Refuse = Callable[[InputError], None]
"""Called with the error of a record or file that cannot be read."""
Warn = Callable[[str], None]
"""Called with each warning, as one line."""

_SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"%PDF-", "a PDF document"),
    (0, b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"GIF87a", "a GIF image"),
    (0, b"GIF89a", "a GIF image"),
    (0, b"PK\x03\x04", "a zip archive (perhaps .docx, .odt or .epub)"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Microsoft Office document"),
    (0, b"{\\rtf", "an RTF document"),
    (0, b"\x1f\x8b", "gzip within gzip"),
    (4, b"1AY&SY", "a bzip2 archive"),
    (0, b"\xfd7zXZ\x00", "an xz archive"),
    (0, b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"\x7fELF", "a program"),
    (0, b"SQLite format 3\x00", "an SQLite database"),
    (0, b"PAR1\x15", "a Parquet file"),
    (0, b"ID3\x03", "an MP3 recording"),
    (0, b"ID3\x04", "an MP3 recording"),
    (0, b"OggS\x00", "an Ogg recording"),
    (8, b"WAVEfmt ", "a WAV recording"),
    (8, b"WEBPVP8", "a WebP image"),
    (4, b"ftyp", "a video or sound file"),
)
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1b") + b"\x7f"
_MAX_CONTROLS_SHARE = 0.02
"""Maximum share of control characters in a text."""
_ACCENTED = bytes(range(128, 256))
_MAX_ACCENTED_SHARE = 0.25
"""Maximum share of bytes above 127 in a Windows-1252 text."""
_BLANK = "\ufeff \t\n\v\f\r\x1b\u00a0"
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]+)""")
_SAMPLE_BYTES = 4096


def refuse(error: InputError) -> None:
    """Raise the error, which ends reading (the default)."""
    raise error


def decode(data: bytes, path: str, warn: Warn, *, declared: bool = False) -> str:
    """Decode a whole file; with `declared`, an HTML page may name its own encoding."""
    refuse_binary(data, path)
    text = _decode_marked(data, path)
    if text is None:
        _refuse_controls(data, path)
        text = _decode_unmarked(data, path, warn, declared)
    if not text.strip(_BLANK):
        raise EmptyInput("empty: there is no text in it", path=path)
    return text


def decode_utf8(data: bytes, path: str, line: int | None) -> str:
    """Decode a file, or one line of it, in a format that is always UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if line is None:
            line = data.count(b"\n", 0, error.start) + 1
        message = "not UTF-8: convert it with iconv -f ENCODING -t UTF-8"
        raise InputError(message, path=path, line=line) from error


def refuse_binary(head: bytes, path: str) -> None:
    """Raise `NotText` if the first bytes of a file are those of a known binary format."""
    for offset, signature, kind in _SIGNATURES:
        if head.startswith(signature, offset):
            raise NotText(f"not text but {kind}: save it as plain text first", path=path)


def peek(size: int) -> bytes:
    """Return the beginning of standard input, decompressed, without consuming it."""
    buffer = getattr(sys.stdin, "buffer", None)
    head = buffer.peek(size) if isinstance(buffer, io.BufferedReader) else b""
    with suppress(zlib.error):
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(head)
    return head


def _decode_marked(data: bytes, path: str) -> str | None:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError as error:
                message = f"damaged {encoding.upper()} text at byte {error.start}"
                raise NotText(message, path=path) from error
    return None


def _refuse_controls(data: bytes, path: str) -> None:
    if b"\0" in data:
        sample = data[:_SAMPLE_BYTES]
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        if max(even, odd) > len(sample) / 4 and min(even, odd) < len(sample) / 50:
            order = "UTF-16LE" if odd > even else "UTF-16BE"
            raise NotText(
                "looks like UTF-16 without a byte order mark: "
                f"convert it with iconv -f {order} -t UTF-8",
                path=path,
            )
    if b"\0" in data or _share(data, _CONTROLS) > _MAX_CONTROLS_SHARE:
        raise NotText("binary data, not text", path=path)


def _decode_unmarked(data: bytes, path: str, warn: Warn, declared: bool) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        broken_at = error.start
    if declared and (charset := _CHARSET.search(data, 0, _SAMPLE_BYTES)):
        try:
            return data.decode(charset[1].decode("ascii"))
        except (LookupError, UnicodeError):
            warn(f"{path}: not in the encoding it declares")
    line = data.count(b"\n", 0, broken_at) + 1
    replaced = data.decode("utf-8", "replace")
    if sum(character > "\x7f" for character in replaced) > 2 * replaced.count("\ufffd"):
        raise NotText(f"damaged UTF-8 text (byte {broken_at})", path=path, line=line)
    if _share(data, _ACCENTED) <= _MAX_ACCENTED_SHARE:
        with suppress(UnicodeDecodeError):
            text = data.decode("cp1252")
            warn(f"{path}: not UTF-8, read as Windows-1252")
            return text
    message = "neither UTF-8 nor Windows-1252: convert it with iconv -f ENCODING -t UTF-8"
    raise NotText(message, path=path, line=line)


def _share(data: bytes, characters: bytes) -> float:
    return 1 - len(data.translate(None, characters)) / len(data) if data else 0.0
