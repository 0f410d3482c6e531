"""Files of the kinds that people have, sent or on disk: what `read_bytes` makes of each of them."""

from __future__ import annotations

import builtins
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tatian import limits
from tatian.corpora import read, read_bytes
from tatian.errors import EmptyInput, InputError, MissingExtra, NotText, TatianError

from .file_samples import PARAGRAPHS, TEXT, TITLE, docx, mail, packed, pdf, samples


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return samples()


def test_every_kind_gives_the_story_and_its_title(files: dict[str, bytes]) -> None:
    for name, data in files.items():
        document = read_bytes(data, name, warn=lambda _: None)[0]
        for paragraph in PARAGRAPHS:
            assert paragraph in document.text.replace("\n", " "), name
        if name not in ("story.srt", "story.vtt"):
            assert document.metadata.title == TITLE, name


def test_a_kind_is_known_by_its_bytes_whatever_its_name(files: dict[str, bytes]) -> None:
    for name, data in files.items():
        plain = read_bytes(data, name, warn=lambda _: None)
        for other in ("upload", "story.txt" if name[-3:] not in ("eml", "box") else "story"):
            found = read_bytes(data, other, warn=lambda _: None)
            assert [one.text for one in found] == [one.text for one in plain], (name, other)


def test_a_path_and_its_bytes_give_the_same(tmp_path: Path, files: dict[str, bytes]) -> None:
    (tmp_path / "story.docx").write_bytes(files["story.docx"])
    (one,), (other,) = read(tmp_path), read_bytes(files["story.docx"], "story.docx")
    assert (one.id, one.text, one.metadata.title) == (other.id, other.text, other.metadata.title)


def test_metadata_of_documents_is_kept(files: dict[str, bytes]) -> None:
    for name in ("story.docx", "story.odt", "story.rtf", "story.epub", "story.eml"):
        about = read_bytes(files[name], name, warn=lambda _: None)[0].metadata
        assert about.date == "2023-03-14", name
        assert (about.source or "").startswith("Zoë M"), name
        assert about.path == name


def test_an_archive_gives_all_its_texts_under_their_names(files: dict[str, bytes]) -> None:
    found = read_bytes(files["all.zip"], "all.zip", warn=lambda _: None)
    assert len(found) == len(files)
    assert {one.metadata.path for one in found} == {
        f"all.zip/{name}" for name in files if name != "all.zip"
    }
    assert len({one.id for one in found}) == len(found)


def test_unreadable_members_of_an_archive_are_skipped() -> None:
    data = packed(
        {
            "folder/a.txt": TEXT,
            "folder/broken.docx": docx()[:2000],
            "folder/table.csv": "a,b",
            "inner.zip": packed({"b.txt": TEXT}),
            ".DS_Store": b"\0\0\0\1Bud1",
            "folder/~$a.docx": b"\5User",
            "folder/Thumbs.db": b"\xd0\xcf",
            "__MACOSX/folder/._a.txt": b"\0\5\x16\7",
        }
    )
    heard: list[str] = []
    (document,) = read_bytes(data, "bundle.zip", warn=heard.append)
    assert document.metadata.path == "bundle.zip/folder/a.txt"
    assert heard == [
        "skipped: bundle.zip/folder/broken.docx: a damaged Word document",
        "skipped: bundle.zip/folder/table.csv: its name is not that of a text; name it to read it",
        "skipped: bundle.zip/inner.zip: an archive inside an archive: unpack it first",
    ]


def test_names_in_an_archive_are_never_paths() -> None:
    data = packed({"../../etc/passwd": TEXT, "C:\\evil\n\x1b[31m.txt": TEXT})
    found = read_bytes(data, "z.zip", warn=lambda _: None)
    assert [one.metadata.path for one in found] == [
        "z.zip/etc/passwd",
        "z.zip/C:/evil\ufffd\ufffd[31m.txt",
    ]


def test_archive_without_readable_files_gives_the_reason() -> None:
    with pytest.raises(EmptyInput, match=r"without a readable text .*b\.docx: a damaged"):
        read_bytes(packed({"b.docx": b"PK\x03\x04"}), "z.zip", warn=lambda _: None)
    with pytest.raises(EmptyInput, match=r"z\.zip: an archive without files"):
        read_bytes(packed({}), "z.zip")


def encrypted_zip() -> bytes:
    """An archive whose member says that it is encrypted."""
    data = bytearray(packed({"a.txt": TEXT}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


@pytest.mark.parametrize(
    ("name", "data", "line"),
    [
        ("a.zip", encrypted_zip(), "a.zip: encrypted: unpack it with its password first"),
        ("a.pdf", b"%PDF-1.7\n%%EOF", "a.pdf: a damaged PDF document"),
        ("a.pdf", b"", "a.pdf: empty: there is no text in it"),
        ("a.docx", b"PK\x03\x04....", "a.docx: a damaged Word document"),
        (
            "a.docx",
            OLD + "EncryptedPackage".encode("utf-16-le"),
            "a.docx: encrypted: save it without",
        ),
        (
            "a.doc",
            OLD + "WordDocument".encode("utf-16-le"),
            "a.doc: an old Word document: save it as",
        ),
        (
            "a.msg",
            OLD + "__substg1.0_".encode("utf-16-le"),
            "a.msg: an Outlook message: save it as",
        ),
        (
            "a.xlsx",
            packed({"xl/workbook.xml": "<a/>"}),
            "a.xlsx: a table or slides, not running text",
        ),
        ("a.odt", packed({"content.xml": "<a/>"}), "a.odt: an OpenDocument file of another kind"),
        (
            "a.odt",
            packed({"content.xml": "<a>"}),
            "a.odt: a damaged OpenDocument text: 'content.xml'",
        ),
        ("a.epub", packed({"META-INF/container.xml": "<a/>"}), "a.epub: a damaged EPUB book"),
        ("a.srt", b"No cue at all", "a.srt: a transcript without cues"),
        ("a.eml", b"\n\nNo headers", "a.eml: not a mail: it has no headers"),
        ("a.mbox", b"Hello", "a.mbox: a mailbox without text"),
        ("a.rtf", b"{\\rtf1 }", "a.rtf: an RTF document without text"),
    ],
)
def test_unreadable_files_fail_with_one_line(name: str, data: bytes, line: str) -> None:
    with pytest.raises((NotText, EmptyInput)) as raised:
        read_bytes(data, name)
    assert str(raised.value).startswith(line)
    assert "\n" not in str(raised.value)


def test_content_decides_the_format_against_the_name() -> None:
    page = b"<html><body><p>A ferry ran aground off Halverne.</p></body></html>"
    assert read_bytes(page, "saved.pdf")[0].text == "A ferry ran aground off Halverne."
    assert read_bytes(b"A ferry ran aground.", "notes.rtf")[0].text == "A ferry ran aground."
    assert read_bytes(b"A ferry ran aground.", "notes.pdf")[0].text == "A ferry ran aground."
    assert read_bytes(docx(), "report.doc")[0].metadata.title == TITLE


def test_letter_with_a_heading_is_not_read_as_mail() -> None:
    letter = "From: Zoë\nDate: Tuesday\nSubject: the ferry\n\nIt ran aground.\n"
    assert read_bytes(letter.encode(), "letter")[0].text == letter


def test_entities_of_xml_are_refused() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "ha">' + '<!ENTITY c "&b;&b;">]><a><p>&c;</p></a>'
    with pytest.raises(NotText, match="is not XML"):
        read_bytes(packed({"word/document.xml": bomb}), "a.docx")


def test_an_archive_that_unpacks_to_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ARCHIVE_BYTES", 10**6)
    bomb = packed({f"{n}.txt": TEXT * 2000 for n in range(9)})
    assert len(bomb) < 10**5
    with pytest.raises(InputError, match=r"bomb\.zip: more than 0 MiB in it, unpacked: divide it"):
        read_bytes(bomb, "bomb.zip")


def test_an_archive_of_too_many_files_is_refused() -> None:
    data = packed({f"{n}.txt": "x" for n in range(limits.ARCHIVE_FILES + 1)})
    with pytest.raises(InputError, match="has more than 2000 files"):
        read_bytes(data, "many.zip")


def test_unreadable_files_of_a_directory_give_a_warning_each(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    (tmp_path / "b.pdf").write_bytes(pdf()[:300])
    (tmp_path / "c.eml").write_bytes(mail())
    heard: list[str] = []
    assert [one.id for one in read(tmp_path, warn=heard.append)] == ["a", "c"]
    assert [line.rpartition("/")[2] for line in heard] == ["b.pdf: a damaged PDF document"]


def test_system_files_are_skipped_silently(tmp_path: Path) -> None:
    for name in ("a.txt", ".DS_Store", "Thumbs.db", "desktop.ini", "~$a.docx"):
        (tmp_path / name).write_text(TEXT, "utf-8")
    heard: list[str] = []
    assert [one.id for one in read(tmp_path, warn=heard.append)] == ["a"]
    assert heard == []


def test_the_marks_of_a_markdown_heading_are_no_part_of_the_title() -> None:
    assert read_bytes(f"# {TITLE}\n\n{TEXT}".encode(), "a.md")[0].metadata.title == TITLE


def test_names_in_other_scripts_are_kept() -> None:
    (document,) = read_bytes(docx(), "חדשות الميناء.docx")
    assert (document.id, document.metadata.path) == ("חדשות الميناء", "חדשות الميناء.docx")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_plain_text_in_other_encodings_is_read(encoding: str) -> None:
    text = "A café on the Zoë Müller pier saw it."
    heard: list[str] = []
    (document,) = read_bytes(text.encode(encoding), "a.md", warn=heard.append)
    assert document.text.lstrip("\ufeff") == text
    assert bool(heard) is (encoding == "cp1252")


def test_missing_extra_gives_the_install_command(
    monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes]
) -> None:
    from tatian.corpora.office import read_rtf
    from tatian.corpora.pdf import read_pdf

    real = builtins.__import__

    def missing(name: str, *args: Any, **named: Any) -> Any:
        if name.partition(".")[0] in ("pypdfium2", "striprtf"):
            raise ImportError(name)
        return real(name, *args, **named)

    monkeypatch.setattr(builtins, "__import__", missing)
    for name, reader in (("story.pdf", read_pdf), ("story.rtf", read_rtf)):
        with pytest.raises(MissingExtra, match=rf"{name}: .* pip install 'tatian\[files\]'"):
            reader(files[name], name, print)


def outcome(data: bytes, name: str) -> str:
    """The texts of a file, or the line that says why there are none."""
    try:
        return "".join(one.text for one in read_bytes(data, name, warn=lambda _: None))
    except TatianError as error:
        line = str(error)
        return line if "\n" not in line else ""


def test_damaged_files_give_sources_or_a_one_line_error(files: dict[str, bytes]) -> None:
    for name, data in files.items():
        for cut in (len(data) // 3, len(data) - 40):
            for damaged in (data[:cut], data[cut:], data[:cut] + b"\xff\0\x80<" * 5 + data[cut:]):
                assert outcome(damaged, name), name


def test_archive_with_a_damaged_directory_fails_with_one_line() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", TEXT)
    with pytest.raises(NotText, match=r"a\.zip: a damaged zip archive"):
        read_bytes(out.getvalue()[:-30], "a.zip")
