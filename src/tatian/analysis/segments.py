"""What is to be analysed, as documents with tokens and sentences; what is already there is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from tatian.errors import InputError
from tatian.text import SENTENCES, TOKENS, Authorship, Document, tokenize
from tatian.text.splitter import split_tokens
from tatian.text.tokenizer import compose

Sentences = Sequence[str] | Sequence[Sequence[str]]
"""Sentences as text, or as words."""
Given = Document | str | Sentences
"""A document, its text, or its sentences."""

RULES = Authorship(by="rules")
GIVEN = Authorship(by="given")


def as_document(given: Given, name: str = "text") -> Document:
    """A document as it is; a text as a document; sentences as a document that keeps them."""
    if isinstance(given, Document):
        return given
    if isinstance(given, str):
        return Document(name, given)
    return _from_sentences(given, name)


def _from_sentences(given: Sentences, name: str) -> Document:
    for words in given:
        if not isinstance(words, str) and not all(words):
            raise InputError(f"word {list(words).index('') + 1} of the sentence {words} is empty")
    text, tokens, sentences = compose(given)
    document = Document(name, text)
    return document.with_layer(TOKENS, tokens, GIVEN).with_layer(SENTENCES, sentences, GIVEN)


def segmented(document: Document) -> Document:
    """The document with tokens and sentences, found by rules where it has none of its own."""
    if not document.has(TOKENS):
        if document.has(SENTENCES):
            cut = (tokenize(document.text, s.start, s.end) for s in document.sentences)
            tokens = list(chain.from_iterable(cut))
        else:
            tokens = tokenize(document.text)
        document = document.with_layer(TOKENS, tokens, RULES)
    if not document.has(SENTENCES):
        sentences = split_tokens(document.text, document.tokens)
        document = document.with_layer(SENTENCES, sentences, RULES)
    return document


def token_ranges(document: Document) -> Iterator[range]:
    """For each sentence, the indices of its tokens; a token belongs to one sentence at the most."""
    tokens = document.tokens
    index = 0
    for sentence in document.sentences:
        while index < len(tokens) and tokens[index].start < sentence.start:
            index += 1
        begin = index
        while index < len(tokens) and tokens[index].end <= sentence.end:
            index += 1
        yield range(begin, index)


class RuleAnalyser:
    """Tokens and sentences by rules alone: fast, needs no weights, adds no tags."""

    def analyze(self, document: Document) -> Document:
        """Add `tokens` and `sentences`, unless they are there already."""
        return segmented(document)
