"""The steps of training the edit model: edit-data, edit, edit-rank, edit-export."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from tatian.errors import InputError

_EVERY = 5000
"""Sentences between two lines of progress."""


def add_steps(steps: Any) -> None:
    """Add the four steps to the parser of ``python -m tatian.training``."""
    data = steps.add_parser("edit-data", help="parse the data of the edit model for union")
    data.add_argument("--data", type=Path, required=True, help="the folder of data sets")
    data.add_argument("--weights", type=Path, help="the encoder's, in place of the shipped ones")
    data.add_argument(
        "--without", type=Path, metavar="CSV", help="pairs whose sentences are not to be cut down"
    )
    data.add_argument("--out", type=Path, required=True, help="the file to write (.msgpack.gz)")
    data.add_argument("--limit", type=int, help="so many of each kind only (a dry run)")
    data.set_defaults(run=_data)
    edit = steps.add_parser("edit", help="train the edit model")
    edit.add_argument("config", type=Path, help="a JSON file; {} for the shipped recipe on a CPU")
    edit.add_argument("--data", type=Path, required=True, help="the file that edit-data wrote")
    edit.add_argument("--out", type=Path, required=True, help="the run's directory")
    edit.add_argument("--only", nargs="*", default=[], metavar="STAGE", help="pretrain, whole, …")
    edit.set_defaults(run=_edit)
    rank = steps.add_parser("edit-rank", help="train the ranker of the edit model's wordings")
    rank.add_argument("--data", type=Path, required=True, help="the folder of data sets")
    for step in (data, rank):
        step.add_argument(
            "--bundles", type=Path, nargs="*", default=(), help="further bundles with references"
        )
    rank.set_defaults(run=_rank)
    export = steps.add_parser("edit-export", help="add the edit model to a weights directory")
    export.add_argument("--data", type=Path, required=True, help="the file that edit-data wrote")
    export.set_defaults(run=_export)
    for step in (rank, export):
        step.add_argument("--edit", type=Path, required=True, help="the edit run's directory")
        step.add_argument("--weights", type=Path, required=True, help="holds the tokens body")
    for step in (edit, rank, export):
        step.add_argument("--start", type=Path, required=True)
        step.add_argument("--tokens", type=Path, required=True, help="the tokens run's directory")
    for step in (edit, rank):
        step.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")


def _data(options: argparse.Namespace) -> None:
    from tatian.training.edit.corpora import read_sources, unions
    from tatian.training.edit.data import write_data
    from tatian.training.edit.parsing import make_data

    sources = read_sources(options.data, options.bundles, options.limit)
    without = unions(options.without) if options.without else ()
    data = make_data(sources, options.weights, without, _progress)
    write_data(data, options.out)
    counts = {name: len(getattr(data, name)) for name in ("trees", "unions", "joined", "synonyms")}
    print(", ".join(f"{count} {name}" for name, count in counts.items()))


def _progress(stage: str, done: int, total: int) -> None:
    if done % _EVERY == 0:
        print(f"{stage}: {done}", flush=True)


def _edit(options: argparse.Namespace) -> None:
    from tatian.training.edit.base import Base
    from tatian.training.edit.data import read_data
    from tatian.training.edit.run import EditConfig, train_edit
    from tatian.training.pretrained import Start

    try:
        config = msgspec.json.decode(options.config.read_bytes(), type=EditConfig)
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"no configuration: {error}", path=str(options.config)) from error
    base = Base(Start(options.start), options.tokens, config.attention_heads)
    train_edit(
        config,
        base,
        read_data(options.data),
        options.out,
        only=options.only,
        workers=options.workers,
    )


def _rank(options: argparse.Namespace) -> None:
    import numpy as np

    from tatian.training.edit.check import RANKER
    from tatian.training.edit.contests import collect_contests
    from tatian.training.edit.corpora import bundles_of, own_unions
    from tatian.training.edit.rank import (
        RankConfig,
        judge_ranker,
        read_contests,
        train_ranker,
        write_contests,
    )

    kept = options.edit / "contests.msgpack.gz"
    if not kept.exists():
        pairs = own_unions(bundles_of(options.data, options.bundles))
        base = _base(options)
        write_contests(
            collect_contests(base, options.edit, options.weights, pairs, options.workers), kept
        )
    contests, config = read_contests(kept), RankConfig()
    with tempfile.TemporaryDirectory() as scratch:
        _show(judge_ranker(contests, config, Path(scratch)))
    np.savez(options.edit / RANKER, **train_ranker(contests, config))  # type: ignore[arg-type]


def _export(options: argparse.Namespace) -> None:
    from tatian.training.edit.check import export_checked
    from tatian.training.edit.data import read_data

    told = [union.told for union in read_data(options.data).unions]
    _show(export_checked(_base(options), options.edit, options.weights, told))


def _base(options: argparse.Namespace) -> Any:
    from tatian.training.edit.base import Base
    from tatian.training.edit.run import read_config
    from tatian.training.pretrained import Start

    return Base(Start(options.start), options.tokens, read_config(options.edit).attention_heads)


def _show(found: Any) -> None:
    print(msgspec.json.format(msgspec.json.encode(found), indent=2).decode())
