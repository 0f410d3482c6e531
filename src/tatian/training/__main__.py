"""The command line of training: ``python -m tatian.training STEP``.

The analysis encoder: prepare, tokens, pairs, export. On top of its tokens body, the edit model for
union: edit-data, edit, edit-rank, edit-export; and the coreference resolver: coref-data, coref,
coref-export. On its pairs body, what tells what: telling, telling-export. Without PyTorch, the
mention linker: linker; the aggregation ranker: ranker.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TypeVar

import msgspec

from tatian.errors import TatianError
from tatian.training.coref.commands import add_coref_steps
from tatian.training.edit.commands import add_steps
from tatian.training.linking.commands import add_linking_steps
from tatian.training.naming.commands import add_naming_steps
from tatian.training.telling.commands import add_telling_steps

C = TypeVar("C")


def main(arguments: list[str] | None = None) -> int:
    """Run one step of training; bad input is one line on standard error and status 2."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except TatianError as error:
        print(f"tatian.training: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tatian.training", description=__doc__)
    steps = parser.add_subparsers(required=True, metavar="STEP")
    prepare = steps.add_parser("prepare", help="convert a BERT checkpoint to a start directory")
    prepare.add_argument("checkpoint", type=Path)
    prepare.add_argument("start", type=Path)
    prepare.set_defaults(run=_prepare)
    for name, run in (("tokens", _tokens), ("pairs", _pairs)):
        step = steps.add_parser(name, help=f"train the {name} body")
        step.add_argument("config", type=Path, help="a JSON file; see the fields of the config")
        step.add_argument("--start", type=Path, required=True)
        step.add_argument("--data", type=Path, required=True)
        step.add_argument("--out", type=Path, required=True)
        step.add_argument("--limit", type=int, help="train on so many examples only (a dry run)")
        if name == "pairs":
            step.add_argument(
                "--teachers", type=Path, nargs="*", default=[], help="probabilities.npy of each"
            )
        step.set_defaults(run=run)
    export = steps.add_parser("export", help="write the int8 weights directory")
    export.add_argument("--start", type=Path, required=True)
    export.add_argument("--tokens", type=Path, required=True, help="the tokens run's directory")
    export.add_argument("--pairs", type=Path, required=True, help="the pairs run's directory")
    export.add_argument("--data", type=Path, required=True)
    export.add_argument("--licence", type=Path, required=True, help="the text of LICENSE.md")
    export.add_argument("--out", type=Path, required=True)
    export.set_defaults(run=_export)
    add_steps(steps)
    add_coref_steps(steps)
    add_telling_steps(steps)
    add_linking_steps(steps)
    add_naming_steps(steps)
    return parser


def _read(path: Path, kind: type[C]) -> C:
    return msgspec.json.decode(path.read_bytes(), type=kind)


def _prepare(options: argparse.Namespace) -> None:
    from tatian.training.pretrained import prepare

    prepare(options.checkpoint, options.start)


def _tokens(options: argparse.Namespace) -> None:
    from tatian.training.pretrained import Start
    from tatian.training.tokens import TokensConfig, load_token_data, train_tokens

    config = _read(options.config, TokensConfig)
    data = load_token_data(options.data, config)
    if options.limit:
        step = max(1, len(data.train) // options.limit)
        data = msgspec.structs.replace(
            data,
            train=data.train[::step],
            trees=data.trees[:20],
            names={corpus: dev[:20] for corpus, dev in data.names.items()},
        )
    train_tokens(config, Start(options.start), data, options.out)


def _pairs(options: argparse.Namespace) -> None:
    import numpy as np

    from tatian.training.pairs import (
        PairsConfig,
        combine_teachers,
        load_pair_data,
        train_pairs,
    )
    from tatian.training.pretrained import Start

    config = _read(options.config, PairsConfig)
    data = load_pair_data(options.data, config)
    if options.limit:
        data = msgspec.structs.replace(
            data,
            train=data.train[: options.limit],
            dev=data.dev[:20],
            deletions=data.deletions[:20],
        )
    loaded = [np.load(path) for path in options.teachers]
    teachers = combine_teachers(loaded, len(data.train)) if loaded else None
    train_pairs(config, Start(options.start), data, options.out, teachers=teachers)


def _export(options: argparse.Namespace) -> None:
    from tatian.training.check import check_weights, complain
    from tatian.training.export import export_weights, load_trained, pack
    from tatian.training.loop import Recipe
    from tatian.training.pairs import PairsConfig, load_pair_data
    from tatian.training.pretrained import Start
    from tatian.training.tokens import TokensConfig, load_token_data

    start = Start(options.start)
    trained = load_trained(start, options.tokens, options.pairs)
    licence = options.licence.read_text(encoding="utf-8")
    export_weights(start, trained, licence, options.out)
    recipe = Recipe(epochs=0, lr=0.0, head_lr=0.0)
    tokens = load_token_data(options.data, TokensConfig(recipe=recipe))
    pairs = load_pair_data(options.data, PairsConfig(recipe=recipe))
    scores = check_weights(options.out, start, trained, tokens, pairs)
    print(msgspec.json.format(msgspec.json.encode(scores), indent=2).decode())
    complain(scores)
    pack(options.out)


if __name__ == "__main__":
    sys.exit(main())
