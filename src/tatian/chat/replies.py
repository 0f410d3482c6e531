"""Parses the replies of chat servers, and escapes text that prompts quote."""

from __future__ import annotations

import email.utils
import http.client
import re
import time
import urllib.error
from typing import Any

import msgspec
from msgspec import Struct

_MAX_ERROR_LENGTH = 200
"""Characters of a server's error message that are shown."""


class Answer(Struct, frozen=True):
    """Answer of a chat model, with its token counts."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cut: bool = False
    """True if the text ends at `Request.max_tokens`."""
    refused: str = ""
    """Error if the prompt was too long for the model; only a replay uses such an answer again."""


class _Message(Struct):
    content: str | None = None


class _Choice(Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Response(Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


class _Error(Struct):
    message: str


class _Refusal(Struct):
    error: _Error | str


class Temporary(Exception):
    """A failure after which a retry may succeed, after `wait` seconds if known."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


def parse_response(data: bytes) -> Answer:
    """Return the answer in a response; raise `Temporary` if it has none."""
    try:
        response = msgspec.json.decode(data, type=_Response)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Temporary(f"answered what is not a chat completion ({error})") from error
    choice = response.choices[0] if response.choices else None
    text = choice.message.content if choice else None
    if choice is None or not (text or choice.finish_reason):
        raise Temporary("answered nothing")
    usage = response.usage or _Usage()
    return Answer(
        text or "",
        usage.prompt_tokens or 0,
        usage.completion_tokens or 0,
        choice.finish_reason == "length",
    )


def read_error(error: urllib.error.HTTPError) -> str:
    """Return the server's error message as one short line."""
    try:
        body = error.read(4096)
    except (OSError, http.client.HTTPException):
        body = b""
    try:
        refusal = msgspec.json.decode(body, type=_Refusal).error
        message = refusal if isinstance(refusal, str) else refusal.message
    except (msgspec.DecodeError, UnicodeDecodeError):
        message = body.decode("utf-8", errors="replace")
    return " ".join(message.split())[:_MAX_ERROR_LENGTH] or str(error.reason)


def read_retry_after(headers: Any) -> float | None:
    """Return the seconds of a ``Retry-After`` header, given as a number or a date."""
    value = headers.get("Retry-After")
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


OPEN, CLOSE = "<<<", ">>>"
"""Delimiters of data in a prompt; `escape_data` removes them from the data."""
_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_LABEL = re.compile(
    r"^\W*(?:here(?:['’]s|\s+is)\s+)?"
    r"(?:(?:an?|the|one|single|correct|right|merged|final|unified|combined|rewritten|edited|fluent)"
    r"\s+)*(?:union|sentence|answer|passage|paragraph|text)(?:\s+(?:\d+|is))?\W*:[\s*]*",
    re.IGNORECASE,
)
_DELIMITERS = re.compile(r"^<{2,3}\s*|\s*>{2,3}\W*$")


def escape_data(text: str) -> str:
    """Return a text on one line, with delimiters of data and special tokens of models escaped."""
    line = " ".join(text.replace("<|", "< |").split())
    return line.replace(OPEN, "‹‹‹").replace(CLOSE, "›››")


def remove_thoughts(answer: str) -> str:
    """Return an answer without its ``<think>`` sections."""
    return _THOUGHTS.sub("", answer)


def lines(answer: str) -> list[str]:
    """Return the lines that have words, without thoughts, labels ("Answer:") and delimiters."""
    unlabelled = [_LABEL.sub("", line).strip() for line in remove_thoughts(answer).splitlines()]
    return [_DELIMITERS.sub("", line) for line in unlabelled if any(map(str.isalnum, line))]


def paragraphs(answer: str) -> list[str]:
    """Return all paragraphs of an answer, each on one line."""
    parts = re.split(r"\n\s*\n", remove_thoughts(answer))
    joined = (" ".join(" ".join(lines(part)).split()) for part in parts)
    return [paragraph for paragraph in joined if paragraph]
