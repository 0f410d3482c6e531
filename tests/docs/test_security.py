"""The page on security has every limit, with its value."""

from __future__ import annotations

import re
from pathlib import Path

from tatian import limits

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
_LIMIT = re.compile(r'^([A-Z_]+) = .*\n"""(.*)"""$|^# (.*)\.$', re.MULTILINE)


def shown(name: str, value: float) -> str:
    """The value of a limit as people read it."""
    if "BYTES" in name or name in ("READ_MEMORY", "READ_KEPT", "LEAST_ROOM"):
        for size, unit in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
            if value >= size and value % size == 0:
                return f"{value // size:.0f} {unit}"
    return f"{value:,.0f}"


def tables() -> str:
    """The limits as Markdown, a table for each group."""
    lines: list[str] = []
    source = Path(limits.__file__).read_text("utf-8")
    for name, meaning, group in _LIMIT.findall(source):
        if group:
            title = re.sub(r"tatian\.[\w.]+", lambda found: f"`{found[0]}`", group)
            lines += ["", f"### {title}", "", "| limit | value | bounds |", "| --- | ---: | --- |"]
        else:
            lines.append(f"| `{name}` | {shown(name, getattr(limits, name))} | {meaning} |")
    return "\n".join(lines).strip()


def test_every_limit_says_what_it_bounds() -> None:
    named = {name for name in vars(limits) if name.isupper()}
    assert {name for name, _, _ in _LIMIT.findall(Path(limits.__file__).read_text("utf-8"))} - {
        ""
    } == named


def test_the_page_has_every_limit_with_its_value() -> None:
    assert tables() in PAGE, f"put this under 'Limits' of docs/security.md:\n\n{tables()}"


def test_limits_import_nothing_of_the_package() -> None:
    assert "tatian" not in re.findall(r"^(?:from|import) (\w+)", Path(limits.__file__).read_text())


def test_the_readme_and_the_first_page_lead_to_it() -> None:
    assert "docs/security.md" in (ROOT / "README.md").read_text("utf-8")
    assert "(security.md)" in (ROOT / "docs" / "index.md").read_text("utf-8")
