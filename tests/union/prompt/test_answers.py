"""Model 'prompt': quirks of real servers and small models."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.chat import (
    Answer,
    Endpoint,
    Limits,
    Patience,
    Request,
    read_limits,
    read_patience,
)
from tatian.errors import InputError
from tatian.text import Document, Span, tokenize
from tatian.text.documents import Passage
from tatian.text.layers import TOKENS, Authorship
from tatian.union.models.prompt import Prompt, extract_sentence

from ...chat.server import Reply, Script, says, sends, serve

MESSAGES = [{"role": "system", "content": "Do."}, {"role": "user", "content": "Merge."}]
REQUEST = Request("some-model", MESSAGES, 0.4, 100)
GOOD = "The ferry Anna, with 80 passengers, ran aground in thick fog on Monday."
TOO_LONG = "request (9000 tokens) exceeds the available context size (2048 tokens)"


def passage(text: str, id: str) -> Passage:
    document = Document(id, text).with_layer(TOKENS, tokenize(text), Authorship("test"))
    return Passage(document, Span(0, len(text)))


PAIR = [
    passage("The ferry Anna ran aground in thick fog on Monday.", "one"),
    passage("A ferry with 80 passengers ran aground.", "two"),
]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TATIAN_CACHE", str(tmp_path))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    for name in ("OPENAI_API_KEY", "TATIAN_PROMPT_URL", "TATIAN_PROMPT_MODEL"):
        monkeypatch.delenv(name, raising=False)


def ends(text: str, reason: str) -> dict[str, object]:
    return {"choices": [{"message": {"content": text}, "finish_reason": reason}]}


def refuses(message: str, status: int = 400) -> Reply:
    return sends({"error": {"message": message}}, status)


def ask(script: Script) -> Answer:
    return Endpoint(script.url, patience=Patience(tries=1)).ask(REQUEST)


@pytest.mark.parametrize(
    "text",
    [
        "A correct merged sentence: The ferry ran.",
        "The correct merged sentence is: The ferry ran.",
        "Here is the merged sentence:\n\nThe ferry ran.",
        "Sentence 1: <<<The ferry ran.",
        "The ferry ran.>>*",
        "<think>Two ferries?\nOne.</think>\nThe ferry ran.",
    ],
)
def test_labels_marks_and_thoughts_are_no_part_of_the_sentence(text: str) -> None:
    assert extract_sentence(text) == "The ferry ran."


def test_an_answer_with_the_marks_inside_is_asked_for_again() -> None:
    with serve(Script(says(GOOD.replace("with", "<<<with")), says(GOOD))) as script:
        assert Prompt(url=script.url, model="m").merge(PAIR).text == GOOD
    assert "it had the marks" in str(script.requests[1])


def test_an_answer_that_was_cut_off_is_asked_for_again() -> None:
    with serve(Script(sends(ends(GOOD[:-1], "length")), says(GOOD))) as script:
        assert Prompt(url=script.url, model="m").merge(PAIR).text == GOOD
    assert "it was too long and broke off" in str(script.requests[1])


def test_answer_cut_off_after_the_sentence_is_accepted() -> None:
    with serve(Script(sends(ends(f"{GOOD}\nI chose to", "length")))) as script:
        assert Prompt(url=script.url, model="m").merge(PAIR).text == GOOD
    assert len(script.requests) == 1


def test_an_empty_answer_that_was_paid_for_is_counted() -> None:
    empty = {**ends("", "stop"), "usage": {"prompt_tokens": 9, "completion_tokens": None}}
    with serve(Script(sends(empty))) as script:
        model = Prompt(url=script.url, model="m")
        model.merge(PAIR)
    assert (model.spending.asked, model.spending.input_tokens) == (2, 18)
    assert model.summary().endswith("1 without a usable answer (longest sentence kept)")


def test_sentences_too_long_for_the_model_do_not_end_the_run() -> None:
    with serve(Script(refuses(TOO_LONG), says(GOOD))) as script:
        model = Prompt(url=script.url, model="m")
        assert model.merge(PAIR).text == PAIR[0].text
        assert Prompt(url=script.url, model="m", limits=Limits(replay=True)).merge(PAIR).text == (
            PAIR[0].text
        )
        assert model.merge(PAIR).text == GOOD, "another time there may be more room"
    assert len(script.requests) == 2


@pytest.mark.parametrize(
    ("complaint", "expected"),
    [
        ("Use 'max_completion_tokens' instead.", {"max_completion_tokens": 100}),
        ("'temperature' does not support 0.4", {"max_tokens": 100}),
    ],
)
def test_models_that_refuse_a_setting_are_asked_without_it(
    complaint: str, expected: dict[str, int]
) -> None:
    with serve(Script(refuses(complaint), says("a"))) as script:
        assert ask(script).text == "a"
    given = script.requests[1]
    assert expected.items() <= given.items()
    assert ("temperature" in given) == ("temperature" not in complaint)
    assert ("max_tokens" in given) == ("max_tokens" in expected)


def test_models_without_a_system_role_get_one_user_message() -> None:
    with serve(Script(refuses("System role not supported", 500), says("a"))) as script:
        assert ask(script).text == "a"
    assert script.requests[1]["messages"] == [{"role": "user", "content": "Do.\n\nMerge."}]


def test_a_complete_address_is_understood() -> None:
    with serve(Script(says("a"))) as script:
        Endpoint(f"{script.url}/chat/completions").ask(REQUEST)
    assert script.paths == ["/v1/chat/completions"]
    assert script.headers[0]["User-Agent"].startswith("tatian/")


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"TIMEOUT": "5", "TRIES": "2", "PER_MINUTE": "30"}
    for name, value in given.items():
        monkeypatch.setenv(f"TATIAN_PROMPT_{name}", value)
    monkeypatch.setenv("TATIAN_PROMPT_REPLAY", "1")
    assert read_patience() == Patience(timeout=5, tries=2, per_minute=30)
    assert read_limits() == Limits(replay=True)


@pytest.mark.parametrize(
    ("name", "value"),
    [("TIMEOUT", "0"), ("TRIES", "1.5"), ("PER_MINUTE", "nan")],
)
def test_an_invalid_setting_is_reported_by_name(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"TATIAN_PROMPT_{name}", value)
    with pytest.raises(InputError, match=f"TATIAN_PROMPT_{name} is '{value}': give"):
        read_patience()
