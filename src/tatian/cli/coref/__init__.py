"""``tatian coref``: which phrases talk about the same thing."""

from __future__ import annotations

import click

from tatian.cli.common import LazyGroup
from tatian.cli.options import examples


@click.group(
    cls=LazyGroup,
    targets={
        "score": "tatian.cli.coref.score:score",
        "diff": "tatian.cli.coref.errors:diff",
        "check": "tatian.cli.coref.errors:check",
        "convert": "tatian.cli.coref.data:convert",
        "expand": "tatian.cli.coref.resolve:expand",
        "resolve": "tatian.cli.coref.resolve:resolve",
    },
    epilog=examples(
        "tatian coref resolve story.txt",
        "tatian coref score key.conll response.conll",
        "tatian coref check key.sgm",
        "tatian coref convert key.sgm --to conll",
    ),
)
def coref() -> None:
    """Coreference: resolve, score, compare, check, convert it."""
