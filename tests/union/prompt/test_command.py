"""``tatian union generate --model prompt``: results are written as they come."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tatian.cli.union.generate import generate
from tatian.errors import TatianError

from ...chat.server import Script, says, sends, serve

PAIRS = """\
sentence1Text,sentence2Text,mergedText
The ferry Anna ran aground.,A ferry ran aground on Monday.,
A lamp fell.,A lamp fell in the hall.,
"""
FIRST = "The ferry Anna ran aground on Monday."


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TATIAN_PROMPT_MODEL", "some-model")
    monkeypatch.setenv("TATIAN_PROMPT_CACHE", str(tmp_path / "answers.jsonl"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    Path("pairs.csv").write_text(PAIRS)


def run(script: Script, monkeypatch: pytest.MonkeyPatch) -> BaseException | None:
    with serve(script):
        monkeypatch.setenv("TATIAN_PROMPT_URL", script.url)
        arguments = ["pairs.csv", "--model", "prompt", "-o", "out.csv", "--report", "how.jsonl"]
        return CliRunner().invoke(generate, arguments).exception


def test_a_run_that_breaks_off_keeps_the_results_it_had(monkeypatch: pytest.MonkeyPatch) -> None:
    failure = run(Script(says(FIRST), sends({"error": "no more credit"}, 402)), monkeypatch)
    assert isinstance(failure, TatianError)
    assert "status 402, no more credit" in str(failure)
    header, line = Path("out.csv").read_text().splitlines()
    assert header == "sentence1Text,sentence2Text,mergedText"
    assert line.endswith(f",{FIRST}")
    assert len(Path("how.jsonl").read_text().splitlines()) == 1


def test_a_run_without_a_result_leaves_an_older_file_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("out.csv").write_text("older")
    assert isinstance(run(Script(sends({"error": "no"}, 401)), monkeypatch), TatianError)
    assert Path("out.csv").read_text() == "older"


def test_a_run_that_is_started_again_asks_only_for_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run(Script(says(FIRST), sends({"error": "no"}, 401)), monkeypatch)
    again = Script(says("A lamp fell in the hall."))
    assert run(again, monkeypatch) is None
    assert len(again.requests) == 1
    assert len(Path("out.csv").read_text().splitlines()) == 3
