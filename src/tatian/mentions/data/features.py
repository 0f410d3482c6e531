"""What texts can carry beside terms and pages, so that a format's losses can be told by name."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from msgspec import Struct

from tatian.mentions.data.formats import Format
from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.text.formats import Losses


class Feature(Struct, frozen=True):
    """One thing that some formats hold and others do not."""

    name: str
    lost: str
    """What to tell a user whose target does not hold it."""
    count: Callable[[LinkedText], int]
    """How often a text has it."""


def note(text: LinkedText, target: Format, losses: Losses) -> None:
    """Note what `target` cannot hold of the text."""
    for feature in FEATURES:
        if feature.name not in target.holds and (found := feature.count(text)):
            losses.add(feature.lost, text.id, found)


def _where(has: Callable[[LinkedMention], object]) -> Callable[[LinkedText], int]:
    return lambda text: sum(1 for mention in text.mentions if has(mention))


def _overlapping(text: LinkedText) -> int:
    """Mentions that begin before the end of one before them."""
    count = end = 0
    for mention in text.mentions:
        count += mention.start < end
        end = max(end, mention.end)
    return count


def _same_place(text: LinkedText) -> int:
    return sum((one.start, one.end) == (two.start, two.end) for one, two in pairwise(text.mentions))


FEATURES: tuple[Feature, ...] = (
    Feature("topic", "topics", lambda text: bool(text.topic)),
    Feature("title", "titles of texts", lambda text: bool(text.title)),
    Feature("part_of", "which texts belong together", lambda text: bool(text.part_of)),
    Feature("evaluated", "which parts are evaluated", lambda text: bool(text.evaluated)),
    Feature("unlinked", "mentions without a page: left out", _where(lambda one: not one.titles)),
    Feature("pages", "further pages of a mention", lambda text: sum(map(_further, text.mentions))),
    Feature("overlaps", "mentions inside or across others: left out", _overlapping),
    Feature("places", "second mentions of one place", _same_place),
    Feature("score", "scores of mentions", _where(lambda one: one.score is not None)),
    Feature("named", "whether mentions are names", _where(lambda one: one.named is not None)),
    Feature("type", "types of mentions", _where(lambda one: one.type)),
    Feature("tags", "tags of mentions", lambda text: sum(len(one.tags) for one in text.mentions)),
    Feature("ids", "ids of pages in the corpus's own terms", _where(lambda one: one.ids)),
    Feature("names", "names of things beside their ids", _where(lambda one: any(one.names))),
)


def _further(mention: LinkedMention) -> int:
    return max(len(mention.titles) - 1, 0)
