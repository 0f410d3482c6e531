"""Client of a chat model that caches its answers and counts requests and tokens."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from tatian.assets import cache_directory
from tatian.chat.endpoint import Endpoint, Message, Patience, Request, TooLong
from tatian.chat.replies import Answer
from tatian.chat.transcript import KeptAnswers, Transcript
from tatian.errors import InputError, TatianError

CACHE = "TATIAN_PROMPT_CACHE"
_LOCAL = "local"
"""Name of the model that `tatian models install judge` installs."""


class Chat(Protocol):
    """A chat model."""

    def ask(self, request: Request) -> Answer:
        """Return an answer."""
        ...


class Spending(Struct):
    """Counts of requests and tokens so far."""

    asked: int = 0
    replayed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    unanswered: int = 0
    """Number of questions without an acceptable answer."""

    def __str__(self) -> str:
        return (
            f"{self.asked} asked, {self.replayed} replayed, "
            f"{self.input_tokens} tokens in, {self.output_tokens} out"
        )


class Client:
    """A chat model with a cache of its answers, the transcript."""

    def __init__(
        self,
        chat: Chat,
        model: str,
        *,
        transcript: str | Path | KeptAnswers | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.model = model
        self.limits = limits or read_limits()
        self.spending = Spending()
        self._chat = chat
        if not isinstance(transcript, KeptAnswers):
            transcript = Transcript(Path(transcript or default_transcript()))
        self._transcript = transcript

    def ask(
        self,
        messages: Sequence[Message],
        temperature: float,
        max_tokens: int,
        *,
        seed: int = 0,
        without: tuple[str, ...] = (),
    ) -> Answer:
        """Return the stored answer or ask the model; `refused` is set if the prompt is too long."""
        request = Request(self.model, messages, temperature, max_tokens, seed, without)
        stored = self._transcript.find(request)
        if stored and (self.limits.replay or not stored.refused):
            self.spending.replayed += 1
            return stored
        if self.limits.replay:
            reason = "has no answer to this question, and replay asks nothing new"
            raise TatianError(f"{self._transcript} {reason}")
        try:
            answer = self._chat.ask(request)
        except TooLong as error:
            answer = Answer("", refused=str(error))
        self.spending.asked += 1
        self.spending.input_tokens += answer.input_tokens
        self.spending.output_tokens += answer.output_tokens
        self._transcript.keep(request, answer)
        return answer


_NOT_LOCAL: Mapping[str, str] = {
    "writer": "it makes the text worse: use the address of a strong model, or none",
    "editor": "its merges are often false: use the address of a strong model",
}
"""Reason why the local model cannot have a role, and what to use instead."""


def refuse_local(model: str, use: Literal["writer", "editor"]) -> None:
    """Raise InputError if the writer or editor is ``local``."""
    if model == _LOCAL:
        raise InputError(f"the local model is no {use}, {_NOT_LOCAL[use]}")


def open_client(
    location: str, *, threads: int = 0, transcript: str | Path | KeptAnswers | None = None
) -> Client:
    """Return a client of the model at an OpenAI-compatible address or in a GGUF file.

    The model's name follows the address after a # (``http://localhost:11434/v1#llama3``) or is
    $TATIAN_PROMPT_MODEL. It can be omitted if the server has only one. `transcript` stores the
    answers; the default is `default_transcript`.
    """
    if location.endswith(".gguf"):
        from tatian.chat.local import Local

        chat = Local(Path(location), threads)
        return Client(chat, chat.name, transcript=transcript)
    address, _, name = location.partition("#")
    endpoint = Endpoint(address, patience=read_patience())
    model = name or os.environ.get(MODEL) or ""
    if not model:
        available = endpoint.models()
        if len(available) != 1:
            names = f": there are {', '.join(available)}" if available else ""
            raise TatianError(f"which model at {address}? add #NAME, or name it in {MODEL}{names}")
        (model,) = available
    return Client(endpoint, model, transcript=transcript)


def default_transcript() -> Path:
    """Return the default path of the transcript."""
    return Path(os.environ.get(CACHE) or cache_directory() / "transcripts" / "prompts.jsonl")


MODEL = "TATIAN_PROMPT_MODEL"
TIMEOUT = "TATIAN_PROMPT_TIMEOUT"
TRIES = "TATIAN_PROMPT_TRIES"
PER_MINUTE = "TATIAN_PROMPT_PER_MINUTE"
REPLAY = "TATIAN_PROMPT_REPLAY"


class Limits(Struct, frozen=True, kw_only=True):
    """Limits on questions to a model."""

    attempts: int = 2
    """Maximum number of answers to ask for until one is accepted."""
    replay: bool = False
    """True if all answers must come from the transcript; other questions are errors."""


def read_patience() -> Patience:
    """Return the timeouts and numbers of tries set by environment variables."""
    default = Patience()
    tries = _number(TRIES)
    if tries is not None and tries != int(tries):
        raise _invalid(TRIES, "a whole number above 0")
    return Patience(
        timeout=_number(TIMEOUT) or default.timeout,
        tries=int(tries or default.tries),
        per_minute=_number(PER_MINUTE),
    )


def read_limits() -> Limits:
    """Return the limits set by environment variables."""
    return Limits(replay=os.environ.get(REPLAY, "") not in ("", "0"))


def _number(name: str) -> float | None:
    text = os.environ.get(name)
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise _invalid(name, "a number above 0")
    return number


def _invalid(name: str, expected: str) -> InputError:
    return InputError(f"{name} is '{os.environ[name]}': give {expected}")
