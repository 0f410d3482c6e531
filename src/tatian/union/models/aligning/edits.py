"""Changes to the base sentence, and how they are carried out with clean joints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from tatian.text import WovenToken
from tatian.text.lexicon import MAYBE_FINAL
from tatian.text.provenance import capitalized, glue
from tatian.union.models.aligning.sentences import Parsed

CLOSING = frozenset(", ; : . ? ! … ) ] – — -- ” '' 's ’s ' ’".split())
"""Before these no comma is needed, and no blank."""
_PAUSES = frozenset(", ; : – — -- ( [".split())
_SOUNDS_OPEN = ("hour", "honest", "honor", "honour", "heir")
_SOUNDS_CLOSED = ("uni", "eur", "one", "once", "use", "usu", "ufo", "u.")
_OPEN_NUMBERS = ("8", "11", "18")


class Edit(Struct, frozen=True):
    """Words put before one place of the base, perhaps in the stead of some of its own."""

    at: int
    words: tuple[WovenToken, ...]
    set_off: bool = False
    """Whether commas stand around it."""
    drop: int = 0
    """How many words of the base go."""
    places: tuple[int, ...] = ()
    """What of the other sentence it brings."""
    cost: float = 0.0
    """How far it strains the sentence, for clauses: 1 for one with a subject of its own."""
    safe: bool = False
    """Whether it stands at an edge of the base, or after the same word as in its own sentence."""
    rank: int = 0
    """Edits at one place stand in this order."""
    kind: str = ""


def is_clipped(sentence: Parsed, place: int) -> bool:
    """Whether a word lacks its full stop only because the sentence ends after it: "7 a.m."."""
    follows = place + 1 < len(sentence) and place + 1 >= sentence.end
    if not follows or sentence.tokens[place + 1].text != "." or sentence.tokens[place + 1].space:
        return False
    word = sentence.lower[place]
    return "." in word[1:] or (f"{word}." in MAYBE_FINAL and sentence.tokens[place].text != word)


def whole(token: WovenToken) -> WovenToken:
    """A clipped word with its full stop."""
    sources = tuple(replace(source, end=source.end + 1) for source in token.sources)
    return replace(token, text=f"{token.text}.", sources=sources)


def carried_out(base: Parsed, edits: Iterable[Edit]) -> tuple[WovenToken, ...]:
    """The base with all edits made; of those that overlap, the first."""
    at: dict[int, list[Edit]] = {}
    for edit in sorted(_compatible(edits), key=lambda edit: (edit.at, edit.rank)):
        at.setdefault(edit.at, []).append(edit)
    result: list[WovenToken] = []
    skip = 0
    for place in range(len(base) + 1):
        for edit in at.get(place, ()):
            if place == base.end and result and is_clipped(base, place - 1):
                result[-1] = whole(result[-1]) if result[-1].text[-1:] != "." else result[-1]
            skip = max(skip, edit.drop)
            after = place + edit.drop
            _put(result, edit, base.tokens[after].text if after < len(base) else ".")
        if place == len(base):
            break
        if skip:
            skip -= 1
            continue
        result.append(lowered(base, 0) if place == 0 and result else base.tokens[place])
    return capitalized(_with_articles(result))


def _compatible(edits: Iterable[Edit]) -> list[Edit]:
    """Without edits inside, or in the place of, words that another edit takes away."""
    kept: list[Edit] = []
    gone: set[int] = set()
    for edit in edits:
        dropped = set(range(edit.at, edit.at + edit.drop))
        inside = edit.at in gone and edit.at - 1 in gone
        if inside or dropped & gone or any(k.at in dropped and k.at > edit.at for k in kept):
            continue
        kept.append(edit)
        gone |= dropped
    return kept


def _put(result: list[WovenToken], edit: Edit, follower: str) -> None:
    first, *others = edit.words
    if edit.set_off and result and result[-1].text not in _PAUSES:
        result.append(glue(",", space=False))
    result += [replace(first, space=first.text not in CLOSING), *others]
    if edit.set_off and follower not in CLOSING and others[-1:] != [glue(",", space=False)]:
        result.append(glue(",", space=False))


def lowered(sentence: Parsed, place: int) -> WovenToken:
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


def _with_articles(tokens: Sequence[WovenToken]) -> list[WovenToken]:
    """ "a" or "an" as the next word wants it, where that word is a newcomer."""
    result = list(tokens)
    for index, (token, following) in enumerate(pairwise(tokens)):
        if token.text.lower() not in {"a", "an"} or token.quoted or not token.sources:
            continue
        home = token.sources[0].document
        if not following.sources or following.sources[0].document != home:
            result[index] = article(token, following.text)
    return result


def article(token: WovenToken, following: str) -> WovenToken:
    """ "a" or "an", whichever the word after it wants."""
    word = following.lower()
    opens = word[:1] in "aeiou" and not word.startswith(_SOUNDS_CLOSED)
    wanted = "an" if opens or word.startswith((*_SOUNDS_OPEN, *_OPEN_NUMBERS)) else "a"
    if wanted == token.text.lower():
        return token
    text = wanted.capitalize() if token.text[0].isupper() else wanted
    sources = tuple(replace(source, kind="inflected") for source in token.sources)
    return replace(token, text=text, sources=sources)
