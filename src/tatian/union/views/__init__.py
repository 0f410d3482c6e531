"""Unions to look at: in the paper's colours, several systems side by side."""

from tatian.union.views.colours import Coloured, ColouredPiece, colour, provenance
from tatian.union.views.examples import (
    Output,
    ShownScore,
    UnionExample,
    WrittenUnion,
    examples,
    merge_all,
    predicted,
)
from tatian.union.views.renderings import page, print_examples, to_html, to_markdown, to_text

__all__ = [
    "Coloured",
    "ColouredPiece",
    "Output",
    "ShownScore",
    "UnionExample",
    "WrittenUnion",
    "colour",
    "examples",
    "merge_all",
    "page",
    "predicted",
    "print_examples",
    "provenance",
    "to_html",
    "to_markdown",
    "to_text",
]
