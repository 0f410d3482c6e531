"""Write docs/commands.md, the reference of all commands, from the help texts of the code.

    python scripts/command_reference.py            write the page
    python scripts/command_reference.py --print    print it instead

A test compares the page with the code. Run this after you change a command or its help.
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from tatian.cli import main
from tatian.cli.commands import examples_of

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
GUIDES = {
    "consolidate": "consolidate.md",
    "trace": "trace.md",
    "desk": "desk.md",
    "stories": "stories.md",
    "facts": "facts.md",
    "analyze": "analysis.md",
    "entail": "analysis.md",
    "claims": "claims.md",
    "mentions": "mentions.md",
    "coref": "coreference.md",
    "aggregate": "aggregation.md",
    "union": "union-evaluation.md",
    "union generate": "union-reports.md",
    "union pairs": "union-data.md",
    "union relations": "union-data.md",
    "union check": "union-data.md",
    "union representative": "union-data.md",
    "union stats": "union-data.md",
    "kb": "knowledge.md",
    "annotate": "workbench.md",
    "campaign": "workbench.md",
    "train": "language-models.md",
    "mcp": "mcp.md",
    "models": "models.md",
    "doctor": "models.md",
    "schema": "formats.md",
}
"""The page that explains each command, or the other commands of a group, at length."""
BEGINNING = """\
# Commands

This page is written from the help texts by `python scripts/command_reference.py`.
`tatian COMMAND --help` prints the same text in the terminal.

## All commands

| command | what it does |
|---|---|
{commands}

`tatian --version` prints the version, `tatian --help` the list above.

## Rules that hold for every command

- Every command reads `.gz` files and takes `-` for standard input. An output file named `.gz` is
  compressed.
- The result goes to standard output, everything else to standard error. A progress bar is drawn on
  a terminal only.
- A mistake in the input is reported in one line that begins `tatian: error:`. The exit status is
  then 2. The same holds for a standard output that is closed or full.
- `--to` chooses the format of a result. `--format` prints a report as text or JSON.
- The same input gives the same output.
- `-o` writes to a temporary file (`.tatian-….part`) in the same folder and renames it at the end.
  After an error, a full disk or Ctrl-C, the old file is unchanged. Symbolic links stay links, and
  the mode of an existing file is kept. Pipes, devices and `/dev/stdout` are written to directly.
- A command refuses to overwrite one of its inputs, or a SQLite database that is in use.
- For completion in the shell, add `eval "$(_TATIAN_COMPLETE=bash_source tatian)"` to `~/.bashrc`,
  or the same with `zsh_source` to `~/.zshrc`. For fish, write the output of
  `_TATIAN_COMPLETE=fish_source tatian` to `~/.config/fish/completions/tatian.fish`.
"""


def format_page() -> str:
    """Return the whole page as Markdown."""
    top = [
        f"| [`tatian {name}`](#{_anchor(name, command)}) | {_short(command)} |"
        for name, command in _children(main)
    ]
    parts = [BEGINNING.format(commands="\n".join(top))]
    parts += [_section(path, command) for path, command in walk_commands(main, "tatian")]
    return "\n".join(parts)


def walk_commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield every command that can be run, with the words that run it."""
    if isinstance(command, click.Group):
        for name, child in _children(command):
            yield from walk_commands(child, f"{path} {name}")
    else:
        yield path, command


def _children(group: click.Group) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        if (child := group.get_command(context, name)) and not child.hidden:
            yield name, child


def _anchor(name: str, command: click.Command) -> str:
    path, _ = next(walk_commands(command, f"tatian {name}"))
    return path.replace(" ", "-")


def _short(command: click.Command) -> str:
    return _cell(inspect.cleandoc(command.help or "").split("\n\n")[0])


def _section(path: str, command: click.Command) -> str:
    context = click.Context(command, info_name=path)
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    lines = [f"## `{path}`", "", _prose(command.help or ""), ""]
    group, _, command_name = path.removeprefix("tatian ").partition(" ")
    guide = GUIDES.get(f"{group} {command_name}", GUIDES[group])
    lines += [f"    {usage}", "", f"Guide: [{guide.removesuffix('.md')}]({guide})", ""]
    options = (item for item in command.params if isinstance(item, click.Option))
    rows = [_row(option, context) for option in options if not option.hidden]
    if rows:
        lines += [*rows, ""]
    if shown := examples_of(path):
        lines += ["```text", *shown, "```", ""]
    return "\n".join(lines)


def _row(option: click.Option, context: click.Context) -> str:
    record = option.get_help_record(context)
    assert record
    names, meaning = record
    limit = re.compile(r"(?:; |  \[)x>=1\b\]?")
    meaning = limit.sub(lambda match: "]" if match[0][0] == ";" else "", meaning)
    meaning = re.sub(r"\b([\d.]+)<=x<=([\d.]+)", r"from \1 to \2", meaning)
    meaning = meaning.replace("x>=", "at least ").replace("x>", "above ")
    text = f"- `{names}`: {' '.join(_marked(meaning).split())}"
    return textwrap.fill(
        text, 118, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _prose(text: str) -> str:
    return _marked(inspect.cleandoc(text.partition("\f")[0]).replace("\b\n", ""))


def _marked(text: str) -> str:
    """Return the text with commands and options as code, and without signs that begin a tag."""
    text = re.sub(r"(?<!\w)'([^']{1,60})'(?!\w)", r"`\1`", text)
    parts = re.split(r"(`[^`]*`)", text)
    plain = (
        re.sub(r"(?<![\w-])(--?[a-z][\w-]*)", r"`\1`", part).replace("<", "&lt;")
        for part in parts[::2]
    )
    parts[::2] = plain
    return "".join(parts)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    if "--print" in sys.argv[1:]:
        print(format_page(), end="")
    else:
        PAGE.write_text(format_page(), "utf-8")
