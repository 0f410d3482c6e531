"""A small language model on an ordinary processor: how fluent a text is, and how it could go on.

    from tatian.union.models import lm
    if not lm.unavailable():
        lm.fluency(["The ferry ran aground.", "The ran ferry aground."])

The weights are SmolLM2-135M-Instruct, fetched by ``tatian models install``; everything works
without them, and says what would be better with them.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from tatian.assets import cache_directory
from tatian.wheels import SMOLLM2

if TYPE_CHECKING:
    from tatian.union.models.lm.model import LanguageModel

__all__ = ["Likelihood", "fluency", "likelihoods", "load", "unavailable"]

_LOADING = threading.Lock()


class Likelihood(Struct, frozen=True):
    """How likely a language model finds a text."""

    total: float
    """Natural logarithm of the probability of the whole text."""
    tokens: int

    @property
    def mean(self) -> float:
        """The logarithm per token, by which texts of different length can be compared."""
        return self.total / self.tokens if self.tokens else -math.inf


def fluency(texts: Sequence[str], *, threads: int | None = None) -> list[float]:
    """The mean log-probability per token of each text; higher reads better.

    Texts that begin alike cost little more than one. Differences under 0.02 mean nothing.
    """
    return [found.mean for found in likelihoods(texts, threads=threads)]


def likelihoods(texts: Sequence[str], *, threads: int | None = None) -> list[Likelihood]:
    """How likely each text is, as one that stands by itself."""
    return load().likelihoods(texts, threads=threads)


def unavailable() -> str:
    """Why the language model cannot run here, and what to do; empty if it can."""
    if (cache_directory() / SMOLLM2.path).is_file():
        return ""
    return f"{SMOLLM2.name} is not installed: {SMOLLM2.advice}"


def load(path: Path | None = None) -> LanguageModel:
    """The installed model, or any of its architecture; read once in a process."""
    with _LOADING:
        return _load(path or SMOLLM2.locate(), os.getpid())


@lru_cache(maxsize=2)
def _load(path: Path, process: int) -> LanguageModel:
    from tatian.union.models.lm.model import LanguageModel

    return LanguageModel(path)
