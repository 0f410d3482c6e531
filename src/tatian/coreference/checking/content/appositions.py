"""Which appositions are linked: definite ones, set off by punctuation (§5.3)."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.checking.content.rules import Breach, ContentRule, advice
from tatian.coreference.definition.markable import is_bare, is_set_off
from tatian.coreference.definition.phrases import MarkedText, is_indefinite


def find_indefinite(page: MarkedText) -> Iterator[Breach]:
    """Linked appositives that are marked indefinite."""
    for host, appositive in page.pairs:
        if is_set_off(host, appositive) and is_indefinite(appositive):
            yield Breach(
                appositive.mark,
                f"the appositive {page.quote(appositive.mark)} is indefinite, but linked with "
                f"{page.quote(host.mark)}",
                "take the link away: an indefinite apposition is not coreferential",
            )


def find_unpunctuated(page: MarkedText) -> Iterator[Breach]:
    """Linked phrases that stand side by side without punctuation."""
    for host, appositive in page.pairs:
        if is_bare(host, appositive):
            yield Breach(
                appositive.mark,
                f"no punctuation sets {page.quote(appositive.mark)} off from "
                f"{page.quote(host.mark)}, with which it is linked",
                "take the link away: only appositions marked by punctuation are linked",
            )


RULES = (
    ContentRule(
        advice("indefinite-appositive", "5.3", "An indefinite apposition is not coreferential."),
        find_indefinite,
    ),
    ContentRule(
        advice(
            "unpunctuated-apposition",
            "5.3",
            "An apposition is linked only where punctuation sets it off.",
        ),
        find_unpunctuated,
    ),
)
