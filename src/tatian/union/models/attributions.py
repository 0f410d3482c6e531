"""Attributions that merging put over more words than they had, so that a reader can see where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.text import WovenToken
from tatian.text.content import is_content, saying
from tatian.union.models import Claim, Passage
from tatian.union.models.sentences import Parsed, parsed


class Widened(Struct, frozen=True):
    """An attribution that now covers words which its own sentence does not have.

    Union paper, appendix B: combined information may be attributed to a source that was given for
    a part of it; a reader should be able to see where.
    """

    who: Claim
    """ "police said", as its account has it."""
    words: str
    """What came under it."""
    passages: tuple[int, ...]
    """Whose words they are."""


def widened(
    sentences: Sequence[Sequence[WovenToken]], told: Sequence[Passage]
) -> tuple[Widened, ...]:
    """Every attribution that covers more than it did."""
    found = []
    for passage in told:
        sentence = parsed(passage)
        for start, end in _attributions(sentence) if sentence is not None else ():
            assert sentence is not None
            first, last = sentence.tokens[start].sources[0], sentence.tokens[end - 1].sources[0]
            who = Claim(passage.document.id, first.start, last.end, "")
            who = replace(who, text=passage.document.text[first.start : last.end])
            for tokens in sentences:
                covered = _covered(tokens, who)
                words = [token for token in covered if is_content(token.text)]
                if words:
                    whose = _owners(words, told)
                    found.append(Widened(who, " ".join(t.text for t in words), whose))
    return tuple(found)


def _attributions(sentence: Parsed) -> Iterator[tuple[int, int]]:
    """Where a sentence says who says it: subject and verb, or "according to" somebody."""
    for place in range(len(sentence)):
        if sentence.tokens[place].quoted:
            continue
        subjects = [
            child
            for child in sentence.under(place, "nsubj")
            if not sentence.words[child].relation.endswith(":pass")
        ]
        top = place == sentence.root or sentence.relations[place] == "parataxis"
        if top and sentence.concepts[place] in saying() and subjects:
            start, end = sentence.extent(subjects[0])
            yield min(start, place), max(end, place + 1)
        elif sentence.lower[place] == "according":
            yield sentence.extent(sentence.heads[place] if sentence.heads[place] > place else place)


def _covered(tokens: Sequence[WovenToken], who: Claim) -> list[WovenToken]:
    """Foreign words on the side of an attribution on which its own words stand."""
    inside = [i for i, token in enumerate(tokens) if _is_of(token, who)]
    own = [
        i
        for i, token in enumerate(tokens)
        if any(source.document == who.document for source in token.sources) and i not in inside
    ]
    if not inside or not own:
        return []
    before = sum(index < inside[0] for index in own) >= len(own) / 2
    side = tokens[: inside[0]] if before else tokens[inside[-1] + 1 :]
    return [
        token
        for token in side
        if token.sources and all(source.document != who.document for source in token.sources)
    ]


def _is_of(token: WovenToken, who: Claim) -> bool:
    source = token.sources[0] if token.sources else None
    return (
        source is not None
        and source.document == who.document
        and who.start <= source.start < who.end
    )


def _owners(words: Sequence[WovenToken], told: Sequence[Passage]) -> tuple[int, ...]:
    documents = {source.document for word in words for source in word.sources}
    return tuple(index for index, p in enumerate(told) if p.document.id in documents)
