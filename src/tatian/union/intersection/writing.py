"""What is left of a sentence, written as one: marks, joints, capitals, short names."""

from __future__ import annotations

from collections.abc import Set

from msgspec.structs import replace

from tatian.text import WovenToken
from tatian.text.provenance import glue
from tatian.union.models.aligning.sentences import Parsed
from tatian.union.models.edit.writing import Strand, balanced, finished

_COMMA = ","
_SET_OFF = frozenset(("appos", "acl", "advcl", "parataxis"))
_BARE = frozenset((",", ";", ":", "-", "--", "–", "—"))
_SOUNDS_OPEN = ("hour", "honest", "honor", "honour", "heir", "8", "11", "18")
_SOUNDS_CLOSED = ("uni", "eur", "one", "once", "use", "usu", "ufo", "u.")


def written(sentence: Parsed, kept: Set[int]) -> tuple[WovenToken, ...] | None:
    """The words at these places as a sentence; None where a quotation or bracket would break."""
    if any(
        before.quoted and after.quoted and (place in kept) != (place + 1 in kept)
        for place, (before, after) in enumerate(
            zip(sentence.tokens, sentence.tokens[1:], strict=False)
        )
    ):
        return None
    words = {place for place in kept if sentence.lower[place] not in _BARE}
    told: list[WovenToken] = []
    last = -1
    for place in sorted(words | _marks(sentence, words)):
        token = _lowered(sentence, place) if told and place == 0 else sentence.tokens[place]
        if place != last + 1 and sentence.lower[place] not in _BARE | {".", ")", "'s", "’s"}:
            token = replace(token, space=True)
            if told and told[-1].text.lower() in {"a", "an"} and not told[-1].quoted:
                told[-1] = _article(told[-1], token.text)
        told.append(token)
        last = place
    told = _joined(sentence, told, words)
    if sentence.tokens[-1].quoted and told and not told[-1].quoted:
        told.append(glue(".", space=False))
    tokens = finished(told, [Strand(sentence.tokens)])
    return tokens if tokens and balanced(tokens) else None


def _marks(sentence: Parsed, kept: Set[int]) -> set[int]:
    """Pauses that are still needed."""
    marks = set()
    for place in range(len(sentence)):
        if sentence.lower[place] in _BARE:
            before = _neighbour(sentence, place, -1)
            after = _neighbour(sentence, place, 1)
            if (before in kept and after in kept) or sentence.lower[place] == ";":
                marks.add(place)
    for node in kept:
        start, end = sentence.extent(node)
        relation = sentence.relations[node]
        comma = start > 0 and sentence.lower[start - 1] == _COMMA
        if comma and relation == "conj" and not sentence.under(node, "cc"):
            marks.add(start - 1)
        closed = end < sentence.end and sentence.lower[end] == _COMMA
        if comma and closed and relation in _SET_OFF and start - 1 in marks:
            marks.add(end)
    return marks


def _neighbour(sentence: Parsed, place: int, step: int) -> int:
    """The next place on one side that is no mark; -1 where there is none."""
    place += step
    while 0 <= place < len(sentence):
        if sentence.lower[place] not in _BARE:
            return place
        place += step
    return -1


def _joined(sentence: Parsed, told: list[WovenToken], kept: Set[int]) -> list[WovenToken]:
    """ "A, B and C" without C needs its "and" again."""
    for head in sorted(kept):
        mates = sentence.under(head, "conj")
        stayed = [mate for mate in mates if mate in kept]
        if not stayed or len(stayed) == len(mates) or sentence.under(stayed[-1], "cc"):
            continue
        links = [c for mate in mates for c in sentence.under(mate, "cc")]
        start = sentence.extent(stayed[-1])[0]
        first = sentence.tokens[start]
        at = next((i for i, t in enumerate(told) if t.sources == first.sources), None)
        if at is None or not links:
            continue
        if at and told[at - 1].text == _COMMA:
            del told[at - 1]
            at -= 1
        told.insert(at, glue(sentence.lower[links[-1]]))
    return told


def _lowered(sentence: Parsed, place: int) -> WovenToken:
    """A word without the capital that it owes to standing first."""
    token = sentence.tokens[place]
    text = token.text
    if token.quoted or not text[:1].isupper() or text[1:] != text[1:].lower() or text == "I":
        return token
    word = sentence.words[place]
    if word.tag == "PROPN" or word.fine in {"NNP", "NNPS"} or sentence.name_at(place):
        return token
    if word.tag == "ADJ" and word.lemma[:1].isupper():
        return token
    return replace(token, text=text[0].lower() + text[1:])


def _article(token: WovenToken, following: str) -> WovenToken:
    """ "a" or "an", whichever the word after it wants."""
    word = following.lower()
    opens = word[:1] in "aeiou" and not word.startswith(_SOUNDS_CLOSED)
    wanted = "an" if opens or word.startswith(_SOUNDS_OPEN) else "a"
    if wanted == token.text.lower():
        return token
    text = wanted.capitalize() if token.text[0].isupper() else wanted
    sources = tuple(replace(source, kind="inflected") for source in token.sources)
    return replace(token, text=text, sources=sources)
