"""Seeded halves of a benchmark, and seeded sentences from articles on given topics.

The mention benchmark was halved for development and test (§4) and made of sentences picked at
random from articles that discuss its topics (§3).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import InputError
from tatian.knowledge.forms import words_of
from tatian.mentions.data.jsonl import place
from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.text import Span, split
from tatian.text.lexicon import STOP_WORDS


def halves(texts: Sequence[LinkedText], seed: int = 0) -> tuple[list[LinkedText], list[LinkedText]]:
    """Two halves of a benchmark, development and test, each in the order of the whole.

    Texts that are parts of one stay together. A text's half depends on its id, on the seed and on
    the others, not on their order; the first half is no larger.
    """
    groups: dict[str, list[int]] = {}
    for at, text in enumerate(texts):
        groups.setdefault(text.part_of or text.id, []).append(at)
    first: set[int] = set()
    for name in sorted(groups, key=lambda one: _rank(one, seed)):
        if len(first) + len(groups[name]) <= len(texts) // 2:
            first.update(groups[name])
    return (
        [text for at, text in enumerate(texts) if at in first],
        [text for at, text in enumerate(texts) if at not in first],
    )


def _rank(id: str, seed: int) -> bytes:
    """A place in an order that does not depend on the order of the file."""
    return hashlib.sha256(f"{seed}\n{id}".encode("utf-8", "surrogatepass")).digest()


class Article(Struct, frozen=True):
    """A text that sentences are taken from; its mentions come along with them."""

    title: str
    text: str
    mentions: tuple[LinkedMention, ...] = ()


def discusses(article: Article, topic: str) -> bool:
    """Whether an article is on a topic: the words of its title are in the topic, or the reverse.

    Only words of content count, in any number: "Video game" is on "We should ban video games", and
    "A ferry runs aground" is on "ferries".
    """
    wanted, title = _content(topic), _content(article.title)
    return bool(wanted and title) and (title <= wanted or wanted <= title)


def _content(text: str) -> set[str]:
    return {_singular(word) for word in words_of(text) if word not in STOP_WORDS and len(word) > 2}


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def sample(
    articles: Iterable[Article],
    count: int,
    *,
    topics: Sequence[str] = (),
    seed: int = 0,
    shortest: int = 5,
    longest: int = 60,
) -> list[LinkedText]:
    """`count` sentences at random from articles on `topics` (from all articles if there are none).

    A sentence has `shortest` to `longest` words, appears once, and knows the first topic that its
    article is on. The same articles, topics and seed give the same sentences.
    """
    if count < 1:
        raise InputError("how many sentences? at least 1")
    found: dict[str, LinkedText] = {}
    for article in articles:
        topic = next((one for one in topics if discusses(article, one)), None)
        if topics and topic is None:
            continue
        for text in _sentences(article, topic or ""):
            if shortest <= len(text.text.split()) <= longest:
                found.setdefault(text.text, text)
    if not found:
        raise InputError("no sentence to choose from: no article is on one of the topics")
    ordered = [found[text] for text in sorted(found)]
    chosen = Random(seed).sample(range(len(ordered)), min(count, len(ordered)))
    return [ordered[at] for at in chosen]


def _sentences(article: Article, topic: str) -> Iterator[LinkedText]:
    for number, sentence in enumerate(split(article.text), start=1):
        inside = [one for one in article.mentions if sentence.contains(one)]
        yield LinkedText(
            f"{article.title}/{number}",
            sentence.of(article.text),
            topic,
            tuple(sorted((_moved(one, sentence) for one in inside), key=place)),
        )


def _moved(mention: LinkedMention, sentence: Span) -> LinkedMention:
    return replace(mention, start=mention.start - sentence.start, end=mention.end - sentence.start)
