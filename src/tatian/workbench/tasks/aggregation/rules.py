"""What an aggregation must not be, and what it had better not be, said while people write.

The rules are those of the dataset's clean-up (`tatian.aggregation.data.rules`), the optional ones
among them, so that nothing is collected unwarned that would be discarded later.
``page/rules.js`` says the same in the browser, from the word lists and messages
that `told` gives it; a test holds the two against each other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from tatian.aggregation.annotation import MOST
from tatian.aggregation.data.records import Instance
from tatian.aggregation.data.rules import (
    GENERIC,
    OTHER_DETERMINERS,
    PRONOUNS,
    RULES,
    normal,
    says_not_applicable,
)
from tatian.errors import InputError
from tatian.text.lexicon import NUMBER_WORDS
from tatian.text.plurals import ends_as_plural
from tatian.text.quantities import in_words
from tatian.workbench.tasks import Plain

NOUNS = {"person": "people", "location": "areas", "organization": "organizations"}
"""What the prompt calls the entities of each type (TESA §3.3)."""
CHARACTERS = 150
"""More are no phrase."""
WORDS = 6
"""More are hardly natural; of phrases that newspapers use, none is longer."""
SAME_AS_TYPE = GENERIC | {"persons", "locations", "organisations", "entities"}
_EMPTY_WORDS = PRONOUNS | OTHER_DETERMINERS | {"the", "of"}
_WORD = re.compile(r"[^\W_]+")
_REFUSES = {rule.name: rule.refuses for rule in RULES if rule.refuses is not None}

_TOKEN = re.compile(
    r"(?<!\S)(?P<joins>as\s+well\s+as|and|or|&)(?!\S)|(?P<mark>[,;،、，；])|[^\W_]+", re.IGNORECASE
)
"""What joins, a word or a sign, or any other word; "AT&T" and "rock-and-roll" join nothing."""
_COMMAS = frozenset(",،、，")
_SHORTEST_PLURAL = 4

_SAYS = {
    "n/a": "To say that there is no such phrase, tick the box instead.",
    "characters": "More than {most} characters: write a phrase, not a text.",
    "empty": "There is no word in it.",
    "pronoun": "Pronouns and numbers say nothing about them: name what they are.",
    "and": "“and” makes it a list: find one phrase for all of them.",
    "list": "It lists them: find one phrase for all of them.",
    "joined": "It reads like a list: is it one phrase for all of them?",
    "name": "With “and”, the clean-up of the answers takes it for a list: another phrase is safer.",
    "slash": "“/” divides two phrases: write the second one into the second field.",
    "sentence": "“are” or “have” makes it a sentence: write only what replaces “{standard}”.",
    "generic": "It says no more than “{standard}”: say what they have in common.",
    "repeat": "It is the first phrase again.",
    "long": "{count} words: would anybody call them so? Shorter is more natural.",
    "number": "It speaks of {said}, but there are {count} of them.",
    "one": "It names {name}: does it hold for the others as well?",
}
"""What is said of each rule; {braces} are filled in."""
ADVICE = frozenset({"joined", "name", "long", "number", "one"})
"""The rules that warn; the others refuse."""


class PhraseFinding(Struct, frozen=True):
    """What a rule says of a phrase."""

    rule: str
    message: str

    @property
    def refused(self) -> bool:
        """Whether the phrase cannot be an answer."""
        return self.rule not in ADVICE


class PromptSentence(Struct, frozen=True):
    """The sentence to go on from, and the phrase that is to be replaced."""

    lead: str
    standard: str


def prompt(instance: Instance) -> PromptSentence:
    """ "In this article, A, B and C are discussed." and "The three people"."""
    *others, last = instance.entities
    listed = f"{', '.join(others)} and {last}"
    place = "In this article, " if instance.title or instance.context else ""
    count = in_words(len(instance.entities))
    standard = f"The {count} {NOUNS[instance.type]}"
    return PromptSentence(f"{place}{listed} are discussed.", standard)


def findings(phrase: str, instance: Instance) -> list[PhraseFinding]:
    """All that the rules say of one phrase, nothing of an empty one."""
    return [
        PhraseFinding(rule, _filled(_messages(instance)[rule], said))
        for rule, said in _found(phrase, instance)
    ]


def of_all(phrases: Sequence[str], instance: Instance) -> list[list[PhraseFinding]]:
    """The same of each of an annotator's phrases, the later also as repeats of the earlier."""
    found = [findings(phrase, instance) for phrase in phrases]
    seen: set[str] = set()
    for place, phrase in enumerate(phrases):
        plain = normal(phrase)
        if plain and plain in seen:
            found[place].append(PhraseFinding("repeat", _SAYS["repeat"]))
        seen.add(plain)
    return found


def check(phrases: Sequence[str], instance: Instance) -> None:
    """Refuse what the rules refuse."""
    if len(phrases) > MOST:
        raise InputError(f"{len(phrases)} phrases: at most {MOST} are asked for")
    for phrase, found in zip(phrases, of_all(phrases, instance), strict=True):
        for one in found:
            if one.refused:
                raise InputError(f"“{phrase[:CHARACTERS]}”: {one.message}")


def told(instance: Instance) -> Plain:
    """What the browser needs to say the same."""
    return {
        "pronouns": sorted(PRONOUNS),
        "determiners": sorted(OTHER_DETERMINERS),
        "numbers": dict(NUMBER_WORDS),
        "generic": sorted(SAME_AS_TYPE),
        "names": _names(instance),
        "words": WORDS,
        "characters": CHARACTERS,
        "count": len(instance.entities),
        "says": _messages(instance),
        "advice": sorted(ADVICE),
    }


def _found(phrase: str, instance: Instance) -> Iterator[tuple[str, dict[str, object]]]:
    """The rules that have something to say, each with what fills its message."""
    if not phrase.strip():
        return
    if len(phrase) > CHARACTERS:
        yield "characters", {"most": CHARACTERS}
        return
    plain = normal(phrase)
    if says_not_applicable(plain):
        yield "n/a", {}
        return
    words = _WORD.findall(_folded(plain))
    if not words:
        yield "empty", {}
        return
    if all(word in _EMPTY_WORDS or _is_number(word) for word in words):
        yield "pronoun", {}
    named = _named(phrase, instance)
    if listing := _listing(phrase, plain, named, instance):
        yield listing, {}
    for rule in _refusing(plain):
        yield rule, {}
    if (count := len(plain.split())) > WORDS:
        yield "long", {"count": count}
    said = _number(phrase)
    if said and _value(said) != len(instance.entities):
        yield "number", {"said": said, "count": len(instance.entities)}
    if len(named) == 1 and listing != "list":
        yield "one", {"name": named[0]}


def _listing(phrase: str, plain: str, named: Sequence[str], instance: Instance) -> str:
    """The rule that takes the phrase for a list; empty where none does."""
    found = joined(phrase, instance.entities)
    lists, has_and = found.lists or len(named) > 1, _REFUSES["and"](plain)
    if has_and and (lists or not found.named):
        return "and"
    if lists:
        return "list"
    if has_and:
        return "name"
    return "joined" if found.doubtful else ""


def _refusing(plain: str) -> Iterator[str]:
    if _REFUSES["slash"](plain):
        yield "slash"
    if _REFUSES["are"](plain) or _REFUSES["have"](plain):
        yield "sentence"
    if plain in SAME_AS_TYPE:
        yield "generic"


def _named(phrase: str, instance: Instance) -> list[str]:
    """The entities that the phrase calls by name; one whose name is part of another's, if alone."""
    around = f" {_whole(phrase)} "
    forms = [(form, place) for place, own in enumerate(_names(instance)) for form in own]
    found = set()
    for form, place in sorted(forms, key=lambda one: -len(one[0])):
        if f" {form} " in around:
            found.add(place)
            around = around.replace(f" {form} ", " / ")
    return [name for place, name in enumerate(instance.entities) if place in found]


def _names(instance: Instance) -> list[list[str]]:
    """The names of each entity, folded; a last name where only one of the people has it."""
    from tatian.pipeline.instances.entities import last_name

    people = instance.type == "person"
    last = [_folded(last_name(name)) if people else "" for name in instance.entities]
    shared = Counter(last)
    return [
        [form for form in (_whole(name), alone if shared[alone] == 1 else "") if form]
        for name, alone in zip(instance.entities, last, strict=True)
    ]


def _whole(name: str) -> str:
    return " ".join(_WORD.findall(_folded(name)))


def _folded(text: str) -> str:
    """In small letters, without accents."""
    from tatian.pipeline.instances.entities import plain

    return plain(text).lower()


def _number(phrase: str) -> str:
    """The number that the phrase begins with, after its determiners; empty where it has none."""
    for word in phrase.lower().split():
        if _is_number(word):
            return word
        if word != "the" and word not in OTHER_DETERMINERS:
            break
    return ""


def _is_number(word: str) -> bool:
    return word in NUMBER_WORDS or (word.isascii() and word.isdecimal())


def _value(word: str) -> int:
    return NUMBER_WORDS[word] if word in NUMBER_WORDS else int(word)


def _messages(instance: Instance) -> dict[str, str]:
    standard = prompt(instance).standard
    return {rule: said.replace("{standard}", standard) for rule, said in _SAYS.items()}


def _filled(message: str, said: dict[str, object]) -> str:
    for name, value in said.items():
        message = message.replace(f"{{{name}}}", str(value))
    return message


# Whether a phrase lists things instead of naming them all at once, or may be read as a list.
#
# TESA §3.3 forbids enumerations, and "and", which mostly makes one. Who writes *Ines, Bo* lists the
# entities of the set; who writes *the city, the state* probably lists something; but *Bosnia and
# Herzegovina* is one name, and *large, old cities* are no list at all. ``page/lists.js`` says the
# same in the browser.


class _Token(Struct, frozen=True):
    """A word or a sign of a phrase."""

    text: str
    joins: bool

    @property
    def word(self) -> str:
        """In small letters."""
        return self.text.lower()

    @property
    def capital(self) -> bool:
        """Whether it is written as names are."""
        return self.text[0] != self.text[0].lower()


class _Joined(Struct, frozen=True):
    """What joins parts of a phrase."""

    lists: bool
    """Parts of it are names, or parts of names, of several entities."""
    named: bool
    """Each "and" of it belongs to a name, as far as can be seen."""
    doubtful: bool
    """It may be read as a list."""


def joined(phrase: str, entities: Sequence[str]) -> _Joined:
    """How the parts of a phrase hang together; the names of the entities tell what is one name."""
    tokens = _tokens(phrase)
    names = [_tokens(name) for name in entities]
    own = _within_names(tokens, names)
    places = [place for place in _joints(tokens) if place not in own]
    known = [frozenset(token.word for token in name if not token.joins) for name in names]
    theirs = frozenset().union(*known)
    ands = (place for place, token in enumerate(tokens) if token.word == "and" and token.joins)
    return _Joined(
        _lists(_parts(tokens, places), known),
        all(place in own or _within_name(tokens, place, theirs) for place in ands),
        any(_doubtful(tokens, place) for place in places),
    )


def _tokens(phrase: str) -> list[_Token]:
    from tatian.pipeline.instances.entities import plain

    return [
        _Token(" ".join(found[0].split()), bool(found["joins"] or found["mark"]))
        for found in _TOKEN.finditer(plain(phrase))
    ]


def _joints(tokens: Sequence[_Token]) -> Iterator[int]:
    """Where something joins two words; a comma within a number does not."""
    words = [place for place, token in enumerate(tokens) if not token.joins]
    for before, after in pairwise(words):
        digits = tokens[before].text.isdecimal() and tokens[after].text.isdecimal()
        if not digits:
            yield from range(before + 1, after)


def _within_names(tokens: Sequence[_Token], names: Sequence[Sequence[_Token]]) -> frozenset[int]:
    """The places of tokens that belong to an entity's whole name."""
    said = [token.word for token in tokens]
    found: set[int] = set()
    for name in names:
        wanted = [token.word for token in name]
        for start in range(len(said) - len(wanted) + 1):
            if wanted and said[start : start + len(wanted)] == wanted:
                found.update(range(start, start + len(wanted)))
    return frozenset(found)


def _parts(tokens: Sequence[_Token], joints: Sequence[int]) -> Iterator[frozenset[str]]:
    """The words between joints, without determiners."""
    ends = [-1, *joints, len(tokens)]
    for before, after in pairwise(ends):
        words = [token.word for token in tokens[before + 1 : after] if not token.joins]
        yield frozenset(word for word in words if word != "the" and word not in OTHER_DETERMINERS)


def _lists(parts: Iterator[frozenset[str]], known: Sequence[frozenset[str]]) -> bool:
    """Whether two parts are made of the words of two entities' names: first names, *Sony*."""
    fits = [{place for place, name in enumerate(known) if part <= name} for part in parts if part]
    fitting = [places for places in fits if places]
    return len(fitting) > 1 and len(set().union(*fitting)) > 1


def _within_name(tokens: Sequence[_Token], place: int, theirs: frozenset[str]) -> bool:
    """Whether an "and" stands between capitals that are in no entity's name: in another name."""
    around = (*tokens[max(place - 1, 0) : place], *tokens[place + 1 : place + 2])
    return len(around) > 1 and all(one.capital and one.word not in theirs for one in around)


def _doubtful(tokens: Sequence[_Token], place: int) -> bool:
    """Whether what stands here joins two things; a comma may divide adjectives instead."""
    if tokens[place].word == "and":
        return False
    if tokens[place].text not in _COMMAS:
        return True
    before, after = tokens[place - 1], tokens[place + 1]
    number = after.word in NUMBER_WORDS or after.word.isdecimal()
    begins = number or after.word == "the" or after.word in OTHER_DETERMINERS
    names = before.capital and after.capital
    last = next(token for token in reversed(tokens) if not token.joins)
    return begins or names or (_plural(before.word) and _plural(last.word))


def _plural(word: str) -> bool:
    return len(word) >= _SHORTEST_PLURAL and ends_as_plural(word)
