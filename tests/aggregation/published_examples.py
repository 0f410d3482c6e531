"""The ranking examples that the TESA thesis prints (Table 5), read from its text."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from tatian.aggregation.data import Instance

SETS = {
    "person": ("Francois Bayrou", "Nicolas Sarkozy", "Segolene Royal"),
    "location": ("Chicago", "London"),
    "organization": ("Microsoft Corp.", "Sony Corp."),
}
_TITLE = re.compile(r"(?<=[.\]] )([A-Z][^.\]:]*): ")
_BOLD = re.compile(r"\*\*(.+?)\*\*")


def published_text(data: Path, name: str) -> str:
    """The text of a paper that lies beside the data sets; the test is skipped where it does not."""
    path = data.parent / "seeds" / name
    if not path.is_file():
        pytest.skip(f"{name} does not lie beside the shared data sets")
    return path.read_text("utf-8")


def published_examples(thesis: str) -> list[Instance]:
    """The three instances with background, title, context, candidates and gold."""
    start = thesis.index("BART-based models' input\n")
    section = thesis[start : thesis.index("4.2 Evaluation Measures\n", start)]
    inputs, _, candidates = section.partition("Candidates to rank\n")
    texts = [one.strip() for one in inputs.split("\n\n")[1:4]]
    lists = [one.strip() for one in candidates.split("\n\n") if one.strip()]
    return [
        _instance(type, entities, text, listed)
        for (type, entities), text, listed in zip(SETS.items(), texts, lists, strict=True)
    ]


def _instance(type: str, entities: tuple[str, ...], text: str, listed: str) -> Instance:
    before = text.removesuffix(", ".join(entities))
    title = _TITLE.search(before)
    assert title
    return Instance(
        id=type,
        entities=entities,
        type=type,
        title=title[1],
        context=before[title.end() :].strip(),
        background=_backgrounds(before[: title.start()], entities),
        aggregations=tuple(_BOLD.findall(listed)),
        candidates=tuple(one.strip("* ") for one in listed.split(", ")),
    )


def _backgrounds(text: str, entities: tuple[str, ...]) -> dict[str, str]:
    """Each entity's part begins with the first word of its name."""
    plain = "".join(unicodedata.normalize("NFD", character)[0] for character in text)
    starts = [re.search(rf"(?:^|[.\]] ){re.escape(name.split()[0])}\b", plain) for name in entities]
    places = [one.start() for one in starts if one]
    assert len(places) == len(entities)
    ends = [*places[1:], len(text)]
    return {
        name: text[start:end].strip(". ]")
        for name, start, end in zip(entities, places, ends, strict=True)
    }
