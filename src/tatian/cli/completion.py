"""``tatian completion``: a script that teaches the shell our commands."""

from __future__ import annotations

import click

from tatian.cli.common import examples, write

SHELLS = ("bash", "zsh", "fish")


@click.command(
    epilog=examples(
        'eval "$(tatian completion bash)"        # in ~/.bashrc',
        'eval "$(tatian completion zsh)"         # in ~/.zshrc',
        "tatian completion fish > ~/.config/fish/completions/tatian.fish",
    )
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
