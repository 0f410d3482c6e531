"""Train the logistic ranker that is shipped in the package.

    python scripts/train_logistic.py news-train.jsonl

The frequencies of phrases are left out: they would have to be shipped with the phrases.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from msgspec.structs import replace

from tatian.aggregation.background import Backgrounds
from tatian.aggregation.data.jsonl import read
from tatian.aggregation.models.logistic.coefficients import SHIPPED, save
from tatian.aggregation.models.logistic.ranker import LogisticRanker
from tatian.knowledge import open_base


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("train", type=Path)
    parser.add_argument("--kb", default="starter")
    parser.add_argument("-o", "--output", type=Path, default=SHIPPED)
    chosen = parser.parse_args()
    backgrounds = Backgrounds(open_base(chosen.kb))
    training = [backgrounds.fill(one) for one in read(str(chosen.train))]
    model = LogisticRanker(training, ablate=["frequency"]).model
    origin = replace(model.origin, data=f"{chosen.train.name} {model.origin.data}, {chosen.kb}")
    chosen.output.parent.mkdir(parents=True, exist_ok=True)
    save(replace(model, origin=origin), chosen.output)
    print(f"{origin.instances} instances, background of {origin.described} of {origin.entities}")


if __name__ == "__main__":
    main()
