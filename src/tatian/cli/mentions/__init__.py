"""``tatian mentions``: which things a text talks about, and which Wikipedia page each is."""

from __future__ import annotations

import click

from tatian.cli.common import LazyGroup
from tatian.cli.options import examples


@click.group(
    cls=LazyGroup,
    targets={
        "detect": "tatian.cli.mentions.detect:detect",
        "stats": "tatian.cli.mentions.data:stats",
        "score": "tatian.cli.mentions.score:score",
        "project": "tatian.cli.mentions.data:project",
        "simulate": "tatian.cli.mentions.data:simulate",
        "agree": "tatian.cli.mentions.annotation:agree",
        "convert": "tatian.cli.mentions.data:convert",
        "sample": "tatian.cli.mentions.annotation:sample",
        "split": "tatian.cli.mentions.annotation:split",
        "serve": "tatian.cli.mentions.detect:serve",
    },
    epilog=examples(
        "tatian mentions detect story.txt --to html -o story.html",
        "tatian mentions stats VoxEL.ttl",
        "tatian mentions convert aquaint.tar.gz --to nif",
        "tatian mentions score gold.jsonl found.jsonl",
    ),
)
def mentions() -> None:
    """Mentions: find, link, score, count and convert them."""
