"""Train the shipped logistic ranker.

python scripts/train_logistic.py mined.jsonl --sets corpus/aggregation/sets.txt
"""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec

from tatian.aggregation.data.background import Backgrounds
from tatian.aggregation.data.jsonl import read
from tatian.aggregation.models.logistic import SHIPPED, LogisticRanker
from tatian.knowledge import open_base
from tatian.training.ranker import read_sets, with_candidates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("train", type=Path, help="a ranking task")
    parser.add_argument("--sets", type=Path, help="sets with their names, of which a task is made")
    parser.add_argument("--kb", default="starter")
    parser.add_argument("-o", "--output", type=Path, default=SHIPPED)
    chosen = parser.parse_args()
    backgrounds = Backgrounds(open_base(chosen.kb))
    instances = list(read(str(chosen.train)))
    if chosen.sets:
        instances += with_candidates(list(read_sets(chosen.sets)))
    training = [backgrounds.fill(instance) for instance in instances]
    odds = LogisticRanker(training, counting=False).odds | {"frequency": 0.0}
    chosen.output.write_bytes(msgspec.json.format(msgspec.json.encode(odds), indent=2) + b"\n")
    print(f"{len(training)} instances")


if __name__ == "__main__":
    main()
