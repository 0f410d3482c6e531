"""Small bundles of accounts, and what consolidation first makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike

from tatian.consolidation.draft import Draft, Told

import tatian
from tatian.consolidation.result import Consolidation
from tatian.consolidation.units import Unit, Weights, flatten, name_concepts, units_of
from tatian.pipeline import Pipeline
from tatian.progress import Progress, silent
from tatian.text import Document, Metadata
from tatian.union.models import Merged, Outcome, Passage
from tatian.union.models.copying import copy_tokens

PIPELINE = Pipeline(
    analyser="rules",
    detector="names",
    resolver="match",
    aggregator="heads",
    merger="longer-or-both",
)


def consolidate(
    accounts: Sequence[str | PathLike[str] | Document],
    *,
    pipeline: Pipeline = PIPELINE,
    progress: Progress = silent,
) -> Consolidation:
    """Consolidate by rules, whatever models are the default."""
    return tatian.consolidate(accounts, pipeline=pipeline, progress=progress)


def account(id_: str, text: str, day: str | None = None, **metadata: str) -> Document:
    """An account as somebody gives it."""
    return Document(id_, text, Metadata(date=day, **metadata))


def bundle(*texts: str, days: Sequence[str | None] = ()) -> list[Document]:
    """Accounts a, b, c with these texts, and perhaps their days."""
    given = [*days, *[None] * (len(texts) - len(days))]
    return [
        account(chr(97 + number), text, day)
        for number, (text, day) in enumerate(zip(texts, given, strict=True))
    ]


def processed(*texts: str, days: Sequence[str | None] = ()) -> list[Document]:
    """The same with every layer filled."""
    return [PIPELINE.process(document) for document in bundle(*texts, days=days)]


def units(documents: Sequence[Document]) -> list[list[Unit]]:
    """The sentences of each account."""
    return [units_of(number, document) for number, document in enumerate(documents)]


def weights(documents: Sequence[Document]) -> Weights:
    """How much each word of a bundle tells."""
    return Weights(flatten(units(documents)), name_concepts(documents))


def copied(documents: Sequence[Document]) -> Draft:
    """A draft that tells every sentence but the headlines, account by account."""
    accounts = units(documents)
    draft = Draft(documents, accounts)
    told: list[list[Told]] = []
    for unit in flatten(accounts):
        if not unit.headline:
            tokens = copy_tokens(Passage(documents[unit.account], unit.body))
            told.append(draft.add([unit], Merged((tokens,), (Outcome("kept", "alone", (0,)),))))
    draft.arrange(told)
    return draft


def sentences(result: Consolidation) -> list[str]:
    """The sentences of a consolidated text."""
    return [result.text[one.start : one.end] for one in result.sentences]


def fates(result: Consolidation) -> dict[str, str]:
    """What became of each source sentence."""
    return {
        one.text[sentence.start : sentence.end]: sentence.fate
        for one in result.documents
        for sentence in one.sentences
    }
