"""Training of the tokens body with all its heads, on treebanks and name corpora."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from msgspec import Struct, structs
from torch.nn import functional

from tatian.analysis.loading import Labels
from tatian.analysis.sentences import best_names
from tatian.errors import InputError
from tatian.pytorch.hub import autocast
from tatian.text.tokenizer import tokenize
from tatian.training.data import (
    LabelledSentence,
    has_free_licence,
    lines_of,
    read_config,
    read_names,
    read_treebank,
    with_names,
)
from tatian.training.evaluation import (
    Predict,
    evaluate_names,
    evaluate_trees,
    parse_outputs,
    token_outputs,
)
from tatian.training.examples import (
    CASINGS,
    IGNORE_INDEX,
    Batch,
    Scores,
    TokenEncoder,
    TokenExample,
    batches_by_length,
    learn_labels,
    token_batch,
)
from tatian.training.loop import Recipe, to_device, train_body
from tatian.training.model import HeadSizes, TokensModel, score_relations
from tatian.training.mpnet import MPNET, read_teacher
from tatian.training.names import with_entity_names, with_other_names
from tatian.training.pretrained import Start

Tensor = Any

_IMPOSSIBLE = -1e4
"""Score of an excluded option."""


def name_loss(scores: Tensor, transitions: Tensor, batch: Batch, labels: Sequence[str]) -> Tensor:
    """Return the negative log probability per word of label sequences that fit the annotation.

    Any label fits a word without one. If a source does not mark MISC, its ``O`` fits O and MISC.
    """
    scores, transitions = scores.float(), transitions.float()
    targets = batch["names"]
    present = batch["words"][:, :, 0] > 0
    allowed = allowed_labels(targets, batch["all_kinds"], labels)
    kept = scores.masked_fill(~allowed, _IMPOSSIBLE)
    both = torch.cat((kept, scores)), torch.cat((present, present))
    allowed_sum, total_sum = log_partition(*both, transitions).chunk(2)
    labelled = (targets != IGNORE_INDEX).any(1)
    words = (present & labelled[:, None]).sum().clamp(min=1)
    return ((total_sum - allowed_sum) * labelled).sum() / words


def allowed_labels(targets: Tensor, all_kinds: Tensor, labels: Sequence[str]) -> Tensor:
    """Return a mask of the labels that fit each word's annotation."""
    count = len(labels)
    allowed = torch.nn.functional.one_hot(targets.clamp(min=0), count).bool()
    open_labels = torch.tensor(
        [label == "O" or label.endswith("MISC") for label in labels], device=targets.device
    )
    is_open = (targets == labels.index("O")) & ~all_kinds[:, None]
    allowed = allowed | (is_open.unsqueeze(-1) & open_labels)
    return allowed | (targets == IGNORE_INDEX).unsqueeze(-1)


def log_partition(scores: Tensor, present: Tensor, transitions: Tensor) -> Tensor:
    """Return the log sum over all label sequences, in logarithmically many steps."""
    count = scores.shape[-1]
    steps = transitions + scores[:, 1:, None, :]
    identity = torch.full_like(transitions, _IMPOSSIBLE)
    identity.fill_diagonal_(0.0)
    steps = torch.where(present[:, 1:, None, None], steps, identity)
    while steps.shape[1] > 1:
        if steps.shape[1] % 2:
            steps = torch.cat((steps, identity.expand(len(steps), 1, count, count)), 1)
        left, right = steps[:, ::2], steps[:, 1::2]
        steps = torch.logsumexp(left.unsqueeze(-1) + right.unsqueeze(-3), dim=-2)
    first = scores[:, 0]
    if steps.shape[1]:
        first = torch.logsumexp(first.unsqueeze(-1) + steps[:, 0], dim=1)
    return torch.logsumexp(first, dim=-1)


class TokensConfig(Struct, frozen=True, kw_only=True):
    """Configuration of a training run of the tokens body."""

    recipe: Recipe
    attention_heads: int = 12
    casing_noise: float = 0.15
    """Share of sentences written in lower case, capitals or title case."""
    masked_words: float = 0.05
    """Share of words that are masked in the input."""
    name_weight: float = 1.0
    swapped_names: float = 0.5
    """Probability that a sentence is copied with other names of the same kinds."""
    head_options: dict[str, int] = {}
    teacher: Recipe = Recipe(
        epochs=6, lr=1e-4, head_lr=1e-3, layer_decay=0.9, budget=3072, average=0.998, every=6
    )
    """Recipe of the larger encoder that labels further sentences."""


class TokenData(Struct, frozen=True):
    """Training and development data of a run."""

    train: list[LabelledSentence]
    trees: list[LabelledSentence]
    """Development trees."""
    names: dict[str, list[LabelledSentence]]
    """Development names by corpus."""


def load_token_data(root: Path, config: TokensConfig) -> TokenData:
    """Load the corpora in a data directory."""
    ewt = with_names(
        read_treebank(root / "syntax/en_ewt-train.conllu.gz"),
        read_names(root / "names/uner-ewt-train.iob2.gz"),
    )
    gum = [
        with_entity_names(structs.replace(sentence, style=1))
        for sentence in read_treebank(root / "coreference/gum-train.conllu.gz")
        if has_free_licence(sentence.id) and _is_text(sentence)
    ]
    wnut = read_names(root / "names/wnut17-train.conll.gz", all_kinds=False)
    wikigold = read_names(root / "names/wikigold.conll.gz")
    original = [*ewt, *gum, *wnut, *wikigold]
    generator = np.random.default_rng(config.recipe.seed)
    swapped = with_other_names(original, config.swapped_names, generator)
    return TokenData(
        train=[*original, *swapped],
        trees=read_treebank(root / "syntax/en_ewt-dev.conllu.gz"),
        names={
            "uner": read_names(root / "names/uner-ewt-dev.iob2.gz"),
            "wnut": read_names(root / "names/wnut17-dev.conll.gz", all_kinds=False),
            "wikigold": wikigold,
        },
    )


def _is_text(sentence: LabelledSentence) -> bool:
    """Return whether the text is complete, since some of GUM is blanked out for copyright."""
    blank = sum(set(form) == {"_"} for form in sentence.forms)
    return 2 * blank < len(sentence.forms)


def head_sizes(labels: Labels, options: dict[str, int]) -> HeadSizes:
    """Return the head sizes for the label inventories."""
    fields = ("upos", "xpos", "features", "scripts", "names", "relations", "shapes", "endings")
    return HeadSizes(**{name: len(getattr(labels, name)) for name in fields}, **options)


def train_tokens(
    config: TokensConfig,
    start: Start,
    data: TokenData,
    directory: Path,
    *,
    teacher: Path | None = None,
    unlabelled: Sequence[str] = (),
) -> Scores:
    """Train the tokens body, and write ``tokens.pt`` and its labels to `directory`.

    A `teacher`, which is a checkpoint of MPNet, is trained first and labels the other sentences.
    """
    directory.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(config.recipe.seed)
    shape = start.shape(heads=config.attention_heads)
    labels = structs.replace(learn_labels(data.train, width=shape.width), positions=shape.positions)
    (directory / "labels.json").write_bytes(msgspec.json.encode(labels))
    (directory / "heads.json").write_bytes(msgspec.json.encode(config.head_options))
    encoder = TokenEncoder(start.pieces, labels)
    sizes = head_sizes(labels, config.head_options)
    if teacher:
        body, table = read_teacher(teacher, start.pieces)
        teacher_model = TokensModel(MPNET, sizes, body)
        recipe = structs.replace(config.teacher, device=config.recipe.device)
        table = table.to(recipe.device)
        _train(config, recipe, teacher_model, table, data, encoder, directory / "teacher")
        labelled = label_sentences(unlabelled, teacher_model, table, recipe, encoder)
        data = structs.replace(data, train=[*data.train, *labelled])
    model = TokensModel(shape, sizes)
    model.body.load_state_dict(start.body_weights())
    table = start.table.to(config.recipe.device)
    scores = _train(config, config.recipe, model, table, data, encoder, directory)
    torch.save(model.state_dict(), directory / "tokens.pt")
    return scores


def _train(
    config: TokensConfig,
    recipe: Recipe,
    model: TokensModel,
    table: Tensor,
    data: TokenData,
    encoder: TokenEncoder,
    directory: Path,
) -> Scores:
    """Train a body of either size with all heads."""
    labels, pieces = encoder.labels, encoder.pieces
    examples = [encoder.encode(s) for s in data.train if encoder.fits(s)]
    judge = TokenJudge(data, encoder)
    lengths = [len(e.rows) for e in examples]
    mask_row = pieces.rows.get("[MASK]", pieces.unknown)

    def batches(generator: np.random.Generator) -> Iterator[Batch]:
        for batch in batches_by_length(lengths, recipe.budget, generator):
            chosen = [examples[i] for i in batch]
            casings = _casings(len(batch), config.casing_noise, generator)
            arrays = token_batch(chosen, casings)
            _mask_words(arrays, chosen, config.masked_words, mask_row, generator)
            yield arrays

    return train_body(
        model,
        recipe,
        directory,
        batches=batches,
        loss=lambda m, b: token_loss(m, b, table, labels, config.name_weight),
        evaluate=lambda m: judge(predictor(m, table, recipe), m.relations, m.transitions),
        steps=len(batches_by_length(lengths, recipe.budget)),
    )


def label_sentences(
    sentences: Sequence[str], model: Any, table: Tensor, recipe: Recipe, encoder: TokenEncoder
) -> list[LabelledSentence]:
    """Return sentences with the trees and names that a trained model predicts."""
    tokenized = (LabelledSentence("", tuple(t.text for t in tokenize(text))) for text in sentences)
    plain = [sentence for sentence in tokenized if sentence.forms and encoder.fits(sentence)]
    labels = encoder.labels
    relations, transitions = (
        weights.detach().float().cpu().numpy() for weights in (model.relations, model.transitions)
    )
    steps = tuple(tuple(row) for row in transitions.tolist())
    model.eval()
    examples = [encoder.encode(sentence) for sentence in plain]
    return [
        structs.replace(
            plain[index],
            words=tuple(parse_outputs(plain[index].forms, out, relations, labels)),
            names=tuple(labels.names[i] for i in best_names(out["names"], labels.names, steps)),
        )
        for index, out in token_outputs(predictor(model, table, recipe), examples)
    ]


def _casings(size: int, share: float, generator: np.random.Generator) -> list[int]:
    noisy = generator.random(size) < share
    kinds = generator.integers(1, len(CASINGS), size)
    return [int(kind) if noise else 0 for kind, noise in zip(kinds, noisy, strict=True)]


def _mask_words(
    batch: Batch,
    examples: Sequence[TokenExample],
    share: float,
    mask_row: int,
    generator: np.random.Generator,
) -> None:
    for i, example in enumerate(examples):
        for first, last in example.words[generator.random(len(example.words)) < share]:
            batch["rows"][i, first : last + 1] = mask_row


INPUTS = {
    "tokens": ("mask", "shapes", "words", "endings"),
    "pairs": ("mask", "segments"),
    "vectors": ("mask",),
}
"""Inputs of each body besides embeddings."""


def predictor(model: Any, table: Tensor, recipe: Recipe, kind: str = "tokens") -> Predict:
    """Return the prediction function of a model, for evaluation."""

    def predict(batch: Batch) -> dict[str, Any]:
        tensors = to_device(batch, recipe.device)
        embeddings = table[tensors["rows"]] * tensors["mask"].unsqueeze(-1)
        with torch.no_grad(), autocast(recipe.device, recipe.half):
            outputs = model(embeddings, **{name: tensors[name] for name in INPUTS[kind]})
        return {name: value.float().cpu().numpy() for name, value in outputs.items()}

    return predict


def token_loss(
    model: Any, batch: Batch, table: Tensor, labels: Labels, name_weight: float
) -> Tensor:
    """Return the sum of all heads' losses, each averaged over the words with a target."""
    out = model(
        table[batch["rows"]], **{name: batch[name] for name in (*INPUTS["tokens"], "styles")}
    )
    total = sum(
        _cross_entropy(out[name], batch[name]) for name in ("upos", "xpos", "features", "scripts")
    )
    heads, nodes = batch["heads"], out["heads"]
    present = functional.pad(batch["words"][:, :, 0] > 0, (1, 0), value=True)
    arcs = out["arcs"].float().masked_fill(~present[:, None, :], _IMPOSSIBLE)
    total = total + _cross_entropy(arcs, heads)
    at = functional.one_hot(heads.clamp(min=0), nodes.shape[1]).to(nodes.dtype)
    relations = score_relations(model.relations, out["dependents"], at @ nodes)
    total = total + _cross_entropy(relations, batch["relations"])
    return total + name_weight * name_loss(out["names"], model.transitions, batch, labels.names)


def _cross_entropy(scores: Tensor, targets: Tensor) -> Tensor:
    flat = functional.cross_entropy(
        scores.float().flatten(0, 1), targets.flatten(), ignore_index=IGNORE_INDEX, reduction="sum"
    )
    return flat / (targets != IGNORE_INDEX).sum().clamp(min=1)


class TokenJudge:
    """Scorer of a model on all development data."""

    def __init__(self, data: TokenData, encoder: TokenEncoder) -> None:
        self.labels = encoder.labels
        self.trees = [s for s in data.trees if encoder.fits(s)]
        self.tree_examples = [encoder.encode(s) for s in self.trees]
        self.names = {
            corpus: [(s, encoder.encode(s)) for s in sentences if encoder.fits(s)]
            for corpus, sentences in data.names.items()
        }

    def __call__(self, predict: Predict, relations: Tensor, transitions: Tensor) -> Scores:
        weights, steps = (w.detach().float().cpu().numpy() for w in (relations, transitions))
        scores = evaluate_trees(predict, weights, self.trees, self.tree_examples, self.labels)
        for corpus, pairs in self.names.items():
            sentences, examples = [s for s, _ in pairs], [e for _, e in pairs]
            name_scores = evaluate_names(predict, sentences, examples, self.labels, steps)
            scores[f"names_{corpus}"] = name_scores["f1"]
        return scores


def run_tokens(options: Any) -> None:
    """Run the step ``tokens``."""
    if options.unlabelled and not options.teacher:
        raise InputError("--unlabelled needs the --teacher that labels them")
    config = read_config(options.config, TokensConfig)
    data = load_token_data(options.data, config)
    if options.limit:
        step = max(1, len(data.train) // options.limit)
        data = structs.replace(
            data,
            train=data.train[::step],
            trees=data.trees[:20],
            names={corpus: dev[:20] for corpus, dev in data.names.items()},
        )
    texts = list(lines_of(options.unlabelled))[: options.limit] if options.unlabelled else ()
    start = Start(options.start)
    train_tokens(config, start, data, options.out, teacher=options.teacher, unlabelled=texts)
