"""Which bytes are text, and which text they are."""

from __future__ import annotations

import codecs
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.corpora import read
from tatian.corpora.decoding import decode
from tatian.errors import EmptyInput, NotText

TEXT = "The café at Halverne — “closed” — reopened on Monday, 5 °C.\r\n"


def refused(message: str) -> None:
    raise AssertionError(f"unexpected warning: {message}")


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_unicode_is_read_with_its_byte_order_mark(mark: bytes, encoding: str) -> None:
    expected = ("\ufeff" if mark else "") + TEXT
    assert decode(mark + TEXT.encode(encoding), "a.txt", refused) == expected


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_western_bytes_are_read_as_windows_1252_with_a_warning(encoding: str) -> None:
    heard: list[str] = []
    text = "The café at Halverne is closed.\n"
    assert decode(text.encode(encoding), "a.txt", heard.append) == text
    assert heard == ["a.txt: not UTF-8, read as Windows-1252"]


def test_curly_quotes_of_windows_are_quotes() -> None:
    assert decode(b"She said \x93no\x94.", "a.txt", lambda _: None) == "She said “no”."


@pytest.mark.parametrize("encoding", ["koi8-r", "shift-jis"])
def test_unknown_encodings_are_refused_with_advice(encoding: str) -> None:
    data = ("Паром сел на мель. " if encoding == "koi8-r" else "船が座礁した。").encode(encoding)
    with pytest.raises(NotText, match=r"a\.txt:1: neither UTF-8 nor .* iconv -f ENCODING"):
        decode(data * 20, "a.txt", refused)


def test_damaged_utf8_is_not_taken_for_another_encoding() -> None:
    good = "Café, naïve, “quotes”\n".encode()
    with pytest.raises(NotText, match=r"a\.txt:2: damaged UTF-8 text \(byte 3\d\)"):
        decode(good + b"caf\xe9 au lait\n" + good, "a.txt", refused)


def test_damaged_utf16_is_refused() -> None:
    with pytest.raises(NotText, match="damaged UTF-16-LE text at byte"):
        decode(codecs.BOM_UTF16_LE + b"a\0b\0c", "a.txt", refused)


@pytest.mark.parametrize(("encoding", "name"), [("utf-16-le", "LE"), ("utf-16-be", "BE")])
def test_utf16_without_a_mark_is_recognised(encoding: str, name: str) -> None:
    with pytest.raises(NotText, match=f"without a byte order mark: .* iconv -f UTF-16{name}"):
        decode(("A ferry ran aground. " * 5).encode(encoding), "a.txt", refused)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n%\xe2\xe3", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG image"),
        (b"PK\x03\x04\x14\0", "a zip archive"),
        (b"{\\rtf1\\ansi Text}", "an RTF document"),
        (b"BZh91AY&SY\0\0", "a bzip2 archive"),
        (b"\xfd7zXZ\0\0", "an xz archive"),
        (b"a.txt".ljust(257, b"\0") + b"ustar", "a tar archive"),
        (b"RIFF\0\0\0\0WAVEfmt ", "a WAV recording"),
        (b"SQLite format 3\0", "an SQLite database"),
    ],
)
def test_a_known_kind_of_binary_file_is_named(data: bytes, kind: str) -> None:
    with pytest.raises(NotText, match=f"a.bin: not text but {kind}"):
        decode(data, "a.bin", refused)


@pytest.mark.parametrize("data", [b"text\0more", bytes(range(1, 32)) * 4])
def test_binary_data_is_refused(data: bytes) -> None:
    with pytest.raises(NotText, match="binary data, not text"):
        decode(data, "a.txt", refused)


@pytest.mark.parametrize("text", ["ID3 tags are old.", "RIFF is a format.", "PAR1 was first."])
def test_text_that_begins_like_a_binary_file_is_text(text: str) -> None:
    assert decode(text.encode(), "a.txt", refused) == text


def test_a_page_may_declare_its_encoding() -> None:
    page = '<meta charset="koi8-r"><p>Паром'
    assert decode(page.encode("koi8-r"), "a.html", refused, declared=True) == page


@pytest.mark.parametrize("declared", [b"no-such-encoding", b"ascii", b"hex"])
def test_a_declaration_that_does_not_fit_is_reported(declared: bytes) -> None:
    heard: list[str] = []
    page = b'<meta charset="' + declared + b'"><p>A caf\xe9 in Halverne.'
    assert "café" in decode(page, "a.html", heard.append, declared=True)
    assert heard[0] == "a.html: not in the encoding it declares"


@given(st.binary(max_size=300))
def test_any_bytes_give_text_or_a_deliberate_error(data: bytes) -> None:
    with suppress(NotText, EmptyInput):
        text = decode(data, "a.txt", lambda _: None)
        assert text.encode("utf-8").decode("utf-8") == text


def test_a_binary_file_named_txt_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\x7fELF\x02\x01\x01\0")
    with pytest.raises(NotText, match="a program"):
        read(path)
