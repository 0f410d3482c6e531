"""Notes around the text as HTML: heading, key, conflicts, people and things."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Literal, get_args

from msgspec import Struct

from tatian.consolidation.render import (
    DISAGREE,
    SUPERSEDED,
    Edition,
    Point,
    Verse,
    Witness,
    certain_type,
    colour,
    is_listed,
    letters_html,
    places,
)
from tatian.consolidation.render.page_data import words_within
from tatian.formats.wiki import wikipedia_url
from tatian.views.wording import join_items, printable, spell_count, squeeze

if TYPE_CHECKING:
    from tatian.consolidation.result import (
        Aggregation,
        Disagreement,
        WovenChain,
        WrittenMention,
    )
    from tatian.text.documents import Claim

Relation = Literal["taken", "same", "part", "lent", "other"]
"""Relation to a verse: taken over, saying the same or a part, lending a name, or differing."""


MAX_CHAINS = 24
"""Maximum number of people and things listed at once; the rest unfolds."""


def title(edition: Edition) -> str:
    """Return the headline of the story, or a description of the page (plain text)."""
    accounts = spell_count(len(edition.witnesses), "account")
    return edition.consolidation.title or f"One text from {accounts}"


def tally_html(edition: Edition) -> str:
    """Render the size of the text and its sources, in one line under the heading."""
    source_words = sum(len(witness.account.text.split()) for witness in edition.witnesses)
    text_words = len(edition.text.split())
    line = (
        f"{text_words:,} word{'' if text_words == 1 else 's'} in "
        f"{spell_count(len(edition.verses), 'sentence')}, consolidated from {source_words:,} words "
        f"of {spell_count(len(edition.witnesses), 'account')}"
    )
    contradictions = edition.consolidation.contradictions
    conflicts = sum(contradiction.relation == "conflict" for contradiction in contradictions)
    if conflicts:
        points = spell_count(conflicts, "point")
        line += f'. <a href="#disagreements">The accounts disagree on {points}</a>'
    if superseded := len(contradictions) - conflicts:
        figures = spell_count(superseded, "figure")
        line += f'. <a href="#superseded">Later accounts supersede {figures}</a>'
    return line + "."


def key_html(edition: Edition) -> str:
    """Render the letters and the sources they stand for; with a script, also the filter."""
    choices = "".join(
        f'<label class="choice {colour(witness.index)}">'
        f'<input type="radio" name="only" value="{witness.index}">'
        f'<b class="mark">{witness.letter}</b> <span>{escape(witness.name)}</span></label>'
        for witness in edition.witnesses
    )
    return (
        '<label class="choice every"><input type="radio" name="only" value="" checked>'
        f"<span>All accounts</span></label>{choices}"
    )


def notes_html(edition: Edition, heading: str = DISAGREE) -> str:
    """Render conflicts, wording, people and things, and phrases for several of them."""
    consolidation = edition.consolidation
    html = ""
    for name, title, superseded in (
        ("disagreements", heading, False),
        ("superseded", SUPERSEDED, True),
    ):
        items = "".join(
            _point(edition, number, point)
            for number, point in enumerate(edition.points)
            if point.superseded == superseded
        )
        if items:
            html += _section(name, title, f"<ol>{items}</ol>")
    if consolidation.writer:
        html += _section("wording", "Worded by a language model", _wording(edition))
    if any(map(is_listed, consolidation.chains)):
        html += _section("chains", "People and things", _chains(edition))
    if consolidation.aggregations:
        items = "".join(
            _aggregation(edition, aggregation) for aggregation in consolidation.aggregations
        )
        html += _section("aggregations", "Named together", f"<ul>{items}</ul>")
    return html


def _point(edition: Edition, number: int, point: Point) -> str:
    claims = "".join(
        f'<li><button type="button" class="claim {colour(witness.index)}" '
        f'data-dispute="{number}" data-claim="{index}"><b class="mark">{witness.letter}</b> '
        f"<q>{escape(claim.text)}</q> <span>{escape(witness.name)}</span></button></li>"
        for index, claim in enumerate(point.claims)
        for witness in (edition.witness(claim.document),)
    )
    return (
        f'<li class="disagreement"><button type="button" class="subject" data-dispute="{number}">'
        f'<span class="kind">{escape(point.kind)}</span>, {places(point)}</button>'
        f'<p>{escape(point.why)}</p><ul class="claims">{claims}</ul></li>'
    )


def evidence_html(edition: Edition, supported: Iterable[tuple[int, Sequence[Claim]]]) -> str:
    """Render the supporting passages of each sentence, by its index, folded."""
    items = ""
    for index, claims in supported:
        quotes = "".join(
            f'<li class="{colour(witness.index)}"><b class="mark">{witness.letter}</b> '
            f"<q>{escape(claim.text)}</q> <span>{escape(witness.name)}</span></li>"
            for claim in claims
            for witness in (edition.witness(claim.document),)
        )
        items += f'<li>{_sentence_links([index])}<ul class="claims">{quotes}</ul></li>'
    if not items:
        return ""
    body = f"<details><summary>Passages by sentence</summary><ol>{items}</ol></details>"
    return _section("evidence", "What supports the text", body)


def _wording(edition: Edition) -> str:
    """Render the sentences worded by a language model, and refused drafts with the reason."""
    writer = edition.consolidation.writer
    assert writer is not None
    worded = sorted(writer.worded)
    line = f"{escape(writer.model)} worded {_sentence_links(worded) if worded else 'no sentence'}."
    if writer.problem:
        line += f" It was not asked again: {escape(writer.problem)}."
    items = "".join(
        f"<li>{_sentence_links(draft.sentences)}: <q>{escape(draft.text)}</q> "
        f"<i>{escape(draft.why)}</i></li>"
        for draft in writer.refused
    )
    refused = f"<details><summary>{len(writer.refused)} refused</summary><ol>{items}</ol></details>"
    return f"<p>{line}</p>{refused if items else ''}"


def _sentence_links(indices: Iterable[int]) -> str:
    """Link sentences of the text by their numbers."""
    numbers = [f'<a href="#s{index + 1}">{index + 1}</a>' for index in indices]
    return f"sentence{'' if len(numbers) == 1 else 's'} {join_items(numbers)}"


def _chains(edition: Edition) -> str:
    """Render the chains, the most mentioned first."""
    mentions: dict[str, list[WrittenMention]] = {}
    for mention in edition.consolidation.mentions:
        mentions.setdefault(mention.chain, []).append(mention)
    numbered = sorted(
        enumerate(edition.consolidation.chains), key=lambda item: -len(item[1].references)
    )
    items = [
        _chain(edition, number, chain, mentions.get(chain.id, []))
        for number, chain in numbered
        if is_listed(chain)
    ]
    html = f"<ul>{''.join(items[:MAX_CHAINS])}</ul>"
    if rest := items[MAX_CHAINS:]:
        html += f"<details><summary>{len(rest)} more</summary><ul>{''.join(rest)}</ul></details>"
    return html


def _chain(edition: Edition, number: int, chain: WovenChain, mentions: list[WrittenMention]) -> str:
    text = edition.consolidation.text
    titles = dict.fromkeys(
        title
        for mention in mentions
        if chain.type or _has_same_noun(chain.name, text[mention.start : mention.end])
        for title in mention.titles
    )
    links = "".join(
        f'<a class="page" href="{escape(wikipedia_url(title))}" target="_blank" '
        f'rel="noopener noreferrer">Wikipedia: {escape(title)}</a> '
        for title in titles
    )
    witnesses = edition.ordered(reference.document for reference in chain.references)
    texts = {account.id: account.text for account in edition.consolidation.documents}
    noun = certain_type(chain, texts)
    label = f'<span class="type">{escape(noun)}</span> ' if noun else ""
    return (
        f'<li><button type="button" class="chain" data-chain="{number}" aria-pressed="false">'
        f'<span class="name">{escape(chain.name)}</span> '
        f'{label}<span class="held">{letters_html(witnesses)}</span></button>{links}</li>'
    )


def _has_same_noun(name: str, phrase: str) -> bool:
    """Check whether a phrase ends in the noun of a thing's name."""
    return name.lower().split()[-1:] == phrase.lower().split()[-1:]


def _aggregation(edition: Edition, aggregation: Aggregation) -> str:
    numbers = {chain.id: number for number, chain in enumerate(edition.consolidation.chains)}
    members = [
        f'<button type="button" class="member" data-chain="{numbers[member]}">'
        f"{escape(edition.consolidation.chains[numbers[member]].name)}</button>"
        for member in aggregation.chains
        if member in numbers
    ]
    phrase = f"<q>{escape(aggregation.phrase)}</q>"
    if aggregation.start is not None and aggregation.end is not None:
        first, after = words_within(edition, aggregation.start, aggregation.end)
        phrase = (
            f'<button type="button" class="phrase" data-word="{first}" data-after="{after}">'
            f"{phrase}</button>"
        )
    verb = "stands for" if aggregation.start is not None else "could stand for"
    return f"<li>{phrase} {verb} {join_items(members)}{_support(aggregation)}</li>"


def _support(aggregation: Aggregation) -> str:
    """Render the justification of a phrase, folded away."""
    if not aggregation.support:
        return ""
    lines = "".join(f"<li>{escape(line)}</li>" for line in aggregation.support)
    return f"<details><summary>why</summary><ul>{lines}</ul></details>"


def _section(name: str, heading: str, body: str) -> str:
    return (
        f'<section id="{name}" aria-labelledby="{name}-heading">'
        f'<h2 id="{name}-heading">{heading}</h2>{body}</section>\n'
    )


class Parallel(Struct, frozen=True):
    """Sentence of a source that is related to a verse."""

    witness: Witness
    number: int
    """Number in the source, from 1; 0 or less for a headline."""
    text: str
    """Text on one line, without control characters."""
    relation: Relation

    @property
    def closeness(self) -> int:
        """Rank of its relation to the verse; 0 is closest."""
        return get_args(Relation).index(self.relation)


def parallels(edition: Edition) -> list[tuple[Parallel, ...]]:
    """Return the source sentences related to each verse, in the order of the sources."""
    parallels_of: list[list[Parallel]] = [[] for _ in edition.verses]
    used: dict[tuple[str, int], set[int]] = {}
    differing = [
        (claim, number)
        for contradiction in edition.consolidation.contradictions
        for number in contradiction.sentences
        for claim in contradiction.claims
        if claim not in _stated_claims(contradiction, edition.verses[number])
    ]
    starts = {
        witness.account.id: [sentence.start for sentence in witness.account.sentences]
        for witness in edition.witnesses
    }
    for number, verse in enumerate(edition.verses):
        for source in (
            word_source for token in verse.sentence.tokens for word_source in token.sources
        ):
            index = bisect_right(starts[source.document], source.start) - 1
            used.setdefault((source.document, index), set()).add(number)
    for witness in edition.witnesses:
        sentences = zip(witness.account.numbers, witness.account.sentences, strict=True)
        for index, (label, sentence) in enumerate(sentences):
            text = printable(squeeze(witness.account.text[sentence.start : sentence.end]))
            relation_of_source: Relation = "same" if len(sentence.into) == 1 else "part"
            if sentence.fate in ("kept", "merged"):
                relation_of_source = "taken"
            contradicted = {
                number
                for claim, number in differing
                if claim.document == witness.account.id
                and sentence.start <= claim.start < sentence.end
            }
            drawn_by = used.get((witness.account.id, index), set())
            for number in sorted(drawn_by.union(sentence.into)):
                relation: Relation = relation_of_source if number in sentence.into else "lent"
                if relation in ("same", "part") and number in contradicted:
                    relation = "other"
                parallels_of[number].append(Parallel(witness, label, text, relation))
    return [tuple(related) for related in parallels_of]


def _stated_claims(conflict: Disagreement, verse: Verse) -> list[Claim]:
    """Return the claims that a verse states first, not those in brackets after them."""
    for token in verse.sentence.tokens:
        repeated = [
            claim.text.casefold()
            for claim in conflict.claims
            for source in token.sources
            if source.document == claim.document and claim.start <= source.start < claim.end
        ]
        if repeated:
            return [claim for claim in conflict.claims if claim.text.casefold() in repeated]
    return []
