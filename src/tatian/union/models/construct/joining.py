"""Concatenate two sentences, the fuller first, without repeated parts of the second."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.text.layers import glue
from tatian.union.models.construct.draft import Tokens, Words, tidy
from tatian.union.models.construct.outline import find_entity
from tatian.union.models.construct.pairing import Pairing
from tatian.union.models.edit.writing import case_word, union_input
from tatian.union.models.sentences import FINAL, Parsed

_PLACES = frozenset(
    "in at on near during after before since inside outside under against from following".split()
)
"""Prepositions of phrases that can be dropped."""
_PERSONAL = frozenset("he she it they his her their its this these that those".split())
_OPENERS = frozenset("but and so or yet then also however".split())
_MARKS = frozenset("\"”'’")


def append_other(pairing: Pairing) -> Iterator[Tokens]:
    """Yield the frame followed by the other sentence, first without its repeated parts."""
    other = pairing.other
    if not (other.finite(other.root) and other.under(other.root, "nsubj", "csubj", "expl")):
        return
    whole = [place for place in range(other.end) if not _is_opener(other, place)]
    shorter = _without_repeats(pairing, whole)
    if shorter != whole:
        if shared := _find_shared_predicate(pairing, shorter):
            yield _write_joined(pairing, [glue("and")], shared)
        yield _write_joined(pairing, [glue(";", space=False)], shorter)
    elif shared := _find_shared_predicate(pairing, whole):
        yield _write_joined(pairing, [glue("and")], shared)
    yield _write_joined(pairing, [glue(";", space=False)], whole)


def comes_first(pairing: Pairing) -> bool:
    """Return True if the frame comes first.

    A sentence whose subject is a pronoun comes second; otherwise the fuller one comes first.
    """
    referring = [_opens_with_pronoun(s) for s in (pairing.frame, pairing.other)]
    if referring[0] != referring[1]:
        return referring[1]
    contents = [
        sum(concept is not None for concept in s.concepts) for s in (pairing.frame, pairing.other)
    ]
    return contents[0] >= contents[1]


def _opens_with_pronoun(sentence: Parsed) -> bool:
    subjects = sentence.under(sentence.root, "nsubj")
    return bool(subjects) and sentence.lower[subjects[0]] in _PERSONAL


def _is_opener(sentence: Parsed, place: int) -> bool:
    """Return True for "But" or "Then" with its comma at the start of a sentence."""
    if place == 1 and sentence.lower[1] == ",":
        place = 0
    return place == 0 and sentence.lower[0] in _OPENERS and not sentence.tokens[0].quoted


def _without_repeats(pairing: Pairing, places: list[int]) -> list[int]:
    """Drop adjuncts that the frame covers, with their commas."""
    other = pairing.other
    kept = set(places)
    for place in places:
        if place not in kept or not _is_adjunct(pairing, place):
            continue
        below = other.subtree(place)
        start, end = min(below), max(below) + 1
        if any(other.tokens[p].quoted for p in below) or len(below) < end - start:
            continue
        if all(_is_repeated(pairing, p) for p in below):
            kept -= below | _commas(other, place, start, end)
    return [place for place in places if place in kept]


def _is_adjunct(pairing: Pairing, place: int) -> bool:
    """Return True if a phrase can be dropped: a clause, an apposition, or certain phrases.

    Phrases qualify by a preposition of `_PLACES`, or by "of" after a definite noun of the frame.
    """
    other = pairing.other
    relation, head, marker = other.relations[place], other.heads[place], other.marker(place)
    if relation in ("advcl", "acl", "appos"):
        return marker != "to"
    if other.words[place].relation in ("obl", "nmod") and marker in _PLACES:
        return not other.temporal(head)
    definite = any(other.lower[p] == "the" for p in other.under(head, "det"))
    return marker == "of" and definite and _is_repeated(pairing, head)


def _is_repeated(pairing: Pairing, place: int) -> bool:
    """Return True if the frame has the word or a match of it."""
    other = pairing.other
    if other.concepts[place] is None:
        return not other.lower[place][:1].isdigit() or other.lower[place] in pairing.frame.lower
    return other.concepts[place] in pairing.frame_concepts or any(
        place in link.other.places and link.fuller != "other" and not link.guessed
        for link in pairing.links
    )


def _commas(sentence: Parsed, place: int, start: int, end: int) -> set[int]:
    """Return the commas that go with the words from start to end."""
    before = start > 0 and sentence.lower[start - 1] == ","
    after = end < sentence.end and sentence.lower[end] == ","
    if before and after and sentence.relations[place] in ("acl", "appos"):
        return {start - 1, end}
    if before and (after or end >= sentence.end):
        return {start - 1}
    return {end} if after and start == 0 else set()


def _find_shared_predicate(pairing: Pairing, places: list[int]) -> list[int]:
    """Return the other sentence from its verb on if the frame's main clause shares its subject."""
    frame, other = pairing.frame, pairing.other
    if (
        pairing.frame_outline.attribution is not None
        or pairing.other_outline.attribution is not None
    ):
        return []
    subjects = [s.under(s.root, "nsubj") for s in (frame, other)]
    if not all(subjects) or frame.tokens[frame.end - 1].quoted:
        return []
    subject, other_subject = subjects[0][0], subjects[1][0]
    is_shared = pairing.twin(other_subject) == find_entity(frame, subject)
    if not is_shared and other.lower[other_subject] not in _PERSONAL:
        return []
    start, end = other.extent(other_subject)
    below = other.subtree(other_subject)
    if start != places[0] or pairing.count_new(below) or not other.finite(other.root):
        return []
    if any(
        frame.relations[p] in ("conj", "parataxis") and frame.predicate(p)
        for p in frame.children[frame.root]
    ):
        return []
    return [place for place in places if place >= end]


def _write_joined(pairing: Pairing, joint: Words, places: list[int]) -> Tokens:
    inputs = (union_input(pairing.frame.passage), union_input(pairing.other.passage))
    first = list(pairing.frame.tokens)
    while first and (first[-1].text in FINAL and first[-1].text not in "?!"):
        first.pop()
    if len(first) > 1 and first[-1].text in _MARKS and first[-2].text in {".", ","}:
        del first[-2]
    second = [case_word((inputs[1], place), opens=False) for place in places]
    return tidy([*first, *joint, *second], inputs)
