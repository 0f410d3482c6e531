"""``tatian union generate --model prompt``: results are written as they come."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tatian import hub
from tatian.cli.union.generate import generate
from tatian.consolidation.verification.judges.local import LocalEntailment
from tatian.errors import TatianError
from tatian.pytorch import hub as training
from tatian.union.models import mergers
from tatian.union.models.whole import Concatenation

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


PROMPT = """\
Merge two sentences.
<examples go here>
Sentence 1: <sentence 1 goes here>
Sentence 2: <sentence 2 goes here>
Correct union:"""


def ask(script: Script, monkeypatch: pytest.MonkeyPatch, *options: str) -> Result:
    with serve(script):
        monkeypatch.setenv("TATIAN_PROMPT_URL", script.url)
        arguments = ["pairs.csv", "--model", "prompt", "-o", "out.csv", *options]
        return CliRunner().invoke(generate, arguments)


def test_custom_prompt_is_sent_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("paper.txt").write_text(PROMPT)
    Path("shots.jsonl").write_text(
        '{"sentences": ["A cat ran.", "A cat ran off."], "merged": "A cat ran off.",'
        ' "wrong": "A cat ran.", "why": "it does not mention off"}\n'
    )
    script = Script(says(FIRST), says("A lamp fell in the hall."))
    options = ("--prompt", "paper.txt", "--examples", "shots.jsonl", "--raw")
    assert ask(script, monkeypatch, *options).exception is None
    (message,) = script.requests[0]["messages"]
    assert message["role"] == "user"
    assert message["content"] == (
        "Merge two sentences.\n"
        "Sentence 1: A cat ran.\nSentence 2: A cat ran off.\nCorrect union: A cat ran off.\n"
        "Wrong union: A cat ran.\nThe union is wrong, because it does not mention off.\n"
        "Sentence 1: The ferry Anna ran aground.\n"
        "Sentence 2: A ferry ran aground on Monday.\nCorrect union:"
    )


def test_a_raw_answer_is_neither_checked_nor_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    invented = "A submarine exploded in Lisbon."
    script = Script(says(invented), says("Sorry:\nno  union."))
    assert ask(script, monkeypatch, "--raw").exception is None
    assert len(script.requests) == 2
    first, second = Path("out.csv").read_text().splitlines()[1:]
    assert first.endswith(f",{invented}")
    assert second.endswith(",Sorry: no union.")


def test_answer_to_a_custom_prompt_is_checked_without_raw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("paper.txt").write_text(PROMPT.replace("<examples go here>\n", ""))
    script = Script(says("A submarine exploded."), says(FIRST), says("A lamp fell in the hall."))
    assert ask(script, monkeypatch, "--prompt", "paper.txt").exception is None
    assert "An earlier answer was not accepted" in str(script.requests[1])


@pytest.mark.parametrize(
    ("prompt", "error"),
    [
        ("Merge them.", "no placeholder for the sentences"),
        ("<sentence 1 goes here>", "for 1 sentences, here are 2"),
    ],
)
def test_a_prompt_without_places_is_refused(
    prompt: str, error: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("paper.txt").write_text(prompt)
    found = ask(Script(says("a")), monkeypatch, "--prompt", "paper.txt")
    assert error in str(found.exception)


def test_settings_of_a_model_are_refused_with_another() -> None:
    found = CliRunner().invoke(generate, ["pairs.csv", "--model", "edit", "--raw"])
    assert "--raw is for --model prompt" in found.output


@pytest.mark.parametrize("given", [("--drafts", "3"), ("--judge", "local")])
def test_drafts_and_a_judge_are_for_the_local_model(given: tuple[str, str]) -> None:
    found = CliRunner().invoke(generate, ["pairs.csv", "--model", "edit", *given])
    assert f"{given[0]} is for --model local" in found.output


def test_the_local_model_gets_its_drafts_and_its_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[dict[str, object]] = []

    def create(name: str, **options: object) -> Concatenation:
        made.append({"name": name, **options})
        return Concatenation()

    monkeypatch.setattr(mergers, "create", create)
    arguments = ["pairs.csv", "--model", "local", "--drafts", "3", "--judge", "local"]
    arguments += ["--on-conflict", "refuse", "-o", "out.csv"]
    assert CliRunner().invoke(generate, arguments).exception is None
    (options,) = made
    assert (options["name"], options["drafts"], options["on_conflict"]) == ("local", 3, "refuse")
    assert isinstance(options["judge"], LocalEntailment)


def test_a_checkpoint_writes_the_unions_of_seq2seq(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(hub, "absent", lambda: False)
    monkeypatch.setattr(training, "load", lambda name: loaded.append(name))
    monkeypatch.setattr(
        training, "write", lambda model, groups, beams: [" ".join(group) for group in groups]
    )
    arguments = ["pairs.csv", "--model", "seq2seq", "--checkpoint", "runs/t5/best", "-o", "out.csv"]
    assert CliRunner().invoke(generate, arguments).exception is None
    assert loaded == ["runs/t5/best"]
    assert "A lamp fell. A lamp fell in the hall." in Path("out.csv").read_text()
