"""``tatian annotate``: the server where people annotate and judge."""

from __future__ import annotations

import click

from tatian.cli.common import examples
from tatian.cli.lazy import LazyGroup


@click.group(
    cls=LazyGroup,
    targets={"serve": "tatian.cli.annotate.serve:serve"},
    epilog=examples(
        "tatian annotate serve",
        "tatian annotate serve --database postgresql://localhost/tatian --no-demo",
    ),
)
def annotate() -> None:
    """Serve the workbench where people annotate and judge."""
