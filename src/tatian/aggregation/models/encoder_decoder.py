"""Encoder-decoders of a hub (BART) as rankers and generator, as the papers used them.

TESA §5.3. Which model is a matter of its name or folder; the code that needs PyTorch is in
`tatian.training.encoder_decoder`.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

import msgspec
from msgspec import Struct

from tatian.aggregation.data.inputs import INPUTS, Input
from tatian.aggregation.data.records import Instance
from tatian.aggregation.models import Proposal, Ranking
from tatian.errors import InputError
from tatian.hub import HubModel

Task = Literal["generative", "discriminative"]
SETUP = "tatian.json"


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a checkpoint was trained for; it lies beside the weights."""

    task: Task
    inputs: tuple[Input, ...] = INPUTS
    whole: bool = False
    """Text and candidate in both encoder and decoder, as fairseq classifies; else one in each."""


def setup_of(folder: Path) -> Setup | None:
    """What 'tatian train aggregation' wrote of a checkpoint; None where it wrote none."""
    path = folder / SETUP
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=Setup)
    except msgspec.DecodeError as error:
        raise InputError(
            f"not what 'tatian train aggregation' wrote: {error}", path=str(path)
        ) from error


class _EncoderDecoder(HubModel):
    """One that ranks."""

    module = "tatian.training.encoder_decoder.network"
    task: ClassVar[Task] = "generative"

    def __init__(self, checkpoint: str | None = None, device: str | None = None) -> None:
        super().__init__(checkpoint, self.task, device)

    @property
    def reads_background(self) -> bool:
        """Whether background information is part of its input."""
        return "background" in self._loaded.setup.inputs

    def rank(self, instance: Instance) -> Ranking:
        """All candidates with their scores, from 0 to 1."""
        (found,) = self._module.rank(self._loaded, [instance])
        ranking: Ranking = found
        return ranking


class _Writer(_EncoderDecoder):
    """One that also writes."""

    def generate(self, instance: Instance, limit: int = 10) -> tuple[Proposal, ...]:
        """The hypotheses of a beam search with their likelihoods; no facts support them."""
        if not instance.entities:
            raise InputError(f"instance '{instance.id}' has no entities to name")
        found = self._module.generate(self._loaded, instance, limit)
        return tuple(Proposal(phrase, likelihood) for phrase, likelihood in found)


_NAMED = "name it by --checkpoint or in"


class PretrainedRanker(_Writer):
    """Ranks by the likelihood that an encoder-decoder as it is writes a phrase; extra 'hub'."""

    variable = "TATIAN_PRETRAINED"
    wanted = f"{_NAMED} {variable}: a BART, T5 or other encoder-decoder of a hub, or its folder"


class GenerativeRanker(_Writer):
    """Ranks by likelihood, and writes, with an encoder-decoder fine-tuned to; extra 'hub'."""

    variable = "TATIAN_GENERATIVE"
    wanted = f"{_NAMED} {variable}: a folder made by 'tatian train aggregation --task generative'"


class DiscriminativeRanker(_EncoderDecoder):
    """Ranks by how sure an encoder-decoder, fine-tuned to classify, is; extra 'hub'."""

    variable = "TATIAN_DISCRIMINATIVE"
    task = "discriminative"
    wanted = f"{_NAMED} {variable}: a folder made by 'tatian train aggregation'"
