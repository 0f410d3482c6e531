"""A package outside the tree, made and installed as a guide of the documentation says."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

from .docs.test_code_blocks import Block, blocks_of, commands_of

DOCS = Path(__file__).parents[1] / "docs"


def guide(page: str, heading: str) -> list[Block]:
    """The blocks of a page's section, which is the last."""
    text = (DOCS / page).read_text("utf-8")
    return blocks_of(text[text.index(f"## {heading}") :])


def install(blocks: list[Block], folder: Path) -> None:
    """Write the guide's module into a folder, beside what its project file makes of it."""
    (module,) = (block for block in blocks if block.title)
    (folder / str(module.title)).write_text(module.text)
    (project,) = (
        tomllib.loads(block.text)["project"] for block in blocks if block.language == "toml"
    )
    about = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    about.mkdir()
    named = f"Name: {project['name']}\nVersion: {project['version']}\n"
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\n{named}")
    points = [
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in entries.items())
        for group, entries in project["entry-points"].items()
    ]
    (about / "entry_points.txt").write_text("\n".join(points))


def follow(blocks: list[Block], folder: Path) -> None:
    """Run the guide's commands where the package is installed; they print what is shown."""
    console = next(block for block in blocks if block.language == "console")
    installed, *commands = commands_of(console.text)
    assert installed.text == "pip install ."
    for command in commands:
        assert run(command.text, folder) == "".join(f"{line}\n" for line in command.shown)


def run(command: str, folder: Path) -> str:
    """What a command prints where the package is installed."""
    tatian = f"{sys.executable} -m tatian"
    script = f'tatian() {{ {tatian} "$@"; }}; python() {{ {sys.executable} "$@"; }}; {command}'
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout
