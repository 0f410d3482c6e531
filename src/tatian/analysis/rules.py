"""Tokens and sentences by rules, for when no trained model is wanted."""

from __future__ import annotations

from tatian.text import SENTENCES, TOKENS, Authorship, Document
from tatian.text.splitter import split_tokens
from tatian.text.tokenizer import tokenize


class RuleAnalyser:
    """Tokens and sentences by rules alone: fast, needs no weights, adds no tags."""

    def analyze(self, document: Document) -> Document:
        """Add the `tokens` and `sentences` layers."""
        made = Authorship(by="rules")
        tokens = tokenize(document.text)
        sentences = split_tokens(document.text, tokens)
        return document.with_layer(TOKENS, tokens, made).with_layer(SENTENCES, sentences, made)
