"""``tatian schema``: the JSON Schemas of what Tatian writes."""

from __future__ import annotations

import json

import click

from tatian.cli.common import examples, write


@click.command(
    epilog=examples(
        "tatian schema consolidation > consolidation.schema.json",
        "tatian schema document",
    )
)
@click.argument("name", type=click.Choice(["consolidation", "document", "trace"]))
def schema(name: str) -> None:
    """Print the JSON Schema of an output.

    'consolidation' is what 'consolidate --to json' writes, 'trace' what 'trace --to json' writes,
    'document' what Document.to_json gives and what .jsonl inputs may hold.
    """
    from tatian.consolidation.schema import shipped

    write(json.dumps(shipped(name), ensure_ascii=False, indent=2))
