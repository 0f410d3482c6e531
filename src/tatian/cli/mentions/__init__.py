"""``tatian mentions``: which things a text talks about, and which Wikipedia page each is."""

from __future__ import annotations

import click

from tatian.cli.common import examples
from tatian.cli.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    targets={
        "detect": "tatian.cli.mentions.detect:detect",
        "stats": "tatian.cli.mentions.stats:stats",
        "score": "tatian.cli.mentions.score:score",
        "project": "tatian.cli.mentions.project:project",
        "simulate": "tatian.cli.mentions.simulate:simulate",
        "agree": "tatian.cli.mentions.agree:agree",
        "convert": "tatian.cli.mentions.convert:convert",
        "sample": "tatian.cli.mentions.sample:sample",
        "split": "tatian.cli.mentions.sample:split",
        "serve": "tatian.cli.mentions.serve:serve",
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
