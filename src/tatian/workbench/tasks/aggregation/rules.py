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
from tatian.text.plurals import in_words
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

_JOINED = re.compile(r"(?<!\S)(?:as\s+well\s+as|or|&)(?!\S)|[,;،、，；]\s+[^\W_]", re.IGNORECASE)
"""What joins two things: a word, or a sign before another; "AT&T" and "1,000" join nothing."""

_SAYS = {
    "n/a": "To say that there is no such phrase, tick the box instead.",
    "characters": "More than {most} characters: write a phrase, not a text.",
    "empty": "There is no word in it.",
    "pronoun": "Pronouns and numbers say nothing about them: name what they are.",
    "and": "“and” makes it a list: find one phrase for all of them.",
    "list": "It lists them: find one phrase for all of them.",
    "joined": "It reads like a list: is it one phrase for all of them?",
    "slash": "“/” divides two phrases: write the second one into the second field.",
    "sentence": "“are” or “have” makes it a sentence: write only what replaces “{standard}”.",
    "generic": "It says no more than “{standard}”: say what they have in common.",
    "repeat": "It is the first phrase again.",
    "long": "{count} words: would anybody call them so? Shorter is more natural.",
    "number": "It speaks of {said}, but there are {count} of them.",
    "one": "It names {name}: does it hold for the others as well?",
}
"""What is said of each rule; {braces} are filled in."""
ADVICE = frozenset({"joined", "long", "number", "one"})
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
    if listing := _listing(phrase, plain, named):
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


def _listing(phrase: str, plain: str, named: Sequence[str]) -> str:
    """The rule that takes the phrase for a list; empty where none does."""
    if _REFUSES["and"](plain):
        return "and"
    if len(named) > 1:
        return "list"
    return "joined" if _JOINED.search(phrase) else ""


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
