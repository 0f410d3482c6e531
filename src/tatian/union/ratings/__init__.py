"""What people think of systems' unions: read, averaged, and held against automatic metrics."""

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
    ToJudge,
    agreement,
    correlation_table,
    correlations,
    opinion_table,
    opinions,
    side_by_side,
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
