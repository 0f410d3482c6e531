"""The short way from two CoNLL files to their chains, without building documents."""

from __future__ import annotations

from collections.abc import Iterable

from tatian.coreference.data.brackets import Bracketed, read_brackets
from tatian.coreference.metrics.aligning import partners
from tatian.coreference.metrics.scores import Scores
from tatian.coreference.metrics.scoring import Pair, joined, score_pairs
from tatian.errors import InputError


def score_columns(
    key: str,
    response: str,
    *,
    metrics: Iterable[str] | None = None,
    singletons: bool = True,
    cross_document: bool = False,
    key_path: str | None = None,
    response_path: str | None = None,
) -> Scores:
    """As `score`, exact matching only, from the texts of two CoNLL files."""
    pairs = pairs_of_columns(key, response, key_path=key_path, response_path=response_path)
    options = {"match": "exact"}
    if cross_document:
        pairs, options = [joined(pairs)], {**options, "documents": "joined"}
    return score_pairs(pairs, metrics=metrics, singletons=singletons, options=options)


def pairs_of_columns(
    key: str, response: str, *, key_path: str | None = None, response_path: str | None = None
) -> list[Pair]:
    """The chains of two files' texts, as token numbers, documents paired as in `score`.

    Rows are counted, words are not compared, as in the reference scorer.
    """
    wanted, given = read_brackets(key, key_path), read_brackets(response, response_path)
    places = partners([one.id for one in wanted], [one.id for one in given])
    pairs = []
    for one, place in zip(wanted, places, strict=True):
        other = given[place]
        if one.tokens != other.tokens:
            raise InputError(_difference(one, other, key, response), path=response_path)
        chains, answers = list(one.chains.items()), list(other.chains.items())
        pairs.append(Pair(one.id, chains, answers, partner=other.id))
    return pairs


def _difference(key: Bracketed, response: Bracketed, ours: str, theirs: str) -> str:
    rows = zip(_rows(ours, key.line), _rows(theirs, response.line), strict=False)
    place = next(
        (
            f"the first row that differs is that of token {number}, line {response.line + offset}"
            for number, ((_, one), (offset, other)) in enumerate(rows)
            if one != other
        ),
        "the rows they share do not differ",
    )
    return f"document '{key.id}' has {response.tokens} tokens and {key.tokens} in the key: {place}"


def _rows(text: str, line: int) -> list[tuple[int, list[str]]]:
    """The rows of a document that begins at `line`, without their last columns."""
    rows = []
    for offset, row in enumerate(text.split("\n")[line:], 1):
        if row.startswith("#"):
            break
        if row.strip():
            rows.append((offset, row.split()[:-1]))
    return rows
