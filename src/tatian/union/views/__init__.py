"""Unions to look at: in the paper's colours, several systems side by side."""

from tatian.union.views.colouring import Coloured, Piece, colour, provenance
from tatian.union.views.examples import (
    Example,
    Figure,
    Output,
    Written,
    examples,
    merge_all,
    predicted,
)
from tatian.union.views.html import page, to_html
from tatian.union.views.markdown import to_markdown
from tatian.union.views.terminal import print_examples, to_text

__all__ = [
    "Coloured",
    "Example",
    "Figure",
    "Output",
    "Piece",
    "Written",
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
