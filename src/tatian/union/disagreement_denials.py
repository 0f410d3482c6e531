"""What one sentence denies and another affirms, told by the words alone.

`tatian.union.statements` needs a parse and a noun for its subject. "They did not agree on a price
cap" has neither where the encoder is not used, and still must not pass for "agreed".
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

from tatian.text import CHAINS, NAMES, Document, Span, Token
from tatian.text.content import concept, concepts, is_content, saying
from tatian.text.lexicon import AUXILIARIES, CONJUNCTIONS, NEGATIONS, NUMBER_WORDS, PRONOUNS
from tatian.union.models import Passage

_NOT = frozenset("not n't n’t never".split())
_HELPERS = frozenset("do does did has have had was were is are been be".split())
"""Words before a "not" that leave nothing open; "would not" may still be."""
_OPEN = frozenset("if whether unless to".split()) | (AUXILIARIES - _HELPERS - {"being"})
_STOPS = frozenset('. ; : ! ? , ( ) " “ ”'.split())
_SAME_PEOPLE = 2
"""Names that the sentence before "they" must share with the subject of the other."""
_SHARED = 2
"""Words after the verb that both must have."""
_BEFORE = 4
_MOST_PARTNERS = 100

Stretch = tuple[Passage, Token, Token]


class _Deed(Struct, frozen=True):
    """A verb with what stands before and after it."""

    verb: str
    passage: Passage
    first: Token
    last: Token
    subject: frozenset[str]
    rest: frozenset[str]
    plural: bool = False
    """Whether its subject is a "they" that nothing explains, and `subject` names to choose from."""


def find_denied(passages: Sequence[Passage]) -> Iterator[tuple[Stretch, Stretch]]:
    """Pairs of a denied verb and the same verb affirmed, of the same people and things."""
    denied = [deed for passage in passages for deed in _denials(passage)]
    wanted = {deed.verb for deed in denied}
    affirmed: dict[str, list[_Deed]] = {}
    for passage in passages if wanted else ():
        for deed in _affirmations(passage, wanted):
            affirmed.setdefault(deed.verb, []).append(deed)
    for one in denied:
        for other in affirmed.get(one.verb, [])[:_MOST_PARTNERS]:
            if one.passage.document.id != other.passage.document.id and _same(one, other):
                yield _stretch(one), _stretch(other)
    unharmed = [deed for passage in passages for deed in _unharmed(passage)]
    harmed = [deed for passage in passages if unharmed for deed in _harmed(passage)]
    for one in unharmed:
        for other in harmed[:_MOST_PARTNERS]:
            elsewhere = one.passage.document.id != other.passage.document.id
            if elsewhere and one.verb == other.verb and other.rest <= one.rest:
                yield _stretch(one), _stretch(other)


def _stretch(deed: _Deed) -> Stretch:
    return deed.passage, deed.first, deed.last


def _unharmed(passage: Passage) -> Iterator[_Deed]:
    """ "No one was hurt", or "Nobody was killed", at the start of a sentence."""
    tokens = passage.document.tokens_in(passage.span)
    words = [token.text.lower() for token in tokens[:4]]
    nobody = 2 if words[:2] in (["no", "one"], ["no", "people"]) else words[:1] == ["nobody"]
    if nobody and words[nobody : nobody + 1] in (["was"], ["were"]):
        yield from _suffered(passage, tokens, nobody + 1)


def _harmed(passage: Passage) -> Iterator[_Deed]:
    """ "Two firefighters were injured": a number of people at the start of a sentence."""
    tokens = passage.document.tokens_in(passage.span)
    words = [token.text.lower() for token in tokens[:4]]
    counted = bool(words) and (words[0] in NUMBER_WORDS or words[0].isdecimal())
    if counted and words[2:3] in (["was"], ["were"]):
        yield from _suffered(passage, tokens, 3)


def _suffered(passage: Passage, tokens: Sequence[Token], verb: int) -> Iterator[_Deed]:
    words = [token.text.lower() for token in tokens]
    if verb < len(words) and concept(words[verb]) in harm():
        rest = _rest(words, verb)
        name = concept(words[verb])
        yield _Deed(name, passage, tokens[0], tokens[verb], frozenset(), rest)


@cache
def harm() -> frozenset[str]:
    """The concepts of "injured" and "killed", of which every account gives its count."""
    return frozenset(concept(word) for word in ("injured", "killed"))


def _same(one: _Deed, other: _Deed) -> bool:
    least = min(one.rest, other.rest, key=len)
    if len(least) < _SHARED or not (one.rest <= other.rest or other.rest <= one.rest):
        return False
    return len(one.subject & other.subject) >= (_SAME_PEOPLE if one.plural else 1)


def _denials(passage: Passage) -> Iterator[_Deed]:
    """The verbs under a "not" that say outright that something is not so."""
    tokens = passage.document.tokens_in(passage.span)
    words = [token.text.lower() for token in tokens]
    for index, word in enumerate(words):
        helper = index - (index > 0 and words[index - 1] in _HELPERS)
        if word not in _NOT or (word != "never" and helper == index):
            continue
        if _OPEN & set(words[max(0, helper - _BEFORE) : helper]):
            continue
        verb = next((i for i in range(index + 1, len(words)) if is_content(words[i])), None)
        if verb is None or verb > index + 2 or not words[verb].islower():
            continue
        subject, plural = _subject(passage, tokens, helper)
        rest = _rest(words, verb)
        name = concept(words[verb])
        if name not in saying():
            yield _Deed(name, passage, tokens[helper], tokens[verb], subject, rest, plural)


def _affirmations(passage: Passage, wanted: set[str]) -> Iterator[_Deed]:
    """The verbs among `wanted` that are said without a "not", an "if" or a "would"."""
    tokens = passage.document.tokens_in(passage.span)
    words = [token.text.lower() for token in tokens]
    for index, word in enumerate(words):
        if not tokens[index].text.islower() or concept(word) not in wanted:
            continue
        before = set(words[max(0, index - _BEFORE) : index])
        helped = index > 0 and words[index - 1] in _HELPERS
        finite = helped or word.endswith("ed")
        if finite and not before & (NEGATIONS | _OPEN):
            subject, plural = _subject(passage, tokens, index - helped)
            if not plural:
                rest = _rest(words, index)
                first = tokens[index - helped]
                yield _Deed(concept(word), passage, first, tokens[index], subject, rest)


def _rest(words: Sequence[str], verb: int) -> frozenset[str]:
    """What is said after a verb, up to a pause or a clause of its own."""
    ends = (i for i in range(verb + 1, len(words)) if words[i] in _STOPS | (CONJUNCTIONS - {"and"}))
    end = next(ends, len(words))
    return frozenset(concepts(words[verb + 1 : end]))


def _subject(passage: Passage, tokens: Sequence[Token], end: int) -> tuple[frozenset[str], bool]:
    """What the words before a verb name, and whether that is a mere guess at who "they" are."""
    before = tokens[max(0, end - 1) : end]
    if not before or before[0].text.lower() not in PRONOUNS:
        return frozenset(concepts(t.text for t in tokens[:end])), False
    document = passage.document
    named = _chain(document, before[0])
    if named or before[0].text.lower() != "they":
        return named, False
    return _names_before(document, passage.span), True


def _chain(document: Document, pronoun: Token) -> frozenset[str]:
    """The words of the names that a pronoun stands for."""
    for chain in document.get(CHAINS) if document.has(CHAINS) else ():
        if any(m.start == pronoun.start and m.end == pronoun.end for m in chain.mentions):
            called = [m.of(document.text) for m in chain.mentions]
            return frozenset(
                concept(w)
                for name in called
                if name[:1].isupper()
                for w in name.split()
                if w.lower() not in PRONOUNS and is_content(w)
            )
    return frozenset()


def _names_before(document: Document, span: Span) -> frozenset[str]:
    """The last word of each name in the sentence before."""
    place = bisect_right(document.sentences, span.start, key=lambda s: s.start) - 1
    if place < 1 or not document.has(NAMES):
        return frozenset()
    names = document.inside(NAMES, document.sentences[place - 1])
    last = [document.tokens_in(name)[-1].text for name in names if document.tokens_in(name)]
    return frozenset(concepts(last))
