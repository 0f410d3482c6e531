"""Gold and predicted texts side by side, in one writing, without what is not to be judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Literal, NamedTuple, TypeVar, get_args

from tatian.errors import EmptyInput, InputError
from tatian.formats.links import evaluated_parts, links_of
from tatian.knowledge.forms import page_title
from tatian.mentions.metrics.matching import Item, Match, touches
from tatian.text import Document, Link, Span

Nil = Literal["ignore", "score"]
"""What becomes of gold without a page: neither gained nor lost by, or a thing to be got right."""
NILS: tuple[Nil, ...] = get_args(Nil)
T = TypeVar("T")
Titles = Callable[[str], str]
Known = Callable[[str], bool]

OPTIONAL = "optional"
"""The tag of gold that need not be found."""
NO_PAGE = ""
"""The title of what has no page, where that is to be got right."""
_NAMED = 5
"""How many texts an error names."""


class Prepared(NamedTuple):
    """One text: the gold mentions that count, and the predictions that are judged."""

    id: str
    gold: tuple[Item, ...]
    predicted: tuple[Item, ...]


class Rules(NamedTuple):
    """What counts, the same for every text."""

    match: Match = "strong"
    redirects: Titles | None = None
    in_kb: Known | None = None
    threshold: float | None = None
    nil: Nil = "ignore"


def pair(
    gold: Sequence[Document], predicted: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Gold texts with their predictions, by id; single texts whatever their ids."""
    if not gold:
        raise EmptyInput("no gold texts to score against")
    keys, answers = _by_id(gold, "gold"), _by_id(predicted, "predicted")
    if len(gold) == len(predicted) == 1:
        pairs = [(gold[0], predicted[0])]
    else:
        _refuse([key for key in keys if key not in answers], "nothing is predicted for")
        _refuse([key for key in answers if key not in keys], "the gold has no")
        pairs = [(text, answers[key]) for key, text in keys.items()]
    for one, other in pairs:
        _compare(one, other)
    return pairs


def prepare(gold: Document, predicted: Document, rules: Rules) -> Prepared:
    """One pair of texts by the rules.

    Left out: what is not wholly inside the evaluated parts; gold that is optional, none of whose
    pages is in the base, or that has none (unless ``nil="score"``), together with the predictions
    that match it and no other gold; predictions below the threshold. A prediction without a score
    is sure.
    """
    kept, left = _sorted_out(gold, rules)
    sure = [
        mention
        for mention in _inside(links_of(predicted), evaluated_parts(gold))
        if rules.threshold is None or mention.score is None or mention.score >= rules.threshold
    ]
    judged = _items(sure, rules)
    if left:
        judged = [
            item
            for item in judged
            if not touches(item, left, rules.match) or touches(item, kept, rules.match)
        ]
    return Prepared(gold.id, tuple(kept), tuple(judged))


def coverage(
    gold: Iterable[Document], in_kb: Known, redirects: Titles | None = None
) -> tuple[int, int]:
    """How many gold mentions have a page in the base, of how many that have a page at all."""
    rules = Rules(redirects=redirects)
    found = total = 0
    for text in gold:
        for item in _sorted_out(text, rules)[0]:
            total += 1
            found += any(map(in_kb, item.titles))
    return found, total


def _sorted_out(gold: Document, rules: Rules) -> tuple[list[Item], list[Item]]:
    kept: list[Item] = []
    left: list[Item] = []
    for item in _items(_inside(links_of(gold), evaluated_parts(gold)), rules):
        (kept if _counts(item, rules) else left).append(item)
    return kept, left


def _counts(item: Item, rules: Rules) -> bool:
    if OPTIONAL in item.mention.tags:
        return False
    if item.titles in ((), (NO_PAGE,)):
        return rules.nil == "score"
    return rules.in_kb is None or any(map(rules.in_kb, item.titles))


def _items(mentions: Iterable[Link], rules: Rules) -> list[Item]:
    """One item a span, in the order of the text."""
    places: dict[tuple[int, int], list[Link]] = {}
    for mention in mentions:
        places.setdefault((mention.start, mention.end), []).append(mention)
    items = []
    for (start, end), entries in sorted(places.items()):
        written = (_title(title, rules) for entry in entries for title in _pages(entry))
        titles = tuple(dict.fromkeys(written))
        if not titles and rules.nil == "score":
            titles = (NO_PAGE,)
        items.append(Item(start, end, titles, entries[0]))
    return items


def _pages(mention: Link) -> Iterable[str]:
    """The titles, or the ids of pages whose titles nobody knows: they are pages all the same."""
    return [title for title in mention.titles if title.strip()] or mention.ids


def _title(title: str, rules: Rules) -> str:
    plain = page_title(title)
    return page_title(rules.redirects(plain)) if rules.redirects else plain


def remembered(ask: Callable[[str], T] | None) -> Callable[[str], T] | None:
    """The same answers, each asked of the base once."""
    return cache(ask) if ask else None


def _inside(mentions: Iterable[Link], parts: Sequence[Span]) -> Iterable[Link]:
    if not parts:
        return mentions
    return [one for one in mentions if any(part.contains(one) for part in parts)]


def _by_id(texts: Sequence[Document], side: str) -> dict[str, Document]:
    found: dict[str, Document] = {}
    for text in texts:
        if text.id in found:
            raise InputError(f"two {side} texts have the id '{text.id}'")
        found[text.id] = text
    return found


def _refuse(ids: list[str], problem: str) -> None:
    if not ids:
        return
    named = ", ".join(f"'{one}'" for one in ids[:_NAMED])
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    texts = "text" if len(ids) == 1 else "texts"
    raise InputError(f"{problem} {texts} {named}{more}: texts are paired by their ids")


def _compare(gold: Document, predicted: Document) -> None:
    if gold.text != predicted.text:
        pairs = enumerate(zip(gold.text, predicted.text, strict=False))
        shorter = min(len(gold.text), len(predicted.text))
        place = next((index for index, (one, other) in pairs if one != other), shorter)
        ours, theirs = (one.text[place : place + 20] for one in (gold, predicted))
        raise InputError(
            f"text '{gold.id}' differs from character {place} on: the gold has '{ours}', the "
            f"prediction '{theirs}': offsets cannot be compared"
        )
    for side, text in (("gold", gold), ("prediction", predicted)):
        for mention in links_of(text):
            if mention.end > len(text.text) or not len(mention):
                raise InputError(
                    f"text '{gold.id}': the {side} has a mention at "
                    f"{mention.start}..{mention.end}, which holds nothing of a text of "
                    f"{len(text.text)} characters"
                )
