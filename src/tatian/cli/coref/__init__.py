"""``tatian coref``: which phrases talk about the same thing."""

from __future__ import annotations

import click

from tatian.cli.common import examples
from tatian.cli.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    targets={
        "score": "tatian.cli.coref.score:score",
        "diff": "tatian.cli.coref.diff:diff",
        "check": "tatian.cli.coref.check:check",
        "convert": "tatian.cli.coref.convert:convert",
        "expand": "tatian.cli.coref.expand:expand",
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
