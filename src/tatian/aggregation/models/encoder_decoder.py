"""Encoder-decoders of a hub, such as BART, as rankers and generators (TESA §5.3).

The model is chosen by its name or folder. `tatian.pytorch.ranker` has the code that needs PyTorch.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

import msgspec
from msgspec import Struct

from tatian.aggregation.data.records import INPUTS, Input, Instance
from tatian.aggregation.models import Proposal, Ranking
from tatian.errors import InputError
from tatian.hub import HubModel

Task = Literal["generative", "discriminative"]
SETUP = "tatian.json"


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Training setup of a checkpoint, stored beside the weights."""

    task: Task
    inputs: tuple[Input, ...] = INPUTS


def setup_of(folder: Path) -> Setup | None:
    """Return the setup that 'tatian train aggregation' wrote; None if there is none."""
    path = folder / SETUP
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Setup)
    except msgspec.DecodeError as error:
        message = f"not what 'tatian train aggregation' wrote: {error}"
        raise InputError(message, path=str(path)) from error


class _EncoderDecoder(HubModel):
    """An encoder-decoder that ranks."""

    module = "tatian.pytorch.ranker"
    task: ClassVar[Task] = "generative"

    def __init__(self, checkpoint: str | None = None, device: str | None = None) -> None:
        super().__init__(checkpoint, self.task, device)

    @property
    def reads_background(self) -> bool:
        """True if background information is part of its input."""
        return "background" in self._loaded.setup.inputs

    def rank(self, instance: Instance) -> Ranking:
        """Return all candidates with their scores, from 0 to 1."""
        (ranked,) = self._module.rank(self._loaded, [instance])
        ranking: Ranking = ranked
        return ranking


class _Writer(_EncoderDecoder):
    """An encoder-decoder that also generates."""

    def generate(self, instance: Instance, limit: int = 10) -> tuple[Proposal, ...]:
        """Return the hypotheses of a beam search with their likelihoods, without support."""
        if not instance.entities:
            raise InputError(f"instance '{instance.id}' has no entities to name")
        hypotheses = self._module.generate(self._loaded, instance, limit)
        return tuple(Proposal(phrase, likelihood) for phrase, likelihood in hypotheses)


_NAMED = "name it by --checkpoint or in"


class PretrainedRanker(_Writer):
    """Ranks by the likelihood of a phrase under an encoder-decoder as it is; extra 'hub'."""

    variable = "TATIAN_PRETRAINED"
    wanted = f"{_NAMED} {variable}: a BART, T5 or other encoder-decoder of a hub, or its folder"


class GenerativeRanker(_Writer):
    """Ranks and generates with a fine-tuned encoder-decoder; extra 'hub'."""

    variable = "TATIAN_GENERATIVE"
    wanted = f"{_NAMED} {variable}: a folder made by 'tatian train aggregation --task generative'"


class DiscriminativeRanker(_EncoderDecoder):
    """Ranks by the confidence of an encoder-decoder fine-tuned to classify; extra 'hub'."""

    variable = "TATIAN_DISCRIMINATIVE"
    task = "discriminative"
    wanted = f"{_NAMED} {variable}: a folder made by 'tatian train aggregation'"
