"""Check of which tables of docs/results.md were measured on the present code.

    python benchmarks/current.py               every table, and whether its code is another now
    python benchmarks/current.py --mark text   the tables of text.py were measured just now
    python benchmarks/current.py --correct     write "older" where that is so

A table measured on this code has the fingerprint of its benchmark. It covers the script, all
modules that it reaches by an import or by a name such as "tatian.text:split", and their lists and
weights. Comments, docstrings and layout do not count. A test refuses an outdated fingerprint:
measure again, or correct the page.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "results.md"
OLDER = "older"
LENGTH = 10
_DATA = (".sql", ".toml", ".tsv", ".txt")
"""Endings of lists and tables beside modules."""
_ROW = re.compile(
    r"^\| \[(?P<title>[^]]+)\]\((?P<link>[^)]+)\) \| `(?P<benchmark>\w+)` "
    r"\| (?P<day>\d{4}-\d\d-\d\d) \| `?(?P<code>\w+)`? \|$",
    re.MULTILINE,
)
_TARGET = re.compile(r"(?P<whole>tatian\.[.\w]+)(?::\w+)?\Z|(?P<beside>[a-z_][\w.]*):\w+\Z")


class Row(NamedTuple):
    """A line of the page's list of tables."""

    title: str
    link: str
    benchmark: str
    day: str
    code: str
    """A fingerprint, or `OLDER`."""


def rows(page: str) -> list[Row]:
    """Return the page's list of tables."""
    return [Row(*match.groups()) for match in _ROW.finditer(page)]


def outdated(page: str) -> list[str]:
    """Return the benchmarks of tables that wrongly claim to be of this code."""
    claims = {row.benchmark: row.code for row in rows(page) if row.code != OLDER}
    return [name for name, code in claims.items() if code != fingerprint(script(name))]


def script(benchmark: str) -> Path:
    return ROOT / "benchmarks" / f"{benchmark}.py"


def fingerprint(start: Path) -> str:
    """Return a digest of the code and weights behind a script."""
    reached = {start}
    waiting = [start]
    while waiting:
        new = {path for path in _needs(waiting.pop()) if path not in reached}
        reached |= new
        waiting += new
    folders = {path.parent for path in reached if path.is_relative_to(ROOT / "src")}
    weights = {path for folder in folders for path in (folder / "weights").rglob("*.*")}
    weights |= {path for folder in folders for path in folder.iterdir() if path.suffix in _DATA}
    digest = hashlib.sha256()
    for path in sorted(reached | weights, key=str):
        digest.update(_content(path))
    return digest.hexdigest()[:LENGTH]


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def _content(path: Path) -> bytes:
    if path.suffix != ".py":
        return hashlib.sha256(path.read_bytes()).digest()
    return hashlib.sha256("\n".join(_said(_tree(path))).encode()).digest()


def _said(node: object) -> Iterator[str]:
    """Yield a tree as words without docstrings, the same in all versions of Python."""
    if isinstance(node, list):
        for child in node:
            yield from _said(child)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    elif isinstance(node, ast.AST):
        yield type(node).__name__
        for name, value in ast.iter_fields(node):
            if value not in (None, []):
                yield name
                yield from _said(value)
    else:
        yield repr(node)


@cache
def _needs(path: Path) -> frozenset[Path]:
    """Return the files of the package or the benchmarks that a module imports or names."""
    source = ROOT / "src"
    package = ".".join(path.parent.relative_to(source).parts) if source in path.parents else ""
    named: set[str] = set()
    for node in _run(_tree(path)):
        if isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names if alias.name != "tatian"}
        elif isinstance(node, ast.ImportFrom) and node.module:
            named |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id == "tatian" and node.attr != "__version__":
                named.add("tatian")
        elif isinstance(node, ast.Constant) and (match := _TARGET.match(str(node.value))):
            named.add(match["whole"] or f"{package}.{match['beside']}")
    scripts = () if package else map(script, named)
    modules = (file for name in named for file in _files(name))
    return frozenset([*modules, *filter(Path.is_file, scripts)])


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes of a tree, without code for type checkers."""
    if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _run(child)


def _files(name: str) -> Iterator[Path]:
    """Yield the files of a module and its parent packages, except Tatian itself."""
    parts = name.split(".")
    if parts[0] == "tatian":
        for length in range(min(2, len(parts)), len(parts) + 1):
            place = ROOT.joinpath("src", *parts[:length])
            yield from filter(Path.is_file, (place / "__init__.py", place.with_suffix(".py")))


def mark(page: str, benchmark: str, day: str) -> str:
    """Mark the tables of a benchmark as measured on this code."""
    code = f"`{fingerprint(script(benchmark))}`"
    return _rewritten(page, benchmark, lambda row: row._replace(day=day, code=code))


def corrected(page: str) -> str:
    """Remove outdated claims from the page."""
    for benchmark in outdated(page):
        page = _rewritten(page, benchmark, lambda row: row._replace(code=OLDER))
    return page


def _rewritten(page: str, benchmark: str, change: Callable[[Row], Row]) -> str:
    def written(match: re.Match[str]) -> str:
        row = Row(*match.groups())
        if row.benchmark != benchmark:
            return match[0]
        row = change(row)
        return f"| [{row.title}]({row.link}) | `{row.benchmark}` | {row.day} | {row.code} |"

    return _ROW.sub(written, page)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mark", metavar="NAME", help="its tables were measured just now")
    parser.add_argument("--correct", action="store_true", help='write "older" where that is so')
    chosen = parser.parse_args()
    page = PAGE.read_text("utf-8")
    if chosen.mark:
        page = mark(page, chosen.mark, date.today().isoformat())
    if chosen.correct:
        page = corrected(page)
    if chosen.mark or chosen.correct:
        PAGE.write_text(page, "utf-8")
    wrong = outdated(page)
    for row in rows(page):
        current = row.code != OLDER and row.benchmark not in wrong
        print(f"{'this code' if current else 'older':10} {row.day}  {row.benchmark:24} {row.title}")


if __name__ == "__main__":
    main()
