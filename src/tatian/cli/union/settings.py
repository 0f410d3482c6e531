"""Options of ``tatian union generate`` that are settings of one model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tatian.cli import options
from tatian.cli.options import any_path
from tatian.cli.union.data import entailment_model
from tatian.errors import InputError

_OF = {
    "checkpoint": "seq2seq",
    "prompt": "prompt",
    "raw": "prompt",
    "examples": "prompt",
    "drafts": "local",
    "judge": "local",
}
"""Model that each setting is for."""


MODEL_SETTINGS: Any = options.Together(
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
    options: dict[str, Any] = {}
    if "checkpoint" in set_options:
        options["checkpoint"] = set_options["checkpoint"]
    if "prompt" in set_options:
        options["prompt"] = _text(set_options["prompt"])
    if "examples" in set_options:
        from tatian.union.models.prompt import read_shots

        options["examples"] = read_shots(set_options["examples"])
    if "raw" in set_options:
        options["raw"] = True
    if "drafts" in set_options:
        options["drafts"] = set_options["drafts"]
    if "judge" in set_options:
        from tatian.union.metrics.nli import judge

        options["judge"] = judge(entailment_model(set_options["judge"]))
    return options


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from error
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8 text", path=path) from error
