"""What people think of systems' unions: read, averaged, and held against automatic metrics."""

from tatian.union.ratings.items import ToJudge, side_by_side
from tatian.union.ratings.reading import (
    CONTENT,
    CRITERIA,
    Criterion,
    Rating,
    SideBySide,
    merged,
    parse,
)
from tatian.union.ratings.summary import (
    HUMAN,
    Opinion,
    agreement,
    correlation_table,
    correlations,
    opinion_table,
    opinions,
)

__all__ = [
    "CONTENT",
    "CRITERIA",
    "HUMAN",
    "Criterion",
    "Opinion",
    "Rating",
    "SideBySide",
    "ToJudge",
    "agreement",
    "correlation_table",
    "correlations",
    "merged",
    "opinion_table",
    "opinions",
    "parse",
    "side_by_side",
]
