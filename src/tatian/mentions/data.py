"""Mention benchmarks: random halves (§4), sentences drawn from articles (§3), statistics (§3)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from msgspec import Struct

from tatian.errors import InputError
from tatian.formats.links import build_document, evaluated_parts, links_of, move_link, part_of
from tatian.formats.wiki import is_nil
from tatian.grouping import grouped, ratio
from tatian.knowledge.entities import words_of
from tatian.text import Document, Link, split, tokenize
from tatian.text.lexicon import STOP_WORDS
from tatian.text.plurals import singulars


def split_in_halves(
    texts: Sequence[Document], seed: int = 0
) -> tuple[list[Document], list[Document]]:
    """Split a benchmark into halves for development and test, each in the original order.

    Parts of one text stay together. The split depends on the ids and the seed, not on the order.
    The first half is never the larger one.
    """
    groups = grouped((part_of(text) or text.id, at) for at, text in enumerate(texts))

    def rank(id: str) -> bytes:
        return hashlib.sha256(f"{seed}\n{id}".encode("utf-8", "surrogatepass")).digest()

    first: set[int] = set()
    for name in sorted(groups, key=rank):
        if len(first) + len(groups[name]) <= len(texts) // 2:
            first.update(groups[name])
    return (
        [text for at, text in enumerate(texts) if at in first],
        [text for at, text in enumerate(texts) if at not in first],
    )


class SourceArticle(Struct, frozen=True):
    """An article that sentences are drawn from, with its links."""

    title: str
    text: str
    links: tuple[Link, ...] = ()


def discusses(article: SourceArticle, topic: str) -> bool:
    """Return whether the topic contains all words of the article's title, or the reverse.

    Only content words count, in singular or plural: "Video game" is on "We should ban video games",
    and "A ferry runs aground" is on "ferries".
    """
    topic_words, title_words = _content_words(topic), _content_words(article.title)
    if not topic_words or not title_words:
        return False
    return title_words <= topic_words or topic_words <= title_words


def _content_words(text: str) -> set[str]:
    return {
        next(iter(singulars(word)), word)
        for word in words_of(text)
        if word not in STOP_WORDS and len(word) > 2
    }


_MIN_WORDS, _MAX_WORDS = 5, 60
"""Minimum and maximum number of words of a sentence in a sample."""


def sample(
    articles: Iterable[SourceArticle],
    count: int,
    *,
    topics: Sequence[str] = (),
    seed: int = 0,
) -> list[Document]:
    """Draw `count` sentences at random from articles on `topics`, or from all without topics.

    Sentences are distinct, and get the first topic of their article. The same articles, topics and
    seed give the same sentences.
    """
    if count < 1:
        raise InputError("the number of sentences must be at least 1")
    by_text: dict[str, Document] = {}
    for article in articles:
        topic = next((topic for topic in topics if discusses(article, topic)), None)
        if topics and topic is None:
            continue
        for text in _usable_sentences(article, topic or ""):
            if _MIN_WORDS <= len(text.text.split()) <= _MAX_WORDS:
                by_text.setdefault(text.text, text)
    if not by_text:
        raise InputError("no sentence to choose from: no article is on one of the topics")
    ordered = [by_text[text] for text in sorted(by_text)]
    chosen = Random(seed).sample(range(len(ordered)), min(count, len(ordered)))
    return [ordered[at] for at in chosen]


def _usable_sentences(article: SourceArticle, topic: str) -> Iterator[Document]:
    for number, sentence in enumerate(split(article.text), start=1):
        inside = [link for link in article.links if sentence.contains(link)]
        yield build_document(
            f"{article.title}/{number}",
            sentence.of(article.text),
            (move_link(link, -sentence.start) for link in inside),
            topic=topic,
        )


Kinds = Callable[[str], str | None]
"""Maps a title to the kind of its page: person, location, organisation or concept."""


class MentionSummary(Struct, frozen=True):
    """Statistics of a benchmark; as in the paper, a mention is a term at a place with one page."""

    texts: int
    sentences: int
    tokens: int
    mentions: int
    """Number of mentions: a term with two correct pages counts twice."""
    places: int
    """Number of linked terms at their places, each counted once."""
    named: int
    general: int
    unsaid: int
    """Number of mentions for which the corpus does not say whether they are names."""
    unlinked: int
    """Number of terms without a page."""
    nested: int
    """Number of terms that overlap another."""
    pages: int
    """Number of distinct pages."""
    lower: int
    """Number of mentions that begin with a lower-case letter."""
    covered: int
    """Number of tokens in mentions."""
    types: dict[str, int]
    tags: dict[str, int]

    @property
    def per_sentence(self) -> float:
        """Average number of mentions in a sentence."""
        return ratio(self.mentions, self.sentences)

    @property
    def sentence_length(self) -> float:
        """Average number of tokens in a sentence."""
        return ratio(self.tokens, self.sentences)

    @property
    def titles_per_mention(self) -> float:
        """Average number of correct pages of a linked term."""
        return ratio(self.mentions - self.unlinked, self.places - self.unlinked)

    @property
    def coverage(self) -> float:
        """Share of tokens that are in mentions."""
        return ratio(self.covered, self.tokens)


def summarize(texts: Iterable[Document], kinds: Kinds | None = None) -> MentionSummary:
    """Return statistics of the annotated parts of texts.

    If a corpus does not say whether a mention is a name, the kind of its page decides: people,
    places and organisations are names.
    """
    counts: Counter[str] = Counter()
    types: Counter[str] = Counter()
    tags: Counter[str] = Counter()
    pages: set[str] = set()
    for text in texts:
        counts["texts"] += 1
        _count_text(text, counts)
        for mention in links_of(text):
            ids = [page_id for page_id in mention.ids if not is_nil(page_id)]
            weight = max(len(mention.titles), len(ids), 1)
            counts["mentions"] += weight
            counts["places"] += 1
            counts["unlinked"] += not mention.titles and not ids
            counts[classify_name(mention, mention.titles, kinds)] += weight
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
    covered: list[tuple[int, int]] = []
    for mention in links_of(text):
        if covered and mention.start < covered[-1][1]:
            counts["nested"] += 1
            start, end = covered.pop()
            covered.append((start, max(end, mention.end)))
        else:
            covered.append((mention.start, mention.end))
    index = 0
    for token in tokens:
        while index < len(covered) and covered[index][1] <= token.start:
            index += 1
        counts["covered"] += index < len(covered) and covered[index][0] < token.end


def classify_name(mention: Link, titles: Sequence[str], kinds: Kinds | None) -> str:
    """Return ``named``, ``general`` or ``unsaid``, by the annotation or else by the best page."""
    if mention.named is not None:
        return "named" if mention.named else "general"
    kind = kinds(titles[0]) if kinds and titles else None
    if kind is None:
        return "unsaid"
    return "general" if kind == "concept" else "named"
