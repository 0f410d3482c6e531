"""The steps of training the resolver: coref-data, coref, coref-export."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import msgspec

from tatian.errors import InputError

_EVERY = 5000
"""Sentences between two lines of progress."""


def add_coref_steps(steps: Any) -> None:
    """Add the three steps to the parser of ``python -m tatian.training``."""
    data = steps.add_parser("coref-data", help="analyse the data of the coreference resolver")
    data.add_argument("--data", type=Path, required=True, help="the folder of coreference corpora")
    data.add_argument("--weights", type=Path, help="the encoder's, in place of the shipped ones")
    data.add_argument("--out", type=Path, required=True, help="the file to write (.msgpack.gz)")
    data.add_argument("--limit", type=int, help="so many of each part only (a dry run)")
    data.set_defaults(run=_data)
    coref = steps.add_parser("coref", help="train the coreference resolver")
    coref.add_argument("config", type=Path, help="a JSON file; {} for the shipped recipe on a CPU")
    coref.add_argument("--out", type=Path, required=True, help="the run's directory")
    coref.set_defaults(run=_coref)
    export = steps.add_parser("coref-export", help="add the resolver to a weights directory")
    export.add_argument("--coref", type=Path, required=True, help="the resolver's run")
    export.add_argument("--weights", type=Path, required=True, help="holds the tokens body")
    export.set_defaults(run=_export)
    for step in (coref, export):
        step.add_argument("--data", type=Path, required=True, help="the file of coref-data")
        step.add_argument("--start", type=Path, required=True)
        step.add_argument("--tokens", type=Path, required=True, help="the tokens run's directory")


def _data(options: argparse.Namespace) -> None:
    from tatian.training.coref.corpora import read_sources
    from tatian.training.coref.data import make_data, write_data

    data = make_data(read_sources(options.data, options.limit), options.weights, _progress)
    write_data(data, options.out)
    counts: dict[str, int] = {}
    for one in data.documents:
        part = f"{one.corpus} {one.split}"
        counts[part] = counts.get(part, 0) + 1
    print(", ".join(f"{part} {count}" for part, count in counts.items()))


def _progress(stage: str, done: int, total: int) -> None:
    if done % _EVERY == 0:
        print(f"{stage}: {done}", flush=True)


def _coref(options: argparse.Namespace) -> None:
    from tatian.training.coref.data import read_data
    from tatian.training.coref.train import CorefConfig, train_coref

    try:
        config = msgspec.json.decode(options.config.read_bytes(), type=CorefConfig)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"no configuration: {error}", path=str(options.config)) from error
    base = _base(options, config.attention_heads)
    train_coref(config, base, read_data(options.data), options.out)


def _export(options: argparse.Namespace) -> None:
    from tatian.training.coref.check import export_checked
    from tatian.training.coref.data import read_data
    from tatian.training.coref.train import read_config

    base = _base(options, read_config(options.coref).attention_heads)
    found = export_checked(base, options.coref, options.weights, read_data(options.data))
    print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())


def _base(options: argparse.Namespace, attention_heads: int) -> Any:
    from tatian.training.edit.base import Base
    from tatian.training.pretrained import Start

    return Base(Start(options.start), options.tokens, attention_heads)
