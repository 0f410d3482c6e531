"""The passages behind a verdict, their words, and which words of an edit lack support."""

from __future__ import annotations

import re

from tatian.consolidation.result import Account, SourceSentence, WrittenToken
from tatian.consolidation.verification.result import Stretch, TracedSentence, Verdict
from tatian.text import Source
from tatian.text.documents import Claim
from tatian.text.tokenizer import tokenize
from tatian.workbench.desk.evidence import (
    PassageView,
    find_passages,
    restrict_doubts,
    worst_verdict,
)
from tatian.workbench.desk.manuscript import TokenLayout

TEXT = "Rain fell. Ada Frazer said 12 men died in the fire. Nobody else was hurt."


def account(id: str = "a1", text: str = TEXT) -> Account:
    spans = [found.span() for found in re.finditer(r"[^\s.][^.]*\.", text)]
    sentences = tuple(SourceSentence(start, end, "kept", (), "") for start, end in spans)
    return Account(id, None, None, None, None, text, sentences)


def traced(
    words: str, verdict: Verdict, doubts: str = "", *, against: bool = False, why: str = ""
) -> TracedSentence:
    """Return a verdict on a sentence with sources for its known words."""
    tokens = []
    for token in tokenize(words):
        place = re.search(rf"(?<!\w){re.escape(token.text)}(?!\w)", TEXT)
        sources = (Source("a1", *place.span()),) if place and token.text != "." else ()
        tokens.append(WrittenToken(token.start, token.end, sources))
    start = words.find(doubts) if doubts else -1
    unsupported = (Stretch(start, start + len(doubts)),) if start >= 0 else ()
    middle = account().sentences[1]
    claim = (Claim("a1", middle.start, middle.end, TEXT[middle.start : middle.end]),)
    return TracedSentence(
        0,
        len(words),
        verdict,
        0.5,
        why,
        tuple(tokens),
        unsupported,
        against=claim if against else (),
        evidence=claim if verdict == "supported" else (),
    )


def passages_of(sentence: TracedSentence, words: str) -> list[PassageView]:
    return find_passages(sentence, words, {"a1": account()})


def highlighted(passage: PassageView) -> tuple[list[str], list[str]]:
    return (
        [passage.text[start:end] for start, end in passage.supporting],
        [passage.text[start:end] for start, end in passage.opposing],
    )


def test_a_passage_has_neighbours_and_supporting_words() -> None:
    words = "Frazer said 12 men died"
    (one,) = passages_of(traced(words, "supported"), words)
    assert (one.account, one.stance) == ("a1", "for")
    assert (one.before, one.after) == ("Rain fell.", "Nobody else was hurt.")
    assert highlighted(one) == (["Frazer said 12 men died"], [])


def test_opposing_passages_differ_from_supporting_ones() -> None:
    words = "Ada Frazer said 15 men died in the fire."
    (one,) = passages_of(traced(words, "contradicted", "15", against=True), words)
    assert one.stance == "against"
    assert highlighted(one) == (["Ada Frazer said", "men died in the fire"], ["12"])


def test_unsupported_words_have_no_supporting_words() -> None:
    words = "Ada Frazer died in the fire"
    (one,) = passages_of(traced(words, "partly", "Ada Frazer"), words)
    assert highlighted(one) == (["died in the fire"], [])


def test_an_unsupported_sentence_has_its_nearest_passage() -> None:
    words = "Frazer won a prize"
    (one,) = passages_of(traced(words, "unsupported", words), words)
    assert one.stance == "near"
    assert passages_of(traced("Bees hum", "unsupported", "Bees hum"), "Bees hum") == []


def test_removed_sources_give_no_passages() -> None:
    words = "Frazer said 12 men died"
    assert find_passages(traced(words, "supported"), words, {}) == []


def test_the_verdict_on_several_sentences_has_the_passages_of_all() -> None:
    words = "Frazer said 12 men died"
    view = worst_verdict(
        [traced(words, "supported"), traced(words, "supported")], words, [account()]
    )
    assert [one.stance for one in view.passages] == ["for", "for"]


def edited(words: str, own: set[str]) -> list[TokenLayout]:
    return [TokenLayout(one.start, one.end, [], own=one.text in own) for one in tokenize(words)]


def doubts(words: str, own: set[str], sentence: TracedSentence) -> tuple[list[str], str]:
    now = restrict_doubts(sentence, words, edited(words, own))
    return [words[part.start : part.end] for part in now.unsupported], now.why


def test_only_the_typed_figure_is_unsupported() -> None:
    words = "Ada Frazer said 15 men died."
    judged = traced(words, "partly", "Ada Frazer", why="Ada Frazer: no source has this name")
    assert doubts(words, {"15"}, judged) == (["15"], "15: the sources do not say this")


def test_only_typed_words_stay_unsupported() -> None:
    words = "Ada Frazer said 12 men burned."
    judged = traced(words, "partly", "men burned", why="men burned: the accounts do not say this")
    assert doubts(words, {"burned", "."}, judged)[0] == ["burned"]


def test_the_reason_of_a_contradiction_quotes_the_typed_words() -> None:
    words = "Ada Frazer said 15 men died."
    why = "Frazer 15: an account has another figure"
    judged = traced(words, "contradicted", "Frazer said 15", against=True, why=why)
    assert doubts(words, {"15"}, judged) == (["15"], "15: an account has another figure")


def test_without_or_with_only_typed_words_the_verdict_is_unchanged() -> None:
    words = "Ada Frazer died."
    judged = traced(words, "partly", "Frazer", why="x")
    assert restrict_doubts(judged, words, edited(words, set())) == judged
    assert restrict_doubts(judged, words, edited(words, {"Ada", "Frazer", "died", "."})) == judged
    told = traced(words, "supported")
    assert restrict_doubts(told, words, edited(words, {"died"})) == told
