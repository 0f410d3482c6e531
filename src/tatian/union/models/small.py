"""A small language model that has learned to write unions.

SmolLM2-135M with a low-rank adapter trained here (`tatian.training.small`). It may use only the
words of the sentences and closed-class words, so it can leave out and repeat but hardly invent;
several wordings are written, traced to their sources, and the best by content is kept.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from tatian.analysis.engine import spread, thread_count
from tatian.assets import PACKAGE, Asset
from tatian.errors import AssetError, EmptyInput, InputError
from tatian.text.lexicon import STOP_WORDS
from tatian.union.candidates import Candidate
from tatian.union.models import Merged, Passage, lm
from tatian.union.models.copying import copy_tokens
from tatian.union.models.tracing import Traced, longest_alone, trace

if TYPE_CHECKING:
    from tatian.union.models.lm.model import LanguageModel
    from tatian.union.models.lm.network import Booleans
    from tatian.union.models.lm.pieces import Pieces
    from tatian.union.models.lm.writing import Continuation, Reading

WEIGHTS = PACKAGE / "union" / "weights"
FILE = "small.gguf"
TASK = "user\nMerge into one sentence:"
TURN, END = "<|im_start|>", "<|im_end|>"
MOST_PIECES = 2048
"""Of all sentences together; more is no sentence."""
SURENESS = 0.25
"""What a log-probability per token of 1 weighs against all of the content."""
_MARKS = tuple(".,;:!?'\"()-–—“”’‘$%&/")


class Small:
    """SmolLM2-135M with an adapter for unions; needs 'tatian models install'.

    For each order of the sentences it writes the likeliest wording and `samples` others.
    """

    licence = "CC BY-NC 4.0 (adapter), Apache-2.0 (SmolLM2)"

    def __init__(
        self,
        *,
        samples: int = 2,
        temperature: float = 0.6,
        seed: int = 0,
        adapter: str | Path | None = None,
    ) -> None:
        self._samples = samples
        self._temperature = temperature
        self._seed = seed
        self._path = find_adapter(adapter)
        self._model = lm.load()

    @staticmethod
    def missing() -> str:
        """What it lacks here and what to do; empty if it can run."""
        try:
            find_adapter()
        except AssetError as error:
            return str(error)
        return lm.unavailable()

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """The best wording; the longest passage alone if something is made up in all of them."""
        written = self._written(passages)
        if not written:
            return longest_alone(passages, "all that was written held something made up")
        return written[0].traced.merged()

    def propose(self, passages: Sequence[Passage]) -> list[Candidate]:
        """All wordings in which nothing is made up, best first."""
        found = [
            Candidate(one.traced.tokens, "small", one.score) for one in self._written(passages)
        ]
        longest = max(passages, key=lambda passage: len(passage.text))
        return found or [Candidate(copy_tokens(longest), "small", 0.0)]

    def _written(self, passages: Sequence[Passage]) -> list[_Written]:
        if not passages:
            raise EmptyInput("no passages to merge")
        texts = [" ".join(passage.text.split()) for passage in passages]
        found: dict[str, _Written] = {}
        for text, sureness in self._wordings(texts):
            traced = trace(text, passages)
            if text and traced.faithful:
                score = traced.merit + SURENESS * sureness
                best = found.get(text)
                if best is None or best.score < score:
                    found[text] = _Written(traced, score)
        return sorted(found.values(), key=lambda one: -one.score)

    def _wordings(self, texts: Sequence[str]) -> Iterator[tuple[str, float]]:
        """What the model writes for the sentences in both orders, and how sure it is."""
        from tatian.union.models.lm.threads import one_thread
        from tatian.union.models.lm.writing import Style, write

        model, pieces = self._model, self._model.pieces
        sources = [pieces.encode(lead + text) for text in texts for lead in ("", " ")]
        if sum(map(len, sources)) // 2 > MOST_PIECES:
            raise InputError(f"the sentences to merge are too long: over {MOST_PIECES} word pieces")
        style = Style(
            ends=frozenset({pieces.control(END)}),
            longest=sum(map(len, sources)) // 2 + 16,
            samples=1 + self._samples,
            temperature=self._temperature,
            likeliest=True,
            seed=self._seed,
        )
        allowed = allowed_pieces(model, texts)

        def continued(order: tuple[str, ...]) -> list[Continuation]:
            reading = self._opening().followed_by(prompt(pieces, order))
            return write(reading, style, sources=sources, allowed=allowed)

        orders = list(dict.fromkeys((tuple(texts), tuple(reversed(texts)))))
        with one_thread:
            written = [one for some in spread(continued, orders, thread_count()) for one in some]
        for one in written:
            yield _plain(pieces, one), one.log_probability / (len(one.ids) + 1)

    def _opening(self) -> Reading:
        return _opening(self._model, self._path)


class _Written(Struct, frozen=True):
    traced: Traced
    score: float


@lru_cache(maxsize=2)
def _opening(model: LanguageModel, adapter: Path) -> Reading:
    """The beginning that all prompts share, read once."""
    from tatian.union.models.lm.writing import Reading

    ids = [model.pieces.control(TURN), *model.pieces.encode(TASK)]
    return Reading(model.network, ids, model.adapter(adapter))


def prompt(pieces: Pieces, sentences: Sequence[str]) -> list[int]:
    """What follows the opening: the sentences, and the turn in which the union is written."""
    lines = "".join(f"\n- {sentence}" for sentence in sentences)
    turn = [pieces.control(TURN), *pieces.encode("assistant\n")]
    return [*pieces.encode(lines), pieces.control(END), *pieces.encode("\n"), *turn]


def allowed_pieces(model: LanguageModel, texts: Sequence[str]) -> Booleans:
    """The pieces of the sentences' words, in either case, of closed-class words, and the end."""
    import numpy as np

    allowed = np.zeros(len(model.pieces.tokens), np.bool_)
    allowed[model.pieces.control(END)] = True
    words = {word for text in texts for word in text.split()}
    for word in (*words, *_closed_class()):
        for form in (word, word[:1].upper() + word[1:], word[:1].lower() + word[1:]):
            allowed[model.pieces.encode(form)] = True
            allowed[model.pieces.encode(f" {form}")] = True
    return allowed


def _closed_class() -> tuple[str, ...]:
    return (*sorted(STOP_WORDS), *_MARKS)


def _plain(pieces: Pieces, written: Continuation) -> str:
    return " ".join(pieces.decode(written.ids).split())


class _Checksum(Struct, frozen=True):
    sha256: str
    size: int


def find_adapter(given: str | Path | None = None) -> Path:
    """The adapter asked for, else $TATIAN_ADAPTER, else the one that comes with the package."""
    if chosen := given or os.environ.get("TATIAN_ADAPTER"):
        path = Path(chosen)
        if not path.is_file():
            raise AssetError(f"there is no adapter {path}: make one with 'tatian train small'")
        return path
    try:
        listed = msgspec.json.decode(
            (WEIGHTS / "checksums.json").read_bytes(), type=dict[str, _Checksum]
        )[FILE]
    except (OSError, KeyError, msgspec.DecodeError):
        raise AssetError(
            "the adapter of model 'small' is not there: reinstall tatian, or make one with "
            "'tatian train small' and name it in TATIAN_ADAPTER"
        ) from None
    asset = Asset(
        name="the adapter of model 'small'",
        sha256=listed.sha256,
        size=listed.size,
        licence=Small.licence,
        path=str(WEIGHTS / FILE),
    )
    return asset.locate()
