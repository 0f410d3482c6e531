"""Detection of context that a union of two sentences needs and lacks (Hirsch et al. 2023, App. A).

A dangling reference often does no harm. It does if the speaker is unknown: a quotation whose
speaker neither sentence names, the first person of one sentence alone, a comment beside what
another source reports. It also does if a sentence opens by pointing back to a text not shown.
"""

from __future__ import annotations

from tatian.text.content import saying
from tatian.text.documents import quoted_tokens
from tatian.text.lexicon import REPORTING_VERBS, word_set
from tatian.union.data.checks import first_person
from tatian.union.relations.cases import sources
from tatian.union.relations.units import Chunked

_SPEAKERS = word_set("he she they")
_COMMENTS = word_set(
    "sadly unfortunately regrettably alarmingly shamefully disgracefully disappointingly "
    "worryingly ironically thankfully happily luckily fortunately mercifully hopefully"
)
"""Adverbs by which a writer comments on a statement."""
_POINTERS = word_set("that this these those")


def missing_context(readings: tuple[Chunked, Chunked]) -> str:
    """Return the missing information that a union would need, as a question; empty if none."""
    for number, reading in enumerate(readings):
        other = readings[1 - number]
        speaker = _first_person(reading)
        if speaker and not first_person(other.tokens) and not sources(reading):
            return f"who is '{speaker}' in sentence {number + 1}?"
        if _speaks_unnamed(reading) and not _names_speaker(other, _pronoun(reading)):
            return f"who says what sentence {number + 1} quotes?"
        comment = _comment(reading)
        if comment and not sources(reading) and sources(other):
            return f"whose judgement is '{comment}' in sentence {number + 1}?"
        if pointer := _pointer(reading):
            return f"what is '{pointer}' in sentence {number + 1}?"
    return ""


def _first_person(reading: Chunked) -> str:
    """Return the first pronoun of the first person outside quotation marks; empty if none."""
    flags = quoted_tokens(reading.passage.document.text, reading.tokens)
    pronouns = [place for place in first_person(reading.tokens) if not flags[place]]
    return reading.tokens[pronouns[0]].text if pronouns else ""


def _speaks_unnamed(reading: Chunked) -> bool:
    """Return True if most of a sentence is quoted and no speaker is named."""
    flags = quoted_tokens(reading.passage.document.text, reading.tokens)
    content = [
        place
        for place, concept in enumerate(reading.concepts)
        if concept is not None and (flags[place] or concept not in saying())
    ]
    quoted = [place for place in content if flags[place]]
    outside = [unit for unit in reading.units if unit.kind == "name" and not flags[unit.head]]
    return len(quoted) > len(content) / 2 and not outside and not sources(reading)


def _pronoun(reading: Chunked) -> str:
    """Return the pronoun of the speaker: "she" of "she said"; empty if none."""
    tree = reading.tree
    for place in range(len(tree.words)):
        if tree.text(place).lower() in REPORTING_VERBS and tree.tag(place) == "VERB":
            subjects = [tree.text(child).lower() for child in tree.under(place, "nsubj")]
            if subjects and subjects[0] in _SPEAKERS:
                return subjects[0]
    return ""


def _names_speaker(reading: Chunked, pronoun: str) -> bool:
    """Return True if a sentence names a possible speaker, or has a quotation as well.

    A pronoun needs the name of a person; for a bare quotation any source will do.
    """
    flags = quoted_tokens(reading.passage.document.text, reading.tokens)
    people = any(unit.kind == "name" and unit.type == "PER" for unit in reading.units)
    return people or any(flags) or (not pronoun and bool(sources(reading)))


def _comment(reading: Chunked) -> str:
    """Return the adverb by which the writer comments on the statement; empty if none."""
    tree = reading.tree
    flags = quoted_tokens(reading.passage.document.text, reading.tokens)
    for place in range(len(tree.words)):
        above = tree.heads[place]
        comments = tree.text(place).lower() in _COMMENTS and tree.relation(place) == "advmod"
        if comments and not flags[place] and above >= 0 and tree.relation(above) == "root":
            return tree.text(place)
    return ""


def _pointer(reading: Chunked) -> str:
    """Return a demonstrative that opens the sentence as its subject: "That led to a crisis"."""
    tree = reading.tree
    opens = bool(tree.words) and tree.text(0).lower() in _POINTERS
    subject = opens and tree.tag(0) == "PRON" and tree.relation(0) == "nsubj"
    acts = subject and tree.tag(tree.heads[0]) == "VERB"
    return tree.text(0) if acts else ""
