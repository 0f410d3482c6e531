"""Client of an OpenAI-compatible server, with retries, timeouts and a request rate."""

from __future__ import annotations

import http.client
import os
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

import tatian
from tatian import limits
from tatian.chat.replies import Answer, Temporary, parse_response, read_error, read_retry_after
from tatian.chat.transport import ReplyTooLarge, ReplyTooSlow, opener
from tatian.errors import InputError, TatianError

Message = Mapping[str, str]

_SUFFIX = "/chat/completions"
RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Status codes after which the same request may succeed later."""
MAX_PAUSE_SECONDS = 60.0
"""Longest pause between two tries, in seconds."""
_TOO_LONG = re.compile(r"context[ _](?:size|length|window)|prompt is too long", re.IGNORECASE)
"""Matches the errors of llama.cpp, vLLM, OpenAI and others for a prompt that is too long."""
_LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
DEFAULT_PORTS: Mapping[str, int] = {
    "Ollama": 11434,
    "llama.cpp": 8080,
    "LM Studio": 1234,
    "vLLM": 8000,
}
"""Default port of each server."""
MAX_SEARCH_SECONDS = 1.0
"""Longest wait for one server when searching for servers, in seconds."""


def is_too_long(message: str) -> bool:
    """Return True if a server's message says that the prompt exceeds the context."""
    return bool(_TOO_LONG.search(message))


class Request(Struct, frozen=True, omit_defaults=True):
    """A question to a model; equal requests have the same cached answer."""

    model: str
    messages: Sequence[Message]
    temperature: float
    max_tokens: int
    seed: int = 0
    """Random seed, to get several answers to one question."""
    without: tuple[str, ...] = ()
    """Tokens that the answer must not contain; only a model in this process gets them."""


class Patience(Struct, frozen=True):
    """Timeouts and numbers of tries."""

    timeout: float = limits.REPLY_SILENCE_SECONDS
    """Seconds without any data after which a request fails."""
    longest: float = limits.REPLY_SECONDS
    """Seconds for a complete answer; `timeout` if that is longer."""
    tries: int = 5
    wait: float = 1.0
    """Seconds before the second try; doubled after each try."""
    per_minute: float | None = None
    """Maximum number of requests per minute; None for no limit."""


class TooLong(InputError):
    """The prompt does not fit into the model's context."""


class Endpoint:
    """A server of chat models; the key comes from an environment variable."""

    def __init__(
        self,
        url: str,
        *,
        key_variable: str = "OPENAI_API_KEY",
        patience: Patience | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"'{url}' is not an address: expected something like https://HOST/v1")
        if parts.username or parts.password:
            raise InputError("an address must not hold a password: put the key in a variable")
        self._key = os.environ.get(key_variable, "")
        if self._key and parts.scheme == "http" and parts.hostname not in _LOCAL_HOSTS:
            raise InputError(
                f"{parts.hostname} is asked without encryption: use https, or unset {key_variable}"
            )
        self._base = url.rstrip("/").removesuffix(_SUFFIX)
        self._address = self._base + _SUFFIX
        self._patience = patience or Patience()
        self._sleep = sleep
        self._clock = clock
        self._next_time = clock()
        """Earliest time of the next request."""
        self._jitter = random.Random(0)
        self._format = _RequestFormat()
        self._opener = opener(max(self._patience.longest, self._patience.timeout))

    def ask(self, request: Request) -> Answer:
        """Return the answer; retry temporary failures, and raise `TatianError` after the last."""
        wait = self._patience.wait
        for attempt in range(1, self._patience.tries + 1):
            self._wait_for_turn()
            try:
                return parse_response(self._send(self._address, request))
            except Temporary as failure:
                if attempt == self._patience.tries:
                    tries = f"after {attempt} tries" if attempt > 1 else "at once"
                    message = f"{self._address} gave no answer {tries}: {failure}"
                    raise TatianError(message) from failure
                pause = wait * (1 + self._jitter.random() / 4)
                self._sleep(min(MAX_PAUSE_SECONDS, max(pause, failure.wait or 0)))
                wait *= 2
        raise AssertionError("patience has at least one try")

    def models(self) -> list[str]:
        """Return the names of the server's models; there are no retries."""
        address = f"{self._base}/models"
        try:
            listing = msgspec.json.decode(self._send(address), type=_Listing)
        except Temporary as failure:
            raise TatianError(f"{address} gave no answer: {failure}") from failure
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise TatianError(f"{address} does not list its models ({error})") from error
        return [model.id for model in listing.data]

    def _wait_for_turn(self) -> None:
        """Sleep until the rate limit allows the next request."""
        if not self._patience.per_minute:
            return
        if (remaining := self._next_time - self._clock()) > 0:
            self._sleep(remaining)
        self._next_time = max(self._next_time, self._clock()) + 60 / self._patience.per_minute

    def _send(self, address: str, request: Request | None = None) -> bytes:
        """Return the body of the reply; `TatianError` if it is too slow or too large."""
        try:
            return self._exchange(address, request)
        except ReplyTooSlow as error:
            hint = "give it longer with TATIAN_PROMPT_TIMEOUT"
            raise TatianError(f"{address} {error} ({hint})") from error
        except ReplyTooLarge as error:
            raise TatianError(f"{address} {error}: that is no chat completion") from error

    def _exchange(self, address: str, request: Request | None) -> bytes:
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": f"tatian/{tatian.__version__}",
        }
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        body = self._format.encode(request) if request else None
        message = urllib.request.Request(address, body, headers)
        try:
            with self._opener.open(message, timeout=self._patience.timeout) as response:
                data: bytes = response.read()
                return data
        except urllib.error.HTTPError as error:
            with error:
                reason = read_error(error)
            reason = reason.replace(self._key, "[key]") if self._key else reason
            if request and error.code in (400, 500) and (other := self._format.adapt(reason)):
                self._format = other
                return self._exchange(address, request)
            raise self._http_failure(error, reason) from error
        except TimeoutError as error:
            raise self._timeout_failure() from error
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise self._timeout_failure() from error
            raise Temporary(f"cannot be reached ({error.reason})") from error
        except (http.client.HTTPException, ConnectionError) as error:
            raise Temporary(f"broke off ({error})") from error

    def _timeout_failure(self) -> Temporary:
        advice = "give it longer with TATIAN_PROMPT_TIMEOUT"
        return Temporary(f"silent for {self._patience.timeout:g} s ({advice})")

    def _http_failure(self, error: urllib.error.HTTPError, message: str) -> Exception:
        """Return the exception for a status: temporary, prompt too long, or final."""
        reason = f"status {error.code}, {message}"
        if error.code in RETRIED:
            return Temporary(reason, read_retry_after(error.headers))
        if error.code in (400, 413) and is_too_long(message):
            return TooLong(f"the sentences are too long for the model: {message}")
        if error.code == 404:
            reason += " (does the address end in /v1, and is there such a model?)"
        return TatianError(f"{self._address} refused the request: {reason}")


class ModelServer(Struct, frozen=True):
    """An OpenAI-compatible server."""

    name: str
    """Program with this default port; another program may be the one that answers."""
    address: str
    models: tuple[str, ...]


def find_servers(ports: Mapping[str, int] = DEFAULT_PORTS) -> Iterator[ModelServer]:
    """Yield the servers on this machine that list their models."""
    patience = Patience(timeout=MAX_SEARCH_SECONDS, longest=MAX_SEARCH_SECONDS)
    for name, port in ports.items():
        address = f"http://localhost:{port}/v1"
        try:
            models = Endpoint(address, key_variable="", patience=patience).models()
        except TatianError:
            continue
        yield ModelServer(name, address, tuple(models))


class _Listed(Struct):
    id: str


class _Listing(Struct):
    data: list[_Listed]


class _RequestFormat(Struct, frozen=True):
    """Format of a request; some models refuse fields that most models accept."""

    limit_field: str = "max_tokens"
    """Name of the field for `Request.max_tokens`."""
    has_temperature: bool = True
    has_system: bool = True
    """True if a system message is allowed; otherwise the user's message begins with it."""

    def encode(self, request: Request) -> bytes:
        """Return the request as JSON."""
        fields = msgspec.structs.asdict(request)
        fields[self.limit_field] = fields.pop("max_tokens")
        if not self.has_temperature:
            del fields["temperature"]
        del fields["without"]
        if not request.seed:
            del fields["seed"]
        if not self.has_system:
            fields["messages"] = _merge_system(request.messages)
        return msgspec.json.encode(fields)

    def adapt(self, message: str) -> _RequestFormat | None:
        """Return a format without the field that an error message names; None if it names none."""
        if self.limit_field == "max_tokens" and "max_completion_tokens" in message:
            return msgspec.structs.replace(self, limit_field="max_completion_tokens")
        if self.has_temperature and "temperature" in message:
            return msgspec.structs.replace(self, has_temperature=False)
        if self.has_system and "system role" in message.lower():
            return msgspec.structs.replace(self, has_system=False)
        return None


def _merge_system(messages: Sequence[Message]) -> Sequence[Message]:
    """Prepend the system message to the next message."""
    first, *others = messages
    if first["role"] != "system" or not others:
        return messages
    joined = f"{first['content']}\n\n{others[0]['content']}"
    return [{**others[0], "content": joined}, *others[1:]]
