"""A world small enough to train an edit model in seconds: a few trees, unions, and weights."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tatian.analysis.pieces import WordPieces
from tatian.training.edit.data import EditData, ParsedSentence, ParsedUnion, UnionWords

if TYPE_CHECKING:
    from tatian.training.edit.run import EditConfig

SPECIALS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
NO_PIECES = WordPieces(SPECIALS)
"""Knows no word."""
LETTERS = tuple("abcdefghijklmnopqrstuvwxyz.,")


def tree(*lines: str) -> ParsedSentence:
    """A tree from lines of ``word TAG head relation``, heads counted from 1, 0 for the root."""
    rows = [line.split() for line in lines]
    return ParsedSentence(
        tuple(row[0] for row in rows),
        tuple(row[1] for row in rows),
        tuple(int(row[2]) - 1 for row in rows),
        tuple(row[3] for row in rows),
    )


def flat(text: str) -> ParsedSentence:
    """A tree with nothing in it that could be cut."""
    words = tuple(text.split())
    return ParsedSentence(
        words, ("X",) * len(words), (-1, *(0 for _ in words[1:])), ("dep",) * len(words)
    )


FERRY = tree(
    "The DET 3 det",
    "old ADJ 3 amod",
    "ferry NOUN 4 nsubj",
    "sank VERB 0 root",
    "slowly ADV 4 advmod",
    "in ADP 8 case",
    "thick ADJ 8 amod",
    "fog NOUN 4 obl",
    ", PUNCT 10 punct",
    "killing VERB 4 advcl",
    "two NUM 12 nummod",
    "sailors NOUN 10 obj",
    ". PUNCT 4 punct",
)
DEAL = tree(
    "A DET 2 det",
    "bank NOUN 3 nsubj",
    "bought VERB 0 root",
    "a DET 6 det",
    "small ADJ 6 amod",
    "firm NOUN 3 obj",
    "on ADP 8 case",
    "Monday PROPN 3 obl",
    "and CCONJ 11 cc",
    "it PRON 11 nsubj",
    "sold VERB 3 conj",
    "its PRON 13 nmod:poss",
    "shares NOUN 11 obj",
    "in ADP 15 case",
    "Paris PROPN 11 obl",
    ". PUNCT 3 punct",
)
TEXTS = (
    ("The ferry sank .", "A ferry sank in fog .", "The ferry sank in fog ."),
    (
        "A bank bought a firm .",
        "The bank bought it on Monday .",
        "A bank bought a firm on Monday .",
    ),
    ("Two sailors drowned .", "Sailors drowned in Paris .", "Two sailors drowned in Paris ."),
    ("The firm sold shares .", "It sold its old shares .", "The firm sold its old shares ."),
)
DATA = EditData(
    trees=[FERRY, DEAL],
    unions=[ParsedUnion(*(flat(text) for text in texts)) for texts in TEXTS],
    joined=[
        UnionWords(
            ("The", "ferry", "sank", "."),
            ("It", "was", "old", "."),
            ("The", "ferry", ",", "which", "was", "old", ",", "sank", "."),
        )
    ],
    synonyms={"ferry": ("ship",), "sank": ("capsized",)},
)


def config(**changes: Any) -> EditConfig:
    """Trains in a second."""
    from tatian.training.edit.model import EditShape
    from tatian.training.edit.run import EditConfig
    from tatian.training.edit.train import EditStage

    stage = EditStage(epochs=2, size=8, rate=5e-3, head_rate=5e-3)
    settings: dict[str, Any] = {
        "shape": EditShape(rank=2, width=32, inner=32, longest=48, dropout=0.0),
        "pretrain": stage,
        "finetune": stage,
        "synthetic": 12,
        "seeds": 2,
        "folds": 2,
        "attention_heads": 4,
    }
    return EditConfig(**{**settings, **changes})


def vocabulary() -> list[str]:
    """Every word of the data in one piece, and letters for all others."""
    words = {
        word.lower()
        for union in DATA.unions
        for told in (union.first, union.second, union.union, FERRY, DEAL)
        for word in told.words
        if word.isalpha() and len(word) > 1
    }
    return [*SPECIALS, *LETTERS, *(f"##{c}" for c in LETTERS), *sorted(words)]


def make_weights(folder: Path) -> tuple[Any, Path, Path]:
    """A start directory's contents, a run of the tokens body, and the weights exported from it."""
    import msgspec
    import torch

    from tatian.training.data import LabelledSentence, TreebankWord
    from tatian.training.examples import learn_labels
    from tatian.training.export import TrainedModels, export_weights
    from tatian.training.model import TINY, PairsModel, TokensModel, VectorsModel
    from tatian.training.pretrained import Start
    from tatian.training.tokens import head_sizes

    from .tiny import prepare_tiny

    shape = msgspec.structs.replace(TINY, positions=128, dropout=0.0)
    prepare_tiny(folder / "start", vocabulary(), shape)
    start = Start(folder / "start")
    learned = [
        LabelledSentence(
            str(number), one.words, tuple(_words(one, TreebankWord)), ("O",) * len(one.words)
        )
        for number, one in enumerate((FERRY, DEAL))
    ]
    labels = learn_labels(learned, width=shape.width, least=1)
    labels = msgspec.structs.replace(labels, positions=shape.positions)
    torch.manual_seed(0)
    options = {"hidden": 16, "arc": 16, "rank": 8, "ending_width": 4}
    tokens = TokensModel(shape, head_sizes(labels, options)).eval()
    with torch.no_grad():  # equal vectors would be stored once
        for parameter in tokens.parameters():
            if parameter.ndim == 1:
                parameter.add_(0.01 * torch.randn_like(parameter))
    run = folder / "tokens"
    run.mkdir()
    torch.save(tokens.state_dict(), run / "tokens.pt")
    (run / "labels.json").write_bytes(msgspec.json.encode(labels))
    others = (PairsModel(shape).eval(), VectorsModel(shape).eval())
    export_weights(start, TrainedModels(tokens, *others, labels), "licence", folder / "weights")
    return start, run, folder / "weights"


def _words(one: ParsedSentence, kind: Any) -> Any:
    for form, tag, head, relation in zip(
        one.words, one.tags, one.heads, one.relations, strict=True
    ):
        yield kind(form, form.lower(), tag, "X", "_", head + 1, relation)
