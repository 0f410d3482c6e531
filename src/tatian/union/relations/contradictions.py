"""Points on which sentences about the same thing cannot all be right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations

from msgspec import Struct
from rapidfuzz.fuzz import ratio

from tatian.text import MENTIONS, Token, Word
from tatian.text.content import concept, concepts_of, is_content, saying
from tatian.text.dates import month_and_day
from tatian.text.lexicon import NEGATIONS
from tatian.union.models import Claim, Contradiction, Passage
from tatian.union.relations.quantities import Quantity, parsed_words, quantities

_ANOTHER_NAME = 65
"""Likeness in percent below which two given names are not spellings of one."""
_MOST_VALUES = 5
"""How many different figures of one kind accounts of one event may give and still be in dispute."""
_MOST_RIVALS = 2
"""With how many other figures one may be in dispute."""
_OPEN = frozenset("if whether unless would could may might should can".split())
"""Words that leave open whether something is so."""
_MOST_PARTNERS = 100
"""With how many others a passage is compared at most, so that thousands take no longer each."""


def find_contradictions(passages: Sequence[Passage]) -> tuple[Contradiction, ...]:
    """What passages of different documents disagree on: numbers, dates, first names, yes or no.

    Only passages that have something to disagree on are compared, so a whole bundle can be given.
    Numbers of the same things contradict each other if a word next to them is shared, or two of
    the words around them.
    """
    found: list[Contradiction] = []
    facts = [_facts(passage) for passage in passages]
    crowded = _crowded(facts)
    for first, second in _comparable(facts):
        found.extend(_numbers(first, second, crowded))
        found.extend(_dates(first, second))
        found.extend(_names(first, second))
        found.extend(_polarity(first, second))
    return tuple(_credible(list(dict.fromkeys(found))))


def _credible(found: Sequence[Contradiction]) -> Iterator[Contradiction]:
    """Without figures that meet many others: those count different things by the same word.

    In a report of a match every player has his points; two accounts of one figure give two.
    """
    rivals: dict[Claim, set[str]] = {}
    for one in found:
        for claim, other in permutations(one.claims, 2):
            rivals.setdefault(claim, set()).add(other.text.lower())
    for one in found:
        most = max(len(rivals[claim]) for claim in one.claims)
        if one.kind != "number" or most <= _MOST_RIVALS:
            yield one


class Disputable(Struct, frozen=True):
    """What of a passage can be contradicted."""

    passage: Passage
    quantities: tuple[Quantity, ...]
    days: tuple[tuple[tuple[int, int], Token, Token, frozenset[str]], ...]
    people: tuple[Sequence[Token], ...]
    statements: tuple[Assertion, ...]

    def topics(self) -> set[str]:
        """What another passage must share to contradict this one."""
        return (
            {f"number of {quantity.of}" for quantity in self.quantities}
            | {f"day of {word}" for _, _, _, near in self.days for word in near}
            | {f"name {tokens[-1].text}" for tokens in self.people}
            | {f"{made.subject} {made.verb}" for made in self.statements}
        )


def _facts(passage: Passage) -> Disputable:
    return Disputable(
        passage,
        tuple(quantities(passage)),
        tuple(_days(passage)),
        tuple(_people(passage)),
        tuple(statements(passage)),
    )


def _crowded(facts: Sequence[Disputable]) -> set[str]:
    """What is counted so often, and with so many results, that a word does not tell it apart."""
    values: dict[str, set[float]] = {}
    for one in facts:
        for quantity in one.quantities:
            values.setdefault(quantity.of, set()).add(quantity.value)
    return {of for of, found in values.items() if len(found) > _MOST_VALUES}


def _comparable(facts: Sequence[Disputable]) -> Iterator[tuple[Disputable, Disputable]]:
    """Pairs of passages of different documents that share a topic, the commonest topics aside."""
    holders: dict[str, dict[str, list[Disputable]]] = {}
    for own in facts:
        home = own.passage.document.id
        partners: dict[int, Disputable] = {}
        for topic in sorted(own.topics()):
            for document, others in holders.get(topic, {}).items():
                if document != home and len(partners) < _MOST_PARTNERS:
                    partners |= {id(facts): facts for facts in others[:_MOST_PARTNERS]}
            holders.setdefault(topic, {}).setdefault(home, []).append(own)
        for other in partners.values():
            yield other, own


def _claim(passage: Passage, first: Token, last: Token | None = None) -> Claim:
    end = (last or first).end
    return Claim(passage.document.id, first.start, end, passage.document.text[first.start : end])


def _numbers(first: Disputable, second: Disputable, crowded: set[str]) -> Iterator[Contradiction]:
    """Two numbers of the same things, neither of which the other sentence gives as well."""
    for one in first.quantities:
        if one.of in crowded:
            continue
        rivals = [q for q in second.quantities if q.of == one.of]
        if any(q.value == one.value for q in rivals):
            continue
        given = {q.value for q in first.quantities if q.of == one.of}
        rivals = [q for q in rivals if q.value not in given]
        for other in rivals:
            same_act = one.near & other.near
            alike = not one.loose and len(one.context & other.context) >= 2 and _one_act(one, other)
            if not (one.exact and other.exact):
                same_act, alike = same_act & _harm(), False
            if _exclude(one, other) and (same_act or alike):
                claim = _claim(first.passage, one.floor or one.token, one.last)
                rival = _claim(second.passage, other.floor or other.token, other.last)
                yield Contradiction(
                    "number",
                    (claim, rival),
                    f"{claim.text} against {rival.text} {_thing(second.passage, other)}".rstrip(),
                )
                break


@cache
def _harm() -> frozenset[str]:
    """The concepts of "injured" and "killed", of which every account gives its count."""
    return frozenset(concept(word) for word in ("injured", "killed"))


def _exclude(one: Quantity, other: Quantity) -> bool:
    """Whether accounts that give these differ: two figures, two floors, a figure below a floor.

    Of floors only those of people harmed are compared: of games, one may win at least 8 and 10.
    """
    if one.exact or other.exact:
        least, figure = (one, other) if other.exact else (other, one)
        below = least.floor is not None and figure.value < least.value
        return (one.exact and other.exact) or below
    floors = [q.floor.text.lower() for q in (one, other) if q.floor is not None]
    return floors == ["at", "at"]


def _one_act(one: Quantity, other: Quantity) -> bool:
    """Whether what is said of the things counted may be the same."""
    return one.act is None or other.act is None or one.act == other.act


def _thing(passage: Passage, quantity: Quantity) -> str:
    """The word for what is counted, where it follows the number."""
    if quantity.loose or quantity.of.endswith(" of"):
        return ""
    return _after(passage, quantity.last)


def _after(passage: Passage, token: Token) -> str:
    words = [t.text for t in passage.document.tokens_in(passage.span) if t.start >= token.end]
    return next((word for word in words if is_content(word)), "")


def _dates(first: Disputable, second: Disputable) -> Iterator[Contradiction]:
    """Two days given for what is otherwise told in the same words."""
    if len(first.days) != 1 or len(second.days) != 1:
        return
    one_day, one_from, one_to, one_near = first.days[0]
    other_day, from_, to, other_near = second.days[0]
    if one_day != other_day and one_near & other_near:
        yield Contradiction(
            "date",
            (_claim(first.passage, one_from, one_to), _claim(second.passage, from_, to)),
            f"{one_day[0]}/{one_day[1]} against {other_day[0]}/{other_day[1]} (month/day)",
        )


def _days(passage: Passage) -> list[tuple[tuple[int, int], Token, Token, frozenset[str]]]:
    tokens = passage.document.tokens_in(passage.span)
    found = []
    for index, token in enumerate(tokens):
        day = month_and_day(tokens, index)
        if day is not None and token.text[0].isupper() and 1 <= day[1] <= 31:
            near = tokens[max(0, index - 4) : index]
            words = frozenset(concept(t.text) for t in near if is_content(t.text))
            found.append((day, token, tokens[index + 1], words))
    return found


def _names(first: Disputable, second: Disputable) -> Iterator[Contradiction]:
    """The same surname with another first name, said of the same thing."""
    shared = _said(first.passage) & _said(second.passage)
    for one in first.people:
        for other in second.people:
            if len(shared - {concept(token.text) for token in (*one, *other)}) < 2:
                continue
            if _name(one) in map(_name, second.people) or _name(other) in map(_name, first.people):
                continue
            if one[-1].text == other[-1].text and _differ(one[0].text, other[0].text):
                yield Contradiction(
                    "name",
                    (
                        _claim(first.passage, one[0], one[-1]),
                        _claim(second.passage, other[0], other[-1]),
                    ),
                    f"{one[0].text} against {other[0].text} {one[-1].text}",
                )


def _polarity(first: Disputable, second: Disputable) -> Iterator[Contradiction]:
    """The same said of the same, affirmed by one sentence and denied by the other."""
    for one in first.statements:
        for other in second.statements:
            if one.denied != other.denied and one.same(other):
                claim = _claim(first.passage, one.first, one.last)
                rival = _claim(second.passage, other.first, other.last)
                yield Contradiction(
                    "polarity", (claim, rival), f"{claim.text} against {rival.text}"
                )


def _name(tokens: Sequence[Token]) -> list[str]:
    return [token.text for token in tokens]


def _differ(first: str, second: str) -> bool:
    """Whether two given names cannot be one: not an initial, a short form or another spelling.

    Names that begin otherwise are left alone: most often two people, or a nickname.
    """
    one, two = (name.replace(".", "").lower() for name in (first, second))
    if one.startswith(two) or two.startswith(one) or len(one) < 3 or len(two) < 3:
        return False
    return one[0] == two[0] and ratio(one, two) < _ANOTHER_NAME


def _said(passage: Passage) -> set[str]:
    return {c for c in concepts_of(passage.document, passage.span) if c is not None}


def _people(passage: Passage) -> list[Sequence[Token]]:
    found: list[Sequence[Token]] = []
    if not passage.document.has(MENTIONS):
        return found
    for mention in passage.document.inside(MENTIONS, passage.span):
        if mention.type == "PER":
            tokens = passage.document.tokens_in(mention.head or mention)
            if len(tokens) == 2:
                found.append(tokens)
    return found


class Assertion(Struct, frozen=True):
    """A verb with its subject and object."""

    subject: str
    verb: str
    object: str
    tense: str
    denied: bool
    first: Token
    last: Token
    """From the first auxiliary to the verb."""

    def same(self, other: Assertion) -> bool:
        """Whether both speak of one act."""
        mine = (self.subject, self.verb, self.object, self.tense)
        return mine == (other.subject, other.verb, other.object, other.tense)


def statements(passage: Passage) -> list[Assertion]:
    """What a parsed passage states outright; nothing without a parse."""
    found = []
    words = parsed_words(passage)
    tokens = passage.document.tokens
    below = _children(words)
    for place, word in words.items():
        if word.tag != "VERB" or concept(tokens[place].text) in saying():
            continue
        parts = {relation: child for child, relation in below.get(place, ())}
        subject = parts.get("nsubj", parts.get("nsubj:pass"))
        if subject is None or words[subject].tag not in {"NOUN", "PROPN"}:
            continue
        near = [child for child, _ in below.get(place, ())]
        texts = {tokens[child].text.lower() for child in near}
        if texts & _OPEN:
            continue
        helpers = [c for c, relation in below[place] if relation.startswith("aux") and c < place]
        patient = parts.get("obj")
        finite = [words[p].features.get("Tense", "") for p in (*helpers[:1], place)]
        found.append(
            Assertion(
                subject=concept(tokens[subject].text),
                verb=concept(tokens[place].text),
                object=concept(tokens[patient].text) if patient is not None else "",
                tense=finite[0],
                denied=bool(texts & NEGATIONS),
                first=tokens[min([place, *helpers])],
                last=tokens[place],
            )
        )
    return found


def _children(words: dict[int, Word]) -> dict[int, list[tuple[int, str]]]:
    below: dict[int, list[tuple[int, str]]] = {}
    for place, word in words.items():
        below.setdefault(word.head, []).append((place, word.relation))
    return below
