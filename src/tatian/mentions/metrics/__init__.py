"""How well predicted mentions agree with gold ones: found, and linked to the right page.

What counts (the mention benchmark, §3: "the same term can appear multiple times in mentions, either
with the same span but linked to different entities, or with different spans"):

- A **gold mention** is a span with all its right pages; entries of one span are one mention. It is
  *found* when one of its pages is predicted for a span that matches. Recall is the share found.
- A **predicted link** is a span with one page. A prediction of three pages is three links: each
  is right or wrong. Precision is the share that are right.
- Spans **match** when they are the same (`strong`), or share a character (`weak`). Matching is one
  to one: of a gold mention and a prediction that overlap several others, each is used once, so that
  as many gold mentions as possible are found.
- Titles are compared as Wikipedia writes them (`page_title`), redirects resolved where a base is
  given.

Three **tasks**: `full` (the above), `detection` (spans alone), and `linking` (of the gold mentions
that a prediction matches, the share whose best page is right: the accuracy, where a system is
given gold spans).
"""

from __future__ import annotations

from collections.abc import Sequence

from tatian.mentions.metrics.matching import Match
from tatian.mentions.metrics.preparing import (
    Known,
    Nil,
    Prepared,
    Rules,
    Titles,
    coverage,
    pair,
    prepare,
    remembered,
)
from tatian.mentions.metrics.scores import (
    Average,
    Counted,
    Counts,
    Rates,
    Scores,
    Task,
    added,
    compare,
)
from tatian.mentions.metrics.tasks import (
    UNGROUPED,
    By,
    Kinds,
    detection,
    full,
    grouped,
    groups_of,
    linking,
    partners,
)
from tatian.text import Document

__all__ = [
    "Average",
    "Counted",
    "Counts",
    "Match",
    "Nil",
    "Rates",
    "Scores",
    "Task",
    "compare",
    "coverage",
    "score",
]


def score(
    gold: Sequence[Document],
    predicted: Sequence[Document],
    *,
    match: Match = "strong",
    redirects: Titles | None = None,
    in_kb: Known | None = None,
    threshold: float | None = None,
    nil: Nil = "ignore",
    by: By | None = None,
    kinds: Kinds | None = None,
) -> Scores:
    """How well predictions agree with gold: `tatian.mentions.metrics` says what counts.

    `redirects` gives the page a title leads to. With `in_kb`, gold none of whose pages the base has
    is left out, with the predictions that match it. Predictions scored below `threshold` are left
    out. Gold that is optional or has no page is ignored, and so are the predictions that match it;
    with ``nil="score"``, gold without a page is found by a prediction without one. `by` adds
    figures for groups of mentions (see `groups_of`, which also explains `kinds`).
    """
    rules = Rules(match, remembered(redirects), remembered(in_kb), threshold, nil)
    texts = [prepare(one, other, rules) for one, other in pair(gold, predicted)]
    return Scores(
        tuple(count(text, match) for text in texts),
        options_of(rules),
        fingerprint_of(gold),
        _by_group(texts, match, by, kinds) if by else {},
        coverage(gold, rules.in_kb, rules.redirects) if rules.in_kb else None,
    )


def count(text: Prepared, match: Match) -> Counted:
    """The counts of one text for all tasks."""
    paired = partners(text, match)
    return Counted(text.id, full(text, paired), detection(text, match), linking(text, paired))


def options_of(rules: Rules) -> dict[str, str]:
    """What a signature must say of the rules."""
    options: dict[str, str] = {"match": rules.match, "nil": rules.nil}
    if rules.redirects:
        options["redirects"] = "resolved"
    if rules.in_kb:
        options["gold"] = "in-kb"
    if rules.threshold is not None:
        options["threshold"] = f"{rules.threshold:g}"
    return options


def fingerprint_of(gold: Sequence[Document]) -> str:
    """Of the texts and all that their mentions say."""
    import msgspec

    from tatian.formats.mentions_jsonl import Line
    from tatian.statistics import fingerprint

    return fingerprint(msgspec.json.encode(Line.of(text)).decode() for text in gold)


def _by_group(
    texts: Sequence[Prepared], match: Match, by: By, kinds: Kinds | None
) -> dict[str, Counts]:
    found: dict[str, list[Counts]] = {}
    groups = groups_of(by, kinds)
    for text in texts:
        for group, counts in grouped(text, partners(text, match), groups):
            found.setdefault(group, []).append(counts)
    names = sorted(found, key=lambda group: (group == UNGROUPED, group))
    return {group: added(found[group]) for group in names}
