"""Wordings of pairs by models that were not fine-tuned on them: what the ranker learns from."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path

from tatian.analysis.encoder import EncoderAnalyser
from tatian.text import Document, Span
from tatian.training.edit.base import Base, restore
from tatian.training.edit.corpora import Triple
from tatian.training.edit.export import furnish
from tatian.training.edit.rank import Contest
from tatian.training.edit.run import read_config
from tatian.union.metrics import ROUGE, rouge
from tatian.union.models import Passage
from tatian.union.models.edit.editor import Editor
from tatian.union.models.edit.ranking import features
from tatian.union.models.edit.writing import strand

Task = tuple[str, str, Triple]
"""A directory of weights, the pair's name, its sentences and its union."""


def collect_contests(
    base: Base, run: Path, weights: Path, unions: Sequence[Triple], workers: int = 1
) -> list[Contest]:
    """Let every fold's model word the pairs of its fold, as the runtime does it."""
    config = read_config(run)
    with tempfile.TemporaryDirectory() as scratch:
        places = [Path(scratch, f"fold-{fold}") for fold in range(config.folds)]
        for place in places:
            model = base.model(config.shape)
            restore(model, run / f"{place.name}.pt")
            furnish(model, weights, place)
        tasks = [
            (str(places[number % config.folds]), str(number), union)
            for number, union in enumerate(unions)
        ]
        if workers <= 1:
            found = [contest(task) for task in tasks]
        else:
            with get_context("spawn").Pool(workers) as pool:
                found = pool.map(contest, tasks, chunksize=4)
    return [one for one in found if one is not None]


def contest(task: Task) -> Contest | None:
    """The wordings of one pair; None where it is too long."""
    weights, name, (first, second, union) = task
    documents = [
        _analyser(weights).analyze(Document(f"{name}.{place}", text))
        for place, text in enumerate((first, second), start=1)
    ]
    passages = [Passage(document, Span(0, len(document.text))) for document in documents]
    one, two = (strand(passage) for passage in passages)
    entries = _editor(weights).entries(one, two)
    if entries is None:
        return None
    field, _ = entries
    scores = rouge([(union, text) for text in field.texts])
    rewards = [sum(score[name] for name in ROUGE) / len(ROUGE) for score in scores]
    return Contest(features(field).tolist(), rewards)


@lru_cache(maxsize=1)
def _analyser(weights: str) -> EncoderAnalyser:
    return EncoderAnalyser(threads=1, weights=weights)


@lru_cache(maxsize=8)
def _editor(weights: str) -> Editor:
    return Editor(weights)
