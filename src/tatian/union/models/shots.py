"""Examples for a prompt: sentences with their unions, and wrong unions with the reason.

Hirsch et al. 2023, §6: the authors ran their prompt on the training data and added the mistakes
that they found as examples of wrong unions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from tatian.errors import InputError
from tatian.union.data import UnionInstance
from tatian.union.metrics.mistakes import UnionError, errors

MOST = 8
"""Most examples in a prompt; the paper's own has one."""


class Shot(Struct, frozen=True, omit_defaults=True):
    """An example: sentences, their union, and optionally a wrong one."""

    sentences: tuple[str, ...]
    merged: str
    wrong: str = ""
    why: str = ""
    """Explanation of what is wrong with it."""

    def lines(self) -> Iterator[str]:
        """Yield the example in the format of the paper's prompt."""
        for number, sentence in enumerate(self.sentences, 1):
            yield f"Sentence {number}: {' '.join(sentence.split())}"
        yield f"Correct union: {self.merged}"
        if self.wrong:
            yield f"Wrong union: {self.wrong}"
            yield f"The union is wrong, because {self.why or 'it differs from the correct one'}."


def read_shots(path: str | Path) -> tuple[Shot, ...]:
    """Read the examples of a JSONL file, at most as many as a prompt takes."""
    shots = []
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            shots.append(msgspec.json.decode(line, type=Shot))
        except msgspec.DecodeError as error:
            raise InputError(f"no example: {error}", path=str(path), line=number) from error
    if not shots:
        raise InputError("no examples in it", path=str(path))
    return tuple(shots[:MOST])


def mistaken(gold: Sequence[UnionInstance], predicted: Sequence[UnionInstance]) -> Iterator[str]:
    """Yield lines of a file of examples: predictions with suspected errors, most errors first."""
    judged = [
        (mistakes, instance, guess.merged)
        for instance, guess in zip(gold, predicted, strict=True)
        if instance.merged
        and guess.merged
        and guess.merged != instance.merged
        and (mistakes := errors(guess.sentences, guess.merged))
    ]
    judged.sort(key=lambda row: (-sum(len(error.words) for error in row[0]), row[1].id))
    for mistakes, instance, wrong in judged:
        shot = Shot(instance.sentences, instance.merged or "", wrong, _reason(mistakes))
        yield msgspec.json.encode(shot).decode() + "\n"


def _reason(mistakes: Sequence[UnionError]) -> str:
    """Describe the errors, criterion by criterion, in the words of the sentences."""
    verbs = {
        "coverage": "does not mention",
        "faithfulness": "adds or misplaces",
        "redundancy": "repeats",
    }
    parts = []
    for criterion, verb in verbs.items():
        words = [error.text for error in mistakes if error.criterion == criterion]
        if words:
            parts.append(f"{verb} {'; '.join(words)}")
    return f"it {' and '.join(parts)}"
