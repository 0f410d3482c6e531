"""What a training learns, readable, and the file it is kept in."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from tatian.aggregation.models.logistic.features import FEATURES
from tatian.errors import AssetError, InputError

Numbers = npt.NDArray[np.float64]
Recipe = Literal["fast", "paper"]

SCHEMA = 1
SHIPPED = Path(__file__).parents[2] / "weights" / "logistic.json"


class Coefficients(Struct, frozen=True):
    """A number for each feature, and one to begin with."""

    bias: float
    weights: dict[str, float]
    """By the feature's name; a feature that is not there counts for nothing."""
    deviations: dict[str, float]
    """How much each feature varied in training: weight times deviation is its effect."""

    @classmethod
    def of(
        cls, bias: float, weights: Numbers, names: tuple[str, ...], rows: Numbers
    ) -> Coefficients:
        """What was fitted to `rows` of the features called `names`."""
        return cls(
            float(bias),
            dict(zip(names, weights.tolist(), strict=True)),
            dict(zip(names, rows.std(axis=0).tolist(), strict=True)),
        )

    def probabilities(self, rows: Numbers) -> Numbers:
        """How likely each row, of all features, is a right phrase."""
        return sigmoid(rows @ self._vector() + self.bias)

    def contributions(self, row: Numbers) -> dict[str, float]:
        """What each feature of a row adds to the logarithm of the odds."""
        added = zip(FEATURES, (row * self._vector()).tolist(), strict=True)
        return {feature.name: value for feature, value in added if feature.name in self.weights}

    def _vector(self) -> Numbers:
        return np.array([self.weights.get(feature.name, 0.0) for feature in FEATURES])


class Origin(Struct, frozen=True):
    """What a model was trained on."""

    data: str
    """A name, or the fingerprint of the instances."""
    instances: int
    entities: int
    described: int
    """Entities with background information."""


class Model(Struct, frozen=True):
    """All that a logistic ranker needs but the frequencies of phrases."""

    recipe: Recipe
    vectors: str
    origin: Origin
    general: Coefficients
    informed: Coefficients | None = None
    """For instances with background information; without it `general` serves for all."""
    lemmas: bool = False
    """Whether candidates are lemmatised."""
    schema: int = SCHEMA

    def for_instance(self, *, background: bool) -> Coefficients:
        """The coefficients for an instance with or without background information."""
        return self.informed if background and self.informed is not None else self.general


def sigmoid(values: Numbers) -> Numbers:
    """Probabilities from the logarithms of odds; small ones stay apart, none overflows."""
    powers = np.exp(-np.abs(values))
    return np.where(values < 0, powers, 1.0) / (1.0 + powers)


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write the model as indented JSON."""
    text = msgspec.json.format(msgspec.json.encode(model), indent=2) + b"\n"
    try:
        Path(path).write_bytes(text)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"cannot be written: {reason}", path=os.fspath(path)) from error


@cache
def shipped() -> Model:
    """The model that comes with the package."""
    try:
        model = msgspec.json.decode(SHIPPED.read_bytes(), type=Model)
    except (OSError, msgspec.DecodeError) as error:
        raise AssetError(f"{SHIPPED} cannot be read ({error}): reinstall tatian") from error
    if model.schema != SCHEMA:
        raise AssetError(f"{SHIPPED} is of schema {model.schema}, not {SCHEMA}: reinstall tatian")
    return model
