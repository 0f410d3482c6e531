"""Claims of two sentences that say something of each other."""

from __future__ import annotations

from tatian.analysis import analyze
from tatian.claims import compare_claims, read_placed
from tatian.text import Document, Metadata


def related(
    first: str, second: str, days: tuple[str | None, str | None] = (None, None)
) -> list[tuple[str, str, str]]:
    """The claims of two sentences that say something of each other, names apart."""
    documents = [
        analyze(Document(f"{number}", text, Metadata(date=day)))
        for number, (text, day) in enumerate(zip((first, second), days, strict=True))
    ]
    pairs = compare_claims(*map(read_placed, documents))
    return [
        (pair.first.text, pair.comparison.relation, pair.second.text)
        for pair in pairs
        if pair.comparison.relation != "unrelated" and pair.first.kind != "name"
    ]
