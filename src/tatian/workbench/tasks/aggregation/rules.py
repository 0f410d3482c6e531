"""Rules for phrases, applied while people write: some refuse a phrase, others warn.

They include all rules of the dataset's clean-up (`tatian.aggregation.data.rules`), so that nothing
is discarded later without a warning. ``page/rules.js`` implements the same rules; a test compares
the two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from tatian.aggregation.data.records import MAX_ANSWERS, Instance
from tatian.aggregation.data.rules import (
    GENERIC,
    OTHER_DETERMINERS,
    PRONOUNS,
    RULES,
    normalize_phrase,
    says_not_applicable,
)
from tatian.assets import rows
from tatian.errors import InputError
from tatian.text.lexicon import NUMBER_WORDS
from tatian.text.plurals import in_words
from tatian.workbench.tasks import Json

NOUNS = {"person": "people", "location": "areas", "organization": "organizations"}
"""Plural noun of each entity type in the prompt (TESA §3.3)."""
CHARACTERS = 150
"""Maximum number of characters of a phrase."""
WORDS = 6
"""Maximum number of words of a natural phrase; no phrase in newspapers is longer."""
SAME_AS_TYPE = GENERIC | {"persons", "locations", "organisations", "entities"}
"""Phrases that only say the type of the entities."""
_EMPTY_WORDS = PRONOUNS | OTHER_DETERMINERS | {"the", "of"}
"""Words that name nothing."""
_WORD = re.compile(r"[^\W_]+")
_REFUSES = {rule.name: rule.refuses for rule in RULES if rule.refuses is not None}
"""Tests of the dataset's clean-up, by the name of the rule."""
_JOINED = re.compile(r"(?<!\S)(?:as\s+well\s+as|or|&)(?!\S)|[,;،、，；]\s+[^\W_]", re.IGNORECASE)
"""Matches a conjunction, or a comma or semicolon before a word; not "AT&T" or "1,000"."""
_MESSAGES = dict(rows(Path(__file__).with_name("messages.tsv")))
"""Message of each rule; {braces} are filled in."""
ADVICE = frozenset({"joined", "long", "number", "one"})
"""Rules that warn; the others refuse."""


class PhraseFinding(Struct, frozen=True):
    """Remark of a rule on a phrase."""

    rule: str
    message: str

    @property
    def is_refused(self) -> bool:
        """True if the phrase cannot be an answer."""
        return self.rule not in ADVICE


class PromptSentence(Struct, frozen=True):
    """Prompt of the page."""

    lead: str
    """Sentence with the entities."""
    standard: str
    """Phrase for them that people replace by a better one."""


def make_prompt(instance: Instance) -> PromptSentence:
    """Return the prompt: "In this article, A, B and C are discussed." and "The three people"."""
    *others, last = instance.entities
    listed = f"{', '.join(others)} and {last}"
    place = "In this article, " if instance.title or instance.context else ""
    count = in_words(len(instance.entities))
    standard = f"The {count} {NOUNS[instance.type]}"
    return PromptSentence(f"{place}{listed} are discussed.", standard)


def check_phrase(phrase: str, instance: Instance) -> list[PhraseFinding]:
    """Return all remarks on one phrase; none for an empty phrase."""
    remarks = []
    for rule, values in _find_broken(phrase, instance):
        message = _messages(instance)[rule]
        for name, value in values.items():
            message = message.replace(f"{{{name}}}", str(value))
        remarks.append(PhraseFinding(rule, message))
    return remarks


def check_phrases(phrases: Sequence[str], instance: Instance) -> list[list[PhraseFinding]]:
    """Return the remarks on each of an annotator's phrases, with repeats marked."""
    remarks = [check_phrase(phrase, instance) for phrase in phrases]
    seen: set[str] = set()
    for index, phrase in enumerate(phrases):
        normalized = normalize_phrase(phrase)
        if normalized and normalized in seen:
            remarks[index].append(PhraseFinding("repeat", _MESSAGES["repeat"]))
        seen.add(normalized)
    return remarks


def refuse_invalid(phrases: Sequence[str], instance: Instance) -> None:
    """Refuse phrases that break a rule."""
    if len(phrases) > MAX_ANSWERS:
        raise InputError(f"{len(phrases)} phrases: at most {MAX_ANSWERS} are asked for")
    for phrase, remarks in zip(phrases, check_phrases(phrases, instance), strict=True):
        for remark in remarks:
            if remark.is_refused:
                raise InputError(f"“{phrase[:CHARACTERS]}”: {remark.message}")


def browser_rules(instance: Instance) -> Json:
    """Return the word lists and messages with which the browser applies the rules."""
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


def _find_broken(phrase: str, instance: Instance) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the rules that a phrase breaks, each with the values for its message."""
    if not phrase.strip():
        return
    if len(phrase) > CHARACTERS:
        yield "characters", {"most": CHARACTERS}
        return
    normalized = normalize_phrase(phrase)
    if says_not_applicable(normalized):
        yield "n/a", {}
        return
    words = _WORD.findall(_fold(normalized))
    if not words:
        yield "empty", {}
        return
    if all(word in _EMPTY_WORDS or _is_number(word) for word in words):
        yield "pronoun", {}
    named = _find_entities(phrase, instance)
    if _REFUSES["and"](normalized):
        yield "and", {}
    elif len(named) > 1:
        yield "list", {}
    elif _JOINED.search(phrase):
        yield "joined", {}
    if _REFUSES["slash"](normalized):
        yield "slash", {}
    if _REFUSES["are"](normalized) or _REFUSES["have"](normalized):
        yield "sentence", {}
    if normalized in SAME_AS_TYPE:
        yield "generic", {}
    if (count := len(normalized.split())) > WORDS:
        yield "long", {"count": count}
    number, entities = _number(phrase), len(instance.entities)
    if number and NUMBER_WORDS.get(number, int(number) if number.isdecimal() else 0) != entities:
        yield "number", {"said": number, "count": entities}
    if len(named) == 1:
        yield "one", {"name": named[0]}


def _find_entities(phrase: str, instance: Instance) -> list[str]:
    """Return the entities that the phrase names; "York" in "New York" does not count."""
    padded = f" {_normalized_words(phrase)} "
    forms = [(form, index) for index, names in enumerate(_names(instance)) for form in names]
    named = set()
    for form, index in sorted(forms, key=lambda entry: -len(entry[0])):
        if f" {form} " in padded:
            named.add(index)
            padded = padded.replace(f" {form} ", " / ")
    return [name for index, name in enumerate(instance.entities) if index in named]


def _names(instance: Instance) -> list[list[str]]:
    """Return the folded names of each entity; a last name only if no other person has it."""
    from tatian.pipeline.instances.entities import last_name

    people = instance.type == "person"
    last_names = [_fold(last_name(name)) if people else "" for name in instance.entities]
    shared = Counter(last_names)
    return [
        [
            form
            for form in (
                _normalized_words(name),
                last_name_only if shared[last_name_only] == 1 else "",
            )
            if form
        ]
        for name, last_name_only in zip(instance.entities, last_names, strict=True)
    ]


def _normalized_words(name: str) -> str:
    return " ".join(_WORD.findall(_fold(name)))


def _fold(text: str) -> str:
    """Return a text in small letters, without accents."""
    from tatian.pipeline.instances.entities import plain

    return plain(text).lower()


def _number(phrase: str) -> str:
    """Return the number that begins the phrase, after its determiners; empty if there is none."""
    for word in phrase.lower().split():
        if _is_number(word):
            return word
        if word != "the" and word not in OTHER_DETERMINERS:
            break
    return ""


def _is_number(word: str) -> bool:
    return word in NUMBER_WORDS or (word.isascii() and word.isdecimal())


def _messages(instance: Instance) -> dict[str, str]:
    standard = make_prompt(instance).standard
    return {rule: message.replace("{standard}", standard) for rule, message in _MESSAGES.items()}
