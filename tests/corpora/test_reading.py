"""What `tatian.read` makes of files, directories, standard input and their names."""

from __future__ import annotations

import gzip
import io
import os
import stat
import sys
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian import limits
from tatian.corpora import reading
from tatian.corpora.reading import headline, iterate, read, read_bytes
from tatian.errors import EmptyInput, InputError

STORY = "Ferry aground\n\nA ferry ran aground off Halverne. Nobody was hurt.\n"


def write_file(path: Path, content: str | bytes = STORY) -> Path:
    """Write a file, gzipped if its name says so, with the directories above it."""
    data = content.encode() if isinstance(content, str) else content
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


def give_stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))


def test_a_text_file_is_one_document_named_after_it(tmp_path: Path) -> None:
    path = write_file(tmp_path / "courier.txt")
    (document,) = read([path])
    assert (document.id, document.text) == ("courier", STORY)
    assert document.metadata.path == str(path)


def test_a_single_path_needs_no_list(tmp_path: Path) -> None:
    assert read(str(write_file(tmp_path / "a.txt"))) == read([tmp_path / "a.txt"])


@pytest.mark.parametrize("name", ["story", "story.log", "story.md", "story.en.txt", "story.TXT"])
def test_text_is_read_whatever_its_file_ending(tmp_path: Path, name: str) -> None:
    assert read(write_file(tmp_path / name))[0].text == STORY


def test_gzip_is_unpacked_and_left_out_of_the_name(tmp_path: Path) -> None:
    (document,) = read(write_file(tmp_path / "courier.txt.gz"))
    assert (document.id, document.text) == ("courier", STORY)


def test_gzip_is_known_by_its_bytes_whatever_the_file_is_called(tmp_path: Path) -> None:
    assert (
        read(write_file(tmp_path / "courier.txt", gzip.compress(STORY.encode())))[0].text == STORY
    )


@pytest.mark.parametrize("packed", [False, True])
def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    give_stdin(monkeypatch, gzip.compress(STORY.encode()) if packed else STORY.encode())
    (document,) = read(["-"])
    assert (document.id, document.text, document.metadata.path) == ("stdin", STORY, "-")


def test_closed_standard_input_is_an_input_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="standard input is closed"):
        read(["-"])


def test_ids_of_files_with_one_name_are_numbered(tmp_path: Path) -> None:
    paths = [write_file(tmp_path / where / "a.txt") for where in ("x", "y", "z")]
    assert [document.id for document in read(paths)] == ["a", "a-2", "a-3"]


def test_a_numbered_id_gives_way_to_a_file_of_that_name(tmp_path: Path) -> None:
    paths = [write_file(tmp_path / name) for name in ("a-2.txt", "x/a.txt", "y/a.txt", "z/a.txt")]
    assert [document.id for document in read(paths)] == ["a-2", "a", "a-3", "a-4"]


@given(st.lists(st.sampled_from(["a", "a-2", "a-3", "b", "a-2-2"]), max_size=12))
def test_ids_are_always_unique(names: list[str]) -> None:
    taken: dict[str, int] = {}
    given_out = [reading.unique(name, taken) for name in names]
    assert len(set(given_out)) == len(names)


CONLLU = """\
1-2\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
1\tca\t_\t_\t_\t_\t_\t_\t_\t_
2\tn't\t_\t_\t_\t_\t_\t_\t_\t_

"""


@pytest.mark.parametrize("name", ["a.conllu", "a.CONLLU", "a.conllu.gz", "a", "a.conll"])
def test_conllu_keeps_its_tokens_and_is_known_by_name_or_bytes(tmp_path: Path, name: str) -> None:
    path = write_file(tmp_path / name, CONLLU)
    (document,) = read(path)
    assert (document.id, document.text, document.metadata.path) == ("a", "can't", str(path))
    assert [token.text for token in document.tokens] == ["ca", "n't"]


def test_the_documents_of_a_conllu_file_have_ids_of_their_own(tmp_path: Path) -> None:
    write_file(tmp_path / "a.conllu", f"{CONLLU}# newdoc\n{CONLLU}# newdoc id = b\n{CONLLU}")
    write_file(tmp_path / "b.txt")
    assert [document.id for document in read(tmp_path)] == ["a", "a-2", "b", "b-2"]


def test_heading_is_not_read_as_conllu(tmp_path: Path) -> None:
    path = write_file(tmp_path / "notes", "# text of the speech\n\nA ferry ran aground.\n")
    assert read(path)[0].text.startswith("# text")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (CONLLU.replace("2\tn't", "3\tn't"), "a.conllu:3: the word is numbered 3, not 2"),
        (CONLLU.encode().replace(b"n't", b"n\xb4t"), "a.conllu:1: not UTF-8: convert it"),
        (b"%PDF-1.7\n", "a.conllu: not text but a PDF document"),
        ("# only a comment\n", "a.conllu: empty: there are no sentences in it"),
    ],
)
def test_a_broken_conllu_file_is_named_with_its_line(
    tmp_path: Path, content: str | bytes, message: str
) -> None:
    with pytest.raises(InputError) as raised:
        read(write_file(tmp_path / "a.conllu", content))
    assert message in str(raised.value)


def test_a_directory_is_its_files_by_name_without_hidden_ones(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", ".hidden.txt", "below/c.txt"):
        write_file(tmp_path / name)
    assert [document.id for document in read(tmp_path)] == ["a", "b"]


def test_files_without_text_in_a_directory_give_a_warning(tmp_path: Path) -> None:
    write_file(tmp_path / "a.txt")
    write_file(tmp_path / "picture.png", b"\x89PNG\r\n\x1a\n\0\0")
    write_file(tmp_path / "empty.txt", "")
    heard: list[str] = []
    assert [document.id for document in read(tmp_path, warn=heard.append)] == ["a"]
    assert len(heard) == 2
    assert "picture.png: not text but a PNG image" in heard[1]


def test_code_and_tables_in_a_directory_give_a_warning(tmp_path: Path) -> None:
    write_file(tmp_path / "a.txt")
    write_file(tmp_path / "plot.py", "print('hi')")
    heard: list[str] = []
    assert [document.id for document in read(tmp_path, warn=heard.append)] == ["a"]
    assert "plot.py: its name is not that of a text" in heard[0]
    assert [document.id for document in read(tmp_path / "plot.py")] == ["plot"]


def test_malformed_file_in_a_directory_is_an_error(tmp_path: Path) -> None:
    write_file(tmp_path / "a.jsonl", "{")
    with pytest.raises(InputError, match=r"a\.jsonl:1: not valid JSON"):
        read(tmp_path)


def test_a_directory_without_texts_is_empty_input(tmp_path: Path) -> None:
    write_file(tmp_path / "below" / "a.txt")
    with pytest.raises(EmptyInput, match="subdirectories are not searched"):
        read(tmp_path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.txt: no such file or directory"):
        read(tmp_path / "nowhere.txt")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
@pytest.mark.parametrize("name", ["a.txt", "."])
def test_unreadable_file_or_directory_is_an_input_error(tmp_path: Path, name: str) -> None:
    write_file(tmp_path / "a.txt")
    target = tmp_path / name
    before = target.stat().st_mode
    target.chmod(stat.S_IWUSR)
    try:
        with pytest.raises(InputError, match="cannot be read: permission denied"):
            read(target)
    finally:
        target.chmod(before)


def test_files_that_cannot_be_opened_raise_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: file name too long"):
        read(tmp_path / ("x" * 300))


def test_an_empty_file_name_is_not_the_current_directory() -> None:
    with pytest.raises(InputError, match="a file name is empty"):
        read("")


def test_thousands_of_leading_blanks_are_read_quickly(tmp_path: Path) -> None:
    text = " " * 5000 + "A ferry ran aground."
    assert read(write_file(tmp_path / "a.txt", text))[0].text == text


def test_reading_no_files_is_an_error() -> None:
    with pytest.raises(EmptyInput, match="no files were given"):
        read([])


@pytest.mark.parametrize("content", ["", "  \r\n\t\n", "\ufeff"])
def test_an_empty_or_blank_file_is_empty_input(tmp_path: Path, content: str) -> None:
    with pytest.raises(EmptyInput, match=r"a\.txt: empty"):
        read(write_file(tmp_path / "a.txt", content))


def test_a_name_that_is_not_utf8_can_be_printed(tmp_path: Path) -> None:
    path = os.path.join(os.fsencode(tmp_path), b"caf\xe9.txt")  # noqa: PTH118
    Path(os.fsdecode(path)).write_text(STORY, "utf-8")
    (document,) = read(os.fsdecode(path))
    assert document.id == "caf\ufffd"
    assert document.metadata.path is not None
    assert document.metadata.path.encode("utf-8").endswith(b"caf\xef\xbf\xbd.txt")


def test_files_are_read_one_at_a_time_when_iterating(tmp_path: Path) -> None:
    documents = iterate([write_file(tmp_path / "a.txt"), tmp_path / "missing.txt"])
    assert next(documents).id == "a"
    with pytest.raises(InputError):
        next(documents)


def test_jsonl_is_streamed_when_iterating(tmp_path: Path) -> None:
    path = write_file(tmp_path / "many.jsonl.gz", '{"text": "One."}\n' * 3 + "broken\n")
    assert [document.id for document in islice(iterate(path), 3)] == ["many", "many-2", "many-3"]


def test_reading_stops_at_the_limit_for_all_texts_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TOTAL_CHARACTERS", 1000)
    path = write_file(tmp_path / "many.jsonl", '{"text": "A text."}\n' * 1000)
    with pytest.raises(InputError, match="too much to read at once"):
        read(path)


def test_five_megabytes_are_read(tmp_path: Path) -> None:
    text = "The ferry ran aground off Halverne. " * 140_000
    assert read(write_file(tmp_path / "long.txt", text))[0].text == text


def test_by_default_warnings_are_python_warnings(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="read as Windows-1252"):
        read(write_file(tmp_path / "a.txt", "A café in Halverne.".encode("cp1252")))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Ferry aground\n\nA ferry ran aground.", "Ferry aground"),
        ("\ufeffFerry aground\r\n\r\nA ferry ran aground.", "Ferry aground"),
        ("\n Ferry aground? \n \t\nA ferry ran aground.", "Ferry aground?"),
        ("A ferry ran aground.\n\nNobody was hurt.", None),
        ('"It stopped."\n\nNobody was hurt.', None),
        ("Ferry aground\nA ferry ran aground.", None),
        ("Ferry aground\n\n", None),
        ("Ferry aground", None),
        ("word " * 40 + "\n\nA ferry ran aground.", None),
    ],
)
def test_a_headline_is_a_short_first_line_that_stands_alone(text: str, title: str | None) -> None:
    assert headline(text) == title


@pytest.mark.parametrize(
    ("head", "told"),
    [
        (
            "Daily Echo\nTuesday, May 14, 2024\n\nMill burns",
            ("Mill burns", "2024-05-14", "Daily Echo"),
        ),
        (
            "The Harwick Gazette\n\n14 May 2024\n\nMill burns",
            ("Mill burns", "2024-05-14", "The Harwick Gazette"),
        ),
        ("Harwick Courier\nMay 14, 2024", (None, "2024-05-14", "Harwick Courier")),
        ("Ferry sinks off Orme\nMay 14, 2024", (None, None, None)),
        ("Mill burns in May", ("Mill burns in May", None, None)),
    ],
)
def test_newspaper_and_date_above_the_headline_are_recognised(
    head: str, told: tuple[str | None, ...], tmp_path: Path
) -> None:
    file = tmp_path / "a.txt"
    file.write_text(f"{head}\n\nA mill burned in Harwick. Nobody was hurt.\n", "utf-8")
    about = read(file)[0].metadata
    assert (about.title, about.date, about.source) == told


def test_the_headline_becomes_the_title_and_stays_in_the_text(tmp_path: Path) -> None:
    (document,) = read(write_file(tmp_path / "a.txt"))
    assert document.metadata.title == "Ferry aground"
    assert document.text == STORY


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_text_is_kept_character_by_character(text: str) -> None:
    body = f"x{text}\r\n\ty"
    monkeypatch = pytest.MonkeyPatch()
    try:
        give_stdin(monkeypatch, b"\xef\xbb\xbf" + body.encode())
        assert read(["-"])[0].text == "\ufeff" + body
    finally:
        monkeypatch.undo()


@pytest.mark.parametrize("name", ["courier.txt", "../../courier.txt", "C:\\papers\\courier.txt"])
def test_folders_in_the_name_of_an_upload_are_ignored(name: str) -> None:
    (document,) = read_bytes(STORY.encode(), name)
    assert (document.id, document.text) == ("courier", STORY)
    assert document.metadata.path == "courier.txt"


def test_name_of_an_upload_opens_no_local_file(tmp_path: Path) -> None:
    path = write_file(tmp_path / "secret.txt", "A secret.")
    (document,) = read_bytes(gzip.compress(STORY.encode()), str(path))
    assert document.text == STORY


@pytest.mark.parametrize("data", [b"", b"\0\1\2", b"PAR1\0\0"])
def test_uploads_without_text_fail_with_one_line(data: bytes) -> None:
    with pytest.raises(InputError) as refused:
        read_bytes(data, "courier.parquet")
    assert "\n" not in str(refused.value)
