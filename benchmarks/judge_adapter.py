"""Low-rank adapters of a language model: attach, train, average, quantise, export for llama.cpp."""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

Log = Callable[..., None]
Matrices = dict[str, tuple[Any, Any]]
"""The two factors of each adapted matrix, by its name in GGUF."""

MODULES = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
NAMES = {
    "q_proj": "attn_q",
    "k_proj": "attn_k",
    "v_proj": "attn_v",
    "o_proj": "attn_output",
    "gate_proj": "ffn_gate",
    "up_proj": "ffn_up",
    "down_proj": "ffn_down",
}
"""Names of the matrices in GGUF."""


def rounded(weights: Any, bits: int) -> Any:
    """Quantise a matrix as llama.cpp does, with 4, 5 or 8 bits in blocks of 32."""
    import torch

    blocks = weights.float().reshape(-1, 32)
    if bits == 8:
        scale = blocks.abs().amax(1, keepdim=True) / 127
        kept = torch.where(scale > 0, blocks / scale, 0 * blocks).round() * scale.half().float()
    else:
        half = 2 ** (bits - 1)
        at = blocks.abs().argmax(1, keepdim=True)
        scale = blocks.gather(1, at) / -half
        kept = torch.where(scale != 0, blocks / scale, 0 * blocks) + half + 0.5
        kept = (kept.floor().clamp(0, 2 * half - 1) - half) * scale.half().float()
    return kept.reshape(weights.shape)


def adapt(
    model: Any, rank: int, alpha: int, modules: Sequence[str], dropout: float = 0.05
) -> dict[str, Any]:
    """Add low-rank products to some of a model's matrices; everything else is frozen."""
    import torch
    from torch import nn
    from torch.nn import functional

    class Adapted(nn.Module):
        def __init__(self, plain: Any) -> None:
            super().__init__()
            self.plain, self.scale, self.drop = plain, alpha / rank, nn.Dropout(dropout)
            device = plain.weight.device
            self.a = nn.Parameter(torch.zeros(rank, plain.in_features, device=device))
            self.b = nn.Parameter(torch.zeros(plain.out_features, rank, device=device))

        def forward(self, x: Any) -> Any:
            inner = functional.linear(self.drop(x), self.a.to(x.dtype))
            return self.plain(x) + functional.linear(inner, self.b.to(x.dtype)) * self.scale

    for parameter in model.parameters():
        parameter.requires_grad_(False)
    adapters = {}
    for number, layer in enumerate(model.model.layers):
        for name in modules:
            owner = layer.self_attn if hasattr(layer.self_attn, name) else layer.mlp
            plain = getattr(owner, name)
            plain = getattr(plain, "plain", plain)
            adapted = Adapted(plain)
            setattr(owner, name, adapted)
            adapters[f"blk.{number}.{NAMES[name]}.weight"] = adapted
    for adapted in adapters.values():
        nn.init.normal_(adapted.a, std=1 / math.sqrt(adapted.a.shape[1]))
    return adapters


def restore(model: Any) -> None:
    """Remove all adapters."""
    for layer in model.model.layers:
        for owner in (layer.self_attn, layer.mlp):
            for name in MODULES:
                if hasattr(getattr(owner, name, None), "plain"):
                    setattr(owner, name, getattr(owner, name).plain)


def matrices_of(adapters: dict[str, Any]) -> Matrices:
    """Return the matrices of adapters."""
    return {name: (adapted.a.data, adapted.b.data) for name, adapted in adapters.items()}


def put(adapters: dict[str, Any], matrices: Matrices) -> None:
    """Replace the matrices of adapters."""
    for name, adapted in adapters.items():
        adapted.a.data, adapted.b.data = matrices[name]


def read_adapter(path: Path, device: Any) -> Matrices:
    """Return the matrices of an adapter's file."""
    import gguf
    import torch

    tensors = {
        tensor.name: torch.tensor(gguf.quants.dequantize(tensor.data, tensor.tensor_type))
        for tensor in gguf.GGUFReader(path).tensors
    }
    names = {name.rpartition(".")[0] for name in tensors}
    return {
        name: (
            tensors[f"{name}.lora_a"].float().to(device),
            tensors[f"{name}.lora_b"].float().to(device),
        )
        for name in sorted(names)
    }


def batch_by_length(
    examples: Sequence[Any], length: Callable[[Any], int], budget: int, most: float = math.inf
) -> list[list[Any]]:
    """Group examples of similar length: at most `budget` tokens and `most` examples a batch."""
    batches: list[list[Any]] = []
    for example in sorted(examples, key=length):
        size = len(batches[-1]) + 1 if batches else math.inf
        if size * length(example) <= budget and size <= most:
            batches[-1].append(example)
        else:
            batches.append([example])
    return batches


def fit(
    model: Any,
    settings: argparse.Namespace,
    make_batches: Callable[[random.Random], list[Any]],
    loss_of: Callable[[Any], Any],
    log: Log,
    betas: tuple[float, float] = (0.9, 0.999),
    dropout: float = 0.05,
) -> dict[str, Any]:
    """Train an adapter on the batches of each epoch, and return it.

    It starts from the file that the setting `start` names, or from random numbers.
    """
    import torch

    restore(model)
    rng = random.Random(settings.seed)
    torch.manual_seed(0)  # all runs start from the same numbers, so that they can be averaged
    adapters = adapt(model, settings.rank, 2 * settings.rank, settings.modules, dropout)
    if settings.start:
        put(adapters, read_adapter(Path(settings.start), next(model.parameters()).device))
    torch.manual_seed(settings.seed)
    parameters = [p for adapted in adapters.values() for p in (adapted.a, adapted.b)]
    optimizer = torch.optim.AdamW(parameters, lr=settings.lr, weight_decay=0.01, betas=betas)
    epochs = []
    for _ in range(settings.epochs):
        epochs.append(make_batches(rng))
        rng.shuffle(epochs[-1])
    total, step = sum(map(len, epochs)), 0
    model.train()
    for number, epoch in enumerate(epochs, 1):
        losses = []
        for batch in epoch:
            loss = loss_of(batch)
            loss.backward()
            step += 1
            speed = min(1, step / max(1, 0.06 * total))
            speed *= max(0.02, 0.5 * (1 + math.cos(math.pi * min(1, step / total))))
            for group in optimizer.param_groups:
                group["lr"] = settings.lr * speed
            norm = torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            if not torch.isfinite(norm):
                raise SystemExit(f"no finite gradient at step {step}")
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            losses.append(loss.item())
        log("epoch", number, "loss", round(sum(losses) / len(losses), 4), len(losses))
    model.eval()
    return adapters


def average(runs: Sequence[Matrices]) -> Matrices:
    """Average the products of several runs at the same rank, by singular values.

    A rotation spreads the large values over all rows, so that few bits lose little.
    """
    import torch

    averages = {}
    for name, (first, _) in runs[0].items():
        rank = len(first)
        inner = torch.cat([run[name][0].float() for run in runs])
        outer = torch.cat([run[name][1].float() for run in runs], 1) / len(runs)
        (left, above), (right, below) = torch.linalg.qr(outer), torch.linalg.qr(inner.T)
        core = torch.linalg.svd((above @ below.T).cpu())
        turned, sizes, back = (factor.to(first.device) for factor in core)
        root = sizes[:rank].sqrt()
        even = torch.ones(1, 1, device=first.device)
        while len(even) < rank:
            even = torch.cat((torch.cat((even, even), 1), torch.cat((even, -even), 1)))
        even = even / math.sqrt(rank)
        averages[name] = (
            even @ ((root[:, None] * back[:rank]) @ right.T),
            ((left @ turned[:, :rank]) * root) @ even.T,
        )
    return averages


def load_base(path: Path, log: Log) -> tuple[Any, Any]:
    """Load the base model from its GGUF file with dequantised weights."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    kept = path.parent / "plain"
    if not (kept / "weights.pt").exists():
        model = AutoModelForCausalLM.from_pretrained(
            str(path.parent), gguf_file=path.name, dtype=torch.bfloat16
        )
        tokenizer = AutoTokenizer.from_pretrained(str(path.parent), gguf_file=path.name)
        if hasattr(model.config, "quantization_config"):
            del model.config.quantization_config
        model.config.save_pretrained(kept)
        tokenizer.save_pretrained(kept)
        torch.save(model.state_dict(), kept / "weights.pt")
        log("converted")
    tokenizer = AutoTokenizer.from_pretrained(kept)
    config = AutoConfig.from_pretrained(kept)
    config._attn_implementation = "sdpa"
    torch.backends.cuda.enable_cudnn_sdp(False)  # its gradients under a mask are not finite
    with torch.device("cuda"):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    model.load_state_dict(torch.load(kept / "weights.pt", map_location="cuda"))
    model.tie_weights()
    return model, tokenizer


def export(matrices: Matrices, alpha: float, bits: tuple[int, int], out: Path) -> None:
    """Write an adapter for llama.cpp, with its two matrices in the given numbers of bits."""
    import gguf

    kinds = {
        4: gguf.GGMLQuantizationType.Q4_0,
        5: gguf.GGMLQuantizationType.Q5_0,
        8: gguf.GGMLQuantizationType.Q8_0,
    }
    writer = gguf.GGUFWriter(out, "qwen2")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", alpha)
    writer.add_name("Tatian's judge")
    writer.add_license("Apache-2.0")
    for name, pair in matrices.items():
        for end, matrix, width in zip(("lora_a", "lora_b"), pair, bits, strict=True):
            packed = gguf.quants.quantize(matrix.astype("float32"), kinds[width])
            writer.add_tensor(f"{name}.{end}", packed, raw_dtype=kinds[width])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Plan:
    """The runs of a plan, one after the other, on one copy of the base."""

    def __init__(self, description: str, arguments: Sequence[str] | None) -> None:
        parser = argparse.ArgumentParser(description=description)
        parser.add_argument("data", type=Path)
        parser.add_argument("-o", type=Path, required=True)
        parser.add_argument(
            "--base", type=Path, required=True, help="the GGUF file of the base model"
        )
        parser.add_argument(
            "--plan", type=Path, required=True, help="a JSON list of runs with names"
        )
        options = parser.parse_args(arguments)
        self.folder: Path = options.o
        self.folder.mkdir(parents=True, exist_ok=True)
        self._begin = time.time()
        self._record = (self.folder / "log").open("a", encoding="utf-8")
        self._entries = json.loads(options.plan.read_text("utf-8"))
        self._runs: dict[str, Matrices] = {}
        self.tasks = json.loads((options.data / "tasks.json").read_text("utf-8"))
        self.model, self.tokenizer = load_base(options.base, self.log)

    def log(self, *words: Any) -> None:
        """Print words after the time since the start, and append them to the log."""
        line = " ".join(map(str, (f"[{time.time() - self._begin:.0f}s]", *words)))
        print(line, flush=True)
        print(line, file=self._record, flush=True)

    def runs(
        self, defaults: dict[str, Any], train: Callable[[argparse.Namespace], dict[str, Any]]
    ) -> Iterator[tuple[argparse.Namespace, dict[str, Any]]]:
        """Yield the settings of each run and its adapter, trained or the mean of earlier runs."""
        for entry in self._entries:
            settings = argparse.Namespace(
                **{"rank": 32, "epochs": 3, "lr": 2e-4, "seed": 0, "keep": False, "mean": []}
                | {"start": ""}
                | {"modules": MODULES}
                | defaults
                | entry
            )
            self.log(json.dumps(entry))
            if settings.mean:
                restore(self.model)
                adapters = adapt(self.model, settings.rank, 2 * settings.rank, settings.modules)
                put(adapters, average([self._runs[name] for name in settings.mean]))
                self.model.eval()
            else:
                adapters = train(settings)
            self._runs[settings.name] = matrices_of(adapters)
            yield settings, adapters
        restore(self.model)

    def quantise(self, adapters: dict[str, Any], bits: tuple[int, int]) -> None:
        """Round the matrices of adapters as their file will have them."""
        pairs = matrices_of(adapters).items()
        put(adapters, {name: (rounded(a, bits[0]), rounded(b, bits[1])) for name, (a, b) in pairs})

    def keep(self, adapters: dict[str, Any], settings: argparse.Namespace) -> None:
        """Write adapters for llama.cpp."""
        path = self.folder / f"{settings.name}.gguf"
        arrays = {
            name: (a.float().cpu().numpy(), b.float().cpu().numpy())
            for name, (a, b) in matrices_of(adapters).items()
        }
        export(arrays, 2.0 * settings.rank, tuple(settings.bits), path)
        self.log("wrote", path.name, path.stat().st_size)
