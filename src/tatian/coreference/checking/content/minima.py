"""MIN is the head, or the whole name, date or amount that it belongs to (§4.1, §4.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from tatian.coreference.checking.content.rules import Breach, ContentRule, advice
from tatian.coreference.definition.markable import expected_minimum, headless_minimum, is_markable
from tatian.coreference.definition.phrases import MarkedPhrase, MarkedText
from tatian.coreference.definition.units import is_office, is_suffix, is_title
from tatian.text import Span


def find_missing(page: MarkedText) -> Iterator[Breach]:
    """Marked phrases that have no MIN although more than an article is around the head."""
    for phrase in page.phrases:
        if phrase.mark.minimum is not None or not is_markable(page, phrase):
            continue
        head = expected_minimum(page, phrase)
        if not page.is_same(head, phrase.mark):
            yield Breach(
                phrase.mark,
                f"{page.quote(phrase.mark)} has no MIN, but is more than its head",
                f"write MIN={_quoted(page, head)}",
            )


def _title(page: MarkedText, phrase: MarkedPhrase, minimum: Span) -> str:
    words = minimum.of(page.text).split()
    last = page.unit_at(Span(minimum.end - len(words[-1]), minimum.end))
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


def _suffix(page: MarkedText, phrase: MarkedPhrase, minimum: Span) -> str:
    after = page.text[minimum.end : phrase.mark.end].split(maxsplit=2)
    if after and after[0] == ",":
        after = after[1:]
    following = after[0].rstrip(",") if after else ""
    if not following or not is_suffix(following) or not minimum.of(page.text)[-1:].isalnum():
        return ""
    last = minimum.of(page.text).split()[-1]
    if not last[0].isupper():
        return ""
    end = page.text.index(following, minimum.end) + len(following)
    whole = Span(minimum.start, end)
    return f"leaves out the name's suffix '{following}'; write MIN={_quoted(page, whole)}"


def _location(page: MarkedText, phrase: MarkedPhrase, minimum: Span) -> str:
    places = [unit for unit in page.units_in(phrase.mark) if unit.type == "LOC"]
    if len(places) < 2 or page.bare(phrase.mark).start != places[0].start:
        return ""
    first, second = places[:2]
    if page.text[first.end : second.start].strip() != "," or page.is_same(first, minimum):
        return ""
    if not Span(first.start, second.end).contains(minimum):
        return ""
    return f"is not the place's first name; write MIN={_quoted(page, first)}"


def _headless(page: MarkedText, phrase: MarkedPhrase, minimum: Span) -> str:
    last = headless_minimum(page, phrase)
    if last is None or page.is_same(last, minimum):
        return ""
    return f"is not the last word before the modifiers that follow; write MIN={_quoted(page, last)}"


def _cut(page: MarkedText, phrase: MarkedPhrase, minimum: Span) -> str:
    unit = page.unit_at(page.bare(minimum))
    if unit is None or not phrase.mark.contains(unit) or unit.type == "MISC":
        return ""
    if "'s" in unit.of(page.text) or "’s" in unit.of(page.text):
        return ""
    if page.is_same(unit, minimum) or headless_minimum(page, phrase) is not None:
        return ""
    return f"is only a part of the {unit.kind}; write MIN={_quoted(page, unit)}"


def _elsewhere(page: MarkedText, phrase: MarkedPhrase, minimum: Span) -> str:
    first = phrase.tops[0] if phrase.tops else phrase.head
    if first != phrase.head and not _follows_preposition(phrase, first):
        return ""
    phrase = phrase._replace(head=first)
    if phrase.tag(first) not in ("NOUN", "PROPN"):
        return ""
    head = expected_minimum(page, phrase)
    if not is_markable(page, phrase) or head.overlaps(minimum):
        return ""
    return f"does not hold the head; write MIN={_quoted(page, head)}"


def _follows_preposition(phrase: MarkedPhrase, first: int) -> bool:
    """Whether the word in MIN is a preposition's, which may modify the first noun (§4.2)."""
    cases = phrase.tree.under(phrase.head, "case")
    return any(first < case < phrase.head for case in cases)


Diagnosis = Callable[[MarkedText, MarkedPhrase, Span], str]
"""What is wrong with a MIN, and what to write; nothing where it is right."""

_DIAGNOSES: dict[str, tuple[Diagnosis, str]] = {
    "min-title": (_title, "MIN has no personal title in it."),
    "min-suffix": (_suffix, "MIN has the name's suffix ('Jr.', 'Corp.') in it."),
    "min-location": (_location, "MIN of a place with several names is the first of them."),
    "min-headless": (
        _headless,
        "MIN of a phrase without a noun is its last word before prepositions and clauses.",
    ),
    "min-part": (_cut, "MIN is never a part of a name, date, amount or percentage."),
    "min-elsewhere": (_elsewhere, "MIN is the head of the phrase."),
}


def _find(name: str, page: MarkedText) -> Iterator[Breach]:
    """Phrases whose MIN is wrong in this way, and in none that comes before it in the table."""
    for phrase in page.phrases:
        minimum = phrase.mark.minimum
        if minimum is None or not len(minimum):
            continue
        for key, (diagnosis, _) in _DIAGNOSES.items():
            wrong = diagnosis(page, phrase, minimum)
            if wrong and key == name:
                what, _, cure = wrong.partition("; ")
                yield Breach(
                    phrase.mark,
                    f"MIN={_quoted(page, minimum)} of {page.quote(phrase.mark)} {what}",
                    cure,
                )
            if wrong:
                break


def _quoted(page: MarkedText, span: Span) -> str:
    words = " ".join(span.of(page.text).split())
    return f'"{words}"'


RULES = (
    ContentRule(
        advice(
            "min-missing", "4.1", "MIN is given where the phrase is more than head and article."
        ),
        find_missing,
        needs_markup=True,
    ),
    *(
        ContentRule(advice(name, "4.1", says), partial(_find, name), needs_markup=True)
        for name, (_, says) in _DIAGNOSES.items()
    ),
)
