"""The page on security has the limits that users meet, with their values."""

from __future__ import annotations

import re
from pathlib import Path

from tatian import limits

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
_LIMIT = re.compile(r'^([A-Z_]+) = .*\n"""(.*)"""$|^# (.*)\.$', re.MULTILINE)


def format_limit(name: str, value: float) -> str:
    """The value of a limit as people read it."""
    if "BYTES" in name or name in ("READ_MEMORY", "READ_KEPT", "LEAST_ROOM"):
        for size, unit in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
            if value >= size and value % size == 0:
                return f"{value // size:.0f} {unit}"
    return f"{value:,.0f}"


def test_every_limit_says_what_it_bounds() -> None:
    named = {name for name in vars(limits) if name.isupper()}
    assert {name for name, _, _ in _LIMIT.findall(Path(limits.__file__).read_text("utf-8"))} - {
        ""
    } == named


def test_the_limits_on_the_page_have_their_values() -> None:
    rows = re.findall(r"^\| `([A-Z_]+)` \| ([^|]+) \|", PAGE, flags=re.MULTILINE)
    assert len(rows) > 20
    assert rows == [(name, format_limit(name, getattr(limits, name))) for name, _ in rows]


def test_the_page_leads_to_all_limits() -> None:
    assert "src/tatian/limits.py" in PAGE
    assert (ROOT / "src" / "tatian" / "limits.py").is_file()


def test_limits_import_nothing_of_the_package() -> None:
    assert "tatian" not in re.findall(r"^(?:from|import) (\w+)", Path(limits.__file__).read_text())


def test_the_readme_and_the_first_page_lead_to_it() -> None:
    assert "docs/security.md" in (ROOT / "README.md").read_text("utf-8")
    assert "(security.md)" in (ROOT / "docs" / "index.md").read_text("utf-8")
