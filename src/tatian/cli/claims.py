"""``tatian claims``: figures, times and names of sentences, and their comparison."""

from __future__ import annotations

import sys
from datetime import date
from typing import TYPE_CHECKING, Any

from tatian.cli import options
from tatian.cli.options import command
from tatian.cli.output import console, write_json
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.claims import ClaimPair, StatedClaim
    from tatian.text import Document

_VERBS = {
    "equal": "equals",
    "entails": "entails",
    "entailed": "is entailed by",
    "exclude": "excludes",
    "superseded": "is superseded by",
}
"""Words for the relations of claims."""


@command()
def compare(
    first: str = options.argument(),
    second: str = options.argument(),
    dates: tuple[str, str] | None = options.option(
        "Publication dates of the two sentences, such as 2024-05-31.", nargs=2, metavar="DATE DATE"
    ),
    form: str = options.format,
) -> None:
    """Compare the figures, times and names of two sentences.

    Prints the claims of each, then all comparable pairs. Two claims are equal, one entails the
    other, they exclude each other, or a later figure supersedes an earlier one.
    """
    from tatian.claims import compare_claims, read_placed

    days = [_day(day) for day in dates] if dates else [None, None]
    texts = (first, second)
    analysed = [_analyse(text, day) for text, day in zip(texts, days, strict=True)]
    claims = [read_placed(document) for document in analysed]
    pairs = list(compare_claims(*claims))
    if form == "json":
        by_text = [[_claim_json(stated.claim) for stated in of_text] for of_text in claims]
        write_json({"claims": by_text, "comparisons": [_pair_json(pair) for pair in pairs]})
        return
    from rich.table import Table

    terminal = console(sys.stdout)
    for text, of_text in zip(texts, claims, strict=True) if any(claims) else ():
        table = Table(title=text, title_justify="left", title_style="bold", box=None)
        for heading in ("claim", "kind", "value"):
            table.add_column(heading)
        for stated in of_text:
            table.add_row(stated.claim.text, stated.claim.kind, _value(stated.claim))
        terminal.print(table)
    related = [pair for pair in pairs if pair.comparison.relation != "unrelated"]
    if not related:
        terminal.print("No comparable figures, times or names.")
    for pair in related:
        verb, reason = _VERBS[pair.comparison.relation], pair.comparison.reason
        terminal.print(f"“{pair.first.text}” {verb} “{pair.second.text}”: {reason}")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(f"--dates: '{text}' is not a date such as 2024-05-31") from None


def _analyse(text: str, day: date | None) -> Document:
    from tatian.analysis import analyze
    from tatian.text import Document
    from tatian.text.documents import Metadata

    metadata = Metadata(date=day.isoformat()) if day else Metadata()
    return analyze(Document("sentence", text, metadata=metadata))


def _claim_json(claim: StatedClaim) -> dict[str, Any]:
    interval = claim.interval
    ends: list[Any] = [None, None]
    if interval is not None:
        ends = [None if end == float("inf") else end for end in (interval.low, interval.high)]
    if claim.kind == "date" and interval is not None:
        unknown = claim.relative and claim.scope.published is None
        days = (date.fromordinal(max(1, int(end))).isoformat() for end in ends)
        ends = [None, None] if unknown else list(days)
    return {
        "text": claim.text,
        "start": claim.span.start,
        "end": claim.span.end,
        "kind": claim.kind,
        "low": ends[0],
        "high": ends[1],
        "unit": claim.unit,
        "name": list(claim.name),
    }


def _pair_json(pair: ClaimPair) -> dict[str, Any]:
    return {
        "first": pair.first.text,
        "second": pair.second.text,
        "relation": pair.comparison.relation,
        "reason": pair.comparison.reason,
    }


def _value(claim: StatedClaim) -> str:
    interval = claim.interval
    if interval is None:
        return " ".join(claim.name)
    if claim.kind == "date" and claim.relative and claim.scope.published is None:
        return "not known without --dates"

    def written(end: float) -> str:
        if claim.kind == "clock":
            return f"{int(end) // 60 % 24:02}:{int(end) % 60:02}"
        if claim.kind == "date":
            return date.fromordinal(max(1, int(end))).isoformat()
        return f"{end:,.10g}"

    low, high = written(interval.low), written(interval.high)
    unit = f" {claim.unit}" if claim.kind in ("money", "measure") else ""
    return (low if low == high else f"{low} to {high}") + unit
