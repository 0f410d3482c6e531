"""Documents, spans, tokens, layers and alignment: the base of every step."""

from tatian.text.alignment import OffsetMap, align
from tatian.text.documents import Document, Metadata
from tatian.text.layers import (
    CHAINS,
    ENTITY_SETS,
    LINKS,
    MENTIONS,
    NAMES,
    SENTENCES,
    SOURCES,
    TOKENS,
    WORDS,
    Authorship,
    Chain,
    EntitySet,
    Layer,
    LayerKey,
    Link,
    Mention,
    Name,
    Source,
    SourcedToken,
    Word,
    WordSources,
)
from tatian.text.spans import Sentence, Span, Token
from tatian.text.splitter import split
from tatian.text.tokenizer import detokenize, tokenize

__all__ = [
    "CHAINS",
    "ENTITY_SETS",
    "LINKS",
    "MENTIONS",
    "NAMES",
    "SENTENCES",
    "SOURCES",
    "TOKENS",
    "WORDS",
    "Authorship",
    "Chain",
    "Document",
    "EntitySet",
    "Layer",
    "LayerKey",
    "Link",
    "Mention",
    "Metadata",
    "Name",
    "OffsetMap",
    "Sentence",
    "Source",
    "SourcedToken",
    "Span",
    "Token",
    "Word",
    "WordSources",
    "align",
    "detokenize",
    "split",
    "tokenize",
]
