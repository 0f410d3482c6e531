"""Texts given as JSON, with what is known about them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.corpora import read
from tatian.corpora.records import from_json, from_lines
from tatian.errors import EmptyInput, InputError
from tatian.text import TOKENS, Document, Metadata, Token

RECORD = {
    "id": "wire",
    "text": "A ferry ran aground.",
    "title": "Ferry aground",
    "date": "2023-03-14",
    "source": "Coastal Wire",
    "topic": "ferry",
}


def write_records(path: Path, *records: Any, form: str = "jsonl") -> Path:
    if form == "jsonl":
        path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    else:
        path.write_text(json.dumps(list(records), indent=2), "utf-8")
    return path


def test_a_record_becomes_a_document_with_its_metadata(tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.jsonl", RECORD)
    assert read(path) == [
        Document(
            "wire",
            "A ferry ran aground.",
            Metadata("Ferry aground", "2023-03-14", "Coastal Wire", "ferry", path=str(path)),
        )
    ]


def test_only_the_text_is_needed(tmp_path: Path) -> None:
    documents = read(write_records(tmp_path / "a.jsonl", {"text": "One."}, {"text": "Two."}))
    assert [(one.id, one.text) for one in documents] == [("a", "One."), ("a-2", "Two.")]


def test_ids_may_be_numbers_and_are_made_unique(tmp_path: Path) -> None:
    path = write_records(
        tmp_path / "a.jsonl", {"id": 7, "text": "One."}, {"id": "7", "text": "Two."}
    )
    assert [document.id for document in read(path)] == ["7", "7-2"]


def test_other_fields_and_blank_lines_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('\ufeff{"text": "One.", "url": 3}\r\n\r\n{"text": "Two."}', "utf-8")
    assert [document.text for document in read(path)] == ["One.", "Two."]


@pytest.mark.parametrize("value", [RECORD, [RECORD], [RECORD, RECORD]])
def test_a_json_file_holds_one_record_or_a_list(tmp_path: Path, value: Any) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(value, indent=1), "utf-8")
    count = len(value) if isinstance(value, list) else 1
    assert [document.text for document in read(path)] == ["A ferry ran aground."] * count


@pytest.mark.parametrize("form", ["jsonl", "json"])
def test_json_is_recognised_without_its_ending(tmp_path: Path, form: str) -> None:
    path = write_records(tmp_path / "records", RECORD, RECORD, form=form)
    assert [document.id for document in read(path)] == ["wire", "wire-2"]


def test_a_txt_file_that_looks_like_json_is_text(tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.txt", RECORD)
    assert read(path)[0].text.startswith('{"id"')


def test_text_in_brackets_is_no_json(tmp_path: Path) -> None:
    path = tmp_path / "note"
    path.write_text("[Reuters] {sic} A ferry ran aground.")
    assert read(path)[0].text.startswith("[Reuters]")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "One."', r"a\.jsonl:2: not valid JSON"),
        ('{"title": "T"}', r"a\.jsonl:2: Object missing required field 'text'"),
        ('{"text": 5}', r"a\.jsonl:2: Expected 'str', got 'int' - at '\$\.text'"),
        ('{"text": "One.", "date": 2023}', r"a\.jsonl:2: Expected 'str \| null', got 'int'"),
        ('["One."]', r"a\.jsonl:2: Expected 'object', got 'array'"),
        ('{"text": " \\n"}', r"a\.jsonl:2: the text of the record is empty"),
        ('{"text": "\\ud800"}', r"a\.jsonl:2: not valid JSON"),
    ],
)
def test_a_malformed_line_is_named_by_file_and_line(
    tmp_path: Path, line: str, message: str
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"text": "Fine."}}\n{line}\n', "utf-8")
    with pytest.raises(InputError, match=message):
        read(path)


def test_bytes_that_are_not_utf8_are_named_by_their_line() -> None:
    with pytest.raises(InputError, match="x:7: not UTF-8: convert it with iconv"):
        list(from_lines([(7, b'{"text": "caf\xe9"}')], "x"))
    with pytest.raises(InputError, match="x:2: not UTF-8"):
        list(from_json(b'{\n"text": "caf\xe9"}', "x"))


def test_json_too_deep_to_read_is_a_malformed_line() -> None:
    deep = b'{"text": "a", "x": ' + b"[" * 9999 + b"]" * 9999 + b"}"
    with pytest.raises(InputError, match="x:1: not valid JSON"):
        list(from_lines([(1, deep)], "x"))


def test_a_malformed_record_of_a_list_is_named_by_its_number(tmp_path: Path) -> None:
    path = write_records(tmp_path / "a.json", RECORD, {"text": None}, form="json")
    with pytest.raises(InputError, match=r"a\.json: record 2: Expected 'str', got 'null'"):
        read(path)


@pytest.mark.parametrize(
    ("name", "content"), [("a.jsonl", "\n"), ("a.json", " "), ("a.json", "[]")]
)
def test_file_without_records_is_an_error(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(EmptyInput, match=name):
        read(path)


def test_binary_file_named_jsonl_is_refused_as_binary(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"%PDF-1.7\n")
    with pytest.raises(InputError, match="a PDF document"):
        read(path)


def test_written_documents_are_read_back_with_their_layers(tmp_path: Path) -> None:
    document = Document("a", "Hello.", Metadata(source="Us", path="x")).with_layer(
        TOKENS, [Token(0, 5, "Hello"), Token(5, 6, ".")], "test"
    )
    assert read(write_records(tmp_path / "a.jsonl", document.to_json())) == [document]


def test_a_document_with_wrong_tokens_is_refused_with_its_line(tmp_path: Path) -> None:
    document = Document("a", "Hello.").with_layer(TOKENS, [Token(0, 5, "Adieu")], "test")
    with pytest.raises(InputError, match=r"a\.jsonl:1: not a Tatian document: token 'Adieu'"):
        read(write_records(tmp_path / "a.jsonl", document.to_json()))


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@given(st.lists(texts, min_size=1), st.booleans())
def test_json_and_jsonl_carry_any_text_unchanged(given_texts: list[str], ascii_only: bool) -> None:
    lines = [json.dumps({"text": text}, ensure_ascii=ascii_only) for text in given_texts]
    numbered = [(number, line.encode()) for number, line in enumerate(lines, 1)]
    assert [document.text for document in from_lines(numbered, "x")] == given_texts
    whole = f"[{','.join(lines)}]".encode()
    assert [document.text for document in from_json(whole, "x")] == given_texts


def parquet(path: Path, **columns: Any) -> Path:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow.parquet import write_table

    write_table(pyarrow.table(columns), path, compression="NONE", use_dictionary=False)
    return path


@pytest.mark.parametrize(
    ("whole", "damaged", "reason"),
    [
        (b"ran aground", b"ran \xff\xferound", "damaged after record 0, text that is not UTF-8"),
        (b"text", b"t\xff\xfet", ""),
    ],
)
def test_damaged_parquet_fails_with_one_line(
    whole: bytes, damaged: bytes, reason: str, tmp_path: Path
) -> None:
    path = parquet(tmp_path / "a.parquet", text=["A ferry ran aground."])
    path.write_bytes(path.read_bytes().replace(whole, damaged))
    with pytest.raises(InputError) as refused:
        read(path)
    assert str(refused.value).startswith(f"{path}: cannot be read as Parquet: {reason}")
    assert "\n" not in str(refused.value)


def test_invalid_date_in_parquet_fails_with_one_line(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    far = pyarrow.array([2**31 - 1], type=pyarrow.int32()).cast(pyarrow.date32())
    path = parquet(tmp_path / "a.parquet", text=["A ferry ran aground."], date=far)
    with pytest.raises(InputError, match=r"a\.parquet: cannot be read as Parquet: "):
        read(path)


@pytest.mark.long
def test_parquet_with_any_bytes_changed_is_read_or_refused(tmp_path: Path) -> None:
    chance = Random(7)
    path = parquet(tmp_path / "a.parquet", text=["A ferry ran aground."] * 2, id=["a", "b"])
    data = path.read_bytes()
    refused: list[str] = []
    for _ in range(500):
        changed = bytearray(data)
        changed[chance.randrange(len(data))] = chance.randrange(256)
        path.write_bytes(changed)
        try:
            read(path)
        except InputError as error:
            refused.append(str(error))
    assert refused
    assert [line for line in refused if not line.startswith(str(path))] == []
