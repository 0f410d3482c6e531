"""The steps of training what tells what: telling, telling-export."""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterable
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec


def add_telling_steps(steps: Any) -> None:
    """Add the two steps to the parser of ``python -m tatian.training``."""
    telling = steps.add_parser("telling", help="train the pairs body in what tells what")
    telling.add_argument(
        "config", type=Path, help="a JSON file; {} for the shipped recipe on a CPU"
    )
    telling.add_argument("--data", type=Path, required=True, help="the folder of data sets")
    telling.add_argument("--teacher", type=Path, required=True, help="a checkpoint of MPNet")
    telling.add_argument(
        "--bundles",
        type=Path,
        nargs="*",
        default=(),
        help="further folders of bundles, or files with one a line",
    )
    telling.add_argument("--out", type=Path, required=True, help="the run's directory")
    telling.add_argument("--limit", type=int, help="so many of each kind only (a dry run)")
    telling.set_defaults(run=_telling)
    export = steps.add_parser("telling-export", help="put the trained pairs body into the weights")
    export.add_argument("--telling", type=Path, required=True, help="the run's directory")
    export.set_defaults(run=_export)
    for step in (telling, export):
        step.add_argument("--weights", type=Path, required=True, help="holds the pairs body")


def _telling(options: argparse.Namespace) -> None:
    from tatian.analysis.loading import Weights
    from tatian.training.loop import Recipe
    from tatian.training.pairs import PairsConfig, load_pair_data
    from tatian.training.telling.bodies import read_teacher, started, table_of
    from tatian.training.telling.corpora import passages, reports
    from tatian.training.telling.examples import encoded_further, encoded_known, letters
    from tatian.training.telling.packed import Packed
    from tatian.training.telling.stories import Story, read_bundles, story_of
    from tatian.training.telling.train import Data, TellingConfig, train_student, train_teacher

    config = msgspec.json.decode(options.config.read_bytes(), type=TellingConfig)
    folder, limit = options.data, options.limit
    judged = read_bundles(folder / "consolidation/dev")
    folders = (folder / "consolidation/train", *options.bundles)
    stories = [story_of(one, reference=True) for each in folders for one in read_bundles(each)]
    ecbplus = folder / "coreference/ecbplus-topics-1-35.tar.gz"
    more: Iterable[Story] = chain(reports(ecbplus, judged), passages(folder / "gospels", judged))
    pairs = load_pair_data(folder, PairsConfig(recipe=Recipe(epochs=0, lr=0.0, head_lr=0.0)))
    dev = [story_of(one) for one in judged]
    if limit:
        stories, more, dev = stories[:1], islice(more, 1), []
        pairs = msgspec.structs.replace(
            pairs, train=pairs.train[:limit], dev=pairs.dev[:20], deletions=pairs.deletions[:20]
        )
    weights = Weights(options.weights)
    held = {letters(one.text) for story in dev for one in story.sentences}
    examples = (
        encoded_known(stories, folder / "union/train.csv", weights.pieces, held)[:limit],
        encoded_further(more, weights.pieces)[:limit],
    )
    known, further = (Packed.of(some, config.device) for some in examples)
    data = Data(weights.pieces, pairs, dev)
    teacher, vectors = read_teacher(options.teacher, weights.pieces)
    vectors = vectors.to(config.device)
    train_teacher(config, teacher, vectors, data, known, options.out / "teacher")
    recipe = msgspec.structs.replace(config.teacher, device=config.device)
    known.taught(teacher, vectors, recipe, config.taught)
    further.taught(teacher, vectors, recipe, 1.0)
    sources = {"known": known, "further": further}
    model, table = started(options.weights), table_of(options.weights)
    print(train_student(config, model, table, data, sources, options.out))


def _export(options: argparse.Namespace) -> None:
    import torch

    from tatian.training.export import export_body, shrink, write_checksums
    from tatian.training.telling.bodies import started

    model = started(options.weights)
    model.load_state_dict(torch.load(options.telling / "pairs.pt", map_location="cpu"))
    plain = options.weights / "pairs.onnx"
    export_body(shrink(model.eval()), "pairs", plain)
    packed = options.weights / "pairs.onnx.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes(), 9, mtime=0))
    plain.unlink()
    write_checksums(options.weights)
