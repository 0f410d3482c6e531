"""Subtle cases that the writer of a union must notice (Hirsch et al. 2023, App. B, Table 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from tatian.analysis.trees import Tree
from tatian.text import Span
from tatian.text.content import is_content, reporting_concepts
from tatian.text.lexicon import REPORTING_VERBS, word_set
from tatian.union.data.checks import find_first_person
from tatian.union.relations.alignment import UnitMatch
from tatian.union.relations.units import ParsedPassage, Unit

CaseKind = Literal["attribution", "relative-date", "world-knowledge", "before-after"]

_FUTURE = word_set("will 'll ’ll shall")
PLAN_WORDS = word_set("expected set due scheduled planned plans planning going about")
PERFECT_WORDS = word_set("has have had 's 've ’s ’ve")
_RELATIVE = frozenset(("weekday", "relative", "shift", "ago"))


class CasePlace(Span, frozen=True, order=True):
    """Words of one of the sentences; the offsets refer to the text of its document."""

    sentence: int


class SubtleCase(Struct, frozen=True):
    """A feature of a pair on which its union depends."""

    kind: CaseKind
    why: str
    places: tuple[CasePlace, ...]


def find_cases(passages: Sequence[ParsedPassage], matches: Sequence[UnitMatch]) -> list[SubtleCase]:
    """Return the subtle cases of two sentences, given the matches of their units."""
    return [
        *_find_attribution_cases(passages),
        *_find_relative_dates(passages, matches),
        *_find_world_knowledge(passages, matches),
        *_find_before_after(passages, matches),
    ]


def _find_attribution_cases(passages: Sequence[ParsedPassage]) -> Iterator[SubtleCase]:
    """Find attributions that only one sentence has, or that differ between the sentences."""
    named = [find_cited_speakers(passage) for passage in passages]
    words = [
        {word for unit in units for word in passage.content(unit)}
        for passage, units in zip(passages, named, strict=True)
    ]
    if any(named) and not words[0] & words[1]:
        texts = ", ".join(
            passage.text(unit)
            for passage, units in zip(passages, named, strict=True)
            for unit in units
        )
        why = (
            "the sentences name different sources" if all(words) else "one sentence names a source"
        )
        places = [
            _locate(passages, number, unit) for number, units in enumerate(named) for unit in units
        ]
        yield SubtleCase("attribution", f"{why}: {texts}", tuple(places))
        return
    quotes = [_find_quotation(passage) for passage in passages]
    for number, (quote, other) in enumerate(zip(quotes, reversed(quotes), strict=True)):
        if quote is not None and other is None:
            place = _locate(passages, number, quote)
            yield SubtleCase(
                "attribution", "one sentence quotes, and quotes stay as they are", (place,)
            )


def find_cited_speakers(passage: ParsedPassage) -> list[Unit]:
    """Return the cited sources: subjects of reporting verbs, and objects of "according to"."""
    tree = passage.tree
    heads: list[int] = []
    for place in range(len(tree.words)):
        word = tree.text(place).lower()
        if word == "according":
            heads += tree.under(place, "obl", "nmod") or tree.heads[place : place + 1]
        elif word in REPORTING_VERBS and tree.tag(place) == "VERB" and _has_content(tree, place):
            heads += tree.under(place, "nsubj")
    named = {}
    for unit in passage.units:
        if unit.kind in ("name", "phrase"):
            named.update({head: unit for head in heads if head in unit.places})
    return list(dict.fromkeys(named[head] for head in heads if head in named))


def _has_content(tree: Tree, verb: int) -> bool:
    """Return True if a reporting verb has its reported content."""
    return bool(tree.under(verb, "ccomp", "parataxis")) or tree.relation(verb) == "parataxis"


def _find_quotation(passage: ParsedPassage) -> Unit | None:
    """Return the range of quoted words if it has more than two content words; else None."""
    content = [
        place
        for place, (token, quoted) in enumerate(zip(passage.tokens, passage.quoted, strict=True))
        if quoted and is_content(token.text)
    ]
    return Unit("phrase", content[0], content[-1] + 1, content[0]) if len(content) > 2 else None


def _find_relative_dates(
    passages: Sequence[ParsedPassage], matches: Sequence[UnitMatch]
) -> Iterator[SubtleCase]:
    """Find times that match only because the day of publication is known."""
    for match in matches:
        if match.first.kind != "time":
            continue
        times = passages[0].time_of[match.first], passages[1].time_of[match.second]
        if times[0].parts == times[1].parts:
            continue
        if any(time.parts.keys() & _RELATIVE for time in times):
            yield SubtleCase(
                "relative-date", _explain(passages, match), _locate_pair(passages, match)
            )


def _find_world_knowledge(
    passages: Sequence[ParsedPassage], matches: Sequence[UnitMatch]
) -> Iterator[SubtleCase]:
    """Find matches of a name with a phrase that shares no words, which need world knowledge."""
    for match in matches:
        units = (match.first, match.second)
        names = [_has_name(passage, unit) for passage, unit in zip(passages, units, strict=True)]
        shared = set(passages[0].content(match.first)) & set(passages[1].content(match.second))
        if match.evidence is not None and any(names) and not shared:
            yield SubtleCase(
                "world-knowledge", _explain(passages, match), _locate_pair(passages, match)
            )


def _has_name(passage: ParsedPassage, unit: Unit) -> bool:
    return any(other.kind == "name" and unit.covers(other) for other in passage.units)


def _find_before_after(
    passages: Sequence[ParsedPassage], matches: Sequence[UnitMatch]
) -> Iterator[SubtleCase]:
    """Find events that one sentence reports before they happened and the other after."""
    for match in matches:
        if not match.are_verbs:
            continue
        tenses = (
            find_tense(passages[0], match.first.head),
            find_tense(passages[1], match.second.head),
        )
        if set(tenses) == {"past", "future"}:
            later = tenses.index("past") + 1
            why = f"sentence {later} was written after the event: use the past tense"
            yield SubtleCase("before-after", why, _locate_pair(passages, match))


def find_tense(passage: ParsedPassage, verb: int) -> str:
    """Return the tense of a verb, "past" or "future"; empty if neither is marked."""
    tree = passage.tree
    helpers = {tree.text(place).lower() for place in tree.under(verb, "aux")}
    if helpers & _FUTURE:
        return "future"
    above = tree.heads[verb]
    if tree.relation(verb) == "xcomp" and above >= 0:
        ahead = tree.text(above).lower() in PLAN_WORDS
        return "future" if ahead else find_tense(passage, above)
    if above >= 0 and _takes_main_tense(tree, verb):
        return find_tense(passage, above)
    if helpers & PERFECT_WORDS or tree.words[verb].features.get("Tense") == "Past":
        return "past" if helpers <= PERFECT_WORDS | {"was", "were", "been", "did"} else ""
    return ""


def _takes_main_tense(tree: Tree, verb: int) -> bool:
    """Return True if a participle has the tense of its main clause: "after leaving"."""
    word = tree.words[verb]
    form = word.features.get("VerbForm"), word.features.get("Tense")
    present = form[0] == "Ger" or form == ("Part", "Pres")
    return present and tree.relation(verb) == "advcl" and not tree.under(verb, "aux", "nsubj")


def _explain(passages: Sequence[ParsedPassage], match: UnitMatch) -> str:
    text, other_text = passages[0].text(match.first), passages[1].text(match.second)
    verb = {"entails": "entails", "entailed": "is entailed by"}.get(match.verdict.kind, "equals")
    return f"'{text}' {verb} '{other_text}': {match.verdict.why}"


def _locate_pair(passages: Sequence[ParsedPassage], match: UnitMatch) -> tuple[CasePlace, ...]:
    return _locate(passages, 0, match.first), _locate(passages, 1, match.second)


def _locate(passages: Sequence[ParsedPassage], number: int, unit: Unit) -> CasePlace:
    span = passages[number].span(unit.first, unit.end)
    return CasePlace(span.start, span.end, number)


# Detection of context that a union of two sentences needs and lacks (Hirsch et al. 2023, App. A).
# A dangling reference is often harmless, but not if the speaker is unknown: (a) neither sentence
# names the speaker of a quotation, (b) only one sentence says "I" or "we", or (c) one sentence
# comments on what the other attributes to a source. Nor is it harmless if a sentence opens by
# pointing back to a text that is not shown.


_SPEAKERS = word_set("he she they")
_COMMENTS = word_set(
    "sadly unfortunately regrettably alarmingly shamefully disgracefully disappointingly "
    "worryingly ironically thankfully happily luckily fortunately mercifully hopefully"
)
"""Adverbs by which a writer comments on a statement."""
_POINTERS = word_set("that this these those")


def find_missing_context(passages: tuple[ParsedPassage, ParsedPassage]) -> str:
    """Return the missing information that a union would need, as a question; empty if none."""
    for number, passage in enumerate(passages):
        other = passages[1 - number]
        speaker = _find_first_person(passage)
        if speaker and not find_first_person(other.tokens) and not find_cited_speakers(passage):
            return f"who is '{speaker}' in sentence {number + 1}?"
        if _lacks_speaker(passage) and not _names_speaker(other, _find_speaker_pronoun(passage)):
            return f"who says what sentence {number + 1} quotes?"
        comment = _find_comment(passage)
        if comment and not find_cited_speakers(passage) and find_cited_speakers(other):
            return f"whose judgement is '{comment}' in sentence {number + 1}?"
        if pointer := _find_pointer(passage):
            return f"what is '{pointer}' in sentence {number + 1}?"
    return ""


def _find_first_person(passage: ParsedPassage) -> str:
    """Return the first pronoun of the first person outside quotation marks; empty if none."""
    pronouns = [place for place in find_first_person(passage.tokens) if not passage.quoted[place]]
    return passage.tokens[pronouns[0]].text if pronouns else ""


def _lacks_speaker(passage: ParsedPassage) -> bool:
    """Return True if most of a sentence is quoted and no speaker is named."""
    content = [
        place
        for place, concept in enumerate(passage.concepts)
        if concept is not None and (passage.quoted[place] or concept not in reporting_concepts())
    ]
    quoted = [place for place in content if passage.quoted[place]]
    names = [unit for unit in passage.units if unit.kind == "name"]
    has_speaker = not all(passage.quoted[name.head] for name in names)
    return len(quoted) > len(content) / 2 and not has_speaker and not find_cited_speakers(passage)


def _find_speaker_pronoun(passage: ParsedPassage) -> str:
    """Return the pronoun of the speaker: "she" of "she said"; empty if none."""
    tree = passage.tree
    for place in range(len(tree.words)):
        if tree.text(place).lower() in REPORTING_VERBS and tree.tag(place) == "VERB":
            subjects = [tree.text(child).lower() for child in tree.under(place, "nsubj")]
            if subjects and subjects[0] in _SPEAKERS:
                return subjects[0]
    return ""


def _names_speaker(passage: ParsedPassage, pronoun: str) -> bool:
    """Return True if a sentence names a possible speaker, or has a quotation as well.

    A pronoun needs the name of a person; for a bare quotation any source will do.
    """
    people = any(unit.kind == "name" and unit.type == "PER" for unit in passage.units)
    return people or any(passage.quoted) or (not pronoun and bool(find_cited_speakers(passage)))


def _find_comment(passage: ParsedPassage) -> str:
    """Return the adverb by which the writer comments on the statement; empty if none."""
    tree = passage.tree
    for place in range(len(tree.words)):
        above = tree.heads[place]
        is_comment = tree.text(place).lower() in _COMMENTS and tree.relation(place) == "advmod"
        modifies_root = above >= 0 and tree.relation(above) == "root"
        if is_comment and modifies_root and not passage.quoted[place]:
            return tree.text(place)
    return ""


def _find_pointer(passage: ParsedPassage) -> str:
    """Return a demonstrative that opens the sentence as its subject: "That led to a crisis"."""
    tree = passage.tree
    if not tree.words or tree.text(0).lower() not in _POINTERS:
        return ""
    is_subject = tree.tag(0) == "PRON" and tree.relation(0) == "nsubj"
    return tree.text(0) if is_subject and tree.tag(tree.heads[0]) == "VERB" else ""
