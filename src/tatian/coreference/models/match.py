"""Coreference by name matching, apposition, head match and pronoun agreement."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from tatian.text import CHAINS, MENTIONS, Chain, Document, Mention, Span, Token
from tatian.text.content import stem
from tatian.text.lexicon import (
    ARTICLES,
    FEMALE_TITLES,
    MALE_TITLES,
    MONTHS,
    PRONOUNS,
    ROLE_TITLES,
    STOP_WORDS,
    WEEKDAYS,
)

_SUFFIXES = frozenset("jr. sr. ii iii iv inc. corp. co. ltd.".split())
_ROLE_HEADS = frozenset(title.split()[-1] for title in ROLE_TITLES)
_QUOTES = frozenset('"“”')
_TIMES = frozenset(
    "day week month year morning afternoon evening night hour minute time moment way end".split()
) | frozenset({*MONTHS, *WEEKDAYS})
_REACH = 3
"""How many sentences back a pronoun looks."""


class _Group(Struct):
    """A chain while it grows."""

    mentions: list[Mention]
    words: frozenset[str]
    """Lower-case words of the fullest name, or the head noun."""
    type: str
    gender: str | None = None


class MatchResolver:
    """Names by their words, "the captain, Jonas Verrick", head nouns, pronouns by agreement."""

    def resolve(self, document: Document) -> Document:
        """Add the `chains` layer: every chain with at least two mentions, and lone names."""
        groups = _name_groups(document)
        _link_roles(document, groups)
        groups += _noun_groups(document, groups)
        _link_pronouns(document, groups)
        chains = [
            Chain(f"{document.id}#{number}", tuple(sorted(set(group.mentions))), group.type)
            for number, group in enumerate(sorted(groups, key=lambda g: min(g.mentions).start), 1)
        ]
        return document.with_layer(CHAINS, chains, "tatian/match")


def name_words(document: Document, mention: Mention) -> list[str]:
    """The lower-case words of a mention's name, without title and suffix."""
    head = mention.head or mention
    words = [token.text.lower() for token in document.tokens_in(head)]
    return [word for word in words if word not in _SUFFIXES and word[0].isalnum()]


def same_name(first: Sequence[str], second: Sequence[str], type_: str) -> bool:
    """Whether two names of one type can be the same: equal, initials, or a person's surname."""
    if not first or not second:
        return False
    if list(first) == list(second):
        return True
    short, long = sorted((list(first), list(second)), key=len)
    if type_ == "PER":
        if short[-1] != long[-1]:
            return False
        return (
            len(short) == 1
            or (short[0][0] == long[0][0]
            and (
                short[0] == long[0]
                or len(short[0].rstrip(".")) == 1
                or len(long[0].rstrip(".")) == 1
            ))
        )
    if len(short) == 1 and len(long) > 1:
        initials = "".join(word[0] for word in long if word not in STOP_WORDS)
        if short[0].replace(".", "") == initials:
            return True
    return type_ == "ORG" and len(short) > 1 and long[: len(short)] == short


def _name_groups(document: Document) -> list[_Group]:
    groups: list[_Group] = []
    for mention in document.get(MENTIONS):
        words = name_words(document, mention)
        gender = _gender(document, mention)
        for group in reversed(groups):
            fits = group.type == mention.type and not (
                gender and group.gender and gender != group.gender
            )
            names = [name_words(document, other) for other in group.mentions]
            if fits and all(same_name(words, name, mention.type) for name in names):
                group.mentions.append(mention)
                group.words |= frozenset(words)
                group.gender = group.gender or gender
                break
        else:
            groups.append(_Group([mention], frozenset(words), mention.type, gender))
    return groups


def _gender(document: Document, mention: Mention) -> str | None:
    if mention.head is None:
        return None
    title = document.text[mention.start : mention.head.start].strip().lower()
    if title in MALE_TITLES:
        return "male"
    return "female" if title in FEMALE_TITLES else None


def _link_roles(document: Document, groups: list[_Group]) -> None:
    """MUC-6 §5.3: a definite appositive, on either side of a person's name, is that person."""
    tokens = document.tokens
    place = {token.start: index for index, token in enumerate(tokens)}
    roles: dict[str, _Group] = {}
    for group in groups:
        if group.type != "PER":
            continue
        for mention in list(group.mentions):
            for role in _appositives(tokens, place, mention):
                group.mentions.append(role)
                head = role.head or role
                roles[head.of(document.text).lower()] = group
    for first, second in pairwise(tokens):
        group_of = roles.get(second.text.lower())
        if group_of and first.text.lower() == "the":
            span = Span(first.start, second.end)
            if not any(m.overlaps(span) for g in groups for m in g.mentions):
                group_of.mentions.append(
                    Mention(span.start, span.end, "PER", head=Span(second.start, second.end))
                )


def _appositives(tokens: Sequence[Token], place: dict[int, int], mention: Mention) -> list[Mention]:
    found = []
    first = place.get(mention.start)
    if first is not None and first > 2 and tokens[first - 1].text == ",":
        for back in range(2, 6):
            index = first - back
            if index < 0 or not tokens[index].text[0].isalpha():
                break
            if tokens[index].text.lower() == "the":
                head = tokens[first - 2]
                if head.text.lower() in _ROLE_HEADS:
                    found.append(_role(tokens[index], head))
                break
    after = bisect_left(tokens, mention.end, key=lambda token: token.start)
    if after + 2 < len(tokens) and tokens[after].text == ",":
        article = tokens[after + 1]
        if article.text.lower() == "the":
            for head in tokens[after + 2 : after + 5]:
                if head.text.lower() in _ROLE_HEADS:
                    found.append(_role(article, head))
                    break
                if not head.text.isalpha():
                    break
    return found


def _role(article: Token, head: Token) -> Mention:
    return Mention(article.start, head.end, "PER", head=Span(head.start, head.end))


def _noun_groups(document: Document, groups: list[_Group]) -> list[_Group]:
    """Common nouns: "the ferry" goes with an earlier "a passenger ferry" or "the ferry"."""
    taken = {index for g in groups for m in g.mentions for index in range(m.start, m.end)}
    found: dict[str, _Group] = {}
    tokens = document.tokens
    for index, token in enumerate(tokens):
        article = token.text.lower()
        if article not in ARTICLES:
            continue
        phrase = []
        for word in tokens[index + 1 : index + 5]:
            if not word.text.isalpha() or word.text.lower() in STOP_WORDS:
                break
            phrase.append(word)
        definite = article == "the" and len(phrase) >= 1
        nouns = phrase[:1] if definite else phrase
        for noun in nouns:
            head = stem(noun.text)
            if noun.text.lower() in _TIMES or noun.start in taken or not noun.text.islower():
                continue
            if article != "the" and head in found:
                continue
            mention = Mention(token.start, noun.end, "", head=Span(noun.start, noun.end))
            if head in found:
                found[head].mentions.append(mention)
            else:
                found[head] = _Group([mention], frozenset({head}), "")
    return [group for group in found.values() if len(group.mentions) > 1]


def _link_pronouns(document: Document, groups: list[_Group]) -> None:
    sentences = document.sentences
    in_quote = False
    for number, sentence in enumerate(sentences):
        for token in document.tokens_in(sentence):
            if token.text in _QUOTES:
                in_quote = not in_quote if token.text == '"' else token.text == "“"
            pronoun = PRONOUNS.get(token.text.lower())
            if in_quote or pronoun is None or pronoun.person != 3:
                continue
            if pronoun.number != "singular" or pronoun.gender not in {"male", "female"}:
                continue
            earliest = sentences[max(0, number - _REACH)].start
            best = _antecedent(groups, token, earliest, pronoun.gender, sentence)
            if best is not None:
                best.gender = best.gender or pronoun.gender
                best.mentions.append(Mention(token.start, token.end, "PER"))


def _antecedent(
    groups: list[_Group], token: Token, earliest: int, gender: str, sentence: Span
) -> _Group | None:
    """The person spoken of most recently; within the sentence, its first person (the subject).

    Beyond reach, the only person there is.
    """
    candidates: list[tuple[bool, int, _Group]] = []
    for group in groups:
        if group.type != "PER" or group.gender not in {None, gender}:
            continue
        for mention in group.mentions:
            if earliest <= mention.start and mention.end <= token.start:
                inside = mention.start >= sentence.start
                candidates.append((inside, -mention.start if inside else mention.start, group))
    if not candidates:
        before = [
            group
            for group in groups
            if group.type == "PER"
            and group.gender in {None, gender}
            and min(group.mentions).start < token.start
        ]
        return before[0] if len(before) == 1 else None
    return max(candidates, key=lambda candidate: candidate[:2])[2]
