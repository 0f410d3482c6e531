"""How a phrase of one sentence is attached to another."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tatian.text import MENTIONS, WovenToken
from tatian.text.content import concept, is_content, saying
from tatian.text.lexicon import (
    AUXILIARIES,
    DETERMINERS,
    ORDINAL_WORDS,
    REPORTING_VERBS,
    STOP_WORDS,
)
from tatian.text.provenance import glue
from tatian.text.quotations import MARKS
from tatian.union.models import Passage
from tatian.union.models.chunks import Chunk, body_end, cut, quoted

_PAUSES = frozenset(", ; : – — -- ( ) . ? ! …".split())
_CIRCUMSTANCES = frozenset(
    "on at in after before because when while since during near outside inside amid".split()
)
_LONGEST_MODIFIER = 3
_LONGEST_CIRCUMSTANCE = 5


def graft(
    draft: Sequence[WovenToken],
    other: Sequence[WovenToken],
    concepts: Sequence[str | None],
    novel: set[int],
) -> tuple[list[WovenToken], set[int]]:
    """Attach to `draft` the phrases of `other` that hold its `novel` words.

    Returns the grown sentence and the novel words that found no place.
    """
    grown = list(draft)
    left = set(novel)
    for unit in _units(cut(other), other, concepts, novel):
        spot = _spot(grown, other, concepts, unit)
        if spot is None:
            continue
        grown = _inserted(grown, other[unit.start : unit.end], spot)
        left -= set(range(unit.start, unit.end))
    return _with_modifiers(grown, other, concepts, left)


def _units(
    chunks: Sequence[Chunk],
    other: Sequence[WovenToken],
    concepts: Sequence[str | None],
    novel: set[int],
) -> list[Chunk]:
    """Runs of chunks that can be lifted out and are mostly new."""
    inside = quoted(other)
    units: list[Chunk] = []
    for chunk in chunks:
        content = [
            i
            for i in range(chunk.start, chunk.end)
            if concepts[i] is not None and concepts[i] not in saying()
        ]
        new = [i for i in content if i in novel]
        cuts_quote = any(inside[chunk.start : chunk.end]) and not _balanced(other, chunk)
        if chunk.kind == "core" or cuts_quote or not new or len(new) < 0.6 * len(content):
            continue
        words = [token.text.lower() for token in other[chunk.start : chunk.end]]
        if chunk.kind == "adjunct" and not AUXILIARIES.isdisjoint(words):
            continue
        joins = chunk.kind != "aside" and units and units[-1].kind != "aside"
        if joins and units[-1].end == chunk.start and units[-1].start:
            units[-1] = Chunk(units[-1].start, chunk.end, units[-1].kind)
        else:
            units.append(chunk)
    return units


def _balanced(other: Sequence[WovenToken], chunk: Chunk) -> bool:
    return sum(t.text in '"“”' for t in other[chunk.start : chunk.end]) % 2 == 0


def _spot(
    draft: Sequence[WovenToken],
    other: Sequence[WovenToken],
    concepts: Sequence[str | None],
    unit: Chunk,
) -> int | None:
    """The place in the draft where the unit may stand, or None."""
    if unit.start == 0:
        follows = other[unit.end].text if unit.end < len(other) else ""
        fronted = cut(draft)[0].kind == "adjunct"
        movable = _is_lowerable(draft[0]) or any(t.text[:1].isupper() for t in draft[1:2])
        return 0 if follows == "," and movable and not fronted and not quoted(draft)[0] else None
    end = body_end(draft)
    words = [token.text.lower() for token in other[unit.start : unit.end]]
    if _reports(other, unit):
        spoken = any(t.text.lower() in REPORTING_VERBS for t in draft)
        return None if spoken or _splits_quotation(draft, end) else end
    anchor = next((i for i in range(unit.start - 1, -1, -1) if concepts[i] is not None), None)
    if anchor is None or anchor < unit.start - 2:
        return None
    inside = quoted(draft)
    matches = [
        index
        for index in range(end)
        if not inside[index]
        and is_content(draft[index].text)
        and concept(draft[index].text) == concepts[anchor]
    ]
    if not matches:
        return None
    chunks = cut(draft)
    place = next((c.end for c in chunks if c.start <= matches[-1] < c.end), end)
    if matches[-1] + 1 == place:
        return None if _echoes(draft, place, words[0]) else place
    starts = {draft[chunk.start].text.lower() for chunk in chunks}
    closing = unit.end >= body_end(other) and words[0] in _CIRCUMSTANCES - starts
    last = chunks[-1].start if _reports(draft, chunks[-1]) else end
    return last if place == last and closing and not _splits_quotation(draft, last) else None


def _reports(tokens: Sequence[WovenToken], chunk: Chunk) -> bool:
    """Whether the phrase says who reports: ", the coast guard said"."""
    words = [token.text.lower() for token in tokens[chunk.start : chunk.end]]
    return chunk.kind == "aside" and (words[-1] in REPORTING_VERBS or "according" in words)


def _splits_quotation(draft: Sequence[WovenToken], place: int) -> bool:
    """Whether words put here would stand inside quotation marks."""
    before = draft[place - 1] if place else None
    return before is not None and before.quoted and before.text not in MARKS


def _echoes(draft: Sequence[WovenToken], place: int, opening: str) -> bool:
    """Whether a phrase that opens alike stands right before or after the place."""
    touching = [chunk for chunk in cut(draft) if place in (chunk.start, chunk.end)]
    return any(draft[chunk.start].text.lower() == opening for chunk in touching)


def _is_lowerable(token: WovenToken) -> bool:
    """Whether a sentence's first word has its capital only for standing there."""
    return token.text.lower() in DETERMINERS or token.text.lower() in {"it", "he", "she", "they"}


def _inserted(draft: list[WovenToken], unit: Sequence[WovenToken], spot: int) -> list[WovenToken]:
    words = list(unit)
    if spot == 0:
        first = draft[0]
        if _is_lowerable(first):
            first = replace(first, text=first.text[0].lower() + first.text[1:])
        return [*words, glue(",", space=False), replace(first, space=True), *draft[1:]]
    if words[0].text in _PAUSES and draft[spot - 1].text in _PAUSES:
        words = words[1:]
    opened = unit[0].text == ","
    following = draft[spot].text if spot < len(draft) else "."
    if opened and following not in _PAUSES:
        words.append(glue(",", space=False))
    return [*draft[:spot], *words, *draft[spot:]]


def _with_modifiers(
    draft: list[WovenToken],
    other: Sequence[WovenToken],
    concepts: Sequence[str | None],
    left: set[int],
) -> tuple[list[WovenToken], set[int]]:
    """Put adjectives and nouns that `other` has before a shared noun before it here too."""
    grown = list(draft)
    remaining = set(left)
    index = 0
    while index < len(other):
        if index not in remaining:
            index += 1
            continue
        last = index
        while last + 1 in remaining:
            last += 1
        noun = last + 1
        before = other[index - 1].text.lower() if index else ""
        opened = index > 0 and concepts[index - 1] is None and before[:1].isalpha()
        short = last - index < _LONGEST_MODIFIER
        lower = all(other[i].text.islower() for i in range(index, last + 1))
        if noun < len(other) and concepts[noun] is not None and opened and short and lower:
            spot = _bare_noun(grown, other[noun].text)
            if spot is not None:
                words = list(other[index : last + 1])
                grown = [*_article(grown[:spot], words[0].text), *words, *grown[spot:]]
                remaining -= set(range(index, last + 1))
        index = last + 1
    return grown, remaining


def _bare_noun(draft: Sequence[WovenToken], noun: str) -> int | None:
    inside = quoted(draft)
    for index in range(1, len(draft)):
        before = draft[index - 1].text.lower()
        if draft[index].text == noun and before in DETERMINERS and not inside[index]:
            return index
    return None


def _article(before: Sequence[WovenToken], word: str) -> list[WovenToken]:
    """The words before an insertion, with "a" or "an" as the inserted word wants it."""
    words = list(before)
    if words and words[-1].text.lower() in {"a", "an"}:
        article = "an" if word[:1].lower() in "aeiou" else "a"
        if words[-1].text[0].isupper():
            article = article.capitalize()
        if article != words[-1].text:
            sources = tuple(replace(source, kind="inflected") for source in words[-1].sources)
            words[-1] = replace(words[-1], text=article, sources=sources)
    return words


def expand_names(
    draft: Sequence[WovenToken], passage: Passage, other: Sequence[WovenToken]
) -> list[WovenToken]:
    """Give a person's fullest name at the first place the draft has less ("Harvey").

    Not where either sentence has the surname with another given name, or once more: it may be
    another member of the family.
    """
    grown = list(draft)
    if not passage.document.has(MENTIONS):
        return grown
    place = {token.sources[0].start: index for index, token in enumerate(other)}
    for mention in passage.document.inside(MENTIONS, passage.span):
        if mention.type != "PER":
            continue
        head = passage.document.tokens_in(mention.head or mention)
        if len(head) < 2 or head[0].start not in place:
            continue
        *given, surname = [token.text for token in head]
        spots = [index for index, token in enumerate(grown) if token.text == surname]
        if sum(token.text == surname for token in other) > 1 or any(
            index and (_is_given(grown[index - 1].text) or grown[index - 1].text == given[-1])
            for index in spots
        ):
            continue
        spots = [index for index in spots if not grown[index].quoted and not grown[index].glue]
        if spots:
            token = grown[spots[0]]
            first, *others = [
                replace(
                    word,
                    sources=tuple(replace(s, kind="substituted") for s in word.sources),
                    quoted=False,
                )
                for word in (other[place[part.start]] for part in head[:-1] if part.start in place)
            ]
            first = replace(first, space=token.space)
            grown[spots[0] : spots[0] + 1] = [first, *others, replace(token, space=True)]
    return grown


def _is_given(word: str) -> bool:
    """Whether a word before a surname can be a given name."""
    lower = word.lower()
    return word[:1].isupper() and lower not in _TITLES_BEFORE and lower not in STOP_WORDS


_TITLES_BEFORE = frozenset(
    "general secretary minister president mr. mrs. ms. dr. inspector colonel captain judge "
    "senator governor mayor officer chief director the gen. sen. gov. rep. col. sgt. prof.".split()
)


def _is_complete(tokens: Sequence[WovenToken]) -> bool:
    """Whether a sentence could end here: not after "the", "both" or "fourth"."""
    last = tokens[-1].text.lower()
    listing = {"both", "between", "either"} & {token.text.lower() for token in tokens}
    return is_content(last) and last not in ORDINAL_WORDS and not listing


def trimmed(
    tokens: Sequence[WovenToken], concepts: Sequence[str | None], said: set[str]
) -> list[WovenToken]:
    """A sentence that stands after others, without a last circumstance they have told already."""
    kept = list(tokens)
    end = body_end(tokens)
    inside = quoted(tokens)
    for chunk in reversed(cut(tokens)):
        words = [token.text.lower() for token in tokens[chunk.start : chunk.end]]
        content = [concepts[i] for i in range(chunk.start, chunk.end) if concepts[i] is not None]
        if not (
            chunk.end == end
            and chunk.start > 0
            and chunk.kind == "adjunct"
            and words[0] in _CIRCUMSTANCES
            and len(words) <= _LONGEST_CIRCUMSTANCE
            and content
            and all(c in said for c in content)
            and not any(word.endswith(("ed", "ing")) or word in AUXILIARIES for word in words)
            and not inside[chunk.start]
            and _is_complete(tokens[: chunk.start])
        ):
            break
        del kept[chunk.start : chunk.end]
        end = chunk.start
    return kept if sum(token.text.isalpha() for token in kept) > 3 else list(tokens)
