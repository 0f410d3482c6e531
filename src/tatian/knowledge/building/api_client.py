"""A polite client of the MediaWiki API: one request at a time, with pauses, and patient."""

from __future__ import annotations

import gzip
import http.client
import json
import logging
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

import tatian
from tatian.errors import InputError

TRIES = 6
"""Requests made for one answer before giving up."""
FIRST_WAIT, LONGEST_WAIT = 2.0, 120.0
"""Seconds to wait after a failure; doubled each time, never longer than the second."""
MAXLAG = 5
"""Seconds that the wiki's databases may lag behind before we stand back."""
LARGEST = 64 << 20

_log = logging.getLogger(__name__)


class _Again(Exception):
    """The request failed in a way that waiting may mend."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


class Client:
    """Asks one endpoint, such as ``https://en.wikipedia.org/w/api.php``."""

    def __init__(self, endpoint: str, *, pause: float, timeout: float, contact: str) -> None:
        if urlsplit(endpoint).scheme not in ("http", "https"):
            raise InputError(f"'{endpoint}' is no address of a MediaWiki API (https://.../api.php)")
        self._endpoint = endpoint
        self._pause = pause
        self._timeout = timeout
        known_as = f"tatian/{tatian.__version__}"
        self._agent = (
            f"{known_as} ({contact}) python-urllib" if contact else f"{known_as} python-urllib"
        )
        self._last = 0.0

    def ask(self, parameters: Mapping[str, str]) -> dict[str, Any]:
        """One answer; waits and asks again while the server is busy or the network fails."""
        query = {**parameters, "format": "json", "formatversion": "2", "maxlag": str(MAXLAG)}
        wait = FIRST_WAIT
        for attempt in range(1, TRIES + 1):
            self._stand_by()
            try:
                return self._once(query)
            except _Again as failure:
                if attempt == TRIES:
                    raise self._gave_up(str(failure)) from failure
                pause = min(wait if failure.wait is None else failure.wait, LONGEST_WAIT)
                _log.info("%s: %s; waiting %.0f s", self._endpoint, failure, pause)
                time.sleep(pause)
                wait *= 2
        raise AssertionError("unreachable")

    def _stand_by(self) -> None:
        rest = self._last + self._pause - time.monotonic()
        if rest > 0:
            time.sleep(rest)
        self._last = time.monotonic()

    def _once(self, query: Mapping[str, str]) -> dict[str, Any]:
        request = Request(
            f"{self._endpoint}?{urlencode(query)}",
            headers={"User-Agent": self._agent, "Accept-Encoding": "gzip"},
        )
        try:
            with urlopen(request, timeout=self._timeout) as response:
                retry = response.headers.get("Retry-After")
                data = response.read(LARGEST)
                if response.headers.get("Content-Encoding") == "gzip":
                    data = gzip.decompress(data)
        except HTTPError as error:
            with error:
                if error.code == 429 or error.code >= 500:
                    wait = _seconds(error.headers.get("Retry-After"))
                    raise _Again(f"HTTP {error.code}", wait) from error
                raise InputError(f"{self._endpoint} answers {error.code} {error.reason}") from error
        except URLError as error:
            raise _Again(str(error.reason)) from error
        except (OSError, http.client.HTTPException, EOFError) as error:
            raise _Again(str(error) or type(error).__name__) from error
        return self._understood(data, retry)

    def _understood(self, data: bytes, retry: str | None) -> dict[str, Any]:
        try:
            answer = json.loads(data)
        except ValueError as error:
            raise _Again(f"an answer that is no JSON: {data[:80]!r}") from error
        if not isinstance(answer, dict):
            raise _Again(f"an answer that is no JSON object: {data[:80]!r}")
        failure = answer.get("error")
        if isinstance(failure, dict):
            code = str(failure.get("code"))
            if code in ("maxlag", "ratelimited", "readonly") or code.startswith(
                "internal_api_error"
            ):
                raise _Again(code, _seconds(retry))
            raise InputError(f"{self._endpoint} refuses: {code}: {failure.get('info', '')}")
        return answer

    def _gave_up(self, reason: str) -> InputError:
        return InputError(
            f"no answer from {self._endpoint} after {TRIES} tries: {reason}. Check the connection "
            "(or the proxy in https_proxy) and run it again: what was fetched is in the cache; "
            "without a connection, build from a dump: tatian kb build DUMP.xml.bz2 -o KB"
        )


def _seconds(header: str | None) -> float | None:
    """What a Retry-After header asks for: seconds, or a date."""
    if header is None:
        return None
    if header.strip().isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
