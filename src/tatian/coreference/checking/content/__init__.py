"""Rules of content: what of the definition's sections 3 to 5 the analysis can judge.

Each family of rules is a module with a `RULES` table. A rule is silent where the analysis leaves
doubt, and what it finds is advice: a person decides.
"""

from __future__ import annotations

from collections.abc import Iterator

from tatian.coreference.checking.content import (
    appositions,
    extents,
    links,
    minima,
    names,
    phrases,
)
from tatian.coreference.checking.content.rules import Breach, ContentRule
from tatian.coreference.checking.findings import Rule
from tatian.coreference.definition.phrases import Mark, MarkedText

CONTENT_RULES: tuple[ContentRule, ...] = (
    *phrases.RULES,
    *names.RULES,
    *extents.RULES,
    *minima.RULES,
    *appositions.RULES,
    *links.RULES,
)


def breaches(page: MarkedText) -> Iterator[tuple[Rule, Breach]]:
    """Where a page departs from the rules of content, rule by rule, once for each mark."""
    for rule in CONTENT_RULES:
        if rule.needs_markup and not page.markup:
            continue
        found: set[Mark] = set()
        for breach in rule.find(page):
            if breach.mark not in found:
                found.add(breach.mark)
                yield rule.rule, breach
