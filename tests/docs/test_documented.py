"""What exists is documented, and what is documented exists."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec
import yaml

import tatian
from tatian.cli import main

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
STATUSES = ("works", "planned", "not reproducible here")


def walk(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Every command of the tree that can be run, with the words that run it."""
    if isinstance(command, click.Group):
        for name, child in command.commands.items():
            yield from walk(child, f"{path} {name}")
    else:
        yield path, command


COMMANDS = dict(walk(main, "tatian"))


def long_options(command: click.Command) -> set[str]:
    """The long names of a command's options, without `--help`, which all have."""
    return {
        name
        for parameter in command.params
        if isinstance(parameter, click.Option) and not parameter.hidden
        for name in (*parameter.opts, *parameter.secondary_opts)
        if name.startswith("--")
    }


def sections(page: Path) -> dict[str, str]:
    """The text below each heading of a page, by the heading's words."""
    parts = re.split(r"^#+ +(.+)$", page.read_text("utf-8"), flags=re.MULTILINE)
    titles = [title.replace("`", "").strip() for title in parts[1::2]]
    return dict(zip(titles, parts[2::2], strict=True))


def paper_rows() -> list[list[str]]:
    """The cells of every row of the tables in papers.md."""
    lines = (DOCS / "papers.md").read_text("utf-8").splitlines()
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]
    return [row for row in rows if row[0] != "place" and set(row[0]) != {"-"}]


def test_page_of_commands_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "command_reference.py", "--print"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    advice = "run 'python scripts/command_reference.py'"
    assert (DOCS / "commands.md").read_text("utf-8") == done.stdout, advice


def test_every_command_has_a_section_with_all_its_options() -> None:
    found = sections(DOCS / "commands.md")
    assert [path for path in COMMANDS if path not in found] == []
    named = {
        path: set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", " ".join(option_names(found[path]))))
        for path in COMMANDS
    }
    assert named == {path: long_options(command) for path, command in COMMANDS.items()}


def option_names(section: str) -> list[str]:
    """The beginnings of a section's list: the names of the options."""
    return re.findall(r"^- `(-[^`]*)`: ", section, flags=re.MULTILINE)


def test_sections_describe_existing_commands() -> None:
    described = {title for title in sections(DOCS / "commands.md") if title.startswith("tatian ")}
    assert described == set(COMMANDS)


def test_the_options_of_the_main_command_are_documented() -> None:
    named = set(re.findall(r"--[a-z][a-z-]*", sections(DOCS / "commands.md")["All commands"]))
    assert long_options(main) <= named


def test_every_public_name_is_shown_by_an_example() -> None:
    page = (DOCS / "api.md").read_text("utf-8")
    examples = "".join(re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL))
    absent = [name for name in tatian.__all__ if not re.search(rf"\btatian\.{name}\b", examples)]
    assert absent == []


def test_every_field_of_a_consolidation_is_explained() -> None:
    _, types = msgspec.json.schema_components([tatian.Consolidation])
    fields = {name for described in types.values() for name in described.get("properties", ())}
    page = (DOCS / "consolidate.md").read_text("utf-8")
    explained = set(re.findall(r"\b\w+\b", " ".join(re.findall(r"`([^`\n]+)`", page))))
    assert fields - explained == set()


def test_every_page_is_in_the_navigation() -> None:
    listed = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text("utf-8")))
    assert listed == {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}


def test_the_site_loads_nothing_from_elsewhere() -> None:
    theme = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["theme"]
    assert theme["font"] is False


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "index.html").is_file()


def test_every_place_in_the_papers_has_one_of_three_statuses() -> None:
    for row in paper_rows():
        assert len(row) == 4, row
        assert row[3].startswith(STATUSES), row


def test_results_that_cannot_be_reproduced_give_a_reason() -> None:
    for row in paper_rows():
        if row[3].startswith("not reproducible here"):
            assert re.match(r"not reproducible here: \w+", row[3]), row


def test_commands_on_the_papers_page_exist() -> None:
    named = {
        text: row[0]
        for row in paper_rows()
        if row[3].startswith("works")
        for text in re.findall(r"`(tatian[^`]*)`", row[2])
    }
    assert named
    absent = [f"{place}: {text}" for text, place in named.items() if not exists(text)]
    assert absent == []


def test_names_in_the_glossary_exist() -> None:
    named = re.findall(r"`(tatian\.[\w.]+)`", (DOCS / "glossary.md").read_text("utf-8"))
    assert named
    assert [name for name in named if not resolves(name)] == []


def exists(text: str) -> bool:
    """Whether what a page names is a command, or a name that Python finds."""
    if text.startswith("tatian "):
        return any(text == path or text.startswith(path + " ") for path in COMMANDS)
    return resolves(text)


def resolves(dotted: str) -> bool:
    """Whether a dotted name is a module, or something reached from one."""
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        for part in parts[cut:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False
