"""Unions as a Hugging Face data set and back, for whoever trains with that library."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from tatian.errors import InputError, MissingExtra
from tatian.union.data import COLUMNS, Instance

if TYPE_CHECKING:
    from datasets import Dataset

EXTRA = "datasets"


def to_datasets(instances: Iterable[Instance]) -> Dataset:
    """A `datasets.Dataset` with the fields of the JSONL records as its columns.

    What an instance lacks is None there; a column that no instance fills is left out.
    """
    library = _library()
    rows = [msgspec.to_builtins(instance) for instance in instances]
    if not rows:
        raise InputError("no instances to make a data set of")
    filled = [name for name in Instance.__struct_fields__ if any(name in row for row in rows)]
    return library.Dataset.from_dict({name: [row.get(name) for row in rows] for name in filled})


def from_datasets(dataset: Iterable[Mapping[str, Any]]) -> list[Instance]:
    """Instances from the rows of a data set: what `to_datasets` made, or the published columns.

    Any iterable of mappings will do, so a split that is being streamed can be read as well.
    """
    instances = []
    for number, row in enumerate(dataset, 1):
        given = {name: value for name, value in row.items() if value is not None}
        if COLUMNS[0] in given:
            given["sentences"] = [given.get(name, "") for name in COLUMNS[:2]]
            given["merged"] = given.get(COLUMNS[2]) or None
        if "relatedness" in given:
            given["relatedness"] = {k: v for k, v in row["relatedness"].items() if v is not None}
        try:
            instances.append(msgspec.convert({"id": str(number), **given}, Instance))
        except msgspec.ValidationError as error:
            message = str(error).replace("`", "'")
            raise InputError(f"row {number} of the data set: {message}") from error
    return instances


def _library() -> Any:
    try:
        return importlib.import_module("datasets")
    except ModuleNotFoundError as error:
        raise MissingExtra("a Hugging Face data set", EXTRA) from error
