"""The pictures of the documentation: all there, all used, and small."""

from __future__ import annotations

import re
import struct
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = sorted((DOCS / "images").glob("workbench-*.png"))
SHOWN = re.compile(r"!\[(?P<alt>[^\]]*)\]\((?P<path>images/[^)]+)\)")
WIDEST, LARGEST, PALETTE = 1200, 100_000, 3


def list_pictures() -> dict[str, str]:
    """The path of each picture on a page, and what is said for those who do not see it."""
    pages = [page.read_text(encoding="utf-8") for page in DOCS.glob("*.md")]
    return {found["path"]: found["alt"] for page in pages for found in SHOWN.finditer(page)}


def test_pictures_are_small_and_have_a_palette() -> None:
    problems = []
    for picture in PICTURES:
        data = picture.read_bytes()
        width, _, _, kind = struct.unpack(">IIBB", data[16:26])
        if width > WIDEST or len(data) > LARGEST or kind != PALETTE:
            problems.append(f"{picture.name}: {width} wide, {len(data)} bytes, kind {kind}")
    assert problems == []


def test_every_picture_of_the_workbench_is_on_a_page_and_described() -> None:
    pages = list_pictures()
    assert [one.name for one in PICTURES if not pages.get(f"images/{one.name}")] == []


def test_every_picture_on_a_page_exists() -> None:
    assert [path for path in list_pictures() if not (DOCS / path).is_file()] == []
