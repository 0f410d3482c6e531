"""The paper's plots as SVG files, drawn here: no plotting library is needed."""

from tatian.union.plots.drawing import Labels, Point, bars, lines
from tatian.union.plots.figures import (
    compression_histogram,
    learning_curves,
    lowest_histogram,
    parse_curves,
)

__all__ = [
    "Labels",
    "Point",
    "bars",
    "compression_histogram",
    "learning_curves",
    "lines",
    "lowest_histogram",
    "parse_curves",
]
