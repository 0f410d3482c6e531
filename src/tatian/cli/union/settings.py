"""Options of ``tatian union generate`` that only one model has."""

from __future__ import annotations

from typing import Any

import click

from tatian.cli import options
from tatian.cli.options import any_path
from tatian.cli.union.data import entailment_model, read_text

_MODEL_OF = {
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
            "With --model prompt: use the prompt in this file, with '<sentence 1 goes here>' and "
            "so on for the sentences."
        ),
        "examples": options.file(
            "With --model prompt: add these examples of right and wrong unions, as 'union score "
            "--mistakes' writes them."
        ),
        "raw": options.flag(
            "With --model prompt: use the first answer, without checks or further attempts."
        ),
        "drafts": options.number(
            "With --model local: number of drafts of each union; by default 2."
        ),
        "judge": options.option(
            "With --model local: entailment model that chooses among the best wordings. It is "
            "'local' for the local judge, or a model on a hub by name or path.",
            metavar="NAME",
        ),
    },
    dict,
)
"""Settings of `seq2seq`, `prompt` and `local`."""


def model_options(model: str | None, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings as the model takes them; those of another model are refused."""
    set_options = {name: value for name, value in settings.items() if value}
    for name in set_options:
        if model != _MODEL_OF[name]:
            raise click.UsageError(f"--{name} is for --model {_MODEL_OF[name]}")
    return {
        name: _READERS[name](value) if name in _READERS else value
        for name, value in set_options.items()
    }


def _read_examples(path: str) -> Any:
    from tatian.union.models.prompt import read_shots

    return read_shots(path)


def _open_judge(name: str) -> Any:
    from tatian.union.metrics.nli import load_judge

    return load_judge(entailment_model(name))


_READERS = {
    "prompt": lambda path: read_text(path)[0],
    "examples": _read_examples,
    "judge": _open_judge,
}
"""Functions that turn the value of an option into what the model takes."""
