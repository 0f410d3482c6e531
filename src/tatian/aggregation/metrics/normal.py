"""When two phrases are the same aggregation: case, determiners and numbers do not tell."""

from __future__ import annotations

from tatian.aggregation.data.rules import RULES

_CHANGES = tuple(rule.change for rule in RULES if rule.change is not None)


def normal(phrase: str) -> str:
    """A phrase as gold phrases are kept (TESA §3.3): "The two French Cities" is "french cities".

    Every rule of the clean-up that changes phrases is applied, until none changes anything more
    ("these two cities", "both the cities").
    """
    while True:
        before = phrase
        for change in _CHANGES:
            phrase = change(phrase)
        if phrase == before:
            return phrase
