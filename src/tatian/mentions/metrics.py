"""Agreement of predicted mentions and their pages with gold ones.

`tatian.scoring.linking` has the metrics. This module pairs gold and predicted texts, selects the
mentions that are scored, and groups them. Titles are normalised by `page_title`, and redirects are
resolved if there is a base.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, get_args

import msgspec
from rapidfuzz.distance import Prefix

from tatian.errors import EmptyInput, InputError
from tatian.formats.links import evaluated_parts, links_of
from tatian.formats.mentions_jsonl import LinkedLine
from tatian.grouping import grouped
from tatian.knowledge.entities import page_title
from tatian.mentions.data import Kinds, classify_name
from tatian.scoring.linking import LinkCounts, LinkedPair, LinkItem, Match, count_agreeing, touches
from tatian.scoring.metric import Rates, choose_metrics, ratios
from tatian.scoring.scores import Average, Scores, add_counts, count_items, pair_up
from tatian.text import Document, Link, Span

Titles = Callable[[str], str]
IsInBase = Callable[[str], bool]

OPTIONAL = "optional"
"""Tag of gold mentions that need not be found."""


Groups = Callable[[LinkItem], tuple[str, ...]]
"""Groups of a mention; none if unknown."""
By = Literal["named", "form", "overlap", "type", "tag"]
BYS: tuple[By, ...] = get_args(By)
UNGROUPED = "ungrouped"
"""Gold mentions without a group, and wrong predictions that match no gold mention."""


class LinkScores(Scores, frozen=True, kw_only=True):
    """Agreement of predictions with gold."""

    groups: dict[str, LinkCounts] = msgspec.field(default_factory=dict)
    """Counts of the full task by group; empty without grouping."""
    coverage: tuple[int, int] | None = None
    """Numbers of gold mentions with a page in the base, and with any page; None without base."""

    @property
    def precision(self) -> float:
        """Share of the predicted links that are correct."""
        return self.rates().precision

    @property
    def recall(self) -> float:
        """Share of the gold mentions that were found."""
        return self.rates().recall

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return self.rates().f1

    @property
    def accuracy(self) -> float:
        """Share of matched and linked gold mentions whose best page is correct."""
        return self.value("linking")

    def rates(self, metric: str = "full", average: Average = "micro") -> Rates:
        """Return recall, precision and F1 over all texts."""
        return super().rates(metric, average)

    def plain(self, metric: str, average: Average = "micro") -> dict[str, float]:
        """Return precision, recall and F1 over all texts, or the only figure."""
        if self.metric(metric).rates:
            return _precision_first(self.rates(metric, average))
        return super().plain(metric)

    def total(self, metric: str = "full") -> LinkCounts:
        """Return the counts of all texts together."""
        return LinkCounts(*map(int, add_counts(self.counts[metric])))

    def to_json(self) -> dict[str, Any]:
        """Return all figures as unrounded fractions of 1."""
        data: dict[str, Any] = {}
        for metric in self.metrics:
            figures: dict[str, Any] = self.plain(metric)
            if metric == "linking":
                right, looked_at, *_ = self.total("linking")
                figures = {"accuracy": self.accuracy, "right": right, "mentions": looked_at}
            elif self.metric(metric).rates:
                figures["macro"] = self.plain(metric, "macro")
            data |= figures if metric == "full" else {metric: figures}
        if "full" in self.metrics:
            data["counts"] = _count_fields(self.total())
        data["texts"] = len(self.ids)
        if self.coverage is not None:
            covered, total = self.coverage
            share = covered / total if total else None
            data["coverage"] = {"covered": covered, "gold": total, "share": share}
        if self.groups:
            data["by"] = {
                group: {**_precision_first(ratios(counts)), "counts": _count_fields(counts)}
                for group, counts in self.groups.items()
            }
        return data | {"signature": self.signature()}


def _precision_first(rates: Rates) -> dict[str, float]:
    return {"precision": rates.precision, "recall": rates.recall, "f1": rates.f1}


def _count_fields(counts: LinkCounts) -> dict[str, int]:
    return {name: getattr(counts, name) for name in ("right", "predicted", "found", "gold")}


class ScoringRules(NamedTuple):
    """Scoring rules, the same for every text."""

    match: Match = "strong"
    redirects: Titles | None = None
    in_kb: IsInBase | None = None
    threshold: float | None = None


def score(
    gold: Sequence[Document],
    predicted: Sequence[Document],
    *,
    match: Match = "strong",
    redirects: Titles | None = None,
    in_kb: IsInBase | None = None,
    threshold: float | None = None,
    by: By | None = None,
    kinds: Kinds | None = None,
    metrics: Iterable[str] | None = None,
) -> LinkScores:
    """Score predictions against gold, by the rules in `tatian.scoring.linking`.

    `redirects` returns the page to which a title leads. Gold mentions that are optional or have no
    page are ignored, together with the predictions that match them. With `in_kb`, so are those
    without a page in the base. Predictions with a score below `threshold` are left out. `by` adds
    figures for groups of mentions; `groups_of` explains it and `kinds`.
    """
    from tatian.statistics import fingerprint

    redirects, in_kb = redirects and cache(redirects), in_kb and cache(in_kb)
    rules = ScoringRules(match, redirects, in_kb, threshold)
    texts = [prepare(*texts_of_pair, rules) for texts_of_pair in pair(gold, predicted)]
    used = choose_metrics("mentions", metrics)
    return LinkScores(
        "mentions",
        tuple(text.id for text in texts),
        used,
        count_items(texts, used),
        _signature_options(rules),
        fingerprint(msgspec.json.encode(LinkedLine.from_document(text)).decode() for text in gold),
        "mentions.",
        groups=_by_group(texts, groups_of(by, kinds)) if by else {},
        coverage=coverage(gold, rules.in_kb, rules.redirects) if rules.in_kb else None,
    )


def _signature_options(rules: ScoringRules) -> dict[str, str]:
    """Return the rules for the signature."""
    options: dict[str, str] = {"match": rules.match, "nil": "ignore"}
    if rules.redirects:
        options["redirects"] = "resolved"
    if rules.in_kb:
        options["gold"] = "in-kb"
    if rules.threshold is not None:
        options["threshold"] = f"{rules.threshold:g}"
    return options


def _by_group(texts: Sequence[LinkedPair], groups: Groups) -> dict[str, LinkCounts]:
    by_group = grouped(counted for text in texts for counted in _count_groups(text, groups))
    names = sorted(by_group, key=lambda group: (group == UNGROUPED, group))
    return {group: LinkCounts(*map(int, add_counts(by_group[group]))) for group in names}


def _count_groups(text: LinkedPair, groups: Groups) -> Iterable[tuple[str, LinkCounts]]:
    """Yield the counts of one text for the full task by group; groups may overlap.

    A prediction belongs to the groups of the gold mention that it is paired with. An unpaired one
    belongs to its own groups.
    """
    paired = text.partners
    by_gold = paired.right | paired.wrong
    for index, item in enumerate(text.gold):
        right = index in paired.right
        partner = text.predicted[by_gold[index]] if index in by_gold else None
        counts = LinkCounts(
            found=int(right),
            gold=1,
            right=count_agreeing(item, partner) if right and partner else 0,
            predicted=len(partner.titles) if partner else 0,
        )
        for group in groups(item) or (UNGROUPED,):
            yield group, counts
    used = set(by_gold.values())
    for index, item in enumerate(text.predicted):
        if index not in used:
            for group in groups(item) or (UNGROUPED,):
                yield group, LinkCounts(predicted=len(item.titles))


def groups_of(by: By, kinds: Kinds | None = None) -> Groups:
    """Return a function that maps a mention to its groups.

    `named` separates names from general terms. `form` and `overlap` read tags with that prefix
    (``form:pronoun``), `tag` reads all tags, and `type` all types (``Q5|Q215627``). If the corpus
    does not say whether a mention is a name, the kind of its page decides: people, places and
    organisations are names.
    """
    if by == "type":
        return lambda item: tuple(filter(None, item.mention.type.split("|")))
    if by == "tag":
        return lambda item: item.mention.tags
    if by == "named":
        return lambda item: tuple({classify_name(item.mention, item.titles, kinds)} - {"unsaid"})
    prefix = f"{by}:"
    return lambda item: tuple(
        tag.removeprefix(prefix) for tag in item.mention.tags if tag.startswith(prefix)
    )


def pair(
    gold: Sequence[Document], predicted: Sequence[Document]
) -> list[tuple[Document, Document]]:
    """Pair gold texts with their predictions by id; single texts with any ids."""
    if not gold:
        raise EmptyInput("no gold texts to score against")
    pairs = pair_up(gold, predicted, ("gold", "prediction"))
    for gold_text, predicted_text in pairs:
        _check_offsets(gold_text, predicted_text)
    return pairs


def prepare(gold: Document, predicted: Document, rules: ScoringRules) -> LinkedPair:
    """Return the mentions of one pair of texts that are scored.

    These are left out: mentions not wholly inside the evaluated parts; gold mentions that are
    optional or have no page (in the base), and the predictions that match only them; predictions
    below the threshold. A prediction without a score passes any threshold.
    """
    scored, ignored = _split_items(gold, rules)
    confident = [
        mention
        for mention in _inside_parts(links_of(predicted), evaluated_parts(gold))
        if rules.threshold is None or mention.score is None or mention.score >= rules.threshold
    ]
    judged = _items(confident, rules)
    if ignored:
        judged = [
            item
            for item in judged
            if not touches(item, ignored, rules.match) or touches(item, scored, rules.match)
        ]
    return LinkedPair(gold.id, tuple(scored), tuple(judged), rules.match)


def coverage(
    gold: Iterable[Document], in_kb: IsInBase, redirects: Titles | None = None
) -> tuple[int, int]:
    """Return the numbers of gold mentions with a page in the base, and with any page."""
    rules = ScoringRules(redirects=redirects)
    covered = total = 0
    for text in gold:
        for item in _split_items(text, rules)[0]:
            total += 1
            covered += any(map(in_kb, item.titles))
    return covered, total


def _split_items(gold: Document, rules: ScoringRules) -> tuple[list[LinkItem], list[LinkItem]]:
    """Return the gold mentions that are scored, and those that are ignored."""
    scored: list[LinkItem] = []
    ignored: list[LinkItem] = []
    for item in _items(_inside_parts(links_of(gold), evaluated_parts(gold)), rules):
        in_base = rules.in_kb is None or any(map(rules.in_kb, item.titles))
        is_scored = item.titles and OPTIONAL not in item.mention.tags and in_base
        (scored if is_scored else ignored).append(item)
    return scored, ignored


def _items(mentions: Iterable[Link], rules: ScoringRules) -> list[LinkItem]:
    """Return an item for each span with its pages, in the order of the text."""
    places = grouped(((mention.start, mention.end), mention) for mention in mentions)
    items = []
    for (start, end), entries in sorted(places.items()):
        titles: dict[str, None] = {}
        for entry in entries:
            known = [title for title in entry.titles if title.strip()]
            for title in map(page_title, known or entry.ids):
                titles[page_title(rules.redirects(title)) if rules.redirects else title] = None
        items.append(LinkItem(start, end, tuple(titles), entries[0]))
    return items


def _inside_parts(mentions: Iterable[Link], parts: Sequence[Span]) -> Iterable[Link]:
    if not parts:
        return mentions
    return [mention for mention in mentions if any(part.contains(mention) for part in parts)]


def _check_offsets(gold: Document, predicted: Document) -> None:
    if gold.text != predicted.text:
        place = Prefix.similarity(gold.text, predicted.text)
        gold_part, predicted_part = (text.text[place : place + 20] for text in (gold, predicted))
        raise InputError(
            f"text '{gold.id}' differs from character {place} on: the gold has "
            f"'{gold_part}', the prediction '{predicted_part}': offsets cannot be compared"
        )
    for side, text in (("gold", gold), ("prediction", predicted)):
        for mention in links_of(text):
            if mention.end > len(text.text) or not len(mention):
                raise InputError(
                    f"text '{gold.id}': the {side} has a mention at "
                    f"{mention.start}..{mention.end}, which holds nothing of a text of "
                    f"{len(text.text)} characters"
                )


MAX_THRESHOLDS = 100
"""Maximum number of thresholds that are tried."""


def best_threshold(
    gold: Sequence[Document], predicted: Sequence[Document], **rules: Any
) -> tuple[float, float]:
    """Return the lowest threshold of confidence with the best F1 of the full task, and that F1.

    `predicted` has all predictions of a model, however uncertain; `rules` are options of `score`.
    """
    scores = sorted({link.score or 0.0 for text in predicted for link in links_of(text)})
    step = -(-len(scores) // MAX_THRESHOLDS) or 1
    f1_by_threshold = {
        least: score(gold, predicted, threshold=least, metrics=("full",), **rules).f1
        for least in (0.0, *scores[::step])
    }
    return max(f1_by_threshold.items(), key=lambda option: (option[1], -option[0]))
