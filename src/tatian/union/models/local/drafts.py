"""Drafts of unions by the local language model: what it is asked, and what it answers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from tatian.analysis.loading import thread_count
from tatian.chat import Answer, Client, KeptAnswers, Message, Request, escape_data
from tatian.chat.local import Completions, chatml, open_adapter
from tatian.text.documents import Passage
from tatian.union.annotation import SkipReason

FOLDER = Path(__file__).with_name("weights")
ADAPTER = "union"
NO = "no"
"""The token that a refusal begins with."""
TEMPERATURE = 0.7
"""Of every draft but the first, which is the likeliest one."""
DRAFTS = 2
REFUSED = 0.88
"""Probability of a refusal from which it is believed; below, the model has to word a union."""
_TOKENS = 32
"""Tokens that an answer may have beyond three for every two words of the sentences."""
_REFUSAL = re.compile(r"no\.?(?:\s*[(:]\s*(?P<why>.*?)\)?)?\s*\.?", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_REASONS: dict[str, SkipReason] = {
    "conflict": "disagreement",
    "nothing": "no-consolidation",
    "context": "missing-context",
    "unnatural": "unnatural",
}
"""Words for reasons that the adapter was trained to answer with."""


class UnionPrompt(Struct, frozen=True):
    """Prompt that the adapter was trained with."""

    adapter: str
    """SHA-256 of the adapter that it belongs to."""
    rules: str
    """The system's message."""


@cache
def union_prompt() -> UnionPrompt:
    """Return the shipped prompt."""
    return msgspec.json.decode((FOLDER / "union.json").read_bytes(), type=UnionPrompt)


def union_messages(passages: Sequence[Passage]) -> list[Message]:
    """Return the question: the numbered sentences, below their date if all have the same one."""
    dates = {passage.document.metadata.date for passage in passages}
    day = dates.pop() if len(dates) == 1 else None
    listed = [
        f"{number}. {escape_data(passage.text)}" for number, passage in enumerate(passages, 1)
    ]
    dated = [f"Date: {day[:10]}"] if day and _DATE.match(day) else []
    return [
        {"role": "system", "content": union_prompt().rules},
        {"role": "user", "content": "\n".join([*dated, *listed])},
    ]


def refusal(text: str) -> str:
    """Return "reason: explanation" if an answer refuses the sentences; empty for a union."""
    if not (match := _REFUSAL.fullmatch(text.strip())):
        return ""
    kind, _, more = (match["why"] or "").partition(":")
    reason = _REASONS.get(kind.strip().lower(), "disagreement")
    return f"{reason}: {more.strip() or 'the local model finds no union'}"


class DraftWriter:
    """The local model with its adapter for unions; it is loaded when an answer is not known yet."""

    def __init__(
        self,
        count: int = DRAFTS,
        *,
        threads: int | None = None,
        model: Completions | None = None,
        transcript: str | Path | KeptAnswers | None = None,
    ) -> None:
        self.count = count
        self._threads = threads
        self._model = model
        name = f"union {union_prompt().adapter[:12]}"
        self.client = Client(self, name, transcript=transcript)

    def ask(self, request: Request) -> Answer:
        """Ask the model itself; a request for one token returns the chance of a refusal."""
        self._model = self._model or open_adapter(
            ADAPTER, union_prompt().adapter, thread_count(self._threads)
        )
        if request.max_tokens == 1:
            return Answer(repr(self._model.chance(chatml(request.messages), NO)))
        return self._model.ask(request)

    def write(self, passages: Sequence[Passage]) -> list[str]:
        """Return different answers, the likeliest first; only a refusal if that is likely."""
        asked = union_messages(passages)
        chance = self.client.ask(asked, 0.0, 1)
        if chance.refused:
            return []
        if float(chance.text) >= REFUSED:
            reason = self.client.ask(asked, 0.0, _TOKENS).text.strip()
            if refusal(reason):
                return [reason]
        words = sum(len(passage.text.split()) for passage in passages)
        longest = _TOKENS + words * 3 // 2
        unions: list[str] = []
        for number in range(self.count):
            heat = TEMPERATURE if number else 0.0
            answer = self.client.ask(asked, heat, longest, seed=number, without=(NO,))
            text = " ".join(answer.text.split())
            if text and not answer.cut and text not in unions and not refusal(text):
                unions.append(text)
        return unions
