"""``tatian union``: one sentence that says everything two or more sentences say."""

from __future__ import annotations

import click

from tatian.cli.common import LazyGroup
from tatian.cli.options import examples


@click.group(
    cls=LazyGroup,
    targets={
        "generate": "tatian.cli.union.generate:generate",
        "score": "tatian.cli.union.show:score",
        "compare": "tatian.cli.union.show:compare",
        "side-by-side": "tatian.cli.union.people:side_by_side",
        "ratings": "tatian.cli.union.people:ratings",
        "marks": "tatian.cli.union.people:marks",
        "show": "tatian.cli.union.show:show",
        "plot": "tatian.cli.union.show:plot",
        "pairs": "tatian.cli.union.generate:pairs",
        "relations": "tatian.cli.union.generate:relations",
        "check": "tatian.cli.union.data:check",
        "representative": "tatian.cli.union.data:representative",
        "stats": "tatian.cli.union.data:stats",
    },
    epilog=examples(
        "tatian union generate eval.csv > predicted.csv",
        "tatian union score eval.csv predicted.csv",
    ),
)
def union() -> None:
    """Sentence union: generate it, score it, compare and show it."""
