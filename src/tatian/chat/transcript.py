"""Cache of language models' answers, in memory or in a JSONL file."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec import Struct

from tatian.chat.endpoint import Request
from tatian.chat.replies import Answer
from tatian.errors import InputError
from tatian.journal import append_line


class TranscriptLine(Struct, frozen=True):
    """A question with its `fingerprint` and its answer."""

    key: str
    request: Request
    answer: Answer


class KeptAnswers:
    """Answers in memory, by `fingerprint`; `keep_line` is called with each new one."""

    def __init__(
        self,
        answers: Mapping[str, Answer] = MappingProxyType({}),
        keep_line: Callable[[TranscriptLine], Any] = lambda line: None,
    ) -> None:
        self._lock = threading.Lock()
        self._keep_line = keep_line
        self._answers = dict(answers)

    def __str__(self) -> str:
        return "the transcript"

    def find(self, request: Request) -> Answer | None:
        """Return the stored answer to an equal question; None if there is none."""
        return self._answers.get(fingerprint(request))

    def keep(self, request: Request, answer: Answer) -> None:
        """Store an answer."""
        line = TranscriptLine(fingerprint(request), request, answer)
        with self._lock:
            self._keep_line(line)
            self._answers[line.key] = answer


class Transcript(KeptAnswers):
    """A JSONL file of questions and answers; only its owner can read it."""

    def __init__(self, path: Path) -> None:
        lines = _read(path) if path.is_file() else ()
        super().__init__({line.key: line.answer for line in lines}, self._append)
        self.path = path

    def __str__(self) -> str:
        return f"the transcript {self.path}"

    def _append(self, line: TranscriptLine) -> None:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            append_line(self.path, msgspec.json.encode(line), mode=0o600)
        except OSError as error:
            raise InputError(f"cannot be written: {error}", path=str(self.path)) from error


def fingerprint(request: Request) -> str:
    """Return a hash of a question."""
    data = msgspec.json.encode(request, order="sorted")
    return hashlib.sha256(data).hexdigest()


_DECODER = msgspec.json.Decoder(TranscriptLine)


def _read(path: Path) -> Iterator[TranscriptLine]:
    lines = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        if not line.strip() or (number == len(lines) and not _is_line(line)):
            continue
        try:
            yield _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            message = f"not a line of a transcript: {error}"
            raise InputError(message, path=str(path), line=number) from error


def _is_line(data: bytes) -> bool:
    try:
        _DECODER.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True
