"""Every code block in the documentation is run, so that what the pages show is true.

The blocks of one page run in order, in one directory that looks like the repository root but can
be written to, and the page's Python blocks share one namespace:

- ``python``: executed; ``print(x)  # text`` must print that text. With ``title="name.py"`` the
  block is written to that file instead, for later blocks to use.
- ``console``: a line that begins with ``$ `` is run by bash (``> `` continues it), and what is
  shown below it must be what it prints; a last line ``...`` stands for more of the same. A command
  may fail only if what is shown begins with ``tatian: error:``.
- ``bash``: the whole block is run as one script.

A block that installs something is marked by ``<!-- not run: reason -->`` on the line before it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import runpy
import shlex
import subprocess
import sys
import sysconfig
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

from .. import inside

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLES = Path(__file__).with_name("command_examples.md")
"""A block or two for each command, beside the reference that is written from the help texts."""
PAGES = [
    ROOT / "README.md",
    *sorted([*DOCS.glob("*.md"), *DOCS.glob("tutorials/*.md"), *DOCS.glob("research/*.md")]),
    EXAMPLES,
]
RUN = {"python", "console", "bash"}
SHOWN = {"text", "json", "toml", "csv", "bibtex", "javascript", "markdown"}
INSTALLS = re.compile(
    r"pip (?:install|download)|models install|scripts/test|docker |\.ci/run|--install-completion"
)

FENCE = re.compile(r"^(?P<indent> *)```(?P<info>.*)$")
MARK = re.compile(r"<!-- not run: (?P<reason>.*\S) *-->")
PRINTS = re.compile(r"^\s*print\(.*\)  # (?P<text>.+)$", re.MULTILINE)
SIMPLE = re.compile(r"tatian (?P<words>[^|<>;&$*?`\\\n~{]+?)(?: > (?P<file>[\w.-]+))?")
SCRIPT = re.compile(r"python (?P<file>\w+\.py)")
PIPE = re.compile(r" \|\s")
TITLE = re.compile(r'title="(?P<file>[\w/]+\.py)"')


class Block(NamedTuple):
    """One fenced block: its language, its text, and where the text begins in the page."""

    language: str
    text: str
    line: int
    title: str | None = None
    not_run: str | None = None


class Command(NamedTuple):
    """One command of a console block, and the output shown below it."""

    text: str
    shown: list[str]


def blocks_of(markdown: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found: list[Block] = []
    opened: tuple[int, re.Match[str]] | None = None
    lines = markdown.splitlines()
    for number, line in enumerate(lines):
        match = FENCE.match(line)
        if not match:
            continue
        if opened is None:
            opened = number, match
            continue
        start, fence = opened
        opened = None
        indent = len(fence["indent"])
        title = TITLE.search(fence["info"])
        mark = MARK.search(lines[start - 1]) if start else None
        found.append(
            Block(
                language=fence["info"].partition(" ")[0],
                text="".join(each[indent:] + "\n" for each in lines[start + 1 : number]),
                line=start + 1,
                title=title["file"] if title else None,
                not_run=mark["reason"] if mark else None,
            )
        )
    assert opened is None, f"the block that begins at line {opened and opened[0] + 1} has no end"
    return found


def commands_of(console: str) -> list[Command]:
    """The commands of a console block, each with what the page says it prints."""
    found: list[Command] = []
    for line in console.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], []))
        elif line.startswith("> ") and not found[-1].shown:
            found[-1] = Command(found[-1].text + "\n" + line[2:], [])
        else:
            assert found, f"a console block begins with a command, not with {line!r}"
            found[-1].shown.append(line.rstrip())
    return found


def same_output(shown: list[str], printed: str) -> bool:
    """Whether a page may show `shown` for a command that printed `printed`."""
    lines = [line.rstrip() for line in printed.splitlines()]
    if shown and shown[-1] == "...":
        return lines[: len(shown) - 1] == shown[:-1] and len(lines) >= len(shown)
    return lines == shown


def run_shell(script: str, directory: Path) -> tuple[int, str]:
    """Run `script` as a reader would, with the environment's own commands first.

    Commands that need no shell are run within this process, which is sooner done: alone, as parts
    of a pipe, or at the end of a script.
    """
    *before, last = script.strip().replace("\\\n", " ").split("\n")
    if before and SIMPLE.fullmatch(last):
        status, said = run_shell("\n".join(before), directory)
        if status:
            return status, said
        status, more = run_shell(last, directory)
        return status, said + more
    failed, printed, said = 0, "", ""
    parts = [script] if "<<" in script else PIPE.split(script)
    for part in parts:
        status, printed, err = run_part(part, directory, printed, last=part is parts[-1])
        failed, said = status or failed, said + err
    return failed, said + printed


def run_part(script: str, directory: Path, given: str, *, last: bool) -> tuple[int, str, str]:
    """What a part of a pipe prints: its results, with errors among them if last, and its errors."""
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
    if simple := SIMPLE.fullmatch(script.strip().replace("\\\n", " ")):
        file, words = simple["file"], shlex.split(simple["words"])
        status, out, err = inside.run(
            words, directory, environment, given.encode(), joined=last and not file
        )
        if not file:
            return status, out, err
        (directory / file).write_text(out, "utf-8")
        return status, "", err
    if script_file := SCRIPT.fullmatch(script.strip()):
        return *run_script(directory / script_file["file"]), ""
    done = subprocess.run(
        ["bash", "-uo", "pipefail", "-c", script],
        cwd=directory,
        env=environment,
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout, ""


def run_script(file: Path) -> tuple[int, str]:
    """What a script of the page prints, run in a thread of this process, and its status.

    The thread of the tests may have an event loop, and a script may start one.
    """
    printed = io.StringIO()
    with (
        contextlib.chdir(file.parent),
        contextlib.redirect_stdout(printed),
        ThreadPoolExecutor(1) as thread,
    ):
        try:
            thread.submit(runpy.run_path, str(file), run_name="__main__").result()
        except Exception:  # noqa: BLE001 - as Python would show it
            return 1, printed.getvalue() + traceback.format_exc()
    return 0, printed.getvalue()


def run_console(block: Block, directory: Path, where: str) -> None:
    """Run each command and compare what it prints with what is shown."""
    for command in commands_of(block.text):
        status, printed = run_shell(command.text, directory)
        may_fail = bool(command.shown) and command.shown[0].startswith("tatian: error:")
        assert status == 0 or may_fail, f"{where}: {command.text}: status {status}\n{printed}"
        if command.shown:
            shown = "\n".join(command.shown)
            assert same_output(command.shown, printed), (
                f"{where}: {command.text}\n--- the page shows\n{shown}\n--- it prints\n{printed}"
            )


def run_python(block: Block, page: Path, module: ModuleType, where: str) -> None:
    """Execute a block in its page's namespace and compare what commented prints print."""
    printed = io.StringIO()
    code = compile("\n" * block.line + block.text, str(page), "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, module.__dict__)
    lines = iter(printed.getvalue().splitlines())
    for match in PRINTS.finditer(block.text):
        wanted = match["text"].rstrip()
        assert any(line.rstrip() == wanted for line in lines), (
            f"{where}: nothing printed is {wanted!r}; printed:\n{printed.getvalue()}"
        )


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory to run in: everything of the repository is there, nothing in it is changed."""
    for entry in ROOT.iterdir():
        if not entry.name.startswith("."):
            (tmp_path / entry.name).symlink_to(entry)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_block_of_the_page_does_what_it_shows(
    page: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType(f"page_{page.stem.replace('-', '_')}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    for block in blocks_of(page.read_text("utf-8")):
        where = f"{page.name}:{block.line}"
        if block.not_run:
            continue
        if block.title:
            (checkout / block.title).parent.mkdir(exist_ok=True)
            (checkout / block.title).write_text(block.text, "utf-8")
        elif block.language == "python":
            run_python(block, page, module, where)
        elif block.language == "console":
            run_console(block, checkout, where)
        elif block.language == "bash":
            status, printed = run_shell("set -e\n" + block.text, checkout)
            assert status == 0, f"{where}: status {status}\n{printed}"


def test_every_block_has_a_language_that_is_run_or_only_shown() -> None:
    unknown = [
        f"{page.name}:{block.line}: {block.language or 'no language'}"
        for page in PAGES
        for block in blocks_of(page.read_text("utf-8"))
        if block.language not in RUN | SHOWN
    ]
    assert unknown == []


def test_only_commands_that_install_something_are_not_run() -> None:
    could_be_run = [
        f"{page.name}:{block.line}"
        for page in PAGES
        for block in blocks_of(page.read_text("utf-8"))
        if block.not_run
        and not (block.language in {"bash", "console"} and INSTALLS.search(block.text))
    ]
    assert could_be_run == []


def test_a_marked_block_is_found_with_its_reason() -> None:
    (block,) = blocks_of("<!-- not run: installs -->\n```bash\npip install x\n```\n")
    assert block == Block("bash", "pip install x\n", 2, not_run="installs")


def test_an_indented_block_loses_its_indentation() -> None:
    (block,) = blocks_of("- item\n\n    ```python\n    if a:\n        b\n    ```\n")
    assert block.text == "if a:\n    b\n"


def test_a_block_with_a_title_is_a_file() -> None:
    (block,) = blocks_of('```python title="mine.py"\nx = 1\n```\n')
    assert block.title == "mine.py"


def test_a_console_block_is_commands_with_their_output() -> None:
    assert commands_of("$ a\n> b\n1\n2\n$ c\n") == [Command("a\nb", ["1", "2"]), Command("c", [])]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        (["a", "b"], "a\nb\n", True),
        (["a"], "a\nb\n", False),
        (["a", "..."], "a\nb\n", True),
        (["a", "..."], "a\n", False),
        (["b", "..."], "a\nb\n", False),
    ],
)
def test_shown_output_must_be_the_printed_one(shown: list[str], printed: str, same: bool) -> None:
    assert same_output(shown, printed) is same


def test_a_wrong_output_in_a_page_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="the page shows"):
        run_console(Block("console", "$ echo a\nb\n", 1), tmp_path, "page:1")


def test_a_failing_command_in_a_page_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="status 3"):
        run_console(Block("console", "$ exit 3\n", 1), tmp_path, "page:1")


def test_a_wrong_print_in_a_page_is_noticed() -> None:
    with pytest.raises(AssertionError, match="nothing printed is '3'"):
        run_python(Block("python", "print(1 + 1)  # 3\n", 1), Path("p"), ModuleType("p"), "p:1")
