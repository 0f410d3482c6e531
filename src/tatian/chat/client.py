"""One way to ask a chat model: nothing is asked twice, and what was asked is counted."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from tatian.assets import cache_directory
from tatian.chat.endpoint import Message, Request, TooLong
from tatian.chat.replies import Answer
from tatian.chat.settings import Limits, limits_here
from tatian.chat.transcript import Transcript
from tatian.errors import TatianError

CACHE = "TATIAN_PROMPT_CACHE"


class Chat(Protocol):
    """Whatever answers a request."""

    def ask(self, request: Request) -> Answer:
        """One answer."""
        ...


class Spending(Struct):
    """What was asked so far."""

    asked: int = 0
    replayed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    unanswered: int = 0
    """Questions for which no answer would do."""

    def __str__(self) -> str:
        return (
            f"{self.asked} asked, {self.replayed} replayed, "
            f"{self.input_tokens} tokens in, {self.output_tokens} out"
        )


class Client:
    """A chat model with a memory: the transcript of all that it ever answered."""

    def __init__(
        self,
        chat: Chat,
        model: str,
        *,
        transcript: str | Path | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.model = model
        self.limits = limits or limits_here()
        self.spending = Spending()
        self._chat = chat
        self._transcript = Transcript(Path(transcript or transcript_here()))

    def ask(self, messages: Sequence[Message], temperature: float, max_tokens: int) -> Answer:
        """The answer, perhaps an earlier one; `refused` says why where the model cannot read it."""
        request = Request(self.model, messages, temperature, max_tokens)
        found = self._transcript.find(request)
        if found and (self.limits.replay or not found.refused):
            self.spending.replayed += 1
            return found
        if self.limits.replay:
            raise TatianError(
                f"not in the transcript {self._transcript.path}, and only that is used"
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


def transcript_here() -> Path:
    """Where answers are kept unless somebody says otherwise."""
    return Path(os.environ.get(CACHE) or cache_directory() / "prompts.jsonl")
