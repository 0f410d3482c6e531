"""Encoder-decoders of a hub (BART) as rankers and generator, as the papers used them.

TESA §5.3. Which model is a matter of its name or folder; the code that needs PyTorch is in
`tatian.training.encoder_decoder`.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from pathlib import Path
from typing import Any, ClassVar, Literal

import msgspec
from msgspec import Struct

from tatian.aggregation.data.records import Instance
from tatian.aggregation.models import Proposal, Ranking
from tatian.errors import InputError, MissingExtra, TatianError

_MODULES = "tatian.training.encoder_decoder"


class _EncoderDecoder:
    """A model by its name or folder, loaded where PyTorch is at hand."""

    licence = "of the model that is named"
    variable: ClassVar[str]
    task: ClassVar[str] = "generative"
    wanted: ClassVar[str] = "a folder made by 'tatian train aggregation --task generative'"

    def __init__(self, checkpoint: str | None = None, device: str | None = None) -> None:
        chosen = checkpoint or os.environ.get(self.variable)
        if not chosen:
            raise TatianError(f"which model? {self._wish()}")
        if _absent():
            raise MissingExtra(f"the encoder-decoder '{chosen}'", "hub")
        self._network: Any = importlib.import_module(f"{_MODULES}.network")
        self._loaded: Any = self._network.load(chosen, self.task, device)

    @classmethod
    def missing(cls) -> str:
        """What it lacks here and what to do; empty if it can run."""
        if _absent():
            return "pip install 'tatian[hub]'"
        return "" if os.environ.get(cls.variable) else cls._wish()

    @classmethod
    def _wish(cls) -> str:
        return f"name it by --checkpoint or in {cls.variable}: {cls.wanted}"

    @property
    def reads_background(self) -> bool:
        """Whether background information is part of its input."""
        return "background" in self._loaded.setup.inputs

    def rank(self, instance: Instance) -> Ranking:
        """All candidates with their scores, from 0 to 1."""
        (found,) = self._network.rank(self._loaded, [instance])
        ranking: Ranking = found
        return ranking


class _Writer(_EncoderDecoder):
    """One that also writes."""

    def generate(self, instance: Instance, limit: int = 10) -> tuple[Proposal, ...]:
        """The hypotheses of a beam search with their likelihoods; no facts support them."""
        if not instance.entities:
            raise InputError(f"instance '{instance.id}' has no entities to name")
        found = self._network.generate(self._loaded, instance, limit)
        return tuple(Proposal(phrase, likelihood) for phrase, likelihood in found)


class PretrainedRanker(_Writer):
    """Ranks by the likelihood that an encoder-decoder as it is writes a phrase; extra 'hub'."""

    variable = "TATIAN_PRETRAINED"
    wanted = "a BART, T5 or other encoder-decoder of a hub, or its folder"


class GenerativeRanker(_Writer):
    """Ranks by likelihood, and writes, with an encoder-decoder fine-tuned to; extra 'hub'."""

    variable = "TATIAN_GENERATIVE"


class DiscriminativeRanker(_EncoderDecoder):
    """Ranks by how sure an encoder-decoder, fine-tuned to classify, is; extra 'hub'."""

    variable = "TATIAN_DISCRIMINATIVE"
    task = "discriminative"
    wanted = "a folder made by 'tatian train aggregation'"


def task_of(folder: Path) -> str:
    """Which of the models here was trained into a folder; empty if none was."""
    path = folder / "tatian.json"
    if not path.is_file():
        return ""
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Trained).task
    except msgspec.DecodeError as error:
        raise InputError(
            f"not what 'tatian train aggregation' wrote: {error}", path=str(path)
        ) from error


class _Trained(Struct, frozen=True):
    task: Literal["generative", "discriminative"]


def _absent() -> bool:
    return any(importlib.util.find_spec(name) is None for name in ("torch", "transformers"))
