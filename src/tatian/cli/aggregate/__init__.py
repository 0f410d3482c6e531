"""``tatian aggregate``: what one phrase names this set of things, in this text?"""

from __future__ import annotations

import click

from tatian.cli.common import LazyGroup
from tatian.cli.options import examples


@click.group(
    cls=LazyGroup,
    targets={
        "rank": "tatian.cli.aggregate.models:rank",
        "score": "tatian.cli.aggregate.score:score",
        "generate": "tatian.cli.aggregate.models:generate",
        "show": "tatian.cli.aggregate.table:show",
        "table": "tatian.cli.aggregate.table:table",
        "sets": "tatian.cli.aggregate.models:sets",
        "extract": "tatian.cli.aggregate.corpus:extract",
        "mine": "tatian.cli.aggregate.corpus:mine",
        "dataset": "tatian.cli.aggregate.data:dataset",
        "task": "tatian.cli.aggregate.data:task",
        "stats": "tatian.cli.aggregate.data:stats",
    },
    epilog=examples(
        "tatian aggregate dataset answers.jsonl --instances instances.jsonl -o dataset.jsonl",
        "tatian aggregate task dataset.jsonl -o task/",
        "tatian aggregate stats task/*.jsonl",
    ),
)
def aggregate() -> None:
    """Aggregation: name several things with one phrase."""
