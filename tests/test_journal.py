"""A line that was cut off costs itself alone, in every file that is added to line by line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tatian.corpora.articles import Article
from tatian.engine import Failed
from tatian.journal import append_line
from tatian.pipeline.article_job import FailedArticles


def test_lines_are_added_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    for number in range(3):
        append_line(path, str(number).encode())
    assert path.read_bytes() == b"0\n1\n2\n"


@pytest.mark.parametrize("whole", [b"", b"[1]\n"])
def test_a_line_that_was_cut_off_is_dropped(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, whole: bytes
) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(whole + b'["two')
    append_line(path, b"[3]")
    assert path.read_bytes() == whole + b"[3]\n"
    assert caplog.messages == [f"{path}: the last line was cut off and is dropped"]


@pytest.mark.usefixtures("caplog")
def test_articles_are_added_after_a_truncated_line(tmp_path: Path) -> None:
    path = tmp_path / "failed.jsonl"
    path.write_bytes(b'{"id": "first"}\n{"id": "sec')
    FailedArticles(path, resume=True).add(Article("third", paragraphs=("A boat.",)), Failed("why"))
    assert [json.loads(line)["id"] for line in path.read_bytes().splitlines()] == ["first", "third"]
