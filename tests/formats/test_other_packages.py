"""A format of another package, made as docs/formats.md says, to the letter."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ..docs.test_code_blocks import Block, blocks_of, commands_of

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def guide() -> list[Block]:
    """The blocks of the page's section."""
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    return blocks_of(page[page.index("## Add a format") :])


@pytest.fixture(scope="module")
def package(guide: list[Block], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside the tree with the example's module, installed as its project file says."""
    folder = tmp_path_factory.mktemp("outside")
    (module,) = (block for block in guide if block.title)
    (folder / str(module.title)).write_text(module.text)
    (project,) = (
        tomllib.loads(block.text)["project"] for block in guide if block.language == "toml"
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
    return folder


def test_the_guide_can_be_followed_to_the_letter(guide: list[Block], package: Path) -> None:
    console = next(block for block in guide if block.language == "console")
    installed, *commands = commands_of(console.text)
    assert installed.text == "pip install ."
    for command in commands:
        assert run(command.text, package) == "".join(f"{line}\n" for line in command.shown)


def test_a_format_of_another_package_is_listed_and_its_losses_are_told(package: Path) -> None:
    shown = run("tatian mentions convert --help", package)
    assert "brackets" in shown
    record = '{"id":"1","text":"Oslo","topic":"T","mentions":[]}'
    done = run(f"echo '{record}' | tatian mentions convert - --to brackets 2>&1", package)
    assert "topics (1; first in '1')" in done
    assert done.endswith("Oslo\n")


def test_a_broken_format_of_another_package_leaves_the_others(tmp_path: Path) -> None:
    about = tmp_path / "lost-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: lost\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[tatian.formats]\nlost = no_such_package:FORMAT\n")
    names = "from tatian import formats; print(formats.find('nif').name)"
    done = run(f'python -c "{names}" 2>&1', tmp_path)
    assert "cannot load format 'lost'" in done
    assert done.endswith("nif\n")


def run(command: str, package: Path) -> str:
    """What a command prints where the package is installed."""
    tatian = f"{sys.executable} -m tatian"
    script = f'tatian() {{ {tatian} "$@"; }}; python() {{ {sys.executable} "$@"; }}; {command}'
    path = os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=package,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout
