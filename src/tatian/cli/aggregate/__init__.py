"""``tatian aggregate``: what one phrase names this set of things, in this text?"""

from __future__ import annotations

import click

from tatian.cli.common import examples
from tatian.cli.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    targets={
        "rank": "tatian.cli.aggregate.rank:rank",
        "score": "tatian.cli.aggregate.score:score",
        "generate": "tatian.cli.aggregate.generate:generate",
        "show": "tatian.cli.aggregate.show:show",
        "table": "tatian.cli.aggregate.table:table",
        "sets": "tatian.cli.aggregate.sets:sets",
        "extract": "tatian.cli.aggregate.extract:extract",
        "mine": "tatian.cli.aggregate.mine:mine",
        "dataset": "tatian.cli.aggregate.dataset:dataset",
        "task": "tatian.cli.aggregate.task:task",
        "stats": "tatian.cli.aggregate.stats:stats",
    },
    epilog=examples(
        "tatian aggregate dataset answers.jsonl --instances instances.jsonl -o dataset.jsonl",
        "tatian aggregate task dataset.jsonl -o task/",
        "tatian aggregate stats task/*.jsonl",
    ),
)
def aggregate() -> None:
    """Aggregation: name several things with one phrase."""
