"""Options of ``tatian union generate`` that are settings of one model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from tatian.cli import options
from tatian.cli.options import any_path
from tatian.cli.union.data import entailment_model
from tatian.errors import InputError

F = TypeVar("F", bound=Callable[..., Any])
_OF = {
    "checkpoint": "seq2seq",
    "prompt": "prompt",
    "raw": "prompt",
    "examples": "prompt",
    "drafts": "local",
    "judge": "local",
}
"""The model that each setting is for."""


def model_settings(command: F) -> F:
    """Add the settings of `seq2seq`, `prompt` and `local`."""
    for option in (
        click.option(
            "--judge",
            metavar="NAME",
            help="With --model local: the entailment model that chooses among the best wordings: "
            "'local' for the local judge, or one of a hub by name or path.",
        ),
        options.number(
            "--drafts",
            help="With --model local: how many drafts the model writes of each union; 2.",
        ),
        click.option(
            "--raw",
            is_flag=True,
            help="With --model prompt: take the first answer as it is, neither checked nor asked "
            "for again.",
        ),
        click.option(
            "--examples",
            type=any_path,
            metavar="FILE",
            help="With --model prompt: show these examples too, right and wrong unions as 'union "
            "score --mistakes' writes them.",
        ),
        click.option(
            "--prompt",
            type=any_path,
            metavar="FILE",
            help="With --model prompt: ask with the text of this file, which has '<sentence 1 goes "
            "here>' and so on in it.",
        ),
        click.option(
            "--checkpoint",
            type=any_path,
            metavar="DIR",
            help="With --model seq2seq: the folder of the model, as 'tatian train seq2seq' writes "
            "it, or its name on a hub.",
        ),
    ):
        command = option(command)
    return command


def model_options(model: str | None, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings that were given, as the model takes them; refuses those of another model."""
    given = {name: value for name, value in settings.items() if value}
    for name in given:
        if model != _OF[name]:
            raise click.UsageError(f"--{name} is for --model {_OF[name]}")
    found: dict[str, Any] = {}
    if "checkpoint" in given:
        found["checkpoint"] = given["checkpoint"]
    if "prompt" in given:
        found["prompt"] = _text(given["prompt"])
    if "examples" in given:
        from tatian.union.models.shots import read_shots

        found["examples"] = read_shots(given["examples"])
    if "raw" in given:
        found["raw"] = True
    if "drafts" in given:
        found["drafts"] = given["drafts"]
    if "judge" in given:
        from tatian.union.metrics.nli import judge

        found["judge"] = judge(entailment_model(given["judge"]))
    return found


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(error.strerror or str(error), path=path) from error
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8 text", path=path) from error
