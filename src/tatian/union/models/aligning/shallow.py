"""Unions without a parse: phrases known by their first words, else two clauses side by side."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.text import WovenToken
from tatian.text.content import concepts_of, saying
from tatian.text.lexicon import DETERMINERS, PRONOUNS
from tatian.text.provenance import glue
from tatian.union.models import Passage
from tatian.union.models.chunks import FINAL, body_end
from tatian.union.models.copying import copy_tokens
from tatian.union.models.grafting import expand_names, graft

_MOSTLY_NEW = 0.7
"""The share of new content from which both sentences are kept whole."""
_STRANGERS = 0.5
"""The same in a language whose grammar nobody here knows."""


_STOPS = "。！？।؟۔"
"""Marks that end a sentence in other scripts."""


class Shallow(Struct, frozen=True):
    """A union made without a parse."""

    tokens: tuple[WovenToken, ...]
    base: int
    score: float
    added: str
    left: str


def shallow_drafts(pair: Sequence[Passage], *, foreign: bool = False) -> list[Shallow]:
    """Unions on either base, best first; of sentences that are not English, nothing is moved."""
    drafts = [_draft(pair, base, foreign) for base in (0, 1)]
    return sorted(drafts, key=lambda draft: -draft.score)


def _draft(pair: Sequence[Passage], number: int, foreign: bool) -> Shallow:
    base, other = pair[number], pair[1 - number]
    tokens, words = list(copy_tokens(base)), list(copy_tokens(other))
    said = set(concepts_of(base.document, base.span))
    concepts = concepts_of(other.document, other.span)
    content = [index for index, found in enumerate(concepts) if found is not None]
    new = {index for index in content if concepts[index] not in said | saying()}
    share = len(new) / max(1, len(content))
    if share > (_STRANGERS if foreign else _MOSTLY_NEW):
        union, left = _side_by_side(tokens, words, foreign), set[int]()
    elif foreign:
        union, left = tokens, new
    else:
        union, left = graft(expand_names(tokens, other, words), words, concepts, new)
    return Shallow(
        tuple(union),
        number,
        float(len(base.text)) - len(left),
        " ".join(words[index].text for index in sorted(new - left)),
        " ".join(words[index].text for index in sorted(left)),
    )


def _side_by_side(
    one: Sequence[WovenToken], two: Sequence[WovenToken], foreign: bool
) -> list[WovenToken]:
    """Two clauses as one sentence: joined by "and", or by a semicolon where that is not safe."""
    end = body_end(one)
    first, *others = two
    plain = first.text.lower() in DETERMINERS or first.text.lower() in PRONOUNS
    if plain and not first.quoted and first.text != "I":
        first = replace(first, text=first.text[0].lower() + first.text[1:])
    stop = list(one[end:]) if others and others[-1].text not in FINAL else []
    if one[end - 1].text[-1] in _STOPS:
        link = []
    elif foreign or one[end - 1].quoted:
        link = [glue(";", space=False)]
    else:
        link = [glue(",", space=False), glue("and")]
    return [*one[:end], *link, replace(first, space=True), *others, *stop]
