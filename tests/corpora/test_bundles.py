"""Bundles are read from wherever they are kept, and refused with the place of what is wrong."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tatian import read
from tatian.corpora.bundles import Bundle, read_bundles
from tatian.errors import EmptyInput, InputError

from ..consolidation.facts import bundle, mill, written


def test_a_file_holds_one_bundle(tmp_path: Path) -> None:
    assert read_bundles(written(tmp_path / "mill.json", mill())) == [bundle()]


def test_jsonl_holds_one_on_each_line(tmp_path: Path) -> None:
    path = written(tmp_path / "all.jsonl", mill(), mill(id="other"), lines=True)
    assert [one.id for one in read_bundles(path)] == ["mill", "other"]


def test_a_directory_holds_files_of_them_packed_or_not(tmp_path: Path) -> None:
    written(tmp_path / "b.json", mill(id="b"))
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(json.dumps(mill(id="a")).encode()))
    (tmp_path / "README.md").write_text("not a bundle")
    assert [one.id for one in read_bundles(str(tmp_path))] == ["a", "b"]


def test_several_paths_are_read_in_their_order(tmp_path: Path) -> None:
    paths = [written(tmp_path / f"{id}.json", mill(id=id)) for id in "ba"]
    assert [one.id for one in read_bundles(paths)] == ["b", "a"]


def test_sources_are_passed_on_with_one_sentence_a_paragraph(
    tmp_path: Path,
) -> None:
    given = bundle().documents()
    assert given[0].text.startswith("Posted at noon today\n\nA fire destroyed")
    for account in bundle().accounts:
        (tmp_path / f"{account.id}.txt").write_text("\n\n".join(account.sentences))
    for document, one in zip(read([tmp_path]), given, strict=True):
        assert (document.id, document.text) == (one.id, one.text)
        assert document.metadata.title == one.metadata.title


def test_baselines_make_a_text_of_a_bundle() -> None:
    one = bundle()
    assert one.stacked().split("\n\n") == list(one.sentences().values())
    assert one.longest() == one.accounts[0].text
    assert one.reference_text().count("\n\n") == len(one.reference) - 1


def test_a_bundle_is_written_as_it_was_read() -> None:
    assert msgspec.json.decode(msgspec.json.encode(bundle()), type=Bundle) == bundle()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"facts": []}, "Expected array of length >= 1 - at .facts"),
        ({"id": " "}, "at .id"),
        ({"noise": "A.0"}, "at .noise"),
        ({"noise": ["A.9"]}, "bundle mill, noise: there is no sentence 'A.9'"),
        ({"accounts": mill()["accounts"] * 2}, "bundle mill, accounts: 'A' is used twice"),
        (
            {"reference": [{"text": "x", "facts": ["f9"]}]},
            "bundle mill, reference sentence 0, facts: there is no fact 'f9'",
        ),
        (
            {"conflicts": [{"about": "x", "claims": [{"value": "1", "sources": ["D.0"]}]}]},
            "bundle mill, conflict 0, sources: there is no sentence 'D.0'",
        ),
    ],
)
def test_errors_name_the_field(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = written(tmp_path / "mill.json", mill(**changes))
    with pytest.raises(InputError) as caught:
        read_bundles(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("field", "value"), [("importance", 4), ("keys", [[]]), ("keys", []), ("sources", [])]
)
def test_errors_in_facts_name_line_and_number(field: str, value: object, tmp_path: Path) -> None:
    broken = mill(id="broken")
    broken["facts"][2][field] = value
    path = written(tmp_path / "all.jsonl", mill(), broken, lines=True)
    with pytest.raises(InputError, match=rf"all.jsonl:2: bundle broken: .* at \.facts\[.*{field}"):
        read_bundles(path)


def test_repeated_bundle_id_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "all.jsonl", mill(), mill(), lines=True)
    with pytest.raises(InputError, match=r"jsonl:2: bundle mill: a second bundle with this id"):
        read_bundles(path)


@pytest.mark.parametrize("content", ["", "\n\n", "{", '{"id": "x"}\n[', "\udcff"])
def test_invalid_bundles_raise_an_error_with_the_file(content: str, tmp_path: Path) -> None:
    path = tmp_path / "mill.json"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=r"mill\.json"):
        read_bundles(str(path))


def test_a_directory_without_bundles_is_empty(tmp_path: Path) -> None:
    with pytest.raises(EmptyInput):
        read_bundles(str(tmp_path))


def test_bundles_can_be_read_unchecked(tmp_path: Path) -> None:
    path = written(tmp_path / "mill.json", mill(noise=["A.9"]))
    assert read_bundles(path, checked=False)[0].noise == ("A.9",)


def test_a_broken_line_of_a_list_is_named(tmp_path: Path) -> None:
    path = Path(written(tmp_path / "some.jsonl", mill(), mill(id="b"), mill(id="c"), lines=True))
    first, second, third = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([first, second[:40], third]), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_bundles(str(path))
    assert caught.value.line == 2
