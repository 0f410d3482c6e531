"""Profiles of a document's chains: names, nouns, modifiers and context."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import takewhile

from msgspec import Struct
from msgspec.structs import replace

from tatian.coreference.constraints import ORGANISATION, PERSON, PLACE, Traits
from tatian.coreference.models.match import name_words
from tatian.coreference.sorts import noun_traits
from tatian.coreference.traits import SORTS_OF_NAME
from tatian.text import CHAINS, Chain, Document, Mention, Sentence, Span
from tatian.text.content import concept, is_content, stem
from tatian.text.datelines import publication_day
from tatian.text.dates import find_times, named_days
from tatian.text.lexicon import FEMALE_TITLES, MALE_TITLES, NUMBER_WORDS, PRONOUNS, TITLES
from tatian.text.plurals import is_plural

Name = tuple[str, ...]
"""Words of a name in lower case, without title, suffix and article."""

_WORDS_AFTER_HEAD = 5
"""Maximum number of words after a head that count as modifiers: "the mayor of Halverne"."""
_CONTEXT_MENTIONS = 8
"""Number of first mentions of a chain whose sentences are its context."""
_LENGTHS = frozenset(stem(unit) for unit in ("second", "minute", "hour", "week", "month", "year"))
"""Stems of units of time, whose lengths ("eight years") are never linked."""
_NOT_PEOPLE = (ORGANISATION, PLACE)
_NAME_FILLERS = frozenset(("the", "a", "an", "s"))


class Profile(Struct, frozen=True):
    """A chain of one document, with features for linking it to those of others."""

    document: str
    chain: Chain
    names: tuple[Name, ...] = ()
    """Distinct names, in the order of the text; amounts count as names."""
    heads: frozenset[str] = frozenset()
    """Stems of the head nouns of mentions other than names."""
    concepts: frozenset[str] = frozenset()
    """Concepts of these nouns; synonyms in reports have the same concept."""
    modifiers: frozenset[str] = frozenset()
    """Stems of the other words in its mentions."""
    numbers: frozenset[str] = frozenset()
    plural: bool = False
    genders: frozenset[str] = frozenset()
    context_words: frozenset[str] = frozenset()
    """Concepts in the sentences that mention it, except its own."""
    namesakes: int = 0
    """Number of other chains of its document with the same noun."""
    traits: tuple[Traits, ...] = ()
    """Properties that hold in all documents: kind, longest name, gender and dates."""

    @property
    def type(self) -> str:
        """Type of its names; empty if unknown."""
        return self.chain.type

    def keys(self) -> list[str]:
        """Return words and initials to compare profiles by; none for a length of time."""
        if self.numbers and self.heads and self.heads <= _LENGTHS and not self.names:
            return []
        words = {word for name in self.names for word in name if is_content(word)}
        words |= {"".join(word[0] for word in name) for name in self.names if len(name) > 1}
        words |= self.heads | self.concepts
        if self.names:
            words |= self.modifiers
        return sorted(words)


def profiles(document: Document) -> list[Profile]:
    """Return the profiles of a document's chains, in order."""
    raw = [_profile(document, chain) for chain in document.get(CHAINS)]
    counts = Counter(head for profile in raw for head in profile.heads)
    return [
        replace(profile, namesakes=max((counts[head] - 1 for head in profile.heads), default=0))
        for profile in raw
    ]


def is_name(document: Document, mention: Mention) -> bool:
    """Return True if a mention is a name; a capital at the start of a sentence is no evidence."""
    head = mention.head or mention
    words = head.of(document.text)
    if not words[:1].isupper() or words.lower() in PRONOUNS:
        return False
    sentence = sentence_of(document, head)
    return bool(mention.type) or sentence is None or sentence.start != head.start


def sentence_of(document: Document, span: Span) -> Sentence | None:
    """Return the sentence in which a span begins."""
    sentences = document.sentences
    number = bisect_right(sentences, span.start, key=lambda sentence: sentence.start) - 1
    return sentences[number] if number >= 0 and span.start < sentences[number].end else None


def content_concepts(document: Document, span: Span | None) -> set[str]:
    """Return the concepts of the content words in a span."""
    tokens = document.tokens_in(span) if span is not None else ()
    return {concept(token.text) for token in tokens if is_content(token.text)}


def _profile(document: Document, chain: Chain) -> Profile:
    names: dict[Name, None] = {}
    nouns: set[str] = set()
    modifiers: set[str] = set()
    genders: set[str] = set()
    context_words: set[str] = set()
    for number, mention in enumerate(chain.mentions):
        if number < _CONTEXT_MENTIONS:
            context_words |= content_concepts(document, sentence_of(document, mention))
        pronoun = PRONOUNS.get(mention.of(document.text).lower())
        if pronoun is not None:
            genders.update(gender for gender in ("male", "female") if gender == pronoun.gender)
            continue
        words = list(_modifiers(document, mention))
        genders |= {"male"} if not MALE_TITLES.isdisjoint(words) else set()
        genders |= {"female"} if not FEMALE_TITLES.isdisjoint(words) else set()
        modifiers.update(stem(word) for word in words)
        noun = "" if is_name(document, mention) else _noun(document, mention)
        name = () if noun else _name(document, mention)
        nouns |= {noun} if noun else set()
        names |= {name: None} if name else {}
    heads = frozenset(stem(noun) for noun in nouns)
    concepts = frozenset(concept(noun) for noun in nouns)
    name_concepts = {concept(word) for name in names for word in name}
    return Profile(
        document=document.id,
        chain=chain,
        names=tuple(names),
        heads=heads,
        concepts=concepts,
        modifiers=frozenset(modifiers) - heads,
        numbers=frozenset(_numbers(modifiers)),
        plural=any(noun.endswith("s") and not noun.endswith("ss") for noun in nouns),
        genders=frozenset(genders),
        context_words=frozenset(context_words) - concepts - name_concepts,
        traits=(
            *_name_traits(document, chain, genders),
            *_date_traits(document, chain),
            *_noun_traits(nouns, modifiers),
        ),
    )


def _name_traits(document: Document, chain: Chain, genders: set[str]) -> Iterator[Traits]:
    """Yield the gender, and the longest name if it has several words or mentions."""
    gender = next(iter(genders)) if len(genders) == 1 else ""
    fullest: Name = ()
    if chain.type in (PERSON, ORGANISATION, PLACE):
        typed = [mention for mention in chain.mentions if mention.type == chain.type]
        names = {_name(document, mention) for mention in typed if is_name(document, mention)}
        fullest = max(names, key=lambda name: (len(name), name), default=())
        fullest = fullest if len(fullest) > 1 or len(typed) > 1 else ()
    if fullest or gender:
        kind = chain.type if fullest else ""
        sorts = SORTS_OF_NAME.get(kind, frozenset())
        calling = noun_traits(fullest[-1], is_plural=False).calling if kind in _NOT_PEOPLE else ""
        yield Traits(kind=kind, name=fullest, sorts=sorts, calling=calling, gender=gender)


def _date_traits(document: Document, chain: Chain) -> Iterator[Traits]:
    """Yield the calendar dates of a chain, relative to the date of the document."""
    if chain.type in (PERSON, ORGANISATION, PLACE):
        return
    day = publication_day(document)
    for mention in chain.mentions:
        tokens = document.tokens_in(mention)
        for date in named_days(tokens, day).values():
            yield Traits(time=(("date", date.isoformat()),))
        for time in find_times(tokens, None):
            value = {key: time.parts[key] for key in ("day", "month", "year") if key in time.parts}
            if value:
                yield Traits(time=tuple(sorted(value.items())))


def _noun_traits(nouns: set[str], modifiers: set[str]) -> Iterator[Traits]:
    """Yield the sorts of a chain's nouns, and its number: "two vans"."""
    counts = tuple(sorted(number for number in _numbers(modifiers) if number.isdigit()))
    yield from (noun_traits(noun, is_plural(noun)) for noun in sorted(nouns))
    if counts and len(counts) == 1:
        yield Traits(figures=counts)


def _name(document: Document, mention: Mention) -> Name:
    """Return the words of a name or an amount such as "$160 million"."""
    words = name_words(document, mention) or [
        token.text.lower() for token in document.tokens_in(mention) if token.text[0].isalnum()
    ]
    if mention.head is not None and not mention.type and words[-1:] in (["day"], ["eve"]):
        before = document.tokens_in(Span(mention.start, mention.head.start))
        capitals = takewhile(
            lambda token: token.text[:1].isupper() and token.text.lower() not in TITLES,
            reversed(before),
        )
        words = [token.text.lower() for token in capitals][::-1] + words
    return tuple(word for word in words if word not in _NAME_FILLERS)


def _noun(document: Document, mention: Mention) -> str:
    words = [token.text for token in document.tokens_in(mention.head or mention)]
    return next((word.lower() for word in reversed(words) if word[0].isalnum()), "")


def _modifiers(document: Document, mention: Mention) -> Iterator[str]:
    """Yield content words and titles before the head, and some content words after it."""
    head = mention.head or mention
    after = 0
    for token in document.tokens_in(mention):
        word = token.text.lower()
        if token.start >= head.end:
            after += 1
            if after > _WORDS_AFTER_HEAD:
                return
        elif token.end > head.start:
            continue
        if is_content(word) or word in MALE_TITLES or word in FEMALE_TITLES:
            yield word


def _numbers(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        if word[0].isdigit():
            yield word
        elif word in NUMBER_WORDS:
            yield str(NUMBER_WORDS[word])
