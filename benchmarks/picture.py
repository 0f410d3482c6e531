"""Chart of the table in docs/results.md: Tatian beside the best of the others, part by part.

python benchmarks/picture.py
"""

from __future__ import annotations

import re
from pathlib import Path

from tatian.views.chart import ChartLabels, draw_bars

DOCS = Path(__file__).parents[1] / "docs"
PICTURE = DOCS / "images" / "results.svg"
PARTS = {
    "consolidated text, read blind": ("whole text", 10),
    "verifying a text": ("trace", 1),
    "finding stories": ("stories", 1),
    "sentence splitting": ("sentences", 100),
    "names": ("names", 100),
    "linking mentions": ("mentions", 100),
    "coreference": ("coreference", 100),
    "merging two sentences": ("union", 100),
    "ranking names of sets": ("aggregation", 1),
}
"""Short names of parts with a competitor, and the best possible figure of each."""
_ROW = re.compile(r"^\| \[([^]]+)\]\([^)]+\) \|[^|]+\|([^|]+)\|([^|]+)\|$", re.MULTILINE)
_NUMBER = re.compile(r"\d*\.\d+|\d+")
_SYSTEM = re.compile(r"[A-Za-z][^\d;.]* (\d*\.\d+|\d+)")


def picture(page: str) -> str:
    """Draw the first figure of each part."""
    figures = {part: (ours, others) for part, ours, others in _ROW.findall(page.replace("*", ""))}
    ours, best = [], []
    for part, (_, full) in PARTS.items():
        figure, others = figures[part]
        ours.append(float(_NUMBER.findall(figure)[0]) / full)
        best.append(max(map(float, _SYSTEM.findall(others))) / full)
    labels = ChartLabels("Tatian beside others", "part", "per cent of the best there can be", 100)
    names = [name for name, _ in PARTS.values()]
    return draw_bars(names, {"Tatian": ours, "best of the others": best}, labels)


if __name__ == "__main__":
    PICTURE.write_text(picture((DOCS / "results.md").read_text("utf-8")), "utf-8")
