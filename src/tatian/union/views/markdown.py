"""Example outputs of several systems with their scores, as Table 7 has them, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tatian.union.views.examples import Example, Output

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~&#])")


def to_markdown(examples: Iterable[Example], title: str = "Sentence unions") -> str:
    """A table for each item: its sentences, then each union with its scores beside it."""
    lines = [f"# {_plain(title)}", ""]
    for example in examples:
        lines += [f"## Item {_plain(example.id)}", "", "| | text | scores |", "| --- | --- | --- |"]
        for index, sentence in enumerate(example.sentences, 1):
            lines.append(f"| sentence {index} | {_plain(sentence)} | |")
        lines += [_row(output) for output in example.outputs]
        lines.append("")
    return "\n".join(lines)


def _row(output: Output) -> str:
    scores = "<br>".join(f"{figure.name}: {figure.value}" for figure in output.figures)
    return f"| **{_plain(output.name)}** | {_plain(output.text)} | {scores} |"


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
