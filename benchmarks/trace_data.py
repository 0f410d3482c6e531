"""Supported sentences, and as many with exactly one error, made from bundles by rule.

Supported are an editor's sentences, the facts in a reader's words, fusions of two of them, and
paraphrases: active and passive, numbers in words, a pronoun or surname for a name, synonyms, and
weaker statements. Each of the others has one error, which its `kind` names.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from tatian.analysis import analyze_all
from tatian.corpora.bundles import Bundle
from tatian.text.content import stem
from trace_right import RIGHT, Right
from trace_story import Base, Item
from trace_wrong import WRONG, Wrong

_ADDED = {
    "train": """
    , according to a neighbour who watched from a window | after a quarrel over money
    and apologised to the families the next day | , his second in less than a year
    in front of dozens of schoolchildren | , despite repeated warnings from engineers
    , and a reward was offered for information | using a stolen credit card
    while his wife waited outside in a taxi | , which cost taxpayers a fortune
    and was later treated in hospital for shock | , a decision that angered the unions
    , as a leaked memo had predicted | after drinking heavily all evening
    , and the mayor called for calm | with the help of a foreign government
    , who had recently lost a brother | in spite of heavy snow | and refused to eat for two weeks
    , the biggest of its kind in Europe | after months of secret talks | and signed autographs
    , although insurance will cover most of it | , forcing a nearby airport to close
    , and wept as the news was read out | from a rented flat above a bakery
    , a keen gardener and father of twins | , and shares rose sharply on the news
    without asking the board for permission | , which was filmed by a passing cyclist
    in return for a promise of silence | , to the delight of local fans
    , and volunteers brought soup and blankets | after a failed business deal
    """,
    "dev": """
    , a former lifeguard who speaks four languages | and donated the proceeds to a charity
    after a tip from a retired detective | , and a second vehicle was seen leaving
    , while protesters chanted outside the building | with a borrowed hunting knife
    , which experts had called impossible | because of an unpaid electricity bill
    , and the governor ordered an inquiry | , his voice shaking with emotion
    following a complaint by a hotel guest | , in the presence of two archbishops
    , the third such case this winter | and was awarded a medal for bravery
    , although a rival offered more | after a power failure in the control room
    , and schools stayed shut for a week | , leaving behind a handwritten note
    on the advice of a psychiatrist | , who is allergic to penicillin
    , as the crowd threw bottles at the stage | and has since moved to Portugal
    , a loss put at several million | during a televised debate | , and the lawyers shook hands
    while on holiday with a colleague | , despite a broken wrist | in a room full of journalists
    , and sniffer dogs were brought in | after inheriting a farm from an uncle
    , for which a patent was granted | with financial backing from a bank in Zurich
    , ending a feud of eleven years | , and the bridge was repainted afterwards
    """,
}  # fmt: skip


class Maker(Wrong, Right):
    """Maker of all sentences from one bundle."""


def make(bundles: Sequence[Bundle], part: str, counts: dict[str, int], seed: int = 1) -> list[Item]:
    """Make about `counts` items of every kind, drawn evenly from the bundles."""
    draw = random.Random(seed)
    additions = [
        addition for line in _ADDED[part].strip().splitlines() for addition in line.split("|")
    ]
    texts: list[tuple[int, str, list[str], str]] = []
    for number, bundle in enumerate(bundles):
        lines, noise = bundle.sentences(), set(bundle.noise)
        texts += (
            (number, sentence.text, [lines[s] for s in sentence.sources], "reference")
            for sentence in bundle.reference
        )
        texts += (
            (number, fact.text, [lines[s] for s in fact.sources], "fact")
            for fact in bundle.facts
            if "(" not in fact.text and len(fact.text.split()) > 3
        )
        texts += (
            (number, line, [line], "line")
            for place, line in lines.items()
            if place not in noise and re.search(r'^[^"“]*["“][^"”]{12,}["”][^"“”]*$', line)
        )
    analysed = analyze_all([text for _, text, _, _ in texts])
    drawn: list[dict[str, list[Base]]] = [{} for _ in bundles]
    forms: dict[tuple[str, str], str] = {}
    strangers: dict[str, list[str]] = {}
    pieces: list[str] = []
    for (number, _, sources, kind), document in zip(texts, analysed, strict=True):
        every = [
            s for p, s in bundles[number].sentences().items() if p not in bundles[number].noise
        ]
        base = Base(document, sources, every)
        if len(document.sentences) == 1:
            drawn[number].setdefault(kind, []).append(base)
        for word in base.words.values():
            if word.fine in {"VB", "VBD", "VBN"} and word.tag == "VERB":
                forms.setdefault((stem(base[word.token]), word.fine), base[word.token].lower())
        for name in base.names:
            strangers.setdefault(name.type, []).append(name.of(base.text))
        pieces += base.tail()
    additions += draw.sample(pieces, min(len(pieces), len(additions)))
    by_kind: dict[str, list[Item]] = {kind: [] for kind in (*WRONG, *RIGHT)}
    for number, bundle in enumerate(bundles):
        bases = [*drawn[number].get("reference", []), *drawn[number].get("fact", [])]
        maker = Maker(
            bundle, bases, drawn[number].get("line", []), forms, strangers, additions, draw
        )
        if bases:
            for kind in by_kind:
                by_kind[kind] += _drawn(maker, kind, drawn[number], bundle.id, counts, draw)
    return [item for kind, items in by_kind.items() for item in _limited(items, counts[kind], draw)]


def _drawn(
    maker: Maker,
    kind: str,
    drawn: dict[str, list[Base]],
    bundle: str,
    counts: dict[str, int],
    draw: random.Random,
) -> Iterable[Item]:
    if kind in {"reference", "fact"}:
        return [Item(bundle, kind, True, base.text, base.text) for base in drawn.get(kind, [])]
    rule: Callable[[Base], Iterator[str]] = getattr(maker, "words_" if kind == "words" else kind)
    bases = [*maker.bases, *maker.lines] if kind in {"quotation", "quoted"} else maker.bases
    items = []
    for base in draw.sample(bases, len(bases)):
        options = [text for text in rule(base) if text != base.text or kind == "quoted"]
        if options:
            items.append(Item(bundle, kind, kind in RIGHT, draw.choice(options), base.text))
    return items


def _limited(items: list[Item], most: int, draw: random.Random) -> list[Item]:
    """Return at most so many items, taken in turn from every bundle."""
    shelves: dict[str, list[Item]] = {}
    for item in draw.sample(items, len(items)):
        shelves.setdefault(item.bundle, []).append(item)
    taken: list[Item] = []
    while shelves and len(taken) < most:
        for name in list(shelves):
            taken.append(shelves[name].pop())
            if not shelves[name]:
                del shelves[name]
    return taken[:most]
