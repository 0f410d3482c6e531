"""Layers from outside: what `consolidate` takes over."""

from __future__ import annotations

from tatian.text import (
    MENTIONS,
    SENTENCES,
    TOKENS,
    Mention,
    Sentence,
    Token,
    tokenize,
)

from .bundles import PIPELINE, account, bundle, consolidate, fates
from .promises import tokens_are_where_they_say

AGROUND = "The ferry ran aground off Halverne harbour on Tuesday."
IN_FOG = "The ferry ran aground off Halverne in thick fog."


class TestExistingLayers:
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
