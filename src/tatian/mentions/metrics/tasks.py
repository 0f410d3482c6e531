"""What is counted in one text for each of the three tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple, get_args

from tatian.mentions.metrics.matching import Item, Match, any_page, assign, shared_page
from tatian.mentions.metrics.preparing import Prepared
from tatian.mentions.metrics.scores import Counts

Groups = Callable[[Item], tuple[str, ...]]
"""The groups that a mention belongs to; none where nothing says so."""

UNGROUPED = "ungrouped"
"""Gold that nothing groups, and wrong predictions away from all gold."""


class Partners(NamedTuple):
    """Gold mentions and their predictions, by index: first those that agree on a page."""

    right: dict[int, int]
    wrong: dict[int, int]
    """The rest that match, whose pages differ."""


def partners(text: Prepared, match: Match) -> Partners:
    """Pair what agrees on a page, then what is left."""
    right = assign(text.gold, text.predicted, match, shared_page)
    free_gold = [index for index in range(len(text.gold)) if index not in right]
    used = set(right.values())
    free = [index for index in range(len(text.predicted)) if index not in used]
    rest = assign(
        [text.gold[index] for index in free_gold], [text.predicted[index] for index in free], match
    )
    return Partners(right, {free_gold[one]: free[other] for one, other in rest.items()})


def full(text: Prepared, paired: Partners) -> Counts:
    """Detection and linking together: every predicted (span, page) counts."""
    return Counts(
        right=sum(
            _agreeing(text.gold[one], text.predicted[other]) for one, other in paired.right.items()
        ),
        predicted=sum(len(item.titles) for item in text.predicted),
        found=len(paired.right),
        gold=len(text.gold),
    )


def detection(text: Prepared, match: Match) -> Counts:
    """Spans alone."""
    found = len(assign(text.gold, text.predicted, match, any_page))
    return Counts(found, len(text.predicted), found, len(text.gold))


def linking(text: Prepared, paired: Partners) -> Counts:
    """Of the gold mentions that a prediction with a page matches, those whose best page is right.

    Its precision, recall and F1 are one figure: the accuracy.
    """
    right = sum(
        text.predicted[other].titles[0] in text.gold[one].titles
        for one, other in paired.right.items()
    )
    wrong = sum(bool(text.predicted[other].titles) for other in paired.wrong.values())
    looked_at = len(paired.right) + wrong
    return Counts(right, looked_at, right, looked_at)


def grouped(text: Prepared, paired: Partners, groups: Groups) -> Iterable[tuple[str, Counts]]:
    """The `full` counts of one text by group; a mention in two groups counts in both.

    A prediction belongs to the groups of the gold mention it is paired with; one that is paired
    with none to its own, where it says so.
    """
    by_gold = paired.right | paired.wrong
    for index, item in enumerate(text.gold):
        right = index in paired.right
        partner = text.predicted[by_gold[index]] if index in by_gold else None
        counts = Counts(
            _agreeing(item, partner) if right and partner else 0,
            len(partner.titles) if partner else 0,
            int(right),
            1,
        )
        for group in groups(item) or (UNGROUPED,):
            yield group, counts
    used = set(by_gold.values())
    for index, item in enumerate(text.predicted):
        if index not in used:
            for group in groups(item) or (UNGROUPED,):
                yield group, Counts(predicted=len(item.titles))


def _agreeing(gold: Item, predicted: Item) -> int:
    return len(set(gold.titles) & set(predicted.titles))


By = Literal["named", "form", "overlap", "type", "tag"]
BYS: tuple[By, ...] = get_args(By)
Kinds = Callable[[str], str | None]
"""What a page is (person, location, organisation, concept), by its title."""


def groups_of(by: By, kinds: Kinds | None = None) -> Groups:
    """The groups of a mention by what the corpus says of it.

    `named` tells names from general terms, `form` and `overlap` read the tags of that name
    (``form:pronoun``), `tag` takes every tag whole, `type` each of several (``Q5|Q215627``). Where
    nobody said whether a mention is a name, `kinds` of its page decides: people, places and
    organisations are.
    """
    if by == "type":
        return lambda item: tuple(filter(None, item.mention.type.split("|")))
    if by == "tag":
        return lambda item: item.mention.tags
    if by == "named":
        return lambda item: _named(item, kinds)
    prefix = f"{by}:"
    return lambda item: tuple(
        tag.removeprefix(prefix) for tag in item.mention.tags if tag.startswith(prefix)
    )


def _named(item: Item, kinds: Kinds | None) -> tuple[str, ...]:
    if item.mention.named is not None:
        return ("named",) if item.mention.named else ("general",)
    kind = kinds(item.titles[0]) if kinds and item.titles else None
    if kind is None:
        return ()
    return ("general",) if kind == "concept" else ("named",)
