"""Post-processing of unions of all models: joints between sentences, and repeated days."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tatian.text import SourcedToken
from tatian.text.content import concept, reporting_concepts
from tatian.text.datelines import publication_days
from tatian.text.dates import YEAR_UNKNOWN, calendar_day, month_and_day, written_on
from tatian.text.documents import MARKS, Passage
from tatian.text.layers import capitalized, glue
from tatian.text.lexicon import (
    CONJUNCTIONS,
    DETERMINERS,
    NUMBER_WORDS,
    PREPOSITIONS,
    QUESTION_WORDS,
    RELATIVE_DATES,
    WEEKDAYS,
)
from tatian.union.models.sentences import Parsed, body_end, parsed


def finish(tokens: Sequence[SourcedToken], passages: Sequence[Passage]) -> tuple[SourcedToken, ...]:
    """Repair a sentence; `passages` are all sources of its words."""
    merged = merge_days(tokens, passages)
    merged = merged if merged == tuple(tokens) else capitalized(merged)
    return separate_quotations(link_statement(merged, passages))


def separate_quotations(tokens: Sequence[SourcedToken]) -> tuple[SourcedToken, ...]:
    """Insert a semicolon between statements of two sentences if a quotation begins or ends there.

    'The clock stopped "I think he broke it"' becomes 'The clock stopped; "I think he broke it"'.
    """
    result: list[SourcedToken] = []
    for index, token in enumerate(tokens):
        ends = [before.text for before in result[-2:]]
        other = bool(result) and _are_from_different_sentences(tokens[index - 1], token)
        if other and len(ends) == 2 and ends[0] == "." and ends[1] in MARKS:
            if token.text[:1].isalnum() or token.text in MARKS:
                del result[-2]
                result.append(glue(";", space=False))
        elif other and _opens_sentence(token) and ends[-1][-1].isalnum():
            joint = [] if ends[-1].lower() in _LINKS else [glue(";", space=False)]
            result += joint
        result.append(token)
    return tuple(result)


def _are_from_different_sentences(first: SourcedToken, second: SourcedToken) -> bool:
    """Return True if two adjacent words come from different sentences."""
    return bool(first.sources and second.sources) and not _share_document(first, second)


def _opens_sentence(token: SourcedToken) -> bool:
    return token.text in MARKS and token.quoted and token.sources[0].start == 0


def has_adjacent_numbers(tokens: Sequence[SourcedToken]) -> bool:
    """Return True if numbers of two sentences are adjacent ("at least 5 3")."""
    return any(
        _is_number(first) and _is_number(second) and not _share_document(first, second)
        for first, second in pairwise(tokens)
    )


def has_inner_stop(tokens: Sequence[SourcedToken]) -> bool:
    """Return True if a sentence's full stop precedes words of another sentence or glue."""
    return any(
        first.text == "." and second.text[:1].isalnum() and not _share_document(first, second)
        for first, second in pairwise(tokens)
    )


def _is_number(token: SourcedToken) -> bool:
    """Return True for a number, but not for a multiplier such as "million"."""
    word = token.text.lower()
    return word[:1].isdigit() or NUMBER_WORDS.get(word, 100) < 100


def _share_document(first: SourcedToken, second: SourcedToken) -> bool:
    """Return True if two words have sources in one document."""
    documents = {source.document for source in first.sources}
    return any(source.document in documents for source in second.sources)


_RELATIVE = frozenset(("who", "whom", "whose", "which", "that"))
_LINKS = CONJUNCTIONS | PREPOSITIONS | QUESTION_WORDS | _RELATIVE
"""Words that link what follows them, or that need what follows them."""
_DIVIDERS = frozenset((";", ":"))


def link_statement(
    tokens: Sequence[SourcedToken], passages: Sequence[Passage]
) -> tuple[SourcedToken, ...]:
    """Insert a link before a final statement that comes from another sentence without one.

    A semicolon separates two statements: "He was executed they have taken steps". "And" joins two
    verbs of one subject: "He walked in, has been charged".
    """
    sentences = [sentence for passage in passages if (sentence := parsed(passage)) is not None]
    if len(sentences) != len(passages):
        return tuple(tokens)
    end = body_end(tokens)
    places = [[_find_place(sentence, token) for token in tokens[:end]] for sentence in sentences]
    for number, sentence in enumerate(sentences):
        start = _find_last_run(tokens, places[number])
        if start is None or not _is_unlinked(tokens, places, start):
            continue
        others = [other for other in range(len(sentences)) if other != number]
        before = tokens[:start]
        if not any(_has_main_verb(before, sentences[other], places[other]) for other in others):
            continue
        run = [place for place in places[number][start:] if place is not None]
        has_comma = tokens[start - 1].text == ","
        if _is_full_clause(sentence, run):
            stops = has_comma or tokens[start - 1].text == "."
            return (*tokens[: start - stops], glue(";", space=False), *tokens[start:])
        has_relative = any(token.text.lower() in _RELATIVE for token in tokens[:start])
        if has_comma and not has_relative and _is_bare_predicate(sentence, run):
            return (*tokens[:start], glue("and"), *tokens[start:])
    return tuple(tokens)


def _find_place(sentence: Parsed, token: SourcedToken) -> int | None:
    """Return the index in the sentence of the source word of a union's token."""
    document, span = sentence.passage.document.id, sentence.passage.span
    for source in token.sources:
        if source.document == document and span.start <= source.start < span.end:
            return sentence.place_of.get(source.start)
    return None


def _find_last_run(tokens: Sequence[SourcedToken], places: Sequence[int | None]) -> int | None:
    """Return the start of the union's final words that are also the end of one sentence."""
    start, following = len(places), None
    for index in range(len(places) - 1, -1, -1):
        place = places[index]
        if place is not None and (following is None or place in (following - 1, following - 2)):
            start, following = index, place
        elif any(character.isalnum() for character in tokens[index].text):
            break
    while start < len(places) and not any(c.isalnum() for c in tokens[start].text):
        start += 1
    return start if 0 < start < len(places) else None


def _is_unlinked(
    tokens: Sequence[SourcedToken], places: Sequence[Sequence[int | None]], start: int
) -> bool:
    """Return True if the words at a joint are adjacent in no sentence and no word links them."""
    before, after = tokens[start - 1], tokens[start]
    word = before.text.lower()
    step = 1 + (word == "," and start > 1)
    for of_sentence in places:
        before_place, after_place = of_sentence[start - step], of_sentence[start]
        if before_place is not None and after_place == before_place + step:
            return False
    closed = word not in _LINKS | DETERMINERS and concept(word) not in reporting_concepts()
    free = word == "," or (word[-1].isalnum() and closed)
    return free and after.text.lower() not in _LINKS and not before.quoted and not after.quoted


def _has_main_verb(
    tokens: Sequence[SourcedToken], sentence: Parsed, places: Sequence[int | None]
) -> bool:
    """Return True if the words before a joint include the sentence's finite main verb."""
    if sentence.root not in places[: len(tokens)] or not sentence.finite(sentence.root):
        return False
    since = places.index(sentence.root)
    return not any(token.text in _DIVIDERS for token in tokens[since:])


def _is_full_clause(sentence: Parsed, stretch: Sequence[int]) -> bool:
    """Return True if a stretch is the main clause from its subject on."""
    root = sentence.root
    if root not in stretch or not sentence.finite(root) or sentence.under(root, "mark"):
        return False
    if sentence.concepts[root] in reporting_concepts() and not sentence.under(root, "ccomp"):
        return False
    left_out = [place for place in sentence.under(root, "ccomp") if place not in stretch]
    subjects = [place for place in sentence.under(root, "nsubj") if place < root]
    return not left_out and bool(subjects) and sentence.extent(subjects[0])[0] in stretch


def _is_bare_predicate(sentence: Parsed, stretch: Sequence[int]) -> bool:
    """Return True if a stretch is the main clause from "is" or "has" on, without its subject."""
    root = sentence.root
    opening = sentence.under(root, "aux", "cop")
    return root in stretch and sentence.finite(root) and stretch[0] in opening


# Name a day once: for "on March 15" and "on Wednesday", a union has one phrase. Union paper,
# appendix B: if the day of publication is known, "yesterday" and "Monday" are the same.

Kind = Literal["weekday", "date", "relative", "vague"]
_SPANS = frozenset("week weekend month year spring summer autumn fall winter".split())
_BEFORE = frozenset(("next", "last", "this", "every", "until", "since", "before", "after", "by"))
"""Words before a weekday or a date that change its meaning."""


class _Day(Struct, frozen=True):
    """A phrase that names a day, without "on": tokens ``start`` to ``end``."""

    start: int
    end: int
    kind: Kind
    name: tuple[int, ...]
    """Weekday number, or month and day, or offset from today in days; empty if vague."""
    day: date | None
    """Calendar day, if known."""


def merge_days(
    tokens: Sequence[SourcedToken], passages: Sequence[Passage]
) -> tuple[SourcedToken, ...]:
    """Merge neighbouring phrases from two sources that name the same day.

    "on March 15 on Wednesday" becomes "on Wednesday, March 15", "today on Wednesday" becomes "on
    Wednesday", "on Monday earlier this month" becomes "on Monday". Days that cannot be the same,
    and quotations, stay as they are.
    """
    result = list(tokens)
    days = _find_days(result, passages)
    joined = None
    for first, second in reversed(list(pairwise(days))):
        between = {token.text.lower() for token in result[first.end : second.start]}
        if second is joined or not between <= {",", "on"}:
            continue
        if _can_be_same_day(first, second) and not _share_source(result, first, second):
            _replace_by_one(result, first, second)
            joined = first
    return tuple(result)


def _find_days(tokens: Sequence[SourcedToken], passages: Sequence[Passage]) -> list[_Day]:
    documents = {passage.document.id: passage.document for passage in passages}
    days = zip(documents, publication_days(documents.values()), strict=True)
    published = {name: day for name, day in days if day is not None and day.year != YEAR_UNKNOWN}
    named = []
    for place, token in enumerate(tokens):
        before = tokens[place - 1].text.lower() if place else ""
        if token.quoted or not token.sources:
            continue
        if before in {"this", "last"} and token.text.lower() in _SPANS:
            earlier = place > 1 and tokens[place - 2].text.lower() in {"earlier", "late", "later"}
            named.append(_Day(place - 1 - earlier, place + 1, "vague", (), None))
            continue
        if before in _BEFORE:
            continue
        out = published.get(token.sources[0].document)
        word = token.text.lower()
        relative = RELATIVE_DATES.get(word)
        if relative is not None and relative.unit == "day" and word != "tonight":
            day = out + timedelta(days=relative.amount) if out else None
            named.append(_Day(place, place + 1, "relative", (relative.amount,), day))
        elif word in WEEKDAYS and token.text[0].isupper():
            named.append(_Day(place, place + 1, "weekday", (WEEKDAYS[word],), None))
        elif (name := month_and_day(tokens, place)) is not None and 1 <= name[1] <= 31:
            year = _read_year(tokens[place + 2 : place + 4])
            day = calendar_day(year, *name) if year else written_on(*name, out) if out else None
            named.append(_Day(place, place + 2 + 2 * (year is not None), "date", name, day))
    return named


def _read_year(tokens: Sequence[SourcedToken]) -> int | None:
    """Return the year of "March 15, 2006"."""
    words = [token.text for token in tokens]
    is_year = len(words) == 2 and words[0] == "," and len(words[1]) == 4 and words[1].isdecimal()
    return int(words[1]) if is_year else None


def _share_source(tokens: Sequence[SourcedToken], first: _Day, second: _Day) -> bool:
    """Return True if one source has both phrases, so that both are wanted."""
    sides = [
        {source.document for token in tokens[day.start : day.end] for source in token.sources}
        for day in (first, second)
    ]
    return bool(sides[0] & sides[1])


def _can_be_same_day(first: _Day, second: _Day) -> bool:
    if "vague" in (first.kind, second.kind):
        return first.kind != second.kind
    if first.kind == second.kind:
        return first.name == second.name and (
            None in (first.day, second.day) or first.day == second.day
        )
    if first.day is not None and second.day is not None:
        return first.day == second.day
    for weekday, other in ((first, second), (second, first)):
        if weekday.kind == "weekday" and other.day is not None:
            return other.day.weekday() == weekday.name[0]
    return True


def _replace_by_one(tokens: list[SourcedToken], first: _Day, second: _Day) -> None:
    """Replace both phrases by one with the opening of the first."""
    winner, other = (first, second) if _rank_day(first) <= _rank_day(second) else (second, first)
    words, replaced = tokens[winner.start : winner.end], tokens[other.start : other.end]
    are_joined = winner.kind == "weekday" and other.kind == "date"
    if are_joined:
        result = [*words, glue(",", space=False), replace(replaced[0], space=True), *replaced[1:]]
    else:
        result = [_add_sources(token, replaced) for token in words]
    has_preposition = first.start > 0 and tokens[first.start - 1].text.lower() in PREPOSITIONS
    on = tokens[second.start - 1]
    is_named = winner.kind in {"weekday", "date"}
    if not has_preposition and is_named and on.text.lower() == "on":
        result.insert(0, on)
    result[0] = replace(result[0], space=tokens[first.start].space)
    following = tokens[second.end].text if second.end < len(tokens) else "."
    if are_joined and any(character.isalnum() for character in following):
        result.append(glue(",", space=False))
    tokens[first.start : second.end] = result


def _rank_day(day: _Day) -> int:
    return ("weekday", "date", "relative", "vague").index(day.kind)


def _add_sources(token: SourcedToken, others: Sequence[SourcedToken]) -> SourcedToken:
    """Add the sources of the words that this word now replaces."""
    behind = [replace(source, kind="substituted") for other in others for source in other.sources]
    return replace(token, sources=tuple(dict.fromkeys((*token.sources, *behind))))
