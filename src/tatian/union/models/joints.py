"""Joints between what came from different sentences: no statement hangs on by a bare comma."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.text import WovenToken
from tatian.text.content import concept, saying
from tatian.text.lexicon import CONJUNCTIONS, DETERMINERS, PREPOSITIONS, QUESTION_WORDS
from tatian.text.provenance import glue
from tatian.union.models import Passage
from tatian.union.models.aligning.sentences import Parsed, body_end, parsed

_RELATIVE = frozenset(("who", "whom", "whose", "which", "that"))
_LINKS = CONJUNCTIONS | PREPOSITIONS | QUESTION_WORDS | _RELATIVE
"""Words that what follows them depends on, or that link it already."""
_DIVIDERS = frozenset((";", ":"))


def linked(tokens: Sequence[WovenToken], passages: Sequence[Passage]) -> tuple[WovenToken, ...]:
    """The sentence with a link before a last statement that another sentence brought without one.

    "He was executed they have taken steps" is two statements, which a semicolon sets apart; "He
    walked in, has been charged" has two verbs of one subject, which take "and".
    """
    sentences = [sentence for passage in passages if (sentence := parsed(passage)) is not None]
    if len(sentences) != len(passages):
        return tuple(tokens)
    end = body_end(tokens)
    places = [[_place(sentence, token) for token in tokens[:end]] for sentence in sentences]
    for number, sentence in enumerate(sentences):
        start = _last_stretch(tokens, places[number])
        if start is None or not _is_joint(tokens, places, start):
            continue
        others = [one for one in range(len(sentences)) if one != number]
        if not any(_is_told(tokens[:start], sentences[one], places[one]) for one in others):
            continue
        stretch = [place for place in places[number][start:] if place is not None]
        comma = tokens[start - 1].text == ","
        if _has_subject(sentence, stretch):
            return (*tokens[: start - comma], glue(";", space=False), *tokens[start:])
        relative = any(token.text.lower() in _RELATIVE for token in tokens[:start])
        if comma and not relative and _opens_with_verb(sentence, stretch):
            return (*tokens[:start], glue("and"), *tokens[start:])
    return tuple(tokens)


def _place(sentence: Parsed, token: WovenToken) -> int | None:
    """Which word of the sentence stands behind a word of the union."""
    document, span = sentence.passage.document.id, sentence.passage.span
    for source in token.sources:
        if source.document == document and span.start <= source.start < span.end:
            return sentence.place_of.get(source.start)
    return None


def _last_stretch(tokens: Sequence[WovenToken], places: Sequence[int | None]) -> int | None:
    """Where the words begin that close the union as they close one sentence."""
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


def _is_joint(
    tokens: Sequence[WovenToken], places: Sequence[Sequence[int | None]], start: int
) -> bool:
    """Whether no sentence has both sides of it together, and no word links them."""
    before, after = tokens[start - 1], tokens[start]
    word = before.text.lower()
    step = 1 + (word == "," and start > 1)
    for of_sentence in places:
        one, two = of_sentence[start - step], of_sentence[start]
        if one is not None and two == one + step:
            return False
    closed = word not in _LINKS | DETERMINERS and concept(word) not in saying()
    free = word == "," or (word[-1].isalnum() and closed)
    return free and after.text.lower() not in _LINKS and not before.quoted and not after.quoted


def _is_told(tokens: Sequence[WovenToken], sentence: Parsed, places: Sequence[int | None]) -> bool:
    """Whether the words before a joint tell what the sentence tells, verb and all."""
    if sentence.root not in places[: len(tokens)] or not sentence.finite(sentence.root):
        return False
    since = places.index(sentence.root)
    return not any(token.text in _DIVIDERS for token in tokens[since:])


def _has_subject(sentence: Parsed, stretch: Sequence[int]) -> bool:
    """Whether a stretch is the main clause from its subject on."""
    root = sentence.root
    if root not in stretch or not sentence.finite(root) or sentence.under(root, "mark"):
        return False
    if sentence.concepts[root] in saying() and not sentence.under(root, "ccomp"):
        return False
    told = [place for place in sentence.under(root, "ccomp") if place not in stretch]
    subjects = [place for place in sentence.under(root, "nsubj") if place < root]
    return not told and bool(subjects) and sentence.extent(subjects[0])[0] in stretch


def _opens_with_verb(sentence: Parsed, stretch: Sequence[int]) -> bool:
    """Whether a stretch is the main clause from "is" or "has" on, its subject left behind."""
    root = sentence.root
    opening = sentence.under(root, "aux", "cop")
    return root in stretch and sentence.finite(root) and stretch[0] in opening
