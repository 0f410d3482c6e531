"""Numbers of a sentence with what they count, so that two sentences' numbers can be compared."""

from __future__ import annotations

from collections.abc import Sequence, Set

from msgspec import Struct

from tatian.text import MENTIONS, WORDS, Document, Token, Word
from tatian.text.content import concept, is_content, saying
from tatian.text.lexicon import MONTHS
from tatian.text.quantities import number_at
from tatian.union.models import Passage

_LOWER_BOUND = frozenset("least over than above excess".split())
_UPPER_BOUND = frozenset("most under below nearly almost to".split())
_FLOORS = frozenset((("at", "least"), ("more", "than")))
_PRESENT = {"bought": "buy", "sold": "sell"}
_PRICED = frozenset(("for", "worth"))
_ROUGH = frozenset("about around some roughly approximately nearly almost estimated".split())
_HYPHENS = frozenset(("-", "–", "/"))
_SIGNS = frozenset("$ € £ ¥ US$ A$ C$".split())
_CURRENCIES = {"dollar": "$", "euro": "€", "pound": "£", "yen": "¥"}
_PER_CENT = "%"
_CLIMB = 4
"""How far a thing counted may stand below its verb."""


class Quantity(Struct, frozen=True):
    """A number with what it counts."""

    value: float
    of: str
    """The concept of what is counted; a sign for money and shares, "old" for ages."""
    exact: bool
    token: Token
    """Its first word."""
    last: Token
    """Its last word: "million" of "nine million", "old" of "9-year-old"."""
    near: frozenset[str]
    """Concepts of the words next to it: what is said of the things counted."""
    context: frozenset[str]
    """Concepts of the words around it."""
    act: str | None = None
    """The concept of the verb that the things counted belong to, where there is a parse."""
    floor: Token | None = None
    """The first word of "at least" or "more than" before it."""
    loose: bool = False
    """Whether what it counts says so little that only a word next to it makes two comparable."""


class _Number(Struct, frozen=True):
    """A number written in one or several tokens."""

    value: float
    first: int
    last: int


def quantities(passage: Passage) -> list[Quantity]:
    """The counted things of a passage ("13 minutes", "$9 million", "a mother of 12", "44% of")."""
    tokens = passage.document.tokens_in(passage.span)
    acts = governing_verbs(passage)
    people = _people(passage)
    found = []
    for number in _numbers(tokens):
        for kind in (_money, _share, _age, _held, _counted):
            one = kind(tokens, number, acts, people)
            if one is not None:
                found.append(one)
                break
    return found


Acts = dict[int, str]
People = dict[int, str]
"""For every token of a person's name, by its start, the concept of the surname."""


def _numbers(tokens: Sequence[Token]) -> list[_Number]:
    """The numbers of a passage; "one" alone counts nothing."""
    words = [token.text for token in tokens]
    found = []
    index = 0
    while index < len(words):
        number = number_at(words, index)
        if index and words[index - 1] in _HYPHENS:
            number = None
        end = number[1] if number else index + 1
        if number and words[index:end] not in (["one"], ["One"]):
            found.append(_Number(number[0], index, end - 1))
        index = end
    return found


def _counted(
    tokens: Sequence[Token], number: _Number, acts: Acts, people: People
) -> Quantity | None:
    """Things named by the word after the number."""
    first, last = number.first, number.last
    following = _words(tokens, last + 1, last + 2)
    month = any(t.text.lower() in MONTHS for t in tokens[max(0, first - 1) : last + 2])
    if not following or month or tokens[last + 1].start in people:
        return None
    of = concept(tokens[last + 1].text)
    start = _floored(tokens, first)
    near = _words(tokens, start - 2, start) | _words(tokens, last + 2, last + 5)
    act = acts.get(tokens[last + 1].start)
    return _quantity(tokens, number, of, near, act=act)


def _held(tokens: Sequence[Token], number: _Number, acts: Acts, people: People) -> Quantity | None:
    """ "a mother of 12": what holds the things, where they have no name of their own."""
    first, after = number.first, number.last + 1
    if first < 2 or tokens[first - 1].text != "of" or not tokens[first - 2].text.islower():
        return None
    named = after < len(tokens) and is_content(tokens[after].text)
    if not is_content(tokens[first - 2].text) or (named and tokens[after].start not in people):
        return None
    near = _words(tokens, first - 4, first - 2) | _words(tokens, after, after + 3)
    holder = tokens[first - 2]
    act = acts.get(holder.start)
    return _quantity(tokens, number, f"{concept(holder.text)} of", near, act=act)


def _money(tokens: Sequence[Token], number: _Number, acts: Acts, people: People) -> Quantity | None:
    first, last = number.first, number.last
    if first > 0 and tokens[first - 1].text in _SIGNS:
        sign, whole = tokens[first - 1].text[-1], _Number(number.value, first - 1, last)
    elif sign := _currency(tokens, last + 1):
        whole = _Number(number.value, first, last + 1)
    else:
        return None
    near = _words(tokens, first - 2, first) | _words(tokens, whole.last + 1, whole.last + 4)
    near |= _purchase(tokens, _floored(tokens, whole.first))
    return _quantity(tokens, whole, sign, near, loose=True)


def _purchase(tokens: Sequence[Token], price: int) -> set[str]:
    """ "bought Globex for": what a price is paid for, together with each word that leads to it."""
    bought = price - 2
    if bought < 1 or tokens[price - 1].text.lower() not in _PRICED:
        return set()
    if not is_content(tokens[bought].text):
        return set()
    thing = concept(tokens[bought].text)
    leading = (token.text for token in tokens[max(0, bought - 4) : bought])
    words = {_PRESENT.get(word, word) for word in leading if word.islower() and is_content(word)}
    return {f"{concept(word)} {thing}" for word in words}


def _currency(tokens: Sequence[Token], place: int) -> str:
    word = tokens[place].text.lower() if place < len(tokens) else ""
    return _CURRENCIES.get(word.removesuffix("s"), "")


def _share(tokens: Sequence[Token], number: _Number, acts: Acts, people: People) -> Quantity | None:
    after = [token.text.lower() for token in tokens[number.last + 1 : number.last + 3]]
    if after[:1] == ["%"] or after[:1] == ["percent"]:
        last = number.last + 1
    elif after == ["per", "cent"]:
        last = number.last + 2
    else:
        return None
    whole = _Number(number.value, number.first, last)
    near = _words(tokens, last + 1, last + 6)
    return _quantity(tokens, whole, _PER_CENT, near, loose=True)


def _age(tokens: Sequence[Token], number: _Number, acts: Acts, people: People) -> Quantity | None:
    """ "44-year-old Alan Firth", or "Alan Firth, 44,"."""
    first, last = number.first, number.last
    written = [token.text.lower() for token in tokens[last + 1 : last + 5]]
    if written in (["-", "year", "-", "old"], ["-", "years", "-", "old"]):
        whole = _Number(number.value, first, last + 4)
        who = next(
            (people[t.start] for t in tokens[last + 5 : last + 8] if t.start in people), None
        )
    elif (
        first > 1
        and tokens[first - 1].text == ","
        and written[:1] in ([","], ["."], [";"], ["and"])
    ):
        whole, who = number, people.get(tokens[first - 2].start)
    else:
        return None
    return _quantity(tokens, whole, "old", {who}, loose=True) if who is not None else None


def _quantity(
    tokens: Sequence[Token],
    number: _Number,
    of: str,
    near: Set[str],
    *,
    act: str | None = None,
    loose: bool = False,
) -> Quantity:
    first, last = number.first, number.last
    before = {token.text.lower() for token in tokens[max(0, first - 2) : first]}
    return Quantity(
        number.value,
        of,
        not before & (_LOWER_BOUND | _UPPER_BOUND | _ROUGH),
        tokens[first],
        tokens[last],
        frozenset(near) - {of} - (saying() if loose else frozenset()),
        frozenset(_words(tokens, first - 14, last + 14)) - {of},
        act,
        tokens[start] if (start := _floored(tokens, first)) < first else None,
        loose,
    )


def _floored(tokens: Sequence[Token], first: int) -> int:
    """Where a number begins together with the "at least" before it."""
    before = tuple(token.text.lower() for token in tokens[max(0, first - 2) : first])
    return first - 2 if before in _FLOORS else first


def _words(tokens: Sequence[Token], start: int, end: int) -> set[str]:
    """The concepts of a stretch of words."""
    stretch = tokens[max(0, start) : max(0, end)]
    return {concept(token.text) for token in stretch if is_content(token.text)}


def _people(passage: Passage) -> People:
    if not passage.document.has(MENTIONS):
        return {}
    found: People = {}
    for mention in passage.document.inside(MENTIONS, passage.span):
        tokens = passage.document.tokens_in(mention.head or mention)
        if mention.type == "PER" and tokens:
            found |= {token.start: concept(tokens[-1].text) for token in tokens}
    return found


def governing_verbs(passage: Passage) -> dict[int, str]:
    """For each noun of a parsed passage, by its start, the concept of the verb it belongs to."""
    words = parsed_words(passage)
    tokens = passage.document.tokens
    found = {}
    for place, word in words.items():
        if word.tag not in {"NOUN", "PROPN", "NUM"}:
            continue
        verb = _governor(words, place)
        if verb is not None:
            found[tokens[place].start] = concept(tokens[verb].text)
    return found


def _governor(words: dict[int, Word], place: int) -> int | None:
    for _ in range(_CLIMB):
        word = words[place]
        if word.head not in words:
            return None
        place = word.head
        if words[place].tag == "VERB" or word.relation.startswith("nsubj"):
            return place
    return None


def parsed_words(passage: Passage) -> dict[int, Word]:
    """The parsed words of a passage by their places in the document; none without a parse."""
    document: Document = passage.document
    if not document.has(WORDS):
        return {}
    span, tokens = passage.span, document.tokens
    return {
        word.token: word
        for word in document.get(WORDS)
        if span.start <= tokens[word.token].start and tokens[word.token].end <= span.end
    }
