"""Long inputs for the annotation pages that `workbench_long_document.py` measures.

Each has an item's content, the draft that the page opens with, and the actions to measure.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from tatian.workbench.tasks import Json, tasks

NAMES = ("Tal", "Brandt", "Pelt", "Sorg", "Frisch", "Marsh", "Krol", "Vogt", "Stahl", "Winter")
THINGS = ("ferry", "harbour", "company", "council", "museum", "bridge", "school", "register")
SENTENCES = (
    "{name} of the {thing} met {other} , the head of {place} , in the morning .",
    "She told the {thing} that its {part} would close in {place} next year .",
    "The {thing} , which {other} had built , paid {name} for the {part} .",
    "They said that he had sold it to the {thing} of {place} himself .",
)


@dataclass(frozen=True)
class LongPage:
    """A page with much on it."""

    name: str
    task: str
    size: str
    content: Json
    draft: Json
    ready: str
    """Selector of an element that exists once the draft is drawn."""
    actions: tuple[str, ...]
    places: int
    """Number of elements at which an action may begin."""


def coreference_item(words: int, phrases: int) -> LongPage:
    """Return a document with so many phrases marked, most of them linked."""
    draw = random.Random(0)
    task = tasks.create("coreference")
    content = task.content(
        {"text": "\n\n".join(" ".join(paragraph) for paragraph in _paragraphs(draw, words))}
    )
    tokens = task.to_page(content, 0, {})["tokens"]
    total = len(tokens) // 2
    starts = sorted(draw.sample(range(total - 4), phrases))
    places = {(tokens[2 * at], tokens[2 * (at + draw.randint(0, 3)) + 1]) for at in starts}
    chains = max(1, phrases // 6)
    mentions = [
        [number, start, end, draw.randint(1, chains), -1, -1, 0]
        for number, (start, end) in enumerate(sorted(places), 1)
    ]
    return LongPage(
        "coref", "coreference", f"{total:,} words, {len(mentions):,} phrases", content,
        {"mentions": mentions}, ".coref-text .w[data-open]",
        ("select", "move", "add", "link", "undo"), total - 20,
    )  # fmt: skip


def detection_item(words: int, links: int) -> LongPage:
    """Return a text with so many terms linked."""
    draw = random.Random(1)
    text = "\n".join(" ".join(paragraph) for paragraph in _paragraphs(draw, words))
    spans = [match.span() for match in re.finditer(r"\w+", text)]
    chosen = sorted(draw.sample(spans, links))
    mentions = [
        {"start": start, "end": end, "title": text[start:end].capitalize()} for start, end in chosen
    ]
    return LongPage(
        "detection", "mentions.detect", f"{len(spans):,} words, {links:,} links", {"text": text},
        {"mentions": mentions, "typed": "", "none": False}, ".links li",
        ("move", "select", "link", "remove", "undo"), len(spans),
    )  # fmt: skip


def marking_item(words: int, marks: int) -> LongPage:
    """Return two sources and their union, all long, with words marked in each."""
    draw = random.Random(2)
    first, second, union = (
        " ".join(" ".join(paragraph) for paragraph in _paragraphs(draw, count))
        for count in (words // 2, words // 2, words)
    )
    word_spans = [match.span() for match in re.finditer(r"\w+", union)]
    chosen = sorted(draw.sample(word_spans, marks))
    spans = [{"start": start, "end": end} for start, end in chosen]
    draft = {
        "missing": [], "unfaithful": spans[::2], "redundant": spans[1::2], "unfluent": False,
        "note": "",
    }  # fmt: skip
    return LongPage(
        "marking", "union.mark", f"{2 * len(word_spans):,} words, {marks:,} marks",
        {"sentences": [first, second], "merged": union}, draft, ".word.on",
        ("move", "mark", "kind", "undo"), len(word_spans),
    )  # fmt: skip


def _paragraphs(draw: random.Random, words: int) -> list[list[str]]:
    """Return paragraphs of six sentences with at least so many words."""
    paragraphs: list[list[str]] = []
    count = 0
    while count < words:
        paragraphs.append([_sentence(draw) for _ in range(6)])
        count += sum(len(sentence.split()) for sentence in paragraphs[-1])
    return paragraphs


def _sentence(draw: random.Random) -> str:
    parts = {
        "name": draw.choice(NAMES), "other": draw.choice(NAMES), "place": "Brenn",
        "thing": draw.choice(THINGS), "part": draw.choice(THINGS),
    }  # fmt: skip
    return draw.choice(SENTENCES).format(**parts)
