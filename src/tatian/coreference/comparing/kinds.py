"""The ways in which a response can differ from a key, after Kummerfeld & Klein 2013.

Each error is one step that turns the response into the key: alter a span, remove, split, merge or
introduce. `ORDER` is the order in which the steps are taken.
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

Kind = Literal[
    "span",
    "extra-entity",
    "extra-mention",
    "conflated-entity",
    "divided-entity",
    "missing-mention",
    "missing-entity",
]
Form = Literal["name", "nominal", "pronoun"]
FORMS: tuple[Form, ...] = get_args(Form)
"""What mentions are by their heads, the most telling first."""


class Description(Struct, frozen=True):
    """How an error is called, marked and explained."""

    name: str
    sign: str
    """Stands before the number of the chain, so that colour never says it alone."""
    meaning: str


KINDS: dict[Kind, Description] = {
    "span": Description("span error", "~", "the right phrase with other boundaries"),
    "missing-mention": Description("missing mention", "−", "a phrase of a found chain not marked"),
    "extra-mention": Description("extra mention", "+", "a phrase marked that the key leaves alone"),
    "missing-entity": Description("missing entity", "⊖", "a whole chain of the key not marked"),
    "extra-entity": Description("extra entity", "⊕", "a whole chain that the key does not have"),
    "divided-entity": Description("divided entity", "÷", "a chain of the key cut in two"),
    "conflated-entity": Description("conflated entity", "×", "two chains of the key made one"),
}
"""In the order in which people are shown them."""

ORDER: tuple[Kind, ...] = (
    "span",
    "extra-entity",
    "extra-mention",
    "conflated-entity",
    "divided-entity",
    "missing-mention",
    "missing-entity",
)
