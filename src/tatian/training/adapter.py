"""Models on the tokens body with a low-rank adapter, and the files of their runs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import torch
from torch import nn

from tatian.analysis.loading import Labels
from tatian.errors import AssetError, InputError
from tatian.training.data import read_config
from tatian.training.pretrained import Start

Tensor = Any
CONFIG = "config.json"
EDIT_PARAMETERS = "edit.pt"
"""File of a restored tokens run: the parameters of the edit model that is shipped with it."""
State = dict[str, Tensor]
M = TypeVar("M", bound=Any)
"""A model with a body, a shape embedding and a rank of its adapter."""
ADAPTED_LAYERS = ("qkv", "out", "inner", "outer")
"""Linear layers of the body that get an adapter."""


class AdaptedLinear(nn.Module):
    """A frozen linear layer with a low-rank adapter (Hu et al. 2021)."""

    def __init__(self, base: Any, rank: int) -> None:
        super().__init__()
        self.base = base
        for parameter in base.parameters():
            parameter.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(base.in_features, rank) / math.sqrt(base.in_features))
        self.up = nn.Parameter(torch.zeros(rank, base.out_features))

    def forward(self, x: Tensor) -> Tensor:
        return self.base(x) + (x @ self.down.to(x.dtype)) @ self.up.to(x.dtype)


def adapt(model: Any, rank: int) -> None:
    """Add adapters to the linear layers of a model's body, and freeze the body."""
    for parameter in (*model.body.parameters(), *model.shape_embedding.parameters()):
        parameter.requires_grad_(False)
    for layer in model.body.layers:
        for name in ADAPTED_LAYERS:
            setattr(layer, name, AdaptedLinear(getattr(layer, name), rank))


class Base:
    """A start directory and a tokens run that began from it."""

    def __init__(self, start: Start, tokens: Path, attention_heads: int = 12) -> None:
        self.start = start
        self.tokens = tokens
        self.heads = attention_heads
        try:
            self.labels = msgspec.json.decode((tokens / "labels.json").read_bytes(), type=Labels)
            self.trained: State = torch.load(
                tokens / "tokens.pt", map_location="cpu", weights_only=True
            )
        except OSError as error:
            raise AssetError(
                f"{tokens} is no run of the tokens body ({error.strerror}): make it with "
                "'python -m tatian.training tokens'"
            ) from error

    def put_on_body(self, model: M) -> M:
        """Load the trained body into a model, and add adapters."""
        weights = {name: value.float() for name, value in self.trained.items()}
        model.body.load_state_dict(
            {n.removeprefix("body."): w for n, w in weights.items() if n.startswith("body.")}
        )
        with torch.no_grad():
            model.shape_embedding.weight.copy_(self.trained["shape_embedding.weight"])
        adapt(model, model.shape.rank)
        return model


def learned_parameters(model: Any) -> State:
    """Return the trainable parameters: the adapter, and all heads."""
    return {
        name: parameter.detach().cpu().clone()
        for name, parameter in model.named_parameters()
        if parameter.requires_grad
    }


def restore(model: Any, path: Path, step: str = "edit") -> None:
    """Load the parameters of a finished stage into the model."""
    if not path.is_file():
        raise AssetError(f"no {path}: run that stage of 'python -m tatian.training {step}'")
    state: State = torch.load(path, map_location="cpu", weights_only=True)
    if state.keys() != learned_parameters(model).keys():
        raise AssetError(f"{path} is of a model of another shape")
    model.load_state_dict(state, strict=False)


def save(state: State, path: Path) -> None:
    """Write the parameters atomically, by renaming a partial file."""
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    partial.replace(path)


def average_weights(states: Sequence[State]) -> State:
    """Return the mean of the weights of several runs."""
    return {name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]}


def begin_run(config: Any, directory: Path, missing: str) -> None:
    """Store the configuration of a new run, or check that of a continued one."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / CONFIG
    if not path.exists():
        path.write_bytes(msgspec.json.format(msgspec.json.encode(config), indent=2))
    elif read_config(path, type(config), missing) != config:
        message = "was begun with another configuration: name another directory"
        raise InputError(message, path=str(path))
