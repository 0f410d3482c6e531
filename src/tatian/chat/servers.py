"""Finds language model servers on this machine, at their default ports."""

from __future__ import annotations

import http.client
from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct

from tatian.chat.transport import ReplyTooLarge, ReplyTooSlow, opener

PORTS: Mapping[str, int] = {
    "Ollama": 11434,
    "llama.cpp": 8080,
    "LM Studio": 1234,
    "vLLM": 8000,
}
"""Default port of each server."""
MAX_SECONDS = 1.0
"""Longest wait for one server, in seconds."""


class ModelServer(Struct, frozen=True):
    """An OpenAI-compatible server."""

    name: str
    """Program with this default port; another program may be the one that answers."""
    address: str
    models: tuple[str, ...]


class _Model(Struct):
    id: str


class _Models(Struct):
    data: list[_Model]


def find_servers(ports: Mapping[str, int] = PORTS) -> Iterator[ModelServer]:
    """Yield the servers that list their models."""
    for name, port in ports.items():
        address = f"http://localhost:{port}/v1"
        try:
            with opener(MAX_SECONDS).open(f"{address}/models", timeout=MAX_SECONDS) as reply:
                listed = msgspec.json.decode(reply.read(), type=_Models)
        except (OSError, http.client.HTTPException, msgspec.MsgspecError):
            continue
        except (ReplyTooLarge, ReplyTooSlow):
            continue
        yield ModelServer(name, address, tuple(model.id for model in listed.data))
