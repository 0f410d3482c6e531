"""Answers kept on disk, so that a run can be repeated to the letter and costs nothing twice."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path

import msgspec
from msgspec import Struct

from tatian.chat.endpoint import Answer, Request
from tatian.errors import InputError


class Line(Struct, frozen=True):
    """One line of the file: a question's fingerprint, the question, its answer."""

    key: str
    request: Request
    answer: Answer


class Transcript:
    """A JSONL file of questions and answers, read at the start and added to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._answers: dict[str, Answer] = {}
        if path.is_file():
            self._read()

    def _read(self) -> None:
        decoder = msgspec.json.Decoder(Line)
        lines = self.path.read_bytes().split(b"\n")
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                found = decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                if number == len(lines):
                    continue  # the end of a write that was interrupted
                raise InputError(
                    f"not a line of a transcript: {error}", path=str(self.path), line=number
                ) from error
            self._answers[found.key] = found.answer

    def find(self, request: Request) -> Answer | None:
        """The answer to the same question, if it was ever asked."""
        return self._answers.get(fingerprint(request))

    def keep(self, request: Request, answer: Answer) -> None:
        """Add an answer; each line is written at once."""
        line = Line(fingerprint(request), request, answer)
        with self._lock:
            try:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                with self.path.open("ab") as file:
                    begin = b"" if self._ends_clean() else b"\n"
                    file.write(begin + msgspec.json.encode(line) + b"\n")
            except OSError as error:
                raise InputError(f"cannot be written: {error}", path=str(self.path)) from error
            self._answers[line.key] = answer

    def _ends_clean(self) -> bool:
        with self.path.open("rb") as file:
            if not file.seek(0, 2):
                return True
            file.seek(-1, 2)
            return file.read(1) == b"\n"


def fingerprint(request: Request) -> str:
    """The same for the same question, whatever asks it."""
    data = msgspec.json.encode(request, order="sorted")
    return hashlib.sha256(data).hexdigest()
