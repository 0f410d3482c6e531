"""Client of a chat model that stores and replays its answers, and counts requests and tokens."""

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
"""Name of the model of `tatian models install judge`."""


class Chat(Protocol):
    """Anything that answers a request."""

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
    """Questions without an acceptable answer."""

    def __str__(self) -> str:
        return (
            f"{self.asked} asked, {self.replayed} replayed, "
            f"{self.input_tokens} tokens in, {self.output_tokens} out"
        )


class Client:
    """A chat model with a transcript of all its answers."""

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
        self._transcript = (
            transcript
            if isinstance(transcript, KeptAnswers)
            else Transcript(Path(transcript or default_transcript()))
        )

    def ask(
        self,
        messages: Sequence[Message],
        temperature: float,
        max_tokens: int,
        *,
        seed: int = 0,
        without: tuple[str, ...] = (),
    ) -> Answer:
        """Return the answer, a stored one if there is one; `refused` if the request is too long."""
        request = Request(self.model, messages, temperature, max_tokens, seed, without)
        earlier = self._transcript.find(request)
        if earlier and (self.limits.replay or not earlier.refused):
            self.spending.replayed += 1
            return earlier
        if self.limits.replay:
            raise TatianError(
                f"{self._transcript} has no answer to this question, and replay asks nothing new"
            )
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
"""Why the local model is not used for a text, and what to use instead."""


def refuse_local(where: str, use: Literal["writer", "editor"]) -> None:
    """Refuse ``local`` as a writer or an editor."""
    if where == _LOCAL:
        raise InputError(f"the local model is no {use}, {_NOT_LOCAL[use]}")


def open_client(
    where: str, *, threads: int = 0, transcript: str | Path | KeptAnswers | None = None
) -> Client:
    """Return the model at an OpenAI-compatible address, or in a GGUF file.

    The model at an address is named behind a # (``http://localhost:11434/v1#llama3``) or by
    $TATIAN_PROMPT_MODEL, unless there is only one. Answers are stored in `transcript`, by default
    in one file for all.
    """
    if where.endswith(".gguf"):
        from tatian.chat.local import Local

        chat = Local(Path(where), threads)
        return Client(chat, chat.name, transcript=transcript)
    address, _, named = where.partition("#")
    endpoint = Endpoint(address, patience=read_patience())
    model = named or os.environ.get(MODEL) or ""
    if not model:
        there = endpoint.models()
        if len(there) != 1:
            names = f": there are {', '.join(there)}" if there else ""
            raise TatianError(f"which model at {address}? add #NAME, or name it in {MODEL}{names}")
        (model,) = there
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
    """Number of attempts, and whether stored answers alone are used."""

    attempts: int = 2
    """Most answers to ask for until one is accepted."""
    replay: bool = False
    """Answer from the transcript alone; a question that is not in it is an error."""


def read_patience() -> Patience:
    """Return the patience that the environment sets."""
    usual = Patience()
    tries = _number(TRIES)
    if tries is not None and tries != int(tries):
        raise _unusable(TRIES, "a whole number above 0")
    return Patience(
        timeout=_number(TIMEOUT) or usual.timeout,
        tries=int(tries or usual.tries),
        per_minute=_number(PER_MINUTE),
    )


def read_limits() -> Limits:
    """Return the limits that the environment sets."""
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
        raise _unusable(name, "a number above 0")
    return number


def _unusable(name: str, wanted: str) -> InputError:
    return InputError(f"{name} is '{os.environ[name]}': give {wanted}")
