"""Asking a chat model over HTTP: patience with what may pass, clear words for what will not."""

from __future__ import annotations

import email.utils
import time

import pytest

from tatian import limits
from tatian.chat.endpoint import Answer, Endpoint, Patience, Request
from tatian.errors import InputError, TatianError

from ..waiting import PATIENCE
from .server import Reply, Script, breaks_off, drips, says, sends, serve, stalls

REQUEST = Request("some-model", [{"role": "user", "content": "Merge."}], 0.4, 100)
KEY = "sk-very-secret"


def endpoint(script: Script, slept: list[float] | None = None, **patience: float) -> Endpoint:
    """An endpoint that only notes how long it would wait."""
    noted = slept if slept is not None else []
    settings = Patience(**{"timeout": 5.0, "tries": 3, **patience})  # type: ignore[arg-type]
    return Endpoint(script.url, patience=settings, sleep=noted.append)


def failure(script: Script, slept: list[float] | None = None, **patience: float) -> str:
    """What is said when the script ends in no answer."""
    with serve(script), pytest.raises(TatianError) as caught:
        endpoint(script, slept, **patience).ask(REQUEST)
    return str(caught.value)


def test_an_answer_has_its_token_counts() -> None:
    with serve(Script(says("Merged.", (12, 3)))) as script:
        assert endpoint(script).ask(REQUEST) == Answer("Merged.", 12, 3)
    assert script.paths == ["/v1/chat/completions"]
    assert script.requests[0] == {
        "model": "some-model",
        "messages": [{"role": "user", "content": "Merge."}],
        "temperature": 0.4,
        "max_tokens": 100,
    }


def test_missing_token_counts_are_zero() -> None:
    with serve(Script(sends({"choices": [{"message": {"content": "Yes."}}]}))) as script:
        assert endpoint(script).ask(REQUEST) == Answer("Yes.", 0, 0)


def test_the_key_is_sent_and_only_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(Script(says("a"))) as script:
        endpoint(script).ask(REQUEST)
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        endpoint(script).ask(REQUEST)
    assert "Authorization" not in script.headers[0]
    assert script.headers[1]["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529])
def test_temporary_errors_are_retried(status: int) -> None:
    slept: list[float] = []
    with serve(Script(sends({"error": "busy"}, status), says("a"))) as script:
        assert endpoint(script, slept).ask(REQUEST).text == "a"
    assert len(script.requests) == 2
    assert len(slept) == 1


def test_the_pause_between_tries_grows() -> None:
    slept: list[float] = []
    said = failure(Script(sends({}, 500)), slept, tries=4)
    assert "gave no answer after 4 tries: status 500" in said
    assert len(slept) == 3
    assert 1 <= slept[0] < slept[1] < slept[2] <= 5


def test_retry_after_sets_the_pause() -> None:
    slept: list[float] = []
    later = email.utils.formatdate(time.time() + 30, usegmt=True)
    replies = [sends({}, 429, Retry_After="7"), sends({}, 429, Retry_After=later), says("a")]
    with serve(Script(*replies)) as script:
        endpoint(script, slept).ask(REQUEST)
    assert slept[0] == 7
    assert 25 < slept[1] <= 30


@pytest.mark.parametrize("header", ["", "soon", "1e9"])
def test_the_pause_has_a_limit(header: str) -> None:
    slept: list[float] = []
    with serve(Script(sends({}, 429, Retry_After=header), says("a"))) as script:
        endpoint(script, slept).ask(REQUEST)
    assert 0 < slept[0] <= 60


def test_a_silent_server_is_an_error() -> None:
    said = failure(Script(stalls(PATIENCE)), timeout=0.2, tries=2)
    assert "after 2 tries: silent for 0.2 s" in said


def test_an_incomplete_reply_is_retried() -> None:
    with serve(Script(breaks_off, says("a"))) as script:
        assert endpoint(script).ask(REQUEST).text == "a"


@pytest.mark.parametrize(
    "data",
    [b"<html>busy</html>", b"{", b"\xff\xfe", {"choices": []}, {}, {"choices": [{"message": {}}]}],
)
def test_an_invalid_reply_is_retried(data: object) -> None:
    with serve(Script(sends(data), says("a"))) as script:
        assert endpoint(script).ask(REQUEST).text == "a"
    assert "after 3 tries: answered" in failure(Script(sends(data)))


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_permanent_errors_are_not_retried(status: int) -> None:
    script = Script(sends({"error": {"message": "no such model"}}, status))
    said = failure(script)
    assert f"refused the request: status {status}" in said
    assert "no such model" in said
    assert len(script.requests) == 1


def test_error_messages_do_not_contain_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    script = Script(sends({"error": f"bad key {KEY}"}, 401))
    assert "bad key [key]" in failure(script)
    assert KEY not in repr(endpoint(script))


def test_a_redirection_is_not_followed() -> None:
    with serve(Script(says("stolen"))) as other:
        target = sends({}, 302, Location=f"{other.url}/chat/completions")
        assert "status 302" in failure(Script(target))
    assert other.requests == []


def test_an_unreachable_server_is_an_error() -> None:
    with serve(Script(says("a"))) as script:
        pass
    with pytest.raises(TatianError, match=r"after 3 tries: cannot be reached"):
        endpoint(script).ask(REQUEST)


def test_the_request_rate_is_limited() -> None:
    now, slept = [0.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    with serve(Script(says("a"))) as script:
        patience = Patience(per_minute=30)
        paced = Endpoint(script.url, patience=patience, sleep=sleep, clock=lambda: now[0])
        for _ in range(3):
            paced.ask(REQUEST)
        now[0] += 60
        paced.ask(REQUEST)
    assert slept == [2.0, 2.0]


@pytest.mark.parametrize("url", ["", "nonsense", "ftp://host/v1", "https://"])
def test_an_invalid_address_is_an_error(url: str) -> None:
    with pytest.raises(InputError, match="is not an address"):
        Endpoint(url)


def test_a_password_in_an_address_is_an_error() -> None:
    with pytest.raises(InputError, match="must not hold a password") as caught:
        Endpoint("https://me:secret@host/v1")
    assert "secret@" not in str(caught.value)


def test_a_key_is_never_sent_without_encryption(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(InputError, match="asked without encryption"):
        Endpoint("http://example.org/v1")


def test_a_server_lists_its_models() -> None:
    with serve(Script(says("a"))) as script:
        assert Endpoint(f"{script.url}/chat/completions").models() == ["only-model"]
    assert script.paths == ["/v1/models"]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (sends(b"<html>"), "does not list its models"),
        (sends({"error": "no such page"}, 404), "refused the request: status 404, no such page"),
        (sends({"error": "busy"}, 503), "gave no answer: status 503, busy"),
    ],
)
def test_a_server_without_a_list_of_models_is_an_error(reply: Reply, said: str) -> None:
    with serve(Script(says("a"))) as script:
        script.models = reply
        with pytest.raises(TatianError, match=f"127.0.0.1:.*{said}"):
            Endpoint(script.url).models()


def test_listing_models_is_not_retried() -> None:
    with pytest.raises(TatianError, match=r"9/v1/models gave no answer: cannot be reached"):
        Endpoint("http://127.0.0.1:9/v1").models()


@pytest.mark.parametrize(
    "reply",
    [
        drips(b" ", 0.02),
        drips(b"H", 0.02, from_status=True),
        drips(b"x", 0.02, status=503),
    ],
    ids=["body", "headers", "complaint"],
)
def test_an_endless_answer_is_an_error(reply: Reply) -> None:
    script = Script(reply)
    said = failure(script, timeout=0.3, longest=0.3)
    assert said == (
        f"{script.url}/chat/completions was still answering after 0.3 s "
        "(give it longer with TATIAN_PROMPT_TIMEOUT)"
    )
    assert len(script.requests) == 1


def test_an_endless_list_of_models_is_an_error() -> None:
    script = Script(says("a"))
    script.models = drips(b" ", 0.02)
    patience = Patience(timeout=0.3, longest=0.3)
    with serve(script), pytest.raises(TatianError, match=r"was still answering after 0\.3 s"):
        Endpoint(script.url, patience=patience).models()


def test_an_answer_that_is_too_large_is_an_error() -> None:
    script = Script(drips(b" " * (1 << 20), 0))
    said = failure(script)
    assert said.endswith("answered more than 16 MiB: that is no chat completion")
    assert len(script.requests) == 1


def test_an_answer_of_exactly_the_largest_size_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REPLY_BYTES", 1 << 16)
    for surplus, fits in ((-2000, True), (2000, False)):
        with serve(Script(says("x" * ((1 << 16) + surplus)))) as script:
            if fits:
                assert endpoint(script).ask(REQUEST).text
            else:
                with pytest.raises(TatianError, match="answered more than"):
                    endpoint(script).ask(REQUEST)


def test_a_longer_timeout_also_extends_the_total_time() -> None:
    with serve(Script(stalls(0.3), says("a"))) as script:
        patient = Patience(timeout=5, longest=0.1, tries=2)
        assert Endpoint(script.url, patience=patient, sleep=lambda _: None).ask(REQUEST).text == "a"
