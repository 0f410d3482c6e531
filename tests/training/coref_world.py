"""A few analysed documents with chains, enough to train a resolver in seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tatian.coreference.words import Analysis
from tatian.training.coref.data import CorefData, CorefDocument, Question

if TYPE_CHECKING:
    from tatian.training.coref.train import CorefConfig


def analysis(*sentences: str, names: tuple[tuple[int, int, str], ...] = ()) -> Analysis:
    """Words from ``word/TAG/head/relation``, heads counted from 1 in a sentence, 0 the root."""
    rows, spans = [], []
    for sentence in sentences:
        first = len(rows)
        for word in sentence.split():
            text, tag, head, relation = word.split("/")
            rows.append((text, tag, first + int(head) - 1 if int(head) else -1, relation))
        spans.append((first, len(rows)))
    return Analysis(
        tokens=[row[0] for row in rows],
        tags=[row[1] for row in rows],
        lemmas=[row[0].lower() for row in rows],
        numbers=["Sing" if row[1] in ("NOUN", "PROPN") else "" for row in rows],
        heads=[row[2] for row in rows],
        relations=[row[3] for row in rows],
        sentences=spans,
        names=list(names),
    )


FERRY = analysis(
    "The/DET/3/det old/ADJ/3/amod ferry/NOUN/4/nsubj sank/VERB/0/root",
    "It/PRON/2/nsubj drowned/VERB/0/root two/NUM/4/nummod sailors/NOUN/2/obj ./PUNCT/2/punct",
    "Sailors/NOUN/2/nsubj bought/VERB/0/root the/DET/4/det ferry/NOUN/2/obj in/ADP/6/case "
    "Paris/PROPN/2/obl",
    names=((14, 15, "LOC"),),
)
BANK = analysis(
    "A/DET/2/det bank/NOUN/3/nsubj bought/VERB/0/root a/DET/6/det small/ADJ/6/amod firm/NOUN/3/obj",
    "Anna/PROPN/2/nsubj sold/VERB/0/root its/PRON/4/nmod:poss shares/NOUN/2/obj",
    "She/PRON/2/nsubj sank/VERB/0/root it/PRON/2/obj",
    names=((6, 7, "PER"),),
)
SHIP = [[(0, 3), (4, 5), (11, 13)], [(14, 15)]]
DEAL = [[(3, 6), (12, 13)], [(6, 7), (10, 11)]]
"""No more mentions than there may be candidates in so few words."""
ASKED = Question(10, ((6, 7), (1, 2)), (True, False))


DATA = CorefData(
    [
        CorefDocument("ferry", "gum", "train", FERRY, {"gum": SHIP, "ontonotes": SHIP[:1]}),
        CorefDocument("ferry", "gum", "dev", FERRY, {"gum": SHIP, "ontonotes": SHIP[:1]}),
        CorefDocument("bank", "litbank", "train", BANK, {"litbank": DEAL, "ontonotes": DEAL}),
        CorefDocument("bank", "litbank", "dev", BANK, {"litbank": DEAL}),
        CorefDocument("anna", "gap", "train", BANK, question=ASKED),
        CorefDocument("anna", "gap", "dev", BANK, question=ASKED),
        CorefDocument("report", "ecbplus", "train", BANK, {"ecb": [[(3, 6)]]}),
    ]
)
"""What is kept out is what is trained on, so that learning shows."""


def config(**changes: Any) -> CorefConfig:
    """Trains in a second."""
    from tatian.training.coref.model import CorefShape
    from tatian.training.coref.train import CorefConfig

    shape = CorefShape(
        rank=2, width=32, hidden=24, factors=8, narrow=8, edge=8, feature=4, dropout=0.0
    )
    settings: dict[str, Any] = {
        "shape": shape,
        "epochs": 2,
        "rate": 2e-3,
        "head_rate": 1e-2,
        "warmup": 4,
        "average": 0.5,
        "attention_heads": 4,
    }
    return CorefConfig(**{**settings, **changes})
