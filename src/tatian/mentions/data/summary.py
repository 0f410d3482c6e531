"""What a benchmark holds: how many mentions, of what kind, how densely (§3 of the benchmark)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from msgspec import Struct

from tatian.mentions.data.ids import is_nil
from tatian.mentions.data.records import LinkedMention, LinkedText
from tatian.text import split, tokenize

Kinds = Callable[[str], str | None]
"""What the page of a title is: person, location, organisation or concept."""


class Summary(Struct, frozen=True):
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


def summarize(texts: Iterable[LinkedText], kinds: Kinds | None = None) -> Summary:
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
        for mention in text.mentions:
            ids = [one for one in mention.ids if not is_nil(one)]
            weight = max(len(mention.titles), len(ids), 1)
            counts["mentions"] += weight
            counts["places"] += 1
            counts["unlinked"] += not mention.titles and not ids
            counts[_kind(mention, kinds)] += weight
            counts["lower"] += weight if mention.term[:1].islower() else 0
            pages.update(mention.titles or ids)
            if mention.type:
                types[mention.type] += weight
            for tag in mention.tags:
                tags[tag] += weight
    figures = {name: counts[name] for name in Summary.__struct_fields__ if name in _COUNTED}
    return Summary(
        **figures,
        pages=len(pages),
        types=dict(types.most_common()),
        tags=dict(sorted(tags.items())),
    )


_COUNTED = frozenset(Summary.__struct_fields__) - {"pages", "types", "tags"}


def _count_text(text: LinkedText, counts: Counter[str]) -> None:
    parts = text.evaluated
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
    for mention in text.mentions:
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


def _kind(mention: LinkedMention, kinds: Kinds | None) -> str:
    if mention.named is not None:
        return "named" if mention.named else "general"
    kind = kinds(mention.titles[0]) if kinds and mention.titles else None
    if kind is None:
        return "unsaid"
    return "general" if kind == "concept" else "named"
