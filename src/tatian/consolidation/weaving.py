"""Read, split, group, merge, order, write."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from msgspec.structs import replace

from tatian.consolidation.aggregations import named_sets
from tatian.consolidation.days import settle_days
from tatian.consolidation.draft import Draft, Told
from tatian.consolidation.grouping import Pair, group, set_copies_apart
from tatian.consolidation.meaning import Meaning
from tatian.consolidation.naming import name_lists
from tatian.consolidation.ordering import order
from tatian.consolidation.plurals import merge_together
from tatian.consolidation.redundancy import drop_repeated, settle_headlines
from tatian.consolidation.references import name_strangers
from tatian.consolidation.result import Consolidation
from tatian.consolidation.together import Together
from tatian.consolidation.units import Unit, Weights, flatten, name_concepts, units_of
from tatian.consolidation.writing import write
from tatian.corpora import read
from tatian.errors import EmptyInput, TatianError
from tatian.pipeline import CrossChain, Pipeline, link_chains
from tatian.progress import Progress, silent
from tatian.text import LINKS, Document
from tatian.text.dates import publication_days
from tatian.text.language import require_english
from tatian.union.candidates import Proposer
from tatian.union.disagreement import find_contradictions
from tatian.union.models import Contradiction, Merged, Outcome, Passage
from tatian.union.models.apart import Apart
from tatian.union.models.copying import copy_tokens

_CLOSE = 0.5
"""Similarity from which sentences that could not be merged still stand side by side."""


def consolidate(
    accounts: Sequence[str | PathLike[str] | Document],
    *,
    pipeline: Pipeline | None = None,
    fast: bool = False,
    progress: Progress = silent,
) -> Consolidation:
    """Weave several accounts of one story into one text that knows where each word came from.

    `accounts` are paths (files, directories, HTML pages, JSONL; see `tatian.read`) or documents;
    layers that a document brings along are kept. `fast` does without the encoder: shared words
    alone decide what belongs together. Raises `InputError` for what cannot be used.
    """
    pipeline = pipeline or (Pipeline.fast() if fast else Pipeline())
    documents = _documents(accounts)
    processed = []
    for number, document in enumerate(documents):
        progress("reading accounts", number, len(documents))
        require_english(document)
        processed.append(pipeline.process(document))
    progress("reading accounts", len(documents), len(documents))

    units = [units_of(number, document) for number, document in enumerate(processed)]
    bodies = [[unit for unit in account if not unit.headline] for account in units]
    originals, copies = set_copies_apart(bodies, processed)
    contradictions = find_contradictions(
        [Passage(processed[unit.account], unit.body) for unit in flatten(originals)]
    )
    weights = Weights(flatten(originals), name_concepts(processed))
    disputed = _disputed(contradictions, originals, processed)
    bodies_of = [] if fast else flatten(originals)
    meaning = Meaning({u.key: u.body.of(processed[u.account].text) for u in bodies_of})
    groups = group(
        originals, weights, meaning=meaning, copies=copies, disputed=disputed, progress=progress
    )
    chains = link_chains(processed)
    together = _together(processed, chains, pipeline)
    draft = Draft(processed, units, contradictions)
    blocks: list[list[Told]] = []
    for number, members in enumerate(groups):
        progress("merging", number, len(groups))
        written = draft.add(members, _merged(members, processed, pipeline, together))
        blocks += _blocks(written, weights, disputed)
    progress("merging", len(groups), len(groups))
    carried = [[unit for told in block for unit in told.units] for block in blocks]
    days = publication_days(processed)
    draft.arrange([blocks[index] for index in order(carried, bodies, days)])

    drop_repeated(draft, weights, judge=not fast)
    settle_headlines(draft)
    name_strangers(draft, chains)
    name_lists(draft, together, chains, named_sets(processed, chains))
    settle_days(draft, days)
    return write(draft, chains, together)


def _together(
    documents: Sequence[Document], chains: Sequence[CrossChain], pipeline: Pipeline
) -> dict[str, Together]:
    """What each account speaks of together, by its id; facts help where anything is linked."""
    across = {
        (document, member.id): chain for chain in chains for document, member in chain.members
    }
    base = pipeline.base if any(document.get(LINKS) for document in documents) else None
    return {document.id: Together(document, across, base) for document in documents}


def _documents(accounts: Sequence[str | PathLike[str] | Document]) -> list[Document]:
    found: list[Document] = []
    for account in accounts:
        found.extend([account] if isinstance(account, Document) else read([account]))
    if not found:
        raise EmptyInput("no accounts given: name at least one file, or two to weave together")
    used: set[str] = set()
    unique = []
    for document in found:
        name, number = document.id, 2
        while name in used:
            name, number = f"{document.id}-{number}", number + 1
        used.add(name)
        unique.append(document if name == document.id else replace(document, id=name))
    return unique


def _disputed(
    contradictions: Sequence[Contradiction],
    accounts: Sequence[Sequence[Unit]],
    documents: Sequence[Document],
) -> frozenset[Pair]:
    """The pairs of sentences behind the contradictions."""
    number = {document.id: index for index, document in enumerate(documents)}
    pairs = set()
    for contradiction in contradictions:
        keys = sorted(
            unit.key
            for claim in contradiction.claims
            for unit in accounts[number[claim.document]]
            if unit.body.start <= claim.start < unit.body.end
        )
        pairs.add((keys[0], keys[-1]))
    return frozenset(pairs)


def _blocks(
    written: Sequence[Told], weights: Weights, disputed: frozenset[Pair]
) -> list[list[Told]]:
    """What of a group is told together; a sentence that shares little keeps its own company."""
    if not written:
        return []
    together = [written[0]]
    apart = []
    base = written[0].units[0]
    for told in written[1:]:
        unit = told.units[0]
        rivals = any(
            (min(other.key, unit.key), max(other.key, unit.key)) in disputed
            for before in together
            for other in before.units
        )
        close = weights.similarity(base, unit) >= _CLOSE
        if rivals or close:
            together.append(told)
        else:
            apart.append([told])
    return [together, *apart]


def _merged(
    members: Sequence[Unit],
    documents: Sequence[Document],
    pipeline: Pipeline,
    together: dict[str, Together],
) -> Merged:
    passages = [Passage(documents[unit.account], unit.body) for unit in members]
    if len(passages) > 1:
        merger = pipeline.merger
        several = Apart(merger) if isinstance(merger, Proposer) else merger
        return merge_together(
            passages, together, lambda given: _checked(several.merge(given), len(given))
        )
    alone = Outcome("kept", "no other account reports this", (0,))
    return Merged((copy_tokens(passages[0]),), (alone,))


def _checked(merged: Merged, passages: int) -> Merged:
    """What a merger made, if it accounts for every passage."""
    if len(merged.outcomes) != passages:
        raise TatianError(
            f"the merger gave {len(merged.outcomes)} outcomes for {passages} passages: "
            "there must be one for each"
        )
    for index in (index for outcome in merged.outcomes for index in outcome.into):
        if not 0 <= index < len(merged.sentences):
            raise TatianError(
                f"the merger wrote {len(merged.sentences)} sentences, but an outcome names "
                f"sentence {index}: `into` holds indices of its sentences"
            )
    return merged
