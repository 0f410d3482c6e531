"""``tatian completion`` and ``schema``: what a shell or a program must know of our commands."""

from __future__ import annotations

import click

from tatian.cli.common import write, write_json
from tatian.cli.options import command

SHELLS = ("bash", "zsh", "fish")


@command(
    'eval "$(tatian completion bash)"        # in ~/.bashrc',
    'eval "$(tatian completion zsh)"         # in ~/.zshrc',
    "tatian completion fish > ~/.config/fish/completions/tatian.fish",
)
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell."""
    from click.shell_completion import get_completion_class

    maker = get_completion_class(shell)
    if maker is None:
        raise click.UsageError(f"no completion for {shell}")
    write(maker(ctx.find_root().command, {}, "tatian", "_TATIAN_COMPLETE").source())


@command(
    "tatian schema consolidation > consolidation.schema.json",
    "tatian schema document",
)
@click.argument("name", type=click.Choice(["consolidation", "document", "trace"]))
def schema(name: str) -> None:
    """Print the JSON Schema of an output.

    'consolidation' is what 'consolidate --to json' writes, 'trace' what 'trace --to json' writes,
    'document' what Document.to_json gives and what .jsonl inputs may hold.
    """
    from tatian.consolidation.schema import shipped

    write_json(shipped(name))
