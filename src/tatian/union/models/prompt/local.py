"""The installed language model, asked in the same words as a chat model elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from tatian.union.models import lm
from tatian.union.models.prompt.endpoint import Answer, Message, Request, TooLong

if TYPE_CHECKING:
    from tatian.union.models.lm.model import LanguageModel
    from tatian.union.models.lm.writing import Reading

NAME = "SmolLM2-135M-Instruct"
TURN, END = "<|im_start|>", "<|im_end|>"


class Local:
    """SmolLM2 in this process; the same request gives the same answer."""

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self._model = lm.load()

    def ask(self, request: Request) -> Answer:
        """One answer, sampled at the request's temperature; it ends with its first line.

        Nothing after that is read, and a model of this size seldom stops by itself.
        """
        from tatian.union.models.lm.threads import one_thread
        from tatian.union.models.lm.writing import Style, write

        pieces = self._model.pieces
        first, *others = request.messages
        ids = [id for message in others for id in _turn(self._model, message)]
        ids += [pieces.control(TURN), *pieces.encode("assistant\n")]
        room = self._model.network.shape.positions
        if len(ids) + request.max_tokens > room // 2:
            raise TooLong(f"the sentences are too long for {NAME}: {len(ids)} word pieces")
        style = Style(
            ends=frozenset({pieces.control(END), *pieces.encode("\n")}),
            longest=request.max_tokens,
            temperature=request.temperature,
            seed=self._seed,
        )
        with one_thread:
            opening = _opening(self._model, first["role"], first["content"])
            reading = opening.followed_by(ids)
            (written,) = write(reading, style, sources=[ids])
        text = pieces.decode(written.ids)
        return Answer(text, reading.cache.length, len(written.ids), not written.finished)


def _turn(model: LanguageModel, message: Message) -> Sequence[int]:
    pieces = model.pieces
    text = pieces.encode(f"{message['role']}\n{message['content']}")
    return [pieces.control(TURN), *text, pieces.control(END), *pieces.encode("\n")]


@lru_cache(maxsize=2)
def _opening(model: LanguageModel, role: str, content: str) -> Reading:
    """The instructions, read once."""
    from tatian.union.models.lm.writing import Reading

    return Reading(model.network, _turn(model, {"role": role, "content": content}))
