"""Train the adapter of the local judge: does each sentence follow from several source documents?

    python benchmarks/judge_train.py prepare DATA -o FOLDER       tasks as prompts, one JSON file
    python benchmarks/judge_train.py train FOLDER --base GGUF --plan PLAN -o OUT     needs a GPU

`prepare` needs Tatian and the sentences of `corpus/proof` and of DATA/proof; `train` needs only
torch, transformers and gguf, so that it runs on a rented machine. The sentences about one story are
packed behind its source documents, which are read once: each sentence sees the documents and itself
alone. That makes an epoch ten times as cheap as one prompt a sentence.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
PER_SEQUENCE = 24
"""Sentences behind one reading of the documents."""
TOKENS = 9000
"""Tokens of a batch, padding included."""
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
"""What GGUF calls the matrices."""


# --- prepare -------------------------------------------------------------------------------------


def wrong_words(wrong: str, right: str) -> str:
    """The words of a wrong sentence that its supported twin does not have in their place."""
    mine, other = wrong.split(), right.split()
    found = []
    for tag, first, last, _, _ in SequenceMatcher(None, mine, other, autojunk=False).get_opcodes():
        if tag in ("replace", "delete"):
            found.append(" ".join(mine[first:last]))
        elif tag == "insert":
            found.append(" ".join(mine[max(0, first - 1) : first + 1]))
    return " ... ".join(one.strip(",.;:\"'") for one in found if one)


def stories(path: Path) -> dict[str, list[dict[str, str]]]:
    """Source documents by story: name, date and text."""
    if path.is_dir():
        lines = [json.loads(one.read_text("utf-8")) for one in sorted(path.glob("*.json"))]
    else:
        lines = [json.loads(one) for one in path.read_text("utf-8").splitlines()]
    return {
        one["id"]: [
            {
                "source": "" if path.is_dir() else account.get("name", account.get("source", "")),
                "date": account.get("date", ""),
                "text": account.get("text") or " ".join(account["sentences"]),
            }
            for account in one["accounts"]
        ]
        for one in lines
    }


def claims(path: Path) -> Iterator[dict[str, Any]]:
    """Sentences of a file; wrong ones with the words that are wrong, where a twin shows them."""
    lines = [json.loads(one) for one in path.read_text("utf-8").splitlines()]
    twins = {(x["bundle"], x["pair"]): x["text"] for x in lines if x.get("pair") and x["supported"]}
    for one in lines:
        twin = twins.get((one["bundle"], one.get("pair")), "")
        words = "" if one["supported"] or not twin else wrong_words(one["text"], twin)
        yield {**one, "words": words, "pair": one.get("pair") or 0}


def prepare(data: Path, out: Path) -> None:
    """Write every story with its sentences, as the judge is asked."""
    from tatian.consolidation.proof.judges.prompts import (
        ANSWER,
        FOOT,
        HEAD,
        TURN,
        describe_source,
        plain,
    )

    proof, shared = CORPUS / "proof", data / "proof"
    ours = stories(CORPUS / "train.jsonl") | stories(CORPUS / "dev.jsonl")
    ours |= stories(CORPUS / "test.jsonl")
    wire = stories(proof / "stories.jsonl")
    news = {part: stories(data / "consolidation" / part) for part in ("train", "dev")}
    parts = {
        "train": (ours, proof / "train.jsonl", "train"),
        "pairs-train": (ours, proof / "pairs-train.jsonl", "train"),
        "wire-train": (wire, proof / "wire-train.jsonl", "train"),
        "news-train": (news["train"], shared / "news-train.jsonl", "train"),
        "pairs-dev": (ours, proof / "pairs-dev.jsonl", "eval"),
        "dev": (ours, proof / "dev.jsonl", "eval"),
        "test": (ours, proof / "test.jsonl", "eval"),
        "news-dev": (news["dev"], shared / "news-dev.jsonl", "eval"),
        "wire-judge": (wire, proof / "wire-judge.jsonl", "eval"),
    }
    judged = {x["bundle"] for name in ("test", "dev") for x in claims(proof / f"{name}.jsonl")}
    found: dict[str, Any] = {"train": {}, "eval": {}}
    rules = {"head": HEAD, "foot": FOOT, "turn": TURN, "answer": ANSWER}
    for name, (known, path, use) in parts.items():
        if not path.exists():
            print(f"{path}: not there, left out", file=sys.stderr)
            continue
        shelf: dict[str, Any] = {}
        for one in claims(path):
            if use == "train" and one["bundle"] in judged:
                continue
            story = shelf.setdefault(one["bundle"], {"id": one["bundle"], "claims": []})
            kept = {k: one[k] for k in ("supported", "kind", "pair", "words")}
            story["claims"].append({"text": plain(one["text"]), "set": name} | kept)
        for story in shelf.values():
            story["sources"] = [describe_source(**one) for one in known[story["id"]]]
        found[use][name] = list(shelf.values())
    cases = data / "cases/trace.jsonl"
    if cases.exists():
        lines = [json.loads(one) for one in cases.read_text("utf-8").splitlines()]
        found["eval"]["cases"] = [
            {
                "id": one["id"],
                "sources": [
                    describe_source(x["text"], x.get("source", ""), x.get("date", ""))
                    for x in one["accounts"]
                ],
                "claims": [
                    {
                        "text": plain(x["text"]),
                        "supported": x["true"],
                        "kind": x["kind"],
                        "pair": 0,
                        "words": "",
                        "set": "cases",
                    }
                    for x in one["claims"]
                ],
            }
            for one in lines
        ]
    out.mkdir(parents=True, exist_ok=True)
    tasks = json.dumps({"rules": rules, **found}, ensure_ascii=False)
    (out / "tasks.json").write_text(tasks, encoding="utf-8")
    for use, sets in found.items():
        for name, some in sets.items():
            print(use, name, len(some), "stories", sum(len(x["claims"]) for x in some), "sentences")


# --- train ---------------------------------------------------------------------------------------


class Tokens:
    """Prompts as token ids."""

    def __init__(self, tokenizer: Any, rules: dict[str, str]) -> None:
        self._tokenizer, self._rules = tokenizer, rules
        self.yes, self.no = self("yes")[0], self("no")[0]

    def __call__(self, text: str) -> list[int]:
        found: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return found

    def documents(self, sources: Sequence[str]) -> list[int]:
        """The shared start."""
        return self(self._rules["head"] + "\n\n".join(sources) + self._rules["foot"])

    def claim(self, claim: dict[str, Any], before: str) -> tuple[list[int], list[int]]:
        """The turn of a sentence, and the answer to learn."""
        context = f"Before it: {before}\n" if before else ""
        asked = self(
            self._rules["turn"] + context + "Sentence: " + claim["text"] + self._rules["answer"]
        )
        if claim["supported"]:
            return asked, self("yes<|im_end|>")
        words = f": {claim['words']}<|im_end|>" if claim["words"] else ""
        return asked, self(f"no ({claim['kind']}){words}")


def sequences(
    some: Sequence[dict[str, Any]], tokens: Tokens, rng: random.Random | None
) -> Iterator[dict[str, Any]]:
    """Stories in pieces of a few sentences; in training, documents and sentences are shuffled."""
    for story in some:
        listed = list(story["claims"])
        if rng:
            by_pair: dict[Any, list[dict[str, Any]]] = {}
            for place, one in enumerate(listed):
                by_pair.setdefault((one["set"], one["pair"] or -place - 1), []).append(one)
            groups = list(by_pair.values())
            rng.shuffle(groups)
            listed = [one for group in groups for one in group]
        for first in range(0, len(listed), PER_SEQUENCE):
            chunk = listed[first : first + PER_SEQUENCE]
            sources = list(story["sources"])
            if rng:
                rng.shuffle(sources)
                if rng.random() < 0.3:
                    sources = ["Account: " + one.split(": ", 1)[-1] for one in sources]
            turns = []
            for one in chunk:
                before = ""
                if rng and rng.random() < 0.2:
                    other = rng.choice(listed)
                    before = "" if other["pair"] == one["pair"] else other["text"]
                turns.append(tokens.claim(one, before))
            yield {"start": tokens.documents(sources), "turns": turns, "claims": chunk}


def collate(some: Sequence[dict[str, Any]], pad: int) -> dict[str, Any]:
    """Sequences as one batch: ids, positions, who sees whom, and where the answers begin."""
    import torch

    longest = max(_length(one) for one in some)
    longest += -longest % 8
    ids = torch.full((len(some), longest), pad)
    part = torch.full((len(some), longest), -1)
    positions = torch.zeros((len(some), longest), dtype=torch.long)
    answers = torch.full((len(some), longest), -100)
    asked: list[tuple[int, int, dict[str, Any]]] = []
    for row, one in enumerate(some):
        at = len(one["start"])
        ids[row, :at] = torch.tensor(one["start"])
        part[row, :at] = 0
        positions[row, :at] = torch.arange(at)
        first = at
        for number, ((turn, answer), claim) in enumerate(
            zip(one["turns"], one["claims"], strict=True), 1
        ):
            end = at + len(turn) + len(answer)
            ids[row, at:end] = torch.tensor(turn + answer)
            part[row, at:end] = number
            positions[row, at:end] = torch.arange(first, first + end - at)
            asked.append((row, at + len(turn) - 1, claim))
            answers[row, at + len(turn) : end] = torch.tensor(answer)
            at = end
    order = torch.arange(longest)
    seen = (part[:, None, :] == 0) | (part[:, None, :] == part[:, :, None])
    seen &= order[None, None, :] <= order[None, :, None]
    seen |= torch.eye(longest, dtype=torch.bool)[None]
    return {
        "ids": ids,
        "positions": positions,
        "seen": seen[:, None],
        "answers": answers,
        "asked": asked,
    }


def _length(one: dict[str, Any]) -> int:
    return len(one["start"]) + sum(len(turn) + len(answer) for turn, answer in one["turns"])


def batched(
    listed: list[dict[str, Any]], budget: int, rng: random.Random | None
) -> list[list[dict[str, Any]]]:
    """Sequences of like length together."""
    found: list[list[dict[str, Any]]] = []
    for one in sorted(listed, key=_length):
        if found and (len(found[-1]) + 1) * _length(one) <= budget:
            found[-1].append(one)
        else:
            found.append([one])
    if rng:
        rng.shuffle(found)
    return found


def rounded(weights: Any, bits: int) -> Any:
    """What llama.cpp's formats of 4, 5 or 8 bits in blocks of 32 leave of a matrix."""
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


def adapt(model: Any, rank: int, alpha: int, modules: Sequence[str]) -> dict[str, Any]:
    """Put a product of two narrow matrices beside some of a model's; all else is frozen."""
    import torch
    from torch import nn
    from torch.nn import functional

    class Adapted(nn.Module):
        def __init__(self, plain: Any) -> None:
            super().__init__()
            self.plain, self.scale, self.drop = plain, alpha / rank, nn.Dropout(0.05)
            device = plain.weight.device
            self.a = nn.Parameter(torch.zeros(rank, plain.in_features, device=device))
            self.b = nn.Parameter(torch.zeros(plain.out_features, rank, device=device))

        def forward(self, x: Any) -> Any:
            inner = functional.linear(self.drop(x), self.a.to(x.dtype))
            return self.plain(x) + functional.linear(inner, self.b.to(x.dtype)) * self.scale

    for parameter in model.parameters():
        parameter.requires_grad_(False)
    found = {}
    for number, layer in enumerate(model.model.layers):
        for name in modules:
            owner = layer.self_attn if hasattr(layer.self_attn, name) else layer.mlp
            plain = getattr(owner, name)
            plain = getattr(plain, "plain", plain)
            adapted = Adapted(plain)
            setattr(owner, name, adapted)
            found[f"blk.{number}.{NAMES[name]}.weight"] = adapted
    for one in found.values():
        nn.init.normal_(one.a, std=1 / math.sqrt(one.a.shape[1]))
    return found


def restore(model: Any) -> None:
    """Take all adapters off."""
    for layer in model.model.layers:
        for owner in (layer.self_attn, layer.mlp):
            for name in MODULES:
                if hasattr(getattr(owner, name, None), "plain"):
                    setattr(owner, name, getattr(owner, name).plain)


def load_base(path: Path, log: Callable[..., None]) -> tuple[Any, Any]:
    """The base model from its GGUF file, as the numbers that its 4 bits stand for."""
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


class Run:
    """One model, its tasks, and what it says of them."""

    def __init__(self, model: Any, tokens: Tokens, log: Callable[..., None]) -> None:
        self.model, self.tokens, self.log = model, tokens, log
        self.device = next(model.parameters()).device

    def odds(self, batch: dict[str, Any]) -> tuple[Any, Any]:
        """Log-odds of each sentence of a batch, and the hidden states."""
        import torch

        rows = torch.tensor([row for row, _, _ in batch["asked"]], device=self.device)
        places = torch.tensor([place for _, place, _ in batch["asked"]], device=self.device)
        kind = next(self.model.parameters()).dtype
        mask = torch.zeros(batch["seen"].shape, dtype=kind, device=self.device)
        mask.masked_fill_(~batch["seen"].to(self.device), torch.finfo(kind).min)
        hidden = self.model.model(
            input_ids=batch["ids"].to(self.device),
            position_ids=batch["positions"].to(self.device),
            attention_mask=mask,
            use_cache=False,
        ).last_hidden_state
        logits = self.model.lm_head(hidden[rows, places]).float()
        return logits[:, self.tokens.yes] - logits[:, self.tokens.no], hidden

    def train(self, stories: list[dict[str, Any]], settings: argparse.Namespace) -> dict[str, Any]:
        """Fit an adapter; returns its matrices."""
        import torch
        from torch.nn import functional

        restore(self.model)
        rng = random.Random(settings.seed)
        torch.manual_seed(settings.seed)
        adapters = adapt(self.model, settings.rank, 2 * settings.rank, settings.modules)
        parameters = [p for one in adapters.values() for p in (one.a, one.b)]
        optimizer = torch.optim.AdamW(
            parameters, lr=settings.lr, weight_decay=0.01, betas=(0.9, 0.98)
        )
        epochs = [
            batched(list(sequences(stories, self.tokens, rng)), TOKENS, rng)
            for _ in range(settings.epochs)
        ]
        total = sum(map(len, epochs))
        self.model.train()
        step = 0
        for number, epoch in enumerate(epochs):
            losses = []
            for some in epoch:
                batch = collate(some, 0)
                odds, hidden = self.odds(batch)
                claims = [claim for _, _, claim in batch["asked"]]
                labels = torch.tensor([float(one["supported"]) for one in claims]).to(odds)
                loss = functional.binary_cross_entropy_with_logits(odds, labels)
                answers = batch["answers"].to(self.device)
                learned = answers[:, 1:] != -100
                words = self.model.lm_head(hidden[:, :-1][learned]).float()
                loss = loss + 0.3 * functional.cross_entropy(words, answers[:, 1:][learned])
                twins = self._twins(batch["asked"])
                if twins:
                    first, second = map(list, zip(*twins, strict=True))
                    loss = loss + 0.5 * functional.softplus(odds[second] - odds[first]).mean()
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
                losses.append(float(loss))
            self.log("epoch", number + 1, "loss", round(sum(losses) / len(losses), 4), len(losses))
        self.model.eval()
        return adapters

    @staticmethod
    def _twins(asked: Sequence[tuple[int, int, dict[str, Any]]]) -> list[tuple[int, int]]:
        """Places of a supported sentence and of its wrong twin."""
        pairs: dict[Any, dict[bool, int]] = {}
        for place, (row, _, claim) in enumerate(asked):
            if claim["pair"]:
                key = row, claim["set"], claim["pair"]
                pairs.setdefault(key, {})[claim["supported"]] = place
        return [(one[True], one[False]) for one in pairs.values() if len(one) == 2]

    def judge(self, stories: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any], float]]:
        """Log-odds of every sentence, with its story."""
        import torch

        for story in stories:
            for one in story["claims"]:
                one["story"] = story["id"]
        found = []
        with torch.no_grad():
            for some in batched(list(sequences(stories, self.tokens, None)), 4 * TOKENS, None):
                batch = collate(some, 0)
                for (_, _, claim), odds in zip(
                    batch["asked"], self.odds(batch)[0].tolist(), strict=True
                ):
                    found.append((claim["story"], claim, odds))
        return found


def report(judged: Iterable[tuple[str, dict[str, Any], float]]) -> dict[str, Any]:
    """Balanced accuracy at even odds and at the best threshold, area, and shares by kind."""
    rows = [(odds, claim["supported"], claim["kind"]) for _, claim, odds in judged]
    right = [odds for odds, supported, _ in rows if supported]
    wrong = [odds for odds, supported, _ in rows if not supported]
    area = sum((a > b) + 0.5 * (a == b) for a in right for b in wrong) / (len(right) * len(wrong))

    def shares(least: float) -> tuple[float, float]:
        return sum(a >= least for a in right) / len(right), sum(b < least for b in wrong) / len(
            wrong
        )

    best = max((odds for odds, _, _ in rows), key=lambda one: sum(shares(one)))
    kinds: dict[str, list[bool]] = {}
    for odds, supported, kind in rows:
        kinds.setdefault(kind, []).append((odds >= 0) == supported)
    passed, found = shares(0.0)
    return {
        "n": len(rows),
        "auc": round(area, 3),
        "passed": round(passed, 3),
        "found": round(found, 3),
        "balanced": round((passed + found) / 2, 3),
        "best": [round(best, 2), round(sum(shares(best)) / 2, 3)],
        "kinds": {kind: round(sum(v) / len(v), 2) for kind, v in sorted(kinds.items())},
    }


# --- export --------------------------------------------------------------------------------------


def export(
    matrices: dict[str, tuple[Any, Any]], alpha: float, bits: tuple[int, int], out: Path
) -> None:
    """Write an adapter as llama.cpp reads it, its two matrices in so many bits."""
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


def train(given: argparse.Namespace) -> None:
    """Run the experiments of a plan, one after the other, on one copy of the base."""
    begun = time.time()
    given.o.mkdir(parents=True, exist_ok=True)
    record = (given.o / "log").open("a", encoding="utf-8")

    def log(*what: Any) -> None:
        line = " ".join(map(str, (f"[{time.time() - begun:.0f}s]", *what)))
        print(line, flush=True)
        print(line, file=record, flush=True)

    tasks = json.loads((given.data / "tasks.json").read_text("utf-8"))
    model, tokenizer = load_base(given.base, log)
    tokens = Tokens(tokenizer, tasks["rules"])
    run = Run(model, tokens, log)
    log("loaded", tokens.yes, tokens.no)
    plan = json.loads(given.plan.read_text("utf-8"))
    for entry in plan:
        settings = argparse.Namespace(
            **{"rank": 32, "epochs": 3, "lr": 2e-4, "seed": 0, "share": 1.0, "bits": [8, 8]}
            | {"modules": MODULES, "sets": list(tasks["train"]), "keep": False}
            | entry
        )
        log(json.dumps(entry))
        merged: dict[str, dict[str, Any]] = {}
        rng = random.Random(1)
        for name in settings.sets:
            for story in tasks["train"][name]:
                if rng.random() < settings.share:
                    one = merged.setdefault(story["id"], {**story, "claims": []})
                    one["claims"] = one["claims"] + story["claims"]
        log(len(merged), "stories", sum(len(x["claims"]) for x in merged.values()), "sentences")
        adapters = run.train(list(merged.values()), settings)
        for bits in (None, settings.bits):
            if bits:
                for one in adapters.values():
                    one.a.data = rounded(one.a.data, bits[0])
                    one.b.data = rounded(one.b.data, bits[1])
            scores = {name: report(run.judge(some)) for name, some in tasks["eval"].items()}
            log(settings.name, "as trained" if not bits else f"in {bits} bits")
            for name, score in scores.items():
                log("  ", name, json.dumps(score))
        if settings.keep:
            matrices = {
                name: (one.a.data.float().cpu().numpy(), one.b.data.float().cpu().numpy())
                for name, one in adapters.items()
            }
            path = given.o / f"{settings.name}.gguf"
            export(matrices, 2.0 * settings.rank, tuple(settings.bits), path)
            log("wrote", path.name, path.stat().st_size)
            for use in (use for use in ("train", "teach", "eval") if use in tasks):
                said = [
                    [name, story, claim["text"], claim["supported"], round(odds, 3)]
                    for name, some in tasks[use].items()
                    for story, claim, odds in run.judge(some)
                ]
                (given.o / f"{settings.name}-{use}.json").write_text(json.dumps(said))
    restore(model)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("job", choices=["prepare", "train"])
    parser.add_argument("data", type=Path)
    parser.add_argument("-o", type=Path, required=True)
    parser.add_argument("--base", type=Path, help="the GGUF file of the base model")
    parser.add_argument("--plan", type=Path, help="a JSON list of runs, each with a name")
    given = parser.parse_args(arguments)
    if given.job == "prepare":
        prepare(given.data, given.o)
    else:
        train(given)


if __name__ == "__main__":
    main()
