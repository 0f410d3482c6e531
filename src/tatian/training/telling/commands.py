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
    telling.add_argument(
        "--unions", type=Path, nargs="*", default=(), help="bundles whose unions alone are read"
    )
    telling.add_argument("--out", type=Path, required=True, help="the run's directory")
    telling.add_argument("--limit", type=int, help="so many of each kind only (a dry run)")
    telling.set_defaults(run=_telling)
    export = steps.add_parser("telling-export", help="put the trained pairs body into the weights")
    export.add_argument("--telling", type=Path, required=True, help="the run's directory")
    export.set_defaults(run=_export)
    telling.add_argument("--start", type=Path, required=True)
    export.add_argument("--weights", type=Path, required=True, help="where the body goes")


def _telling(options: argparse.Namespace) -> None:
    from tatian.training.loop import Recipe
    from tatian.training.pairs import PairsConfig, load_pair_data
    from tatian.training.pretrained import Start
    from tatian.training.references import project_unions
    from tatian.training.stories import Story, letters, read_bundles, story_of
    from tatian.training.telling.bodies import read_teacher, untaught
    from tatian.training.telling.corpora import passages, reports
    from tatian.training.telling.examples import encoded_further, encoded_known
    from tatian.training.telling.packed import Packed
    from tatian.training.telling.train import Data, TellingConfig, train_student, train_teacher

    config = msgspec.json.decode(options.config.read_bytes(), type=TellingConfig)
    folder, limit = options.data, options.limit
    judged = read_bundles(folder / "consolidation/dev")
    own = folder / "consolidation/train"
    folders = (own, *options.bundles)
    stories = [story_of(one, reference=True) for each in folders for one in read_bundles(each)]
    ecbplus = folder / "coreference/ecbplus-topics-1-35.tar.gz"
    more: Iterable[Story] = chain(reports(ecbplus, judged), passages(folder / "gospels", judged))
    idle = PairsConfig(recipe=Recipe(epochs=0, lr=0.0, head_lr=0.0))
    pairs = load_pair_data(folder, idle, options.unions)
    unions = project_unions((own, *options.unions))
    dev = [story_of(one) for one in judged]
    if limit:
        stories, more, dev, unions = stories[:1], islice(more, 1), [], unions[:1]
        pairs = msgspec.structs.replace(
            pairs, train=pairs.train[:limit], dev=pairs.dev[:20], deletions=pairs.deletions[:20]
        )
    start = Start(options.start)
    held = {letters(one.text) for story in dev for one in story.sentences}
    examples = (
        encoded_known(stories, unions, start.pieces, held)[:limit],
        encoded_further(more, start.pieces)[:limit],
    )
    known, further = (Packed.of(some, config.device) for some in examples)
    data = Data.of(start.pieces, pairs, dev, start.table, config.copies)
    teacher, vectors = read_teacher(options.teacher, start.pieces)
    vectors = vectors.to(config.device)
    said = train_teacher(config, teacher, vectors, data, known, options.out / "teacher")
    recipe = msgspec.structs.replace(config.teacher, device=config.device)
    known.taught(teacher, vectors, recipe, config.taught)
    further.taught(teacher, vectors, recipe, 1.0)
    sources = {"known": known, "further": further}
    print(train_student(config, untaught(start), start.table, data, sources, said, options.out))


def _export(options: argparse.Namespace) -> None:
    import torch

    from tatian.analysis.telling import OTHER_SAME
    from tatian.training.export import export_body, shrink, write_checksums
    from tatian.training.model import BodyShape, PairsModel

    model = PairsModel(BodyShape(segments=OTHER_SAME + 1))
    model.load_state_dict(torch.load(options.telling / "pairs.pt", map_location="cpu"))
    plain = options.weights / "pairs.onnx"
    export_body(shrink(model.eval()), "pairs", plain)
    packed = options.weights / "pairs.onnx.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes(), 9, mtime=0))
    plain.unlink()
    write_checksums(options.weights)
