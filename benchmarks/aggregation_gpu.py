"""Time of fine-tuning an encoder-decoder of BART-large's size on the aggregation task, on a GPU.

TESA, Appendices D.3 and D.4: six epochs took 5 hours for the discriminative model (one sample for
each of 20,592 candidates) and 1 hour for the generative one, on a V100 with half precision. Here a
part of an epoch is timed and the rest extrapolated. Weights are random and texts are random ids:
neither changes the time. cuDNN's attention, which compiles a plan for every new shape, is off, as
in our training. Each way of training is timed beside a plain one (single precision, batches as they
come, attention written out), so that the ratio is of one run on one machine.

Needs PyTorch and transformers only:

    python benchmarks/aggregation_gpu.py
    python benchmarks/aggregation_gpu.py --batch 8 --batch 32 --batch 64
    python benchmarks/aggregation_gpu.py --batch 8 --batch 32 --compile
    python benchmarks/aggregation_gpu.py --tiny          # a dry run on a CPU
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
import transformers

PAPER_CANDIDATES = 20_592
PAPER_TARGETS = 2_700
"""Size of the training data, rounded: half of the 5,397 aggregations."""
PAPER_EPOCHS = 6
PAPER_HOURS = {"discriminative": 5.0, "generative": 1.0}
TARGET_MINUTES = 15.0
LARGE = {
    "vocab_size": 50265,
    "d_model": 1024,
    "encoder_layers": 12,
    "decoder_layers": 12,
    "encoder_attention_heads": 16,
    "decoder_attention_heads": 16,
    "encoder_ffn_dim": 4096,
    "decoder_ffn_dim": 4096,
    "max_position_embeddings": 1024,
    "activation_function": "gelu",
    "dropout": 0.1,
    "attention_dropout": 0.1,
    "activation_dropout": 0.0,
    "bos_token_id": 0,
    "pad_token_id": 1,
    "eos_token_id": 2,
    "decoder_start_token_id": 2,
}
"""Published configuration of facebook/bart-large, with the papers' dropout."""
TINY = {
    **LARGE,
    "vocab_size": 300,
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
}
PAD, END = 1, 2
SMOOTHING = 0.1
Batch = dict[str, Any]


@dataclass(frozen=True)
class Way:
    """Configuration of a training run."""

    name: str
    task: str
    """``discriminative`` or ``generative``."""
    batch: int = 8
    tokens: int = 0
    """Most tokens of a batch with padding; 0 for no limit (``max-tokens`` of the papers)."""
    whole: bool = False
    """True to put text and candidate in both encoder and decoder, as fairseq classifies."""
    half: bool = True
    bucketed: bool = True
    attention: str = "sdpa"
    compiled: bool = False


@dataclass(frozen=True)
class Timed:
    """Measurements of a part of the training."""

    samples: int
    seconds: float
    warm_up: float
    padding: float
    """Share of the encoder's input that is padding."""
    peak_gb: float

    @property
    def rate(self) -> float:
        """Samples per second."""
        return self.samples / self.seconds


class Model(torch.nn.Module):
    """The encoder-decoder with a classifier on the last state of its decoder."""

    def __init__(self, config: dict[str, Any], way: Way) -> None:
        super().__init__()
        shape = transformers.BartConfig(**config, attn_implementation=way.attention)
        self.body = transformers.BartForConditionalGeneration(shape)
        width = shape.d_model
        self.head = torch.nn.Sequential(
            torch.nn.Linear(width, width), torch.nn.Tanh(), torch.nn.Linear(width, 2)
        )
        if way.compiled:
            for layer in (*self.body.model.encoder.layers, *self.body.model.decoder.layers):
                layer.compile(dynamic=True)

    def forward(self, fed: Batch, task: str) -> torch.Tensor:
        """Return the loss of a batch."""
        parts = {key: fed[key] for key in ("input_ids", "attention_mask", "decoder_input_ids")}
        if task == "generative":
            logits = self.body(**parts, use_cache=False).logits
            return torch.nn.functional.cross_entropy(
                logits.flatten(0, 1).float(), fed["labels"].flatten(), label_smoothing=SMOOTHING
            )
        states = self.body.model(
            **parts, decoder_attention_mask=fed["decoder_attention_mask"], use_cache=False
        ).last_hidden_state
        last = states[torch.arange(len(states), device=states.device), fed["last"]]
        return torch.nn.functional.cross_entropy(self.head(last).float(), fed["right"])


def draw_lengths(options: argparse.Namespace, samples: int) -> np.ndarray:
    """Draw input lengths: log-normal with the given mean and deviation."""
    ratio = 1 + (options.deviation / options.mean) ** 2
    mu, sigma = np.log(options.mean / np.sqrt(ratio)), np.sqrt(np.log(ratio))
    drawn = np.random.default_rng(options.seed).lognormal(mu, sigma, samples)
    return np.clip(drawn, 16, 1000).astype(int)


def plan_batches(way: Way, sizes: np.ndarray, seed: int) -> list[list[int]]:
    """Return an epoch's batches in random order; bucketed ones hold samples of similar length."""
    lots = np.random.default_rng(seed)
    order = lots.permutation(len(sizes))
    if way.bucketed:
        pool = 50 * way.batch
        pools = [order[begin : begin + pool] for begin in range(0, len(order), pool)]
        order = np.concatenate([pool[np.argsort(sizes[pool], kind="stable")] for pool in pools])
    batches: list[list[int]] = [[]]
    for index in map(int, order):
        widest = max(int(sizes[index_in_batch]) for index_in_batch in (*batches[-1], index))
        full = len(batches[-1]) == way.batch
        if batches[-1] and (full or (way.tokens and widest * (len(batches[-1]) + 1) > way.tokens)):
            batches.append([])
        batches[-1].append(index)
    return [batches[int(index)] for index in lots.permutation(len(batches))]


def make_batch(way: Way, sizes: Sequence[int], words: int, lots: np.random.Generator) -> Batch:
    """Return random ids of the given lengths, padded to a multiple of eight."""
    targets = lots.integers(3, 9, len(sizes))
    decoded = [s + t for s, t in zip(sizes, targets, strict=True)] if way.whole else list(targets)
    encoded = decoded if way.whole else list(sizes)
    ids, mask = random_ids(encoded, words, lots)
    inputs, decoder_mask = random_ids(decoded, words, lots)
    batch = {"input_ids": ids, "attention_mask": mask, "decoder_input_ids": inputs}
    if way.task == "generative":
        labels = torch.roll(inputs, -1, 1)
        labels[:, -1] = PAD
        return {**batch, "labels": labels.masked_fill(labels == PAD, -100)}
    batch["decoder_attention_mask"] = decoder_mask
    batch["last"] = torch.tensor(decoded) - 1
    batch["right"] = torch.tensor(lots.integers(0, 2, len(sizes)))
    return batch


def random_ids(sizes: Sequence[int], words: int, lots: np.random.Generator) -> tuple[Any, Any]:
    """Return random ids and their mask."""
    width = -(-max(sizes) // 8) * 8
    ids = lots.integers(4, words, (len(sizes), width))
    mask = np.arange(width)[None, :] < np.array(sizes)[:, None]
    ids[~mask] = PAD
    ids[np.arange(len(sizes)), np.array(sizes) - 1] = END
    return torch.tensor(ids), torch.tensor(mask.astype(np.int64))


def time_training(way: Way, options: argparse.Namespace) -> Timed:
    """Time some batches of an epoch after the warm-up."""
    torch.manual_seed(options.seed)
    device = torch.device(options.device)
    config = TINY if options.tiny else LARGE
    with device:
        model = Model(config, way)
    model.train()
    fused = device.type == "cuda"
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5, betas=(0.9, 0.98), fused=fused)
    samples = PAPER_CANDIDATES if way.task == "discriminative" else PAPER_TARGETS
    sizes = draw_lengths(options, samples)
    steps = options.steps if way.half else max(4, options.steps // 4)
    lots = np.random.default_rng(options.seed)
    chosen = list(
        itertools.islice(repeat_epochs(way, sizes, options.seed), options.warm_up + steps)
    )
    batches = [make_batch(way, sizes[lot].tolist(), config["vocab_size"], lots) for lot in chosen]
    if fused:
        torch.cuda.reset_peak_memory_stats()
    begun = time.perf_counter()
    for batch in batches[: options.warm_up]:
        step(model, optimizer, batch, way, device)
    wait_for_device(device)
    middle = time.perf_counter()
    for batch in batches[options.warm_up :]:
        step(model, optimizer, batch, way, device)
    wait_for_device(device)
    seconds = time.perf_counter() - middle
    counted = batches[options.warm_up :]
    kept = sum(int(batch["attention_mask"].sum()) for batch in counted)
    room = sum(batch["attention_mask"].numel() for batch in counted)
    return Timed(
        sum(len(batch["input_ids"]) for batch in counted),
        seconds,
        middle - begun,
        1 - kept / room,
        torch.cuda.max_memory_allocated() / 1e9 if fused else 0.0,
    )


def repeat_epochs(way: Way, sizes: np.ndarray, seed: int) -> Iterator[list[int]]:
    """Yield the batches of one epoch after the other."""
    for epoch in itertools.count():
        yield from plan_batches(way, sizes, seed + epoch)


def step(model: Model, optimizer: Any, batch: Batch, way: Way, device: torch.device) -> None:
    """Make one update without reading back from the device."""
    moved = {key: value.to(device, non_blocking=True) for key, value in batch.items()}
    half = torch.autocast(device.type, torch.bfloat16) if way.half else contextlib.nullcontext()
    with half:
        loss = model(moved, way.task)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def wait_for_device(device: torch.device) -> None:
    """Wait until the device has finished its work."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def configurations(options: argparse.Namespace) -> Iterator[Way]:
    """Yield the configurations to time: for each task the plain one, then ours."""
    compiled = options.compile
    plain = {"half": False, "bucketed": False, "attention": "eager"}
    yield Way("plain", "discriminative", batch=8, **plain)
    for batch in options.batch:
        yield Way(f"batches of {batch}", "discriminative", batch=batch, compiled=compiled)
    largest = max(options.batch)
    yield Way(
        f"batches of {largest}, text in the decoder too",
        "discriminative",
        batch=largest,
        whole=True,
        compiled=compiled,
    )
    yield Way("plain", "generative", batch=64, tokens=1024, **plain)
    yield Way("1,024 tokens", "generative", batch=64, tokens=1024, compiled=compiled)


def main() -> None:
    """Time every configuration and print it beside the plain one and the papers' hours."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--batch", type=int, action="append", help="samples; several times")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--warm-up", type=int, default=10)
    parser.add_argument("--mean", type=float, default=250, help="tokens of an input")
    parser.add_argument("--deviation", type=float, default=120)
    parser.add_argument("--compile", action="store_true", help="compile the layers")
    parser.add_argument("--cudnn-attention", action="store_true", help="leave cuDNN's attention on")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tiny", action="store_true", help="a tiny model and few steps")
    options = parser.parse_args()
    options.batch = options.batch or [8, 32]
    if options.tiny:
        options.steps, options.warm_up, options.mean, options.deviation = 4, 1, 40, 20
    torch.set_float32_matmul_precision("high")
    torch.backends.cuda.enable_cudnn_sdp(options.cudnn_attention)
    name = torch.cuda.get_device_name() if options.device.startswith("cuda") else "CPU"
    print(f"{name}, torch {torch.__version__}, transformers {transformers.__version__}")
    base: dict[str, Timed] = {}
    for way in configurations(options):
        measured = time_training(way, options)
        if options.device.startswith("cuda"):
            torch.cuda.empty_cache()
        base.setdefault(way.task, measured)
        report(way, measured, base[way.task])


def report(way: Way, measured: Timed, plain: Timed) -> None:
    """Print one line for readers and one as JSON."""
    samples = PAPER_CANDIDATES if way.task == "discriminative" else PAPER_TARGETS
    minutes = PAPER_EPOCHS * samples / measured.rate / 60
    hours = PAPER_HOURS[way.task]
    goal = f" (goal: under {TARGET_MINUTES:.0f})" if way.task == "discriminative" else ""
    print(
        f"{way.task}, {way.name}: {measured.rate:.1f} samples/s,"
        f" {measured.rate / plain.rate:.2f}x plain;"
        f" {PAPER_EPOCHS} epochs of {samples:,} samples in {minutes:.1f} min{goal},"
        f" papers: {hours:.0f} h on a V100; padding {measured.padding:.0%},"
        f" warm-up {measured.warm_up:.0f} s, {measured.peak_gb:.0f} GB"
    )
    record = {**asdict(way), **asdict(measured), "minutes": minutes}
    print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
