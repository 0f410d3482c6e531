"""Source passages for and against a sentence, and words of an edited sentence without support."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tatian.consolidation.result import Account
from tatian.consolidation.verification.result import Stretch, TracedSentence
from tatian.text import Token
from tatian.text.content import concept, is_content, is_exact
from tatian.text.tokenizer import tokenize
from tatian.workbench.desk.manuscript import TokenLayout

Offsets = tuple[int, int]
"""Start and end."""
Stance = Literal["for", "against", "near"]
"""Relation of a passage to a sentence; ``near`` if it neither supports nor contradicts it."""

_MIN_SHOWN_SHARE = 0.5
"""Minimum share of a sentence's content words in a passage that is shown besides the evidence."""
_MAX_NEAREST = 2
"""Maximum number of passages that are shown for a sentence without evidence."""
_UNSUPPORTED = "the sources do not say this"


class PassageView(Struct, frozen=True):
    """A source sentence for or against a sentence, with the sentences before and after it."""

    account: str
    stance: Stance
    start: int
    end: int
    """End offset in the source."""
    before: str
    text: str
    after: str
    supporting: list[Offsets]
    """Offsets in `text` of words that the verified sentence repeats."""
    opposing: list[Offsets]
    """Offsets in `text` of words that contradict it."""


class VerdictView(Struct, frozen=True):
    """Verdict on a sentence; ``waiting`` until it is known."""

    verdict: str
    support: float = 0.0
    why: str = ""
    unsupported: list[Offsets] = []
    passages: list[PassageView] = []


def worst_verdict(
    traced: Sequence[TracedSentence], words: str = "", accounts: Sequence[Account] = ()
) -> VerdictView:
    """Return the worst verdict on several sentences, with the evidence on all of them."""
    if not traced:
        return VerdictView("unknown", why="there is nothing to verify")
    order = ("supported", "unknown", "partly", "unsupported", "contradicted")
    worst = max(traced, key=lambda sentence: order.index(sentence.verdict))
    sources = {account.id: account for account in accounts}
    return VerdictView(
        worst.verdict,
        min(sentence.support for sentence in traced),
        worst.why,
        [(part.start, part.end) for sentence in traced for part in sentence.unsupported],
        [passage for sentence in traced for passage in find_passages(sentence, words, sources)],
    )


def find_passages(
    sentence: TracedSentence, words: str, accounts: Mapping[str, Account]
) -> list[PassageView]:
    """Return the passages for and against a sentence, those against it first.

    `words` is the text to which the offsets of the sentence refer.
    """
    sources = {
        (source.document, source.start, source.end)
        for token in sentence.tokens
        if sentence.verdict == "unsupported" or not _is_doubted(sentence, token.start, token.end)
        for source in token.sources
    }
    stances: dict[tuple[str, int], Stance] = {}
    for claim in (*sentence.against, *sentence.evidence):
        if place := _find_sentence(accounts, claim.document, claim.start):
            stances.setdefault(place, "against" if claim in sentence.against else "for")
    word_counts: dict[tuple[str, int], int] = {}
    for document, start, end in sources:
        place = _find_sentence(accounts, document, start)
        if place and is_content(accounts[document].text[start:end]):
            word_counts[place] = word_counts.get(place, 0) + 1
    most_words_first = sorted(word_counts, key=lambda place: (-word_counts[place], place))
    content = [token for token in sentence.tokens if is_content(words[token.start : token.end])]
    is_supported = sentence.verdict in ("supported", "partly")
    if not stances:
        stances = dict.fromkeys(most_words_first[:_MAX_NEAREST], "for" if is_supported else "near")
    elif is_supported:
        for place in most_words_first:
            if word_counts[place] >= _MIN_SHOWN_SHARE * max(1, len(content)):
                stances.setdefault(place, "for")
    return [
        _passage(sentence, words, accounts[document], number, stance, sources)
        for (document, number), stance in stances.items()
    ]


def restrict_doubts(
    sentence: TracedSentence, text: str, tokens: Sequence[TokenLayout]
) -> TracedSentence:
    """Return the verdict on an edited sentence with only typed words marked as unsupported.

    Its other words come from sources. A sentence without typed words keeps its verdict.
    """
    if sentence.verdict in ("supported", "unknown"):
        return sentence
    sentence_tokens = [token for token in tokens if sentence.start <= token.start < sentence.end]
    content = [token for token in sentence_tokens if is_content(text[token.start : token.end])]
    typed = [token for token in content if token.own]
    if not typed or typed == content:
        return sentence
    doubted = [token for token in typed if _is_doubted(sentence, token.start, token.end)]
    places = _join_places([(token.start, token.end) for token in doubted or typed])
    unsupported = tuple(Stretch(start, end) for start, end in places)
    if unsupported == sentence.unsupported:
        return sentence
    quoted = ", ".join(text[start:end] for start, end in places)
    reason = sentence.why.rpartition(": ")[2] if sentence.verdict == "contradicted" else ""
    return replace(sentence, unsupported=unsupported, why=f"{quoted}: {reason or _UNSUPPORTED}")


def _is_doubted(sentence: TracedSentence, start: int, end: int) -> bool:
    """Return True if words between two offsets are unsupported."""
    return any(part.start < end and start < part.end for part in sentence.unsupported)


def _find_sentence(
    accounts: Mapping[str, Account], document: str, start: int
) -> tuple[str, int] | None:
    """Return the source and the index of its sentence at an offset; None if there is none."""
    account = accounts.get(document)
    for number, sentence in enumerate(account.sentences if account else ()):
        if sentence.start <= start < sentence.end:
            return document, number
    return None


def _passage(
    sentence: TracedSentence,
    words: str,
    account: Account,
    number: int,
    stance: Stance,
    sources: set[tuple[str, int, int]],
) -> PassageView:
    passage = account.sentences[number]
    texts = ["", *(account.text[part.start : part.end] for part in account.sentences), ""]
    before, text, after = texts[number : number + 3]
    supporting = [
        (start - passage.start, end - passage.start)
        for document, start, end in sources
        if document == account.id and passage.start <= start < passage.end
    ]
    opposing = _find_opposing(sentence, words, text) if stance == "against" else []
    return PassageView(
        account=account.id,
        stance=stance,
        start=passage.start,
        end=passage.end,
        before=before,
        text=text,
        after=after,
        supporting=[offsets for offsets in _join_places(supporting) if offsets not in opposing],
        opposing=opposing,
    )


def _find_opposing(sentence: TracedSentence, words: str, text: str) -> list[Offsets]:
    """Return the words of a passage that contradict the unsupported words.

    They are the words in the place of these, or else other words of the same kind: figures and
    names, or not.
    """
    tokens = list(tokenize(words, sentence.start, sentence.end))
    passage_tokens = list(tokenize(text))
    doubted = {
        index for index, token in enumerate(tokens) if _is_doubted(sentence, token.start, token.end)
    }
    concepts = {concept(token.text) for token in tokens}
    new_words = [
        index
        for index, token in enumerate(passage_tokens)
        if is_content(token.text) and concept(token.text) not in concepts
    ]
    exact = any(is_exact(tokens[index].text) for index in doubted)
    same_kind = [index for index in new_words if is_exact(passage_tokens[index].text) == exact]
    replaced = _find_replaced(tokens, passage_tokens, doubted)
    indices = [index for index in replaced if index in new_words] or same_kind or new_words
    opposing = [passage_tokens[index] for index in indices]
    return _join_places([(token.start, token.end) for token in opposing])


def _find_replaced(
    tokens: Sequence[Token], passage_tokens: Sequence[Token], doubted: set[int]
) -> Iterator[int]:
    """Yield the indices of passage words that an alignment puts in place of unsupported words."""
    texts = [token.text.casefold() for token in tokens]
    passage_texts = [token.text.casefold() for token in passage_tokens]
    matcher = SequenceMatcher(None, texts, passage_texts, autojunk=False)
    for kind, i1, i2, j1, j2 in matcher.get_opcodes():
        is_doubted = not doubted.isdisjoint(range(i1, i2))
        if kind == "replace" and is_doubted and j2 - j1 <= 2 * (i2 - i1) + 1:
            yield from range(j1, j2)


def _join_places(places: Sequence[Offsets]) -> list[Offsets]:
    """Sort the offsets, and join those with only a blank between them."""
    joined: list[Offsets] = []
    for start, end in sorted(places):
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined
