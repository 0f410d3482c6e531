"""Layers and mergers from outside: what `consolidate` takes over, and what it refuses."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tatian.consolidation.result import Consolidation
from tatian.errors import TatianError
from tatian.text import (
    MENTIONS,
    SENTENCES,
    TOKENS,
    Mention,
    Sentence,
    Token,
    WovenToken,
    tokenize,
)
from tatian.text.provenance import glue
from tatian.union.models import Merged, Outcome, Passage
from tatian.union.models.copying import copy_tokens

from .bundles import PIPELINE, account, bundle, consolidate, fates, sentences
from .promises import every_sentence_has_its_fate, fresh, tokens_are_where_they_say

AGROUND = "The ferry ran aground off Halverne harbour on Tuesday."
IN_FOG = "The ferry ran aground off Halverne in thick fog."
pytestmark = pytest.mark.usefixtures("unjudged")


class TestLayersBroughtAlong:
    TEXT = f"{AGROUND} Divers found a tear."

    def test_a_document_that_was_processed_gives_the_same_result(self) -> None:
        given = bundle(self.TEXT, IN_FOG)
        assert consolidate([PIPELINE.process(one) for one in given]) == consolidate(given)

    def test_sentences_are_kept_with_or_without_tokens(self) -> None:
        whole = account("a", self.TEXT).with_layer(SENTENCES, [Sentence(0, len(self.TEXT))], "me")
        for document in (whole, whole.with_layer(TOKENS, tokenize(self.TEXT), "me")):
            result = consolidate([document])
            assert [(s.start, s.end) for s in result.documents[0].sentences] == [
                (0, len(self.TEXT))
            ]
            tokens_are_where_they_say(result)

    def test_tokens_are_kept(self) -> None:
        joined = [Token(0, 9, "The ferry"), *tokenize(self.TEXT, 9)]
        result = consolidate([account("a", self.TEXT).with_layer(TOKENS, joined, "me")])
        first = result.sentences[0].tokens[0]
        assert result.text[first.start : first.end] == "The ferry"

    def test_mentions_alone_are_enough(self) -> None:
        document = account("a", self.TEXT).with_layer(MENTIONS, [Mention(4, 9, "MISC")], "me")
        tokens_are_where_they_say(consolidate([document, account("b", IN_FOG)]))

    def test_a_sentence_without_tokens_is_unused(self) -> None:
        given = account("a", self.TEXT).with_layer(TOKENS, [], "me")
        result = consolidate([given.with_layer(SENTENCES, [Sentence(0, 5)], "me")])
        assert (result.text, fates(result)) == ("", {"The f": "unused"})


class Strange:
    """A merger of somebody else's, that makes of passages what it is told to."""

    def __init__(self, texts: Sequence[Sequence[WovenToken] | int], *outcomes: Outcome) -> None:
        self.texts = texts
        self.outcomes = outcomes

    def merge(self, passages: Sequence[Passage]) -> Merged:
        made = [
            copy_tokens(passages[one]) if isinstance(one, int) else tuple(one) for one in self.texts
        ]
        return Merged(tuple(made), self.outcomes)


UNUSED = Outcome("unused", "not needed")


class TestMergersFromOutside:
    def woven(self, merger: Strange) -> Consolidation:
        given = bundle(f"{AGROUND} Divers found a tear.", f"Fog came. {IN_FOG}")
        result = consolidate(given, pipeline=fresh(merger))
        tokens_are_where_they_say(result)
        every_sentence_has_its_fate(result, given)
        assert {"Divers found a tear.", "Fog came."} <= set(sentences(result))
        return result

    def test_one_that_uses_nothing_leaves_the_rest(self) -> None:
        result = self.woven(Strange([], UNUSED, UNUSED))
        assert (fates(result)[AGROUND], fates(result)[IN_FOG]) == ("unused", "unused")
        assert len(result.sentences) == 2

    def test_one_that_uses_one_of_them(self) -> None:
        result = self.woven(Strange([1], UNUSED, Outcome("kept", "better", (0,))))
        assert IN_FOG in sentences(result)
        assert AGROUND not in sentences(result)

    def test_one_that_does_not_say_what_its_sentences_carry(self) -> None:
        result = self.woven(Strange([0], UNUSED, UNUSED))
        assert AGROUND in sentences(result)

    def test_one_that_writes_everything_itself(self) -> None:
        words = [glue("Ships"), glue("sink"), glue(".", space=False)]
        carried = Outcome("redundant", "said shorter", (0,))
        result = self.woven(Strange([words], carried, carried))
        assert "Ships sink." in sentences(result)

    def test_one_that_puts_both_into_both(self) -> None:
        both = Outcome("merged", "everywhere", (0, 1))
        self.woven(Strange([0, 1], both, both))

    def test_one_that_writes_a_sentence_without_words(self) -> None:
        result = self.woven(
            Strange([(), 0], Outcome("kept", "why", (1,)), Outcome("merged", "why", (0,)))
        )
        assert fates(result)[IN_FOG] == "unused"

    def test_one_that_repeats_itself_is_told_once_for_each_account(self) -> None:
        both = [Outcome("kept", "why", (0,)), Outcome("kept", "why", (1,))]
        result = self.woven(Strange([0, 0], *both))
        assert sentences(result).count(AGROUND) == 1

    def test_one_that_forgets_a_passage_is_told_so(self) -> None:
        with pytest.raises(TatianError, match="1 outcomes for 2 passages"):
            self.woven(Strange([0], Outcome("kept", "why", (0,))))

    @pytest.mark.parametrize("index", [1, -1])
    def test_one_that_names_a_sentence_it_did_not_write_is_told_so(self, index: int) -> None:
        with pytest.raises(TatianError, match=f"names sentence {index}"):
            self.woven(
                Strange([0], Outcome("kept", "why", (0,)), Outcome("merged", "why", (index,)))
            )
