"""Rule-based coreference by name matching, apposition, head match and pronoun agreement."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from tatian.coreference import LISTS
from tatian.text import CHAINS, MENTIONS, Chain, Document, Mention, Span, Token
from tatian.text.content import stem
from tatian.text.documents import quoted_tokens
from tatian.text.lexicon import (
    ARTICLES,
    DETERMINERS,
    FEMALE_TITLES,
    MALE_TITLES,
    MONTHS,
    PRONOUNS,
    REPORTING_VERBS,
    ROLE_HEADS,
    STOP_WORDS,
    WEEKDAYS,
)

_SUFFIXES = frozenset("jr. sr. ii iii iv inc. corp. co. ltd.".split())
_TIMES = LISTS["times"] | frozenset({*MONTHS, *WEEKDAYS})
_REACH = 3
"""Number of sentences before a pronoun's in which its antecedent is sought."""
_MAX_PEOPLE = 50
"""Maximum number of mentions of people before a pronoun that has no antecedent within reach.

With more, it stays unresolved.
"""


class _Group(Struct):
    """A chain under construction."""

    mentions: list[Mention]
    names: list[list[str]]
    """Its different names, each as lower-case words."""
    type: str
    gender: str | None = None

    def accepts(self, words: Sequence[str], gender: str | None) -> bool:
        """Return whether a mention with this name and gender can be the same entity."""
        if gender and self.gender and gender != self.gender:
            return False
        return all(same_name(words, name, self.type) for name in self.names)


class MatchResolver:
    """Rules for names, appositions, head nouns and pronouns; needs no encoder."""

    def resolve(self, document: Document) -> Document:
        """Add the `chains` layer: chains of at least two mentions, and singleton names."""
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
    """Return the lower-case words of a mention's name, without suffixes and punctuation."""
    head = mention.head or mention
    words = [token.text.lower() for token in document.tokens_in(head)]
    return [word for word in words if word not in _SUFFIXES and word[0].isalnum()]


def same_name(first: Sequence[str], second: Sequence[str], type_: str) -> bool:
    """Return whether two names of one type match: equal, or one is initials or surname."""
    if not first or not second:
        return False
    if list(first) == list(second):
        return True
    short, long = sorted((list(first), list(second)), key=len)
    if type_ == "PER":
        if short[-1] != long[-1]:
            return False
        first_name, other = short[0], long[0]
        has_initial = min(len(first_name.rstrip(".")), len(other.rstrip("."))) == 1
        return len(short) == 1 or first_name == other or (first_name[0] == other[0] and has_initial)
    if len(short) == 1 and len(long) > 1 and short[0].replace(".", "") == _initials(long):
        return True
    return type_ == "ORG" and len(short) > 1 and long[: len(short)] == short


def _name_groups(document: Document) -> list[_Group]:
    groups: list[_Group] = []
    by_key: dict[tuple[str, str], list[_Group]] = {}
    for mention in document.get(MENTIONS):
        words = name_words(document, mention)
        gender = _gender(document, mention)
        keys = _name_keys(words, mention.type)
        candidates = [group for key in keys for group in by_key.get(key, ())]
        for group in reversed(candidates):
            if group.type == mention.type and group.accepts(words, gender):
                group.mentions.append(mention)
                group.gender = group.gender or gender
                break
        else:
            group = _Group([mention], [], mention.type, gender)
            groups.append(group)
        if words and words not in group.names:
            group.names.append(words)
            for key in keys:
                by_key.setdefault(key, []).append(group)
    return groups


def _name_keys(words: Sequence[str], type_: str) -> list[tuple[str, str]]:
    """Return keys of a name; names that match by `same_name` share a key."""
    if not words:
        return []
    keys = [("last", words[-1])]
    if type_ != "PER":
        keys.insert(0, ("initials", _initials(words)))
    if type_ == "ORG":
        keys.insert(0, ("first", words[0]))
    return keys


def _initials(words: Sequence[str]) -> str:
    """Return the acronym of a name, or the name itself if it is one word."""
    if len(words) == 1:
        return words[0].replace(".", "")
    return "".join(word[0] for word in words if word not in STOP_WORDS)


def _gender(document: Document, mention: Mention) -> str | None:
    if mention.head is None:
        return None
    title = document.text[mention.start : mention.head.start].strip().lower()
    if title in MALE_TITLES:
        return "male"
    return "female" if title in FEMALE_TITLES else None


def _link_roles(document: Document, groups: list[_Group]) -> None:
    """Link definite appositives on either side of a person's name (MUC-6 §5.3)."""
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
    taken = {mention.start for group in groups for mention in group.mentions}
    for first, second in pairwise(tokens):
        holder = roles.get(second.text.lower())
        is_free = taken.isdisjoint({first.start, second.start})
        if holder and is_free and first.text.lower() == "the":
            holder.mentions.append(_role(first, second))


def _appositives(tokens: Sequence[Token], place: dict[int, int], mention: Mention) -> list[Mention]:
    roles = []
    first = place.get(mention.start)
    if first is not None and first > 2 and tokens[first - 1].text == ",":
        for back in range(2, 6):
            index = first - back
            if index < 0 or not tokens[index].text[0].isalpha():
                break
            if tokens[index].text.lower() in DETERMINERS:
                head = tokens[first - 2]
                if tokens[index].text.lower() == "the" and head.text.lower() in ROLE_HEADS:
                    roles.append(_role(tokens[index], head))
                break
    after = bisect_left(tokens, mention.end, key=lambda token: token.start)
    if after + 2 < len(tokens) and tokens[after].text == ",":
        article = tokens[after + 1]
        if article.text.lower() == "the":
            nouns = _role_nouns(tokens[after + 2 : after + 6])
            if nouns:
                roles.append(_role(article, nouns[-1]))
    return roles


def _role_nouns(tokens: Sequence[Token]) -> list[Token]:
    """Return the first nouns for an office after "the"; none in "..., the mayor said"."""
    nouns: list[Token] = []
    for token in tokens:
        if token.text.lower() in ROLE_HEADS:
            nouns.append(token)
        elif nouns:
            return [] if token.text.lower() in REPORTING_VERBS else nouns
        elif not token.text.isalpha():
            break
    return nouns


def _role(article: Token, head: Token) -> Mention:
    return Mention(article.start, head.end, "PER", head=Span(head.start, head.end))


def _noun_groups(document: Document, groups: list[_Group]) -> list[_Group]:
    """Group common nouns: "the ferry" goes with an earlier "a passenger ferry" or "the ferry"."""
    taken = {index for g in groups for m in g.mentions for index in range(m.start, m.end)}
    by_noun: dict[str, _Group] = {}
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
            if article != "the" and head in by_noun:
                continue
            mention = Mention(token.start, noun.end, "", head=Span(noun.start, noun.end))
            if head in by_noun:
                by_noun[head].mentions.append(mention)
            else:
                by_noun[head] = _Group([mention], [[head]], "")
    return [group for group in by_noun.values() if len(group.mentions) > 1]


def _link_pronouns(document: Document, groups: list[_Group]) -> None:
    people = sorted(
        (mention.start, mention.end, number)
        for number, group in enumerate(groups)
        if group.type == "PER"
        for mention in group.mentions
    )
    sentences = document.sentences
    flags = quoted_tokens(document.text, document.tokens)
    tokens = zip(document.tokens, flags, strict=True)
    quoted_starts = {token.start for token, quoted in tokens if quoted}
    for number, sentence in enumerate(sentences):
        for token in document.tokens_in(sentence):
            pronoun = PRONOUNS.get(token.text.lower())
            if pronoun is None or pronoun.gender not in {"male", "female"}:
                continue
            if token.start in quoted_starts:
                continue
            earliest = sentences[max(0, number - _REACH)].start
            person = _antecedent(groups, people, token, earliest, pronoun.gender, sentence)
            if person is not None:
                groups[person].gender = groups[person].gender or pronoun.gender
                groups[person].mentions.append(Mention(token.start, token.end, "PER"))
                insort(people, (token.start, token.end, person))


def _antecedent(
    groups: Sequence[_Group],
    people: Sequence[tuple[int, int, int]],
    token: Token,
    earliest: int,
    gender: str | None,
    sentence: Span,
) -> int | None:
    """Return the group of the sentence's first person, else the nearest, else the only one."""
    last = bisect_left(people, (token.start, 0, 0))
    outside = None
    inside = None
    for start, end, number in (people[index] for index in range(last - 1, -1, -1)):
        if start < earliest:
            break
        if end > token.start or groups[number].gender not in {None, gender}:
            continue
        if start >= sentence.start:
            inside = number
        elif outside is None:
            outside = number
    if inside is not None or outside is not None:
        return outside if inside is None else inside
    candidates = {number for _, _, number in people[:last]} if last <= _MAX_PEOPLE else set()
    if len(candidates) != 1:
        return None
    only = candidates.pop()
    return only if groups[only].gender in {None, gender} else None
