"""Small analyses written by hand for the trained resolver."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.coreference.words import Analysis


def analysis(
    words: str,
    *,
    tags: Sequence[str] | None = None,
    heads: Sequence[int] | None = None,
    relations: Sequence[str] | None = None,
    numbers: Sequence[str] | None = None,
    sentences: Sequence[tuple[int, int]] | None = None,
    names: Sequence[tuple[int, int, str]] = (),
) -> Analysis:
    """Words with what is said of them; by default nouns of one sentence without a tree."""
    tokens = words.split(" ")
    count = len(tokens)
    return Analysis(
        tokens,
        tags or ["NOUN"] * count,
        tokens,
        numbers or [""] * count,
        [-1] * count if heads is None else heads,
        relations or ["dep"] * count,
        [(0, count)] if sentences is None else sentences,
        names,
    )


def sample(text: str, **more: Sequence[tuple[int, int, str]]) -> Analysis:
    """Words written as ``form/TAG/relation/head``, the head by its place from 0."""
    rows = [word.rsplit("/", 3) for word in text.split(" ")]
    return analysis(
        " ".join(row[0] for row in rows),
        tags=[row[1] for row in rows],
        relations=[row[2] for row in rows],
        heads=[int(row[3]) for row in rows],
        **more,
    )


CAPTAIN = analysis(
    "Jonas Verrick , the ferry captain , sold He sold it",
    tags="PROPN PROPN PUNCT DET NOUN NOUN PUNCT VERB PRON VERB PRON".split(),
    heads=[7, 0, 5, 5, 5, 0, 5, -1, 9, -1, 9],
    relations="nsubj flat punct det compound appos punct root nsubj root obj".split(),
    sentences=[(0, 8), (8, 11)],
    names=[(0, 2, "PER")],
)
"""Jonas Verrick, the ferry captain, sold. He sold it."""
COOKS = analysis(
    "Cook and guest slept",
    tags="NOUN CCONJ NOUN VERB".split(),
    heads=[3, 2, 0, -1],
    relations="nsubj cc conj root".split(),
    numbers=["Sing", "", "Sing", ""],
)
