"""``tatian union``: one sentence that says everything two or more sentences say."""

from __future__ import annotations

import click

from tatian.cli.common import examples
from tatian.cli.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    targets={
        "generate": "tatian.cli.union.generate:generate",
        "score": "tatian.cli.union.score:score",
        "compare": "tatian.cli.union.compare:compare",
        "side-by-side": "tatian.cli.union.side_by_side:side_by_side",
        "ratings": "tatian.cli.union.ratings:ratings",
        "marks": "tatian.cli.union.marks:marks",
        "show": "tatian.cli.union.show:show",
        "plot": "tatian.cli.union.plot:plot",
        "pairs": "tatian.cli.union.pairs:pairs",
        "relations": "tatian.cli.union.relations:relations",
        "check": "tatian.cli.union.check:check",
        "representative": "tatian.cli.union.representative:representative",
        "stats": "tatian.cli.union.stats:stats",
    },
    epilog=examples(
        "tatian union generate eval.csv > predicted.csv",
        "tatian union score eval.csv predicted.csv",
    ),
)
def union() -> None:
    """Sentence union: generate it, score it, compare and show it."""
