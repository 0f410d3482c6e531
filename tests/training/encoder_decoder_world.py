"""Tiny randomly initialised BART and T5 models, and two sets of entities to name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import transformers

from tatian.aggregation.data import Instance
from tatian.training.aggregation import Discriminative, Generative

SPECIALS = ["<s>", "<pad>", "</s>", "<unk>"]
WORDS = (
    "Rhine Danube Oslo Bergen , barges wait trams run : rivers cities european norwegian".split()
)
PHRASES = ("rivers", "cities", "european rivers", "norwegian cities")
KINDS = ("bart", "t5")


def instance(name: str, entities: tuple[str, ...], gold: tuple[str, ...], text: str) -> Instance:
    return Instance(name, entities, "location", context=text, aggregations=gold, candidates=PHRASES)


DATA = [
    instance("r", ("Rhine", "Danube"), ("rivers", "european rivers"), "barges wait"),
    instance("c", ("Oslo", "Bergen"), ("cities", "norwegian cities"), "trams run"),
]
JUDGE = Discriminative(lr=5e-3, batch=4, epochs=25, clip=1.0, device="cpu")
WRITE = Generative(lr=1e-2, epochs=25, clip=1.0, smoothing=0.0, device="cpu")


def tokenizer() -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    vocabulary = {word: id for id, word in enumerate([*SPECIALS, *WORDS])}
    fast = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    fast.pre_tokenizer = pre_tokenizers.Whitespace()
    fast.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    names = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=fast, model_max_length=32, **names)


def body(kind: str) -> Any:
    size = len(SPECIALS) + len(WORDS)
    ids = {"pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2}
    if kind == "t5":
        shape = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 1, "num_heads": 4}
        config = transformers.T5Config(vocab_size=size, dropout_rate=0.0, **shape, **ids)
        return transformers.T5ForConditionalGeneration(config)
    config = transformers.BartConfig(
        vocab_size=size,
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        dropout=0.0,
        init_std=0.2,
        max_position_embeddings=32,
        bos_token_id=0,
        forced_bos_token_id=0,
        forced_eos_token_id=2,
        **ids,
    )
    return transformers.BartForConditionalGeneration(config)


def saved(root: Path) -> dict[str, str]:
    """One untrained model of each kind, by kind its folder."""
    for kind in KINDS:
        torch.manual_seed(1)
        body(kind).save_pretrained(root / kind)
        tokenizer().save_pretrained(root / kind)
    return {kind: str(root / kind) for kind in KINDS}
