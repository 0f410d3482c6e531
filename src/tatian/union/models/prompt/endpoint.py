"""Any chat model behind an OpenAI-compatible address, asked patiently and within limits."""

from __future__ import annotations

import email.utils
import http.client
import os
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from tatian.errors import InputError, TatianError

Message = Mapping[str, str]

RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Answers after which the same request may succeed later."""
LONGEST_WAIT = 60.0
_LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
_SHOWN = 200
"""Characters of a server's complaint that are passed on."""


class Answer(Struct, frozen=True):
    """What a chat model wrote, and what it counted."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0


class Request(Struct, frozen=True):
    """One question, complete: the same request may be answered from a cache."""

    model: str
    messages: Sequence[Message]
    temperature: float
    max_tokens: int


class Patience(Struct, frozen=True):
    """How long to wait and how often to try."""

    timeout: float = 60.0
    """Seconds without a byte after which a request has failed."""
    tries: int = 5
    wait: float = 1.0
    """Seconds before the second try; doubled after each."""
    per_minute: float | None = None
    """Requests a minute, at most."""


class _Message(Struct):
    content: str | None = None


class _Choice(Struct):
    message: _Message


class _Usage(Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Response(Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


class _Temporary(Exception):
    """A failure that may pass."""

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


class Endpoint:
    """An address at which chat models answer; the key comes from the environment."""

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
        if self._key and parts.scheme == "http" and parts.hostname not in _LOCAL:
            raise InputError(
                f"{parts.hostname} is asked without encryption: use https, or unset {key_variable}"
            )
        self._address = url.rstrip("/") + "/chat/completions"
        self._patience = patience or Patience()
        self._sleep = sleep
        self._clock = clock
        self._next = clock()
        self._jitter = random.Random(0)

    def ask(self, request: Request) -> Answer:
        """The answer, after as many tries as it takes; `TatianError` when patience ends."""
        wait = self._patience.wait
        for attempt in range(1, self._patience.tries + 1):
            self._keep_pace()
            try:
                return _parsed(self._post(msgspec.json.encode(request)))
            except _Temporary as failure:
                if attempt == self._patience.tries:
                    tries = f"after {attempt} tries" if attempt > 1 else "at once"
                    raise TatianError(
                        f"{self._address} gave no answer {tries}: {failure}"
                    ) from failure
                longer = wait * (1 + self._jitter.random() / 4)
                self._sleep(min(LONGEST_WAIT, max(longer, failure.wait or 0)))
                wait *= 2
        raise AssertionError("patience has at least one try")

    def _keep_pace(self) -> None:
        if not self._patience.per_minute:
            return
        if (early := self._next - self._clock()) > 0:
            self._sleep(early)
        self._next = max(self._next, self._clock()) + 60 / self._patience.per_minute

    def _post(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        asked = urllib.request.Request(self._address, body, headers, method="POST")
        try:
            with _opener().open(asked, timeout=self._patience.timeout) as response:
                data: bytes = response.read()
                return data
        except urllib.error.HTTPError as error:
            why = f"status {error.code}, {self._without_key(_complaint(error))}"
            if error.code in RETRIED:
                raise _Temporary(why, _asked_to_wait(error.headers)) from error
            raise TatianError(f"{self._address} refused the request: {why}") from None
        except TimeoutError as error:
            raise _Temporary(f"silent for {self._patience.timeout:g} s") from error
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise _Temporary(f"silent for {self._patience.timeout:g} s") from error
            raise _Temporary(f"cannot be reached ({error.reason})") from error
        except (http.client.HTTPException, ConnectionError) as error:
            raise _Temporary(f"broke off ({error})") from error

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key else text


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirection could carry the key to somebody else."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_NoRedirects)


def _parsed(data: bytes) -> Answer:
    try:
        response = msgspec.json.decode(data, type=_Response)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _Temporary(f"answered what is not a chat completion ({error})") from error
    text = response.choices[0].message.content if response.choices else None
    if not text:
        raise _Temporary("answered nothing")
    usage = response.usage or _Usage()
    return Answer(text, usage.prompt_tokens, usage.completion_tokens)


def _complaint(error: urllib.error.HTTPError) -> str:
    """What the server says, as one short line."""
    try:
        body = error.read(4096).decode("utf-8", errors="replace")
    except (OSError, http.client.HTTPException):
        body = ""
    return " ".join(body.split())[:_SHOWN] or str(error.reason)


def _asked_to_wait(headers: Any) -> float | None:
    """Seconds that a ``Retry-After`` asks for, given as a number or a date."""
    given = headers.get("Retry-After")
    if not given:
        return None
    try:
        return max(0.0, float(given))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(given).timestamp() - time.time())
    except ValueError:
        return None
