"""Report on the finished text: outcomes, groups, conflicts, chains, mentions and aggregations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from tatian.claims import StatedClaim
from tatian.consolidation.differing_claims import find_differing_claims
from tatian.consolidation.plan import PlacementReason, Plan, SourceConflict
from tatian.consolidation.render import account_name
from tatian.consolidation.result import (
    SCHEMA,
    Account,
    Aggregation,
    Consolidation,
    Disagreement,
    Layout,
    Place,
    Reference,
    SentenceOutcome,
    SourceSentence,
    WovenChain,
    WrittenMention,
    WrittenSentence,
    WrittenToken,
    sort_conflicts,
)
from tatian.consolidation.spans import Key, SourceSpan
from tatian.knowledge.wording import CONCEPT, LOCATION, ORGANISATION, PERSON
from tatian.pipeline import CrossChain
from tatian.text import ENTITY_SETS, LINKS, Document, Link, Mention, Span
from tatian.text.content import is_content
from tatian.text.documents import Claim
from tatian.views.wording import squeeze

_Differing = tuple[Literal["name", "date", "number"], str]
_FIGURES: _Differing = ("number", "figures")
_OTHER_KINDS: Mapping[str, _Differing] = {"name": ("name", "names"), "date": ("date", "dates")}
"""Kinds of conflicts other than figures, with the noun for messages."""
_MIN_COVERED_SHARE = 0.6
"""Minimum share of a dropped sentence that others cover, if they are said to cover all of it."""


def build_result(plan: Plan, layout: Layout) -> Consolidation:
    """Build the result: the text, and the origin of its words, sentences and sources."""
    documents = plan.story.documents
    texts = {document.id: document.text for document in documents}
    text, places = layout.text, layout.places
    outcomes = _find_outcomes(plan, layout)
    sources = tuple(
        Account.of(source.document, [outcomes[number, index] for index in range(count)])
        for number, source in enumerate(plan.story.sources)
        for count in [len(source.document.sentences)]
    )
    sentences = _explain_placements(plan, layout, sources)
    return Consolidation(
        schema=SCHEMA,
        text=text,
        title=_find_title(plan),
        sentences=sentences,
        documents=sources,
        contradictions=sort_conflicts(
            _report_conflict(conflict, documents, sentences) for conflict in plan.conflicts
        ),
        chains=tuple(_build_chain(chain, texts) for chain in plan.chains),
        mentions=tuple(_find_mentions(documents, sentences, plan.chains)),
        aggregations=tuple(_find_aggregations(documents, plan.chains, text)),
        groups=tuple(_find_groups(plan, places)),
        writer=layout.writer,
    )


PLACEMENT_TEXTS: dict[PlacementReason, str] = {
    "order": "in the order of {own}",
    "place": "by its position in {own}",
    "follows": "after the sentence that precedes it in {own}",
    "after": "after the sentence that covers its predecessor in {own}",
    "like": "next to the most similar sentence, from {beside}",
    "adds": "after the sentence of {beside} to which it adds detail",
    "day": "by the day that it mentions",
    "before": "before the sentence that follows the same information in another account",
    "expected": "an expectation before its outcome",
    "depends": "depends on the sentence before it",
}
_BELONGS = "belongs to the sentence before it"


def _explain_placements(
    plan: Plan, layout: Layout, sources: Sequence[Account]
) -> tuple[WrittenSentence, ...]:
    """Return the sentences of the text, each with the reason for its placement.

    If a language model ordered the text, placements do not explain it.
    """
    reasons: dict[int, str] = {}
    placements = plan.placements
    if (writer := layout.writer) and writer.role != "merger":
        ordered = writer.worded if writer.role == "writer" else range(len(layout.sentences))
        reasons = dict.fromkeys(ordered, f"in the order of {writer.model}")
        placements = {} if reasons else placements
    names = [
        f"“{source.title}”" if source.title and not source.source else account_name(source)
        for source in sources
    ]
    for source in plan.story.sources:
        for span in source.spans:
            if span.key not in placements:
                continue
            placement = placements[span.key]
            anchor = names[placement.anchor[0]] if placement.anchor else ""
            reason = PLACEMENT_TEXTS[placement.reason].format(own=names[span.source], beside=anchor)
            explanation = ", ".join(filter(None, (placement.section, reason)))
            for number, index in enumerate(span.indices):
                for place in layout.places[span.source, index]:
                    reasons.setdefault(place, _BELONGS if number else explanation)
    return tuple(
        replace(sentence, why=reasons.get(n, "")) for n, sentence in enumerate(layout.sentences)
    )


def _find_outcomes(plan: Plan, layout: Layout) -> dict[Key, SourceSentence]:
    """Return the outcome of each source sentence, by source and index."""
    outcomes = {}
    for number, source in enumerate(plan.story.sources):
        sentences = source.document.sentences
        for index, why in source.excluded.items():
            start, end = sentences[index].start, sentences[index].end
            outcomes[number, index] = SourceSentence(start, end, "unused", (), why)
        for span in source.spans:
            for index in span.indices:
                start, end = sentences[index].start, sentences[index].end
                outcome = _outcome(plan, layout, span, (number, index))
                outcomes[number, index] = SourceSentence(start, end, *outcome)
    return outcomes


def _outcome(
    plan: Plan, layout: Layout, span: SourceSpan, sentence: Key
) -> tuple[SentenceOutcome, tuple[int, ...], str]:
    """Return the outcome of a sentence of a span, its output sentences, and the reason."""
    places, selection = layout.places, plan.selection
    if sentence in layout.dropped:
        return "redundant", places[sentence], "other sentences say it"
    if span.key in selection.kept:
        why = "other sentences do not say all of it"
        if span.key in layout.unverified:
            refusal = layout.unverified[span.key]
            why += f"; unchanged, as a change was not supported: {refusal}"
        worded = layout.writer.worded if layout.writer else frozenset()
        is_kept = worded.isdisjoint(places[sentence])
        return "kept" if is_kept else "merged", places[sentence], why
    if span.key in selection.omitted:
        return "unused", (), "left out for length"
    covering = [selection.covering(key) for key in selection.dropped[span.key]]
    into = tuple(sorted({n for key in covering for n in places[key]}))
    differences = _name_differences(plan, span, covering)
    is_compared = plan.coverage.knows(span.key) and not differences
    if is_compared and plan.coverage.covered_share(span.key, covering) < _MIN_COVERED_SHARE:
        return "redundant", into, "other sentences say most of it"
    return "redundant", into, f"other sentences say it{differences}"


def _name_differences(plan: Plan, span: SourceSpan, covering: Sequence[Key]) -> str:
    """Describe a span's figures that its covering spans lack or give differently."""

    def quote(key: Key, claim: StatedClaim) -> str:
        text = plan.story.sources[key[0]].document.text
        return f"“{squeeze(claim.figure.of(text))}”"

    differences = [
        f"with {quote(*other)} where it has {quote(span.key, claim)}"
        if other
        else f"but not {quote(span.key, claim)}"
        for claim, other in find_differing_claims(plan.coverage, span.key, covering)
    ]
    return "".join(f", {difference}" for difference in differences)


def _find_groups(plan: Plan, places: Mapping[Key, tuple[int, ...]]) -> Iterator[tuple[Place, ...]]:
    """Yield groups of source sentences that the same sentence of the text covers.

    For long sources, yield aligned sentences, one per source, whether dropped or not.
    """
    if plan.story.passages.sources:
        yield from _aligned_groups(plan)
        return
    members_by_sentence: dict[int, list[Place]] = {}
    for number, source in enumerate(plan.story.sources):
        for span in source.spans:
            for index in () if span.key in plan.selection.omitted else span.indices:
                kept = span.key in plan.selection.kept
                covering = (number, index) if kept else plan.selection.covering(span.key)
                members_by_sentence.setdefault(places[covering][0], []).append(
                    Place(source.document.id, index)
                )
    for _, members in sorted(members_by_sentence.items()):
        if len({place.document for place in members}) > 1:
            yield tuple(members)


def _aligned_groups(plan: Plan) -> Iterator[tuple[Place, ...]]:
    single = {
        span.key for source in plan.story.sources for span in source.spans if len(span.indices) == 1
    }
    dropped = ((key, plan.selection.covering(key)) for key in plan.selection.dropped)
    pairs = [
        (key, other) for key, other in dropped if key[0] != other[0] and {key, other} <= single
    ]
    omitted = {
        (span.source, index)
        for source in plan.story.sources
        for span in source.spans
        if span.key in plan.selection.omitted
        for index in span.indices
    }
    for group in plan.story.passages.groups(pairs):
        members = [key for key in group if key not in omitted]
        if len(members) > 1:
            yield tuple(Place(plan.story.sources[n].document.id, index) for n, index in members)


def _report_conflict(
    conflict: SourceConflict, documents: Sequence[Document], sentences: Sequence[WrittenSentence]
) -> Disagreement:
    """Return a conflict with the claims of each source and the output sentences that state them."""
    claims: dict[tuple[str, object], Claim] = {}
    for conflicting in conflict.claims:
        document, figure = documents[conflicting.key[0]], conflicting.claim.figure
        claim = Claim(document.id, figure.start, figure.end, figure.of(document.text))
        claims.setdefault(
            (document.id, conflicting.claim.interval or conflicting.claim.name), claim
        )
    stated = [
        (number, claim)
        for number, sentence in enumerate(sentences)
        for token in sentence.tokens
        for source in token.sources
        for claim in claims.values()
        if source.document == claim.document and claim.start <= source.start < claim.end
    ]
    numbers = tuple(dict.fromkeys(number for number, _ in stated))
    kind, things = _OTHER_KINDS.get(conflict.claims[0].claim.kind, _FIGURES)
    why = f"the accounts give different {things} for the same thing"
    if conflict.relation == "superseded":
        values = {claim.text.lower() for _, claim in stated}
        latest = list(claims.values())[-1].text.lower()
        single = "the latest" if latest in values else "an earlier one"
        shown_value = "both" if {latest} < values else single
        why = f"the accounts of different days give different {things}"
        why += f"; the text gives {shown_value}" if values else ""
    return Disagreement(kind, tuple(claims.values()), why, numbers, conflict.relation)


def _find_title(plan: Plan) -> str | None:
    """Return the headline of the backbone, or of another source."""
    sources = sorted(
        plan.story.sources, key=lambda source: source is not plan.story.sources[plan.backbone]
    )
    for source in sources:
        if source.document.metadata.title:
            return source.document.metadata.title
        for index, why in sorted(source.excluded.items()):
            if why == "a headline" and index < 3:
                return " ".join(source.document.sentences[index].of(source.document.text).split())
    return None


def _find_aggregations(
    documents: Sequence[Document], chains: Sequence[CrossChain], text: str
) -> Iterator[Aggregation]:
    """Yield the best phrase of any model for each set of things that a source names together."""
    chain_of = {
        (document, member.id): chain.id for chain in chains for document, member in chain.members
    }
    best: dict[frozenset[str], Aggregation] = {}
    for document in documents:
        for entities in document.get(ENTITY_SETS) if document.has(ENTITY_SETS) else ():
            members = tuple(chain_of.get((document.id, chain), "") for chain in entities.chains)
            key = frozenset(members)
            if not entities.phrases or not all(members) or len(key) < len(members):
                continue
            score = entities.scores[0] if entities.scores else None
            support = entities.support[0] if entities.support else ()
            if key not in best or (score or 0) > (best[key].score or 0):
                best[key] = Aggregation(entities.phrases[0], members, None, None, score, support)
    for aggregation in best.values():
        phrase = re.escape(aggregation.phrase.removeprefix("the "))
        match = re.search(rf"(?<![\w-]){phrase}(?![\w-])", text, re.IGNORECASE)
        yield replace(aggregation, start=match.start(), end=match.end()) if match else aggregation


def _build_chain(chain: CrossChain, texts: Mapping[str, str]) -> WovenChain:
    references = tuple(Reference(document, m.start, m.end) for document, m in chain.mentions())
    phrases = (mention.of(texts[document]) for document, mention in chain.mentions())
    kind = "" if _contradicts_type(chain.type, phrases) else chain.type
    return WovenChain(chain.id, chain.name, kind, references)


_NOUNS = {"PER": PERSON, "LOC": LOCATION, "GPE": LOCATION, "ORG": ORGANISATION}


def _contradicts_type(kind: str, phrases: Iterable[str]) -> bool:
    """Check whether the sources refer to a thing only by nouns that do not fit its type.

    A thing that is also called "the airship" is no place, whatever its type.
    """
    fitting = _NOUNS.get(kind)
    if fitting is None:
        return False
    heads = {words[-1] for phrase in phrases if (words := phrase.split()) and words[-1].islower()}
    return bool(heads & (CONCEPT - fitting)) and not heads & fitting


def _find_mentions(
    sources: Sequence[Document],
    sentences: Sequence[WrittenSentence],
    chains: Sequence[CrossChain],
) -> list[WrittenMention]:
    """Return runs of output words that come from the same innermost mention of a chain."""
    documents = {document.id: document for document in sources}
    pages = {document.id: _LinkedPages(document) for document in sources}
    mentions_at: dict[tuple[str, int], tuple[CrossChain, str, Mention]] = {}
    for chain in chains:
        for document, mention in chain.mentions():
            for token in documents[document].tokens_in(mention):
                innermost = mentions_at.get((document, token.start))
                if innermost is None or len(mention) < len(innermost[2]):
                    mentions_at[(document, token.start)] = (chain, document, mention)
    mentions = []
    for sentence in sentences:
        run: list[WrittenToken] = []
        current: tuple[CrossChain, str, Mention] | None = None
        for written in (*sentence.tokens, None):
            source = written.sources[0] if written is not None and written.sources else None
            is_single = source is not None and source.kind != "aggregated"
            here = (
                mentions_at.get((source.document, source.start)) if source and is_single else None
            )
            if here != current and run and current is not None:
                chain, document, mention = current
                linked = pages[document].of(mention, run)
                mentions.append(WrittenMention(run[0].start, run[-1].end, chain.id, linked))
                run = []
            current = here
            if written is not None and here is not None:
                run.append(written)
    return mentions


class _LinkedPages:
    """Wikipedia pages of a document's mentions."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._by_span = {(link.start, link.end): link for link in document.get(LINKS)}
        self._by_end = {link.end: link for link in document.get(LINKS)}

    def of(self, mention: Mention, words: Sequence[WrittenToken]) -> tuple[str, ...]:
        """Return the pages of a mention if these output words include linked ones."""
        link = self._find_link(mention)
        if link is None:
            return ()
        starts = [source.start for word in words for source in word.sources[:1]]
        return link.titles if any(link.start <= start < link.end for start in starts) else ()

    def _find_link(self, mention: Mention) -> Link | None:
        """Return the link of a mention, or of its name without titles or articles."""
        if exact := self._by_span.get((mention.start, mention.end)):
            return exact
        name = mention.head
        if mention.type == "PER" and name and (exact := self._by_span.get((name.start, name.end))):
            return exact
        link = self._by_end.get(mention.end)
        if link is None or link.start <= mention.start:
            return None
        before = self._document.tokens_in(Span(mention.start, link.start))
        return None if any(is_content(token.text) for token in before) else link
