"""Benchmarks of mentions: seeded halves, sentences drawn from articles, and what each holds.

The mention benchmark was halved for development and test (§4) and made of sentences picked at
random from articles that discuss its topics (§3). How many mentions, of what kind, how densely:
`summarize` (§3).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from msgspec import Struct

from tatian.errors import InputError
from tatian.formats.links import evaluated_parts, linked, links_of, moved, part_of
from tatian.formats.wiki import is_nil
from tatian.knowledge.entities import words_of
from tatian.text import Document, Link, split, tokenize
from tatian.text.lexicon import STOP_WORDS
from tatian.text.plurals import singulars


def halves(texts: Sequence[Document], seed: int = 0) -> tuple[list[Document], list[Document]]:
    """Two halves of a benchmark, development and test, each in the order of the whole.

    Texts that are parts of one stay together. A text's half depends on its id, on the seed and on
    the others, not on their order; the first half is no larger.
    """
    groups: dict[str, list[int]] = {}
    for at, text in enumerate(texts):
        groups.setdefault(part_of(text) or text.id, []).append(at)
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


class SourceArticle(Struct, frozen=True):
    """A text that sentences are taken from; its links come along with them."""

    title: str
    text: str
    links: tuple[Link, ...] = ()


def discusses(article: SourceArticle, topic: str) -> bool:
    """Whether an article is on a topic: the words of its title are in the topic, or the reverse.

    Only words of content count, in any number: "Video game" is on "We should ban video games", and
    "A ferry runs aground" is on "ferries".
    """
    wanted, title = _content(topic), _content(article.title)
    return bool(wanted and title) and (title <= wanted or wanted <= title)


def _content(text: str) -> set[str]:
    return {
        next(iter(singulars(word)), word)
        for word in words_of(text)
        if word not in STOP_WORDS and len(word) > 2
    }


def sample(
    articles: Iterable[SourceArticle],
    count: int,
    *,
    topics: Sequence[str] = (),
    seed: int = 0,
    shortest: int = 5,
    longest: int = 60,
) -> list[Document]:
    """`count` sentences at random from articles on `topics` (from all articles if there are none).

    A sentence has `shortest` to `longest` words, appears once, and knows the first topic that its
    article is on. The same articles, topics and seed give the same sentences.
    """
    if count < 1:
        raise InputError("how many sentences? at least 1")
    found: dict[str, Document] = {}
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


def _sentences(article: SourceArticle, topic: str) -> Iterator[Document]:
    for number, sentence in enumerate(split(article.text), start=1):
        inside = [one for one in article.links if sentence.contains(one)]
        yield linked(
            f"{article.title}/{number}",
            sentence.of(article.text),
            (moved(one, -sentence.start) for one in inside),
            topic=topic,
        )


Kinds = Callable[[str], str | None]
"""What the page of a title is: person, location, organisation or concept."""


class MentionSummary(Struct, frozen=True):
    """The figures of one file; a mention is a term, its place and one page, as in the paper."""

    texts: int
    sentences: int
    tokens: int
    mentions: int
    """Terms with their pages: a term with two right pages counts twice."""
    places: int
    """Terms as they stand in the texts, each once."""
    named: int
    general: int
    unsaid: int
    """Mentions of which nobody says whether they are names."""
    unlinked: int
    """Terms without a page."""
    nested: int
    """Terms inside or across another."""
    pages: int
    """Different pages."""
    lower: int
    """Mentions that begin with a lower case letter."""
    covered: int
    """Tokens that a mention covers."""
    types: dict[str, int]
    tags: dict[str, int]

    @property
    def per_sentence(self) -> float:
        """Mentions in a sentence, on average."""
        return _ratio(self.mentions, self.sentences)

    @property
    def sentence_length(self) -> float:
        """Tokens in a sentence, on average."""
        return _ratio(self.tokens, self.sentences)

    @property
    def titles_per_mention(self) -> float:
        """Right pages for a linked term, on average."""
        linked = self.places - self.unlinked
        return _ratio(self.mentions - self.unlinked, linked)

    @property
    def coverage(self) -> float:
        """The share of tokens that a mention covers."""
        return _ratio(self.covered, self.tokens)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def summarize(texts: Iterable[Document], kinds: Kinds | None = None) -> MentionSummary:
    """Count what the texts hold, in the parts that were annotated.

    Where a corpus does not say whether a mention is a name, `kinds` of its page decides: people,
    places and organisations are.
    """
    counts: Counter[str] = Counter()
    types: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    pages: set[str] = set()
    for text in texts:
        counts["texts"] += 1
        _count_text(text, counts)
        for mention in links_of(text):
            ids = [one for one in mention.ids if not is_nil(one)]
            weight = max(len(mention.titles), len(ids), 1)
            counts["mentions"] += weight
            counts["places"] += 1
            counts["unlinked"] += not mention.titles and not ids
            counts[naming(mention, mention.titles, kinds)] += weight
            counts["lower"] += weight if mention.of(text.text)[:1].islower() else 0
            pages.update(mention.titles or ids)
            if mention.type:
                types[mention.type] += weight
            for tag in mention.tags:
                tags[tag] += weight
    figures = {name: counts[name] for name in MentionSummary.__struct_fields__ if name in _COUNTED}
    return MentionSummary(
        **figures,
        pages=len(pages),
        types=dict(types.most_common()),
        tags=dict(sorted(tags.items())),
    )


_COUNTED = frozenset(MentionSummary.__struct_fields__) - {"pages", "types", "tags"}


def _count_text(text: Document, counts: Counter[str]) -> None:
    parts = evaluated_parts(text)
    tokens = [
        token
        for token in tokenize(text.text)
        if not parts or any(part.contains(token) for part in parts)
    ]
    counts["tokens"] += len(tokens)
    counts["sentences"] += sum(
        1
        for sentence in split(text.text)
        if not parts or any(part.overlaps(sentence) for part in parts)
    )
    stretches: list[tuple[int, int]] = []
    for mention in links_of(text):
        if stretches and mention.start < stretches[-1][1]:
            counts["nested"] += 1
            start, end = stretches.pop()
            stretches.append((start, max(end, mention.end)))
        else:
            stretches.append((mention.start, mention.end))
    at = 0
    for token in tokens:
        while at < len(stretches) and stretches[at][1] <= token.start:
            at += 1
        counts["covered"] += at < len(stretches) and stretches[at][0] < token.end


def naming(mention: Link, titles: Sequence[str], kinds: Kinds | None) -> str:
    """``named``, ``general`` or ``unsaid``: as the corpus says, or else as its best page tells."""
    if mention.named is not None:
        return "named" if mention.named else "general"
    kind = kinds(titles[0]) if kinds and titles else None
    if kind is None:
        return "unsaid"
    return "general" if kind == "concept" else "named"
