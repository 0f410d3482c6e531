"""The finished draft as a `Consolidation`: offsets, fates, chains in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from msgspec.structs import replace

from tatian.consolidation.aggregations import aggregations, named_sets
from tatian.consolidation.draft import Draft, Told
from tatian.consolidation.result import (
    SCHEMA,
    Account,
    Consolidation,
    Disagreement,
    Place,
    Reference,
    SourceSentence,
    WovenChain,
    WrittenMention,
    WrittenSentence,
    WrittenToken,
)
from tatian.consolidation.together import Together
from tatian.pipeline import CrossChain
from tatian.text import LINKS, Document, Link, Mention, Span
from tatian.text.content import is_content
from tatian.text.provenance import capitalized
from tatian.union.models import Contradiction

_LONGEST_PARAGRAPH = 5


def write(
    draft: Draft,
    chains: Sequence[CrossChain],
    accounts: Mapping[str, Together] = MappingProxyType({}),
) -> Consolidation:
    """Lay out the sentences and say where everything came from.

    `accounts` tell, by the ids of documents, what their plurals speak of.
    """
    text, sentences = _layout(draft)
    number = {id(told): index for index, told in enumerate(draft.told)}
    written = Consolidation(
        schema=SCHEMA,
        text=text,
        sentences=tuple(sentences),
        documents=tuple(_account(draft, index, number) for index in range(len(draft.documents))),
        contradictions=tuple(
            Disagreement.of(found, _touched(draft, found, number)) for found in draft.contradictions
        ),
        chains=tuple(_chain(chain) for chain in chains),
        mentions=tuple(_mentions(draft, sentences, chains)),
        groups=tuple(
            tuple(Place(draft.documents[unit.account].id, unit.index) for unit in members)
            for members in draft.groups
            if len(members) > 1
        ),
    )
    named = aggregations(named_sets(draft.documents, chains), accounts, written)
    return replace(written, aggregations=tuple(named))


def _layout(draft: Draft) -> tuple[str, list[WrittenSentence]]:
    pieces: list[str] = []
    position = 0
    paragraph = 0
    sentences: list[WrittenSentence] = []
    for told in draft.told:
        if sentences:
            fresh = paragraph >= _LONGEST_PARAGRAPH or (paragraph >= 2 and _opens(told))
            gap = "\n\n" if fresh else " "
            paragraph = 0 if fresh else paragraph
            pieces.append(gap)
            position += len(gap)
        paragraph += 1
        start = position
        tokens = []
        for index, token in enumerate(capitalized(told.tokens)):
            if index and token.space:
                pieces.append(" ")
                position += 1
            end = position + len(token.text)
            tokens.append(WrittenToken(position, end, token.sources, glue=token.glue))
            pieces.append(token.text)
            position = end
        sentences.append(WrittenSentence(start, position, tuple(tokens)))
    return "".join(pieces), sentences


def _touched(draft: Draft, found: Contradiction, number: dict[int, int]) -> tuple[int, ...]:
    """The output sentences that carry one of the claims."""
    carriers = [told for c in found.claims for told in draft.carriers(c.document, c.start)]
    return tuple(sorted({number[id(told)] for told in carriers if id(told) in number}))


def _opens(told: Told) -> bool:
    return bool(told.units) and told.units[0].opens_paragraph


def _account(draft: Draft, index: int, number: dict[int, int]) -> Account:
    document = draft.documents[index]
    sentences = []
    for unit in draft.accounts[index]:
        settled = draft.settled[unit.key]
        into = sorted({number[id(told)] for told in settled.into if id(told) in number})
        span = unit.sentence
        sentences.append(
            SourceSentence(span.start, span.end, settled.fate, tuple(into), settled.why)
        )
    about = document.metadata
    return Account(
        id=document.id,
        path=about.path,
        title=about.title,
        date=about.date,
        source=about.source,
        text=document.text,
        sentences=tuple(sentences),
    )


def _chain(chain: CrossChain) -> WovenChain:
    references = tuple(Reference(document, m.start, m.end) for document, m in chain.mentions())
    return WovenChain(chain.id, chain.name, chain.type, references)


def _mentions(
    draft: Draft, sentences: Sequence[WrittenSentence], chains: Sequence[CrossChain]
) -> list[WrittenMention]:
    """Runs of output words that stand where an account mentions a chain; the innermost counts."""
    documents = {document.id: document for document in draft.documents}
    titles = {document.id: _Titles(document) for document in draft.documents}
    at: dict[tuple[str, int], tuple[CrossChain, str, Mention]] = {}
    for chain in chains:
        for document, mention in chain.mentions():
            for token in documents[document].tokens_in(mention):
                held = at.get((document, token.start))
                if held is None or len(mention) < len(held[2]):
                    at[(document, token.start)] = (chain, document, mention)
    found = []
    for sentence in sentences:
        run: list[WrittenToken] = []
        current: tuple[CrossChain, str, Mention] | None = None
        for written in (*sentence.tokens, None):
            source = written.sources[0] if written is not None and written.sources else None
            one = source is not None and source.kind != "aggregated"
            here = at.get((source.document, source.start)) if source and one else None
            if here != current and run and current is not None:
                chain, document, mention = current
                linked = titles[document].of(mention, run)
                found.append(WrittenMention(run[0].start, run[-1].end, chain.id, linked))
                run = []
            current = here
            if written is not None and here is not None:
                run.append(written)
    return found


class _Titles:
    """The pages of a document's mentions, by its links."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._links = {(link.start, link.end): link for link in document.get(LINKS)}
        self._ending = {link.end: link for link in document.get(LINKS)}

    def of(self, mention: Mention, words: Sequence[WrittenToken]) -> tuple[str, ...]:
        """The pages of a mention of which the text has these words, the linked ones among them."""
        link = self._link(mention)
        if link is None:
            return ()
        starts = [source.start for word in words for source in word.sources[:1]]
        return link.titles if any(link.start <= one < link.end for one in starts) else ()

    def _link(self, mention: Mention) -> Link | None:
        """The link of the mention, of a person without titles, of a thing without its article."""
        if found := self._links.get((mention.start, mention.end)):
            return found
        name = mention.head
        if mention.type == "PER" and name and (found := self._links.get((name.start, name.end))):
            return found
        link = self._ending.get(mention.end)
        if link is None or link.start <= mention.start:
            return None
        before = self._document.tokens_in(Span(mention.start, link.start))
        return None if any(is_content(token.text) for token in before) else link
