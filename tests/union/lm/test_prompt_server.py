"""Model 'prompt' asks a server that others wrote: llama.cpp's, where `xllamacpp` is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tatian.errors import TatianError
from tatian.text import Document, Span, tokenize
from tatian.text.layers import TOKENS, Authorship
from tatian.union.models import Passage
from tatian.union.models.lm.gguf import write
from tatian.union.models.prompt import Limits, Prompt
from tatian.union.models.prompt.endpoint import Endpoint, Patience, Request, TooLong

from . import tiny

xllamacpp = pytest.importorskip("xllamacpp")

KEY = "sesame"
ROOM = 4096
PATIENCE = Patience(timeout=60, tries=1)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the toy model answers; its words are random, the protocol is not."""
    path = tmp_path_factory.mktemp("server") / "tiny.gguf"
    write(path, tiny.metadata(**{"llama.context_length": ROOM}), tiny.tensors())
    settings = xllamacpp.CommonParams()
    settings.model.path = str(path)
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    settings.n_ctx = ROOM
    settings.n_parallel = 1
    settings.warmup = False
    settings.api_keys = [KEY]
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(settings)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("TATIAN_CACHE", str(tmp_path))
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def request(text: str, tokens: int = 8) -> Request:
    return Request("toy", [{"role": "user", "content": text}], 0.4, tokens)


def passage(text: str, id: str) -> Passage:
    document = Document(id, text).with_layer(TOKENS, tokenize(text), Authorship("test"))
    return Passage(document, Span(0, len(text)))


PAIR = [passage("The ferry Anna ran aground.", "one"), passage("A ferry ran aground.", "two")]


def test_a_real_server_understands_the_request_and_counts(address: str) -> None:
    answer = Endpoint(address, patience=PATIENCE).ask(request("The ferry ran."))
    assert answer.input_tokens > 10
    assert 0 < answer.output_tokens <= 8
    assert answer.cut == (answer.output_tokens == 8)


def test_sentences_too_long_for_a_real_server_are_known_as_such(address: str) -> None:
    with pytest.raises(TooLong, match="too long for the model"):
        Endpoint(address, patience=PATIENCE).ask(request("x " * ROOM))


def test_a_real_server_wants_its_key(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "wrong")
    with pytest.raises(TatianError, match="refused the request: status 401, Invalid API Key"):
        Endpoint(address, patience=PATIENCE).ask(request("x"))


def test_an_address_that_a_real_server_does_not_know_is_questioned(address: str) -> None:
    with pytest.raises(TatianError, match=r"status 404, .* \(does the address end in /v1"):
        Endpoint(f"{address}/no", patience=PATIENCE).ask(request("x"))


def test_a_run_against_a_real_server_can_be_replayed(address: str) -> None:
    asked = Prompt(url=address, model="toy", patience=PATIENCE, limits=Limits(output_price=1e6))
    first = asked.merge(PAIR)
    replayed = Prompt(url=address, model="toy", limits=Limits(replay=True))
    assert replayed.merge(PAIR) == first
    assert replayed.spending.replayed == asked.spending.asked > 0
    assert asked.spending.cost == asked.spending.output_tokens > 0
