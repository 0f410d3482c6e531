"""``tatian kb``: the knowledge base that mentions are linked to."""

from __future__ import annotations

import click

from tatian.cli.common import examples
from tatian.cli.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    targets={
        "build": "tatian.cli.kb.build:build",
        "info": "tatian.cli.kb.info:info",
        "lookup": "tatian.cli.kb.lookup:lookup",
    },
    epilog=examples(
        "tatian kb lookup starter Paris",
        "tatian kb build enwiki-pages-articles.xml.bz2 titles.txt -o wiki.kb",
        "tatian kb info wiki.kb",
    ),
)
def kb() -> None:
    """Knowledge bases: build one, see what it holds, look terms up."""
