"""Options of ``tatian union generate`` that are settings of one model."""

from __future__ import annotations

from typing import Any

import click

from tatian.cli import options
from tatian.cli.options import any_path
from tatian.cli.union.data import entailment_model, read_text

_OF = {
    "checkpoint": "seq2seq",
    "prompt": "prompt",
    "raw": "prompt",
    "examples": "prompt",
    "drafts": "local",
    "judge": "local",
}
"""Model that each setting is for."""


MODEL_SETTINGS: Any = options.OptionGroup(
    {
        "checkpoint": options.option(
            "With --model seq2seq: the folder of the model, as 'tatian train seq2seq' writes it, "
            "or its name on a hub.",
            type=any_path,
            metavar="DIR",
        ),
        "prompt": options.file(
            "With --model prompt: ask with the text of this file, which has '<sentence 1 goes "
            "here>' and so on in it."
        ),
        "examples": options.file(
            "With --model prompt: show these examples too, right and wrong unions as 'union score "
            "--mistakes' writes them."
        ),
        "raw": options.flag(
            "With --model prompt: take the first answer as it is, neither checked nor asked for "
            "again."
        ),
        "drafts": options.number(
            "With --model local: how many drafts the model writes of each union; 2."
        ),
        "judge": options.option(
            "With --model local: the entailment model that chooses among the best wordings: "
            "'local' for the local judge, or one of a hub by name or path.",
            metavar="NAME",
        ),
    },
    dict,
)
"""Settings of `seq2seq`, `prompt` and `local`."""


def model_options(model: str | None, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the given settings, as the model takes them; refuse those of another model."""
    set_options = {name: value for name, value in settings.items() if value}
    for name in set_options:
        if model != _OF[name]:
            raise click.UsageError(f"--{name} is for --model {_OF[name]}")
    return {
        name: _READ[name](value) if name in _READ else value for name, value in set_options.items()
    }


def _shots(path: str) -> Any:
    from tatian.union.models.prompt import read_shots

    return read_shots(path)


def _judge(name: str) -> Any:
    from tatian.union.metrics.nli import judge

    return judge(entailment_model(name))


_READ = {"prompt": lambda path: read_text(path)[0], "examples": _shots, "judge": _judge}
"""Readers of settings that name something."""
