"""Rules of extent (§3.5, §4.2) and MIN (§4.1, §4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from tatian.coreference.checks.rules import BY_NAME, Breach, ContentRule, Diagnosis, phrase_rule
from tatian.coreference.definition.markable import (
    MaximalPhrases,
    expected_minimum,
    headless_minimum,
    is_markable,
    is_unpunctuated_apposition,
)
from tatian.coreference.definition.phrases import MarkedPhrase, MarkedText
from tatian.coreference.definition.units import is_office, is_suffix, is_title
from tatian.text import Span
from tatian.views.wording import squeeze

_BEFORE_HEAD = frozenset(("DET", "ADJ", "NUM", "NOUN", "PROPN", "ADV", "PRON", "PART"))


@phrase_rule("head-inside")
def find_inner_heads(text: MarkedText, phrase: MarkedPhrase) -> Diagnosis:
    """Diagnose heads that are marked inside their marked phrase, or without their modifiers."""
    maximal = _outermost(text).get((id(phrase.tree), phrase.head))
    if maximal is not None and _is_inside(text, phrase, maximal):
        return (
            f"is the head of {text.quote(maximal.mark)}, which is marked as well",
            "take the inner mark away: a head is markable only as part of its whole phrase",
        )
    left = _missing_left(text, phrase) if phrase.end - phrase.first == 1 else None
    if left is None:
        return None
    whole = text.quote(left)
    return f"is the head of {whole}, marked alone", f"mark {whole}, or take the mark away"


@phrase_rule("not-maximal")
def find_non_maximal(text: MarkedText, phrase: MarkedPhrase) -> Diagnosis:
    """Diagnose phrases that stop before their own "of", relative clause or apposition."""
    if phrase.is_pronoun or not is_markable(text, phrase):
        return None
    maximal = _missing_right(text, phrase)
    if maximal is None and phrase.end - phrase.first > 1:
        maximal = _missing_left(text, phrase)
    if maximal is None:
        return None
    return "is not the whole phrase", f"mark {text.quote(maximal)} as the maximal noun phrase"


@lru_cache(maxsize=1)
def _outermost(text: MarkedText) -> dict[tuple[int, int], MarkedPhrase]:
    """Return the longest phrase marked around each head."""
    longest: dict[tuple[int, int], MarkedPhrase] = {}
    for phrase in text.phrases:
        key = id(phrase.tree), phrase.head
        if key not in longest or len(phrase.mark) > len(longest[key].mark):
            longest[key] = phrase
    return longest


def _is_inside(text: MarkedText, phrase: MarkedPhrase, maximal: MarkedPhrase) -> bool:
    left = range(maximal.first, phrase.first)
    return (
        maximal.mark.contains(phrase.mark)
        and not text.is_same(maximal.mark, phrase.mark)
        and all(maximal.tag(place) in _BEFORE_HEAD for place in left)
        and not any(c in maximal.places for c in maximal.tree.under(maximal.head, "conj"))
        and phrase.tag(phrase.head) != "VERB"
        and phrase.tag(phrase.end - 1) != "PART"
        and not is_unpunctuated_apposition(maximal, phrase)
        and not (phrase.end < maximal.end and maximal.tag(phrase.end) in ("NOUN", "PROPN"))
    )


@lru_cache(maxsize=1)
def _maximal(text: MarkedText) -> MaximalPhrases:
    return MaximalPhrases(text.document, widest=False)


def _missing_left(text: MarkedText, phrase: MarkedPhrase) -> Span | None:
    """Return the phrase with the modifiers before it, if they are more than an article."""
    maximal = _maximal(text).around(phrase.mark)
    if maximal is None or maximal.start >= phrase.mark.start:
        return None
    maximal = Span(maximal.start, phrase.mark.end)
    if text.is_same(maximal, phrase.mark):
        return None
    linked = (mark for mark in text.marks if mark.chain == phrase.mark.chain)
    has_linked = any(maximal.contains(mark) for mark in linked if mark != phrase.mark)
    return None if has_linked else maximal


def _missing_right(text: MarkedText, phrase: MarkedPhrase) -> Span | None:
    """Return the phrase with an "of" or a relative clause that follows it at once."""
    maximal = _maximal(text).around(phrase.mark)
    if maximal is None or maximal.end <= phrase.mark.end:
        return None
    follows = phrase.word(phrase.end) in ("of", "who", "which", "whom", "whose")
    return Span(phrase.mark.start, maximal.end) if follows else None


@phrase_rule("min-missing")
def find_missing_minima(text: MarkedText, phrase: MarkedPhrase) -> Diagnosis:
    """Diagnose phrases without MIN although more than an article is around the head."""
    if phrase.mark.minimum is not None or not is_markable(text, phrase):
        return None
    head = expected_minimum(text, phrase)
    if text.is_same(head, phrase.mark):
        return None
    return "has no MIN, but is more than its head", f"write MIN={_quote(text, head)}"


def _diagnose_title(text: MarkedText, phrase: MarkedPhrase, minimum: Span) -> str:
    words = minimum.of(text.text).split()
    last = text.unit_at(Span(minimum.end - len(words[-1]), minimum.end))
    person = last is not None and last.type == "PER"
    if not person and (last is not None or not words[0].endswith(".") or is_suffix(words[-1])):
        return ""
    count = next((n for n, word in enumerate(words) if not is_title(word)), 0)
    if not count and person:
        count = next((n for n in (2, 1) if is_office(" ".join(words[:n])) and n < len(words)), 0)
    if not count or not words[count][0].isupper():
        return ""
    title, name = " ".join(words[:count]), " ".join(words[count:])
    return f"has the title '{title}' in it; write MIN=\"{name}\""


def _diagnose_suffix(text: MarkedText, phrase: MarkedPhrase, minimum: Span) -> str:
    after = text.text[minimum.end : phrase.mark.end].split(maxsplit=2)
    if after and after[0] == ",":
        after = after[1:]
    following = after[0].rstrip(",") if after else ""
    if not following or not is_suffix(following) or not minimum.of(text.text)[-1:].isalnum():
        return ""
    last = minimum.of(text.text).split()[-1]
    if not last[0].isupper():
        return ""
    end = text.text.index(following, minimum.end) + len(following)
    maximal = Span(minimum.start, end)
    return f"leaves out the name's suffix '{following}'; write MIN={_quote(text, maximal)}"


def _diagnose_location(text: MarkedText, phrase: MarkedPhrase, minimum: Span) -> str:
    places = [unit for unit in text.units_in(phrase.mark) if unit.type == "LOC"]
    if len(places) < 2 or text.strip_edges(phrase.mark).start != places[0].start:
        return ""
    first, second = places[:2]
    if text.text[first.end : second.start].strip() != "," or text.is_same(first, minimum):
        return ""
    if not Span(first.start, second.end).contains(minimum):
        return ""
    return f"is not the place's first name; write MIN={_quote(text, first)}"


def _diagnose_headless(text: MarkedText, phrase: MarkedPhrase, minimum: Span) -> str:
    last = headless_minimum(text, phrase)
    if last is None or text.is_same(last, minimum):
        return ""
    return f"is not the last word before the modifiers that follow; write MIN={_quote(text, last)}"


def _diagnose_part(text: MarkedText, phrase: MarkedPhrase, minimum: Span) -> str:
    unit = text.unit_at(text.strip_edges(minimum))
    if unit is None or not phrase.mark.contains(unit) or unit.type == "MISC":
        return ""
    if "'s" in unit.of(text.text) or "’s" in unit.of(text.text):
        return ""
    if text.is_same(unit, minimum) or headless_minimum(text, phrase) is not None:
        return ""
    return f"is only a part of the {unit.kind}; write MIN={_quote(text, unit)}"


def _diagnose_misplaced(text: MarkedText, phrase: MarkedPhrase, minimum: Span) -> str:
    first = phrase.tops[0] if phrase.tops else phrase.head
    cases = phrase.tree.under(phrase.head, "case")
    if first != phrase.head and not any(first < case < phrase.head for case in cases):
        return ""
    phrase = phrase._replace(head=first)
    if phrase.tag(first) not in ("NOUN", "PROPN"):
        return ""
    head = expected_minimum(text, phrase)
    if not is_markable(text, phrase) or head.overlaps(minimum):
        return ""
    return f"does not hold the head; write MIN={_quote(text, head)}"


MinimumCheck = Callable[[MarkedText, MarkedPhrase, Span], str]
"""Function that returns the fault of a MIN and advice; empty if there is none."""

_MINIMUM_CHECKS: dict[str, MinimumCheck] = {
    "min-title": _diagnose_title,
    "min-suffix": _diagnose_suffix,
    "min-location": _diagnose_location,
    "min-headless": _diagnose_headless,
    "min-part": _diagnose_part,
    "min-elsewhere": _diagnose_misplaced,
}


def _find_fault(name: str, text: MarkedText) -> Iterator[Breach]:
    """Find phrases whose MIN has this fault and no earlier one of the table."""
    for phrase in text.phrases:
        minimum = phrase.mark.minimum
        if minimum is None or not len(minimum):
            continue
        for key, check in _MINIMUM_CHECKS.items():
            fault = check(text, phrase, minimum)
            if fault and key == name:
                problem, _, advice = fault.partition("; ")
                marked = f"MIN={_quote(text, minimum)} of {text.quote(phrase.mark)}"
                yield Breach(phrase.mark, f"{marked} {problem}", advice)
            if fault:
                break


def _quote(text: MarkedText, span: Span) -> str:
    return f'"{squeeze(span.of(text.text))}"'


EXTENT_RULES = (
    find_inner_heads,
    find_non_maximal,
    find_missing_minima,
    *(ContentRule(BY_NAME[name], partial(_find_fault, name)) for name in _MINIMUM_CHECKS),
)
