"""Settings for fine-tuning encoder-decoders on unions: Hirsch et al. 2023, Appendix F."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from tatian.errors import InputError
from tatian.training.data import read_config


class Seq2SeqConfig(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of fine-tuning, which can be read from JSON."""

    lr: float = 4.3e-6
    batch: int = 32
    weight_decay: float = 0.0
    warmup: int = 0
    """Number of steps in which the rate rises, before it falls to zero."""
    epochs: int = 20
    beams: int = 4
    share: float = 1.0
    """Share of the training data; the learning curves of Appendix G use a quarter to all of it."""
    both_orders: bool = False
    """True if each pair is used in both orders, which the paper leaves open."""
    clip: float = 1.0
    accumulate: int = 1
    """Number of parts in which a batch is computed, to save memory."""
    seed: int = 1
    device: str | None = None


T5 = Seq2SeqConfig(lr=4.3e-6, weight_decay=0.0, warmup=0, batch=32, epochs=18)
"""The best run of T5-large in Appendix F."""
PRIMERA = Seq2SeqConfig(lr=3.5e-6, weight_decay=0.5, warmup=80, batch=16, epochs=9)
"""The best run of PRIMERA in Appendix F."""


def settings_of(base: str) -> Seq2SeqConfig:
    """Return the best settings of Appendix F for a model, by the name of the model or its folder.

    They are those of PRIMERA if the name contains it or its architecture LED, else those of T5.
    """
    name = Path(base).name.lower()
    return PRIMERA if "primera" in name or "led-" in name else T5


def read_settings(base: str, path: str | None = None, device: str | None = None) -> Seq2SeqConfig:
    """Return the settings of `base`, overridden by those of a JSON file."""
    fields = structs.asdict(settings_of(base))
    if path is not None:
        fields |= read_config(Path(path), dict[str, Any], "not a config")
    if device:
        fields["device"] = device
    try:
        return msgspec.convert(fields, Seq2SeqConfig)
    except msgspec.ValidationError as error:
        raise InputError(f"not a config: {error}", path=path) from error
