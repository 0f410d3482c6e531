"""Value of the steps after a linker: whole names, repeats, the topic's place.

    python benchmarks/mentions_steps.py --kb KB [--data DIR] [--models A,B,...]

F1 by strong matching, for gold whose page is in the base, on texts that the trained linker has not
seen: conversations-dev and the second halves of the other sets. Each column is the linker's own
links with one step added. "All repeats" repeats unsure links too. The bound below which links are
not repeated was chosen on the whole sets, so "repeats" is slightly overestimated.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from data_folder import DATA
from mentions import HALVED, SEED, WHOLE, Base
from tatian.errors import TatianError
from tatian.formats.links import links_of, topic_of
from tatian.knowledge import KnowledgeBase, open_base
from tatian.mentions.data import split_in_halves
from tatian.mentions.detection import (
    detect_all,
    drop_unrelated,
    with_repeats,
    with_specific,
    with_titles,
)
from tatian.mentions.metrics import score
from tatian.mentions.models import detectors
from tatian.statistics import Cell, Column, Table
from tatian.text import Document, Link

Step = Callable[[Document], list[Link]]
MIN_RELATEDNESS = 0.1


def steps(base: KnowledgeBase) -> dict[str, Step]:
    """Return the steps by their names in the table."""
    return {
        "as linked": lambda text: list(links_of(text)),
        "repeats": lambda text: with_repeats(text.text, links_of(text)),
        "all repeats": lambda text: with_repeats(text.text, links_of(text), least=0.0),
        "whole names": lambda text: with_titles(text.text, links_of(text)),
        "specific": lambda text: with_specific(text.text, links_of(text), topic_of(text), base),
        f"related {MIN_RELATEDNESS}": lambda text: drop_unrelated(
            text.text, links_of(text), topic_of(text), base, MIN_RELATEDNESS
        ),
    }


def unseen(base: Base, data: Path) -> dict[str, list[Document]]:
    """Return the sets without the training data of the linker."""
    texts = {name: base.read(data / file, None) for name, file in WHOLE.items()}
    for name, file in HALVED.items():
        texts[name] = list(split_in_halves(base.read(data / file, None), seed=SEED)[1])
    return texts


def measure(models: list[str], base: Base, data: Path) -> Table:
    """Tabulate a row for each model and set, with the mean of the sets below."""
    sets = unseen(base, data)
    columns = steps(base.base)
    rows: list[tuple[Cell, ...]] = []
    for name in models:
        linker = detectors.create(name, kb=base.base)
        figures: list[list[float]] = []
        for title, gold in sets.items():
            linked = list(detect_all(gold, linker, repeats=False, specific=False))
            figures.append([])
            for step in columns.values():
                stepped = [replace(document, mentions=tuple(step(document))) for document in linked]
                scores = score(gold, stepped, in_kb=base.has_page, redirects=base.redirected)
                figures[-1].append(scores.f1)
            rows.append((name, title, *figures[-1]))
        means = [sum(column) / len(column) for column in zip(*figures, strict=True)]
        rows.append((name, "mean", *means))
    head = ["model", "texts", *(Column(name, precision=1, scale=100) for name in columns)]
    return Table.of(head, rows, title="Steps after a linker: F1")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kb", required=True)
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--models", default="tatian,tagme,prior")
    options = parser.parse_args()
    try:
        with open_base(options.kb) as base:
            table = measure(options.models.split(","), Base(base), options.data / "mentions")
    except TatianError as error:
        sys.exit(f"mentions_steps: {error}")
    print(table.render("text"))


if __name__ == "__main__":
    main()
