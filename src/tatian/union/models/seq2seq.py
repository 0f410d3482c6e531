"""Encoder-decoders of a hub, fine-tuned on unions, as the paper used T5 and PRIMERA.

Hirsch et al. 2023, §6 and Appendix F. Which model is a matter of its name or folder; the code that
needs PyTorch is in `tatian.training.seq2seq`.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Sequence
from typing import Any

from tatian.errors import EmptyInput, MissingExtra, TatianError
from tatian.union.models import Merged, Passage
from tatian.union.models.tracing import longest_alone, trace

NAME = "TATIAN_SEQ2SEQ"
_WANTED = (
    f"name a T5, BART or PRIMERA in {NAME}: a folder made by 'tatian train seq2seq', "
    "or a model of a hub"
)


class Seq2Seq:
    """T5, BART or PRIMERA by the name or folder in $TATIAN_SEQ2SEQ; needs the extra 'hub'."""

    licence = "of the model that is named"

    def __init__(self, name: str | None = None, *, beams: int = 4) -> None:
        chosen = name or os.environ.get(NAME)
        if not chosen:
            raise TatianError(f"which model? {_WANTED}")
        if _absent():
            raise MissingExtra(f"the sequence-to-sequence model '{chosen}'", "hub")
        self._beams = beams
        self._hub: Any = importlib.import_module("tatian.training.hub")
        self._loaded: Any = self._hub.load(chosen)

    @staticmethod
    def missing() -> str:
        """What it lacks here and what to do; empty if it can run."""
        if _absent():
            return "pip install 'tatian[hub]'"
        return "" if os.environ.get(NAME) else _WANTED

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """What the model writes, as it is; words that stand in no passage count as glue."""
        if not passages:
            raise EmptyInput("no passages to merge")
        texts = [" ".join(passage.text.split()) for passage in passages]
        (text,) = self._hub.write(self._loaded, [texts], beams=self._beams)
        if not text:
            return longest_alone(passages, "the model wrote nothing")
        return trace(text, passages).merged()


def _absent() -> bool:
    return any(importlib.util.find_spec(name) is None for name in ("torch", "transformers"))
