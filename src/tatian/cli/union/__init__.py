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
    },
    epilog=examples(
        "tatian union generate eval.csv > predicted.csv",
        "tatian union score eval.csv predicted.csv",
    ),
)
def union() -> None:
    """Sentence union: generate it, score it."""
