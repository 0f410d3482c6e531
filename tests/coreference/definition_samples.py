"""Sentences in which brackets say what the definition wants, and what the rules make of them.

``[1 ...]`` is a mention of chain 1, ``[1? ...]`` one whose link is optional. ``[- ...]`` is linked
with nothing, and ``[x ...]`` is not markable at all. All sentences are our own.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from tatian.coreference.analysis import analyse
from tatian.coreference.definition import apply, markables
from tatian.coreference.models import resolvers
from tatian.mentions.models import detectors
from tatian.text import CHAINS, Document, Mention

_MARK = re.compile(r"\[([0-9]+\??|-|x) |\]")


class Expected(NamedTuple):
    """A bracketed phrase."""

    start: int
    end: int
    label: str


def bracketed(marked: str) -> tuple[str, list[Expected]]:
    """The plain text, and what its brackets say."""
    text: list[str] = []
    opened: list[tuple[int, str]] = []
    found: list[Expected] = []
    at = length = 0
    for mark in _MARK.finditer(marked):
        text.append(marked[at : mark.start()])
        length += mark.start() - at
        at = mark.end()
        if mark[1]:
            opened.append((length, mark[1]))
        else:
            start, label = opened.pop()
            found.append(Expected(start, length, label))
    assert not opened, f"a bracket is not closed: {marked}"
    return "".join([*text, marked[at:]]), found


@cache
def analysis(text: str) -> Document:
    """The text, analysed."""
    return analyse(Document(id="text", text=text))


@cache
def marked_in(text: str) -> dict[str, str]:
    """The markables of a text, each with its MIN."""
    found = markables(analysis(text))
    return {one.of(text): (one.head or one).of(text) for one in found}


@cache
def resolved(text: str, model: str = "match") -> Document:
    """The text with chains by the definition, from what a model proposes."""
    named = detectors.create().detect(analysis(text))
    if model == "match":
        return apply(resolvers.create(model).resolve(named))
    return resolvers.create(model, scheme="muc").resolve(named)


def differences(marked: str, model: str = "match") -> list[str]:
    """Where the chains depart from what the brackets say."""
    text, expected = bracketed(marked)
    found = _chains(text, model)
    markable = {(one.start, one.end) for one in markables(analysis(text))}
    wrong: list[str] = []
    numbers: dict[str, str] = {}
    for start, end, label in expected:
        phrase = text[start:end]
        mention, chain = found.get((start, end), (None, ""))
        if label == "x":
            wrong += [f"'{phrase}' is markable"] if (start, end) in markable else []
        elif (start, end) not in markable:
            wrong.append(f"'{phrase}' is not markable")
        elif label == "-":
            wrong += [f"'{phrase}' is linked"] if mention else []
        else:
            number = label.rstrip("?")
            wrong += _misplaced(phrase, chain, numbers.setdefault(number, chain))
            if mention is not None and mention.optional != label.endswith("?"):
                wrong.append(f"'{phrase}' is {'' if mention.optional else 'not '}optional")
    chains = [chain for chain in numbers.values() if chain]
    if len(set(chains)) < len(chains):
        wrong.append("two things are in one chain")
    return wrong


def _misplaced(phrase: str, chain: str, wanted: str) -> list[str]:
    if not chain:
        return [f"'{phrase}' is not linked"]
    return [] if chain == wanted else [f"'{phrase}' is in another chain"]


def _chains(text: str, model: str) -> dict[tuple[int, int], tuple[Mention, str]]:
    return {
        (mention.start, mention.end): (mention, chain.id)
        for chain in resolved(text, model).get(CHAINS)
        for mention in chain.mentions
    }
