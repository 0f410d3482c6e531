"""The tokens body that adapted models stand on, and what training adds to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import torch

from tatian.errors import AssetError
from tatian.training.edit.model import EditModel, EditShape
from tatian.training.inventory import Labels
from tatian.training.pretrained import Start

Tensor = Any
State = dict[str, Tensor]
M = TypeVar("M", bound=Any)
"""A model with a body, a shape embedding and an adapter to come."""


class Base:
    """A start directory and the tokens run that began from it."""

    def __init__(self, start: Start, tokens: Path, attention_heads: int = 12) -> None:
        self.start = start
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

    def model(self, shape: EditShape, seed: int = 0) -> EditModel:
        """The model before it has learned anything."""
        torch.manual_seed(seed)
        body = self.start.shape(heads=self.heads)
        return self.stand(EditModel(body, len(self.labels.shapes), shape))

    def stand(self, model: M) -> M:
        """Put a model on the trained body, with an adapter in between."""
        prefix = "body."
        body = {
            name.removeprefix(prefix): value.float()
            for name, value in self.trained.items()
            if name.startswith(prefix)
        }
        model.body.load_state_dict(body)
        with torch.no_grad():
            model.shape_embedding.weight.copy_(self.trained["shape_embedding.weight"])
        model.adapt()
        return model


def learned(model: Any) -> State:
    """What training changes: the adapter, and everything above the body."""
    return {
        name: parameter.detach().cpu().clone()
        for name, parameter in model.named_parameters()
        if parameter.requires_grad
    }


def restore(model: Any, path: Path, step: str = "edit") -> None:
    """Give the model what a stage learned."""
    if not path.is_file():
        raise AssetError(f"no {path}: run that stage of 'python -m tatian.training {step}'")
    state: State = torch.load(path, map_location="cpu", weights_only=True)
    if state.keys() != learned(model).keys():
        raise AssetError(f"{path} is of a model of another shape")
    model.load_state_dict(state, strict=False)


def save(state: State, path: Path) -> None:
    """Write, then rename, so that an interrupted write leaves nothing that looks whole."""
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    partial.replace(path)


def averaged(states: Sequence[State]) -> State:
    """The mean of the weights that several seeds came to from the same beginning."""
    return {name: torch.stack([s[name] for s in states]).mean(0) for name in states[0]}
