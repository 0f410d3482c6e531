"""What a system may see of an instance, for the ablation of the papers (paper: §6.1, Table 5)."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec.structs import replace

from tatian.aggregation.data.records import Instance

Inputs = Literal["all", "context", "background", "entities"]
INPUTS: tuple[Inputs, ...] = get_args(Inputs)
"""Beside the entities' names: everything, the context, the background, or nothing."""
SHOWN: dict[Inputs, str] = {
    "context": "context, entities",
    "background": "info., entities",
    "entities": "entities",
}
"""The columns of Table 5."""


def only(instance: Instance, inputs: Inputs) -> Instance:
    """The instance without the title and excerpt, without background, or without both."""
    if inputs in ("context", "entities"):
        instance = replace(instance, background={})
    if inputs in ("background", "entities"):
        instance = replace(instance, title="", context="")
    return instance
