"""A language model inside the process: a real one where it is at hand, and what is said if not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.chat import Client, Endpoint, Patience, Request, TooLong
from tatian.chat.local import CONTEXT, Local
from tatian.consolidation.editor import MergeLimits, TextEditor
from tatian.consolidation.layout import lay_out
from tatian.consolidation.report import build_result
from tatian.consolidation.weave import plan
from tatian.consolidation.writer import Writer
from tatian.errors import InputError
from tatian.pipeline import Pipeline
from tatian.text import Document

from ..consolidation.promises import tokens_are_where_they_say
from .server import AGROUND

ASKED = [{"role": "user", "content": "Say that the ferry sank."}]


@pytest.fixture(scope="module")
def local(weights: Path) -> Local:
    return Local(weights, threads=1)


@pytest.mark.long
def test_a_real_model_answers_the_same_each_time(local: Local) -> None:
    request = Request(local.name, ASKED, 0.0, 20)
    first, second = local.ask(request), local.ask(request)
    assert first.text == second.text != ""
    assert first.input_tokens > 0
    assert 0 < first.output_tokens <= 20


@pytest.mark.long
def test_a_prompt_that_is_too_long_is_an_error(local: Local) -> None:
    long = [{"role": "user", "content": "ferry " * (2 * CONTEXT)}]
    with pytest.raises(TooLong, match="too long for the model"):
        local.ask(Request(local.name, long, 0.0, 20))


@pytest.mark.long(50)
def test_a_real_model_at_an_address_writes_nothing_unsupported(served: str, tmp_path: Path) -> None:
    pipeline = Pipeline()
    planned = plan([pipeline.process(Document(str(n), one)) for n, one in enumerate(AGROUND)])
    endpoint = Endpoint(served, patience=Patience(timeout=600, tries=1))
    (model,) = endpoint.models()
    client = Client(endpoint, model, transcript=tmp_path / "answers.jsonl")
    result = build_result(planned, Writer(client).word(planned, lay_out(planned)))
    tokens_are_where_they_say(result)
    assert client.spending.asked > 0
    assert result.writer is not None
    own = [lay_out(planned).text[one.start : one.end] for one in lay_out(planned).sentences]
    for number, sentence in enumerate(result.sentences):
        if number not in result.writer.worded:
            assert result.text[sentence.start : sentence.end] in own
    assert all(one.why for one in result.writer.refused)
    for word in ("Anna", "80", "Halverne", "Brekke", "nobody"):
        assert word in result.text


@pytest.mark.long(50)
def test_a_real_model_at_an_address_edits_without_loss(served: str, tmp_path: Path) -> None:
    pipeline = Pipeline()
    texts = (
        "The ferry Anna ran aground off Halverne on Monday with 80 people on board.",
        "The ferry Anna, built in 1988, ran aground off Halverne in thick fog.",
    )
    planned = plan(
        [pipeline.process(Document(text[-4:], text)) for text in texts], interleaved=True
    )
    endpoint = Endpoint(served, patience=Patience(timeout=600, tries=1))
    (model,) = endpoint.models()
    client = Client(endpoint, model, transcript=tmp_path / "answers.jsonl")
    editor = TextEditor(client, limits=MergeLimits(per_words=10))
    result = build_result(planned, editor.word(planned, lay_out(planned)))
    tokens_are_where_they_say(result)
    assert client.spending.asked > 0
    for word in ("Anna", "80", "Halverne", "1988", "fog"):
        assert word in result.text


def test_an_error_names_a_missing_or_invalid_model_file(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    with pytest.raises(InputError, match=r"none.gguf: no such file"):
        Local(tmp_path / "none.gguf")
    (tmp_path / "text.gguf").write_text("This is no model.")
    with pytest.raises(InputError, match=r"text.gguf: not a runnable model"):
        Local(tmp_path / "text.gguf")
