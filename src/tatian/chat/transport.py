"""HTTP connections with limits on the size and the duration of a reply."""

from __future__ import annotations

import http.client
import io
import socket
import time
import urllib.request
from typing import Any

from tatian import limits


class ReplyTooLarge(Exception):
    """A reply is larger than `limits.REPLY_BYTES`."""

    def __init__(self) -> None:
        super().__init__(f"answered more than {limits.REPLY_BYTES >> 20} MiB")


class ReplyTooSlow(Exception):
    """A reply takes longer than allowed."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"was still answering after {seconds:g} s")


def opener(seconds: float) -> urllib.request.OpenerDirector:
    """Return an opener with a limit of `seconds` for a whole reply.

    It follows no redirections, which could reveal the key to another server.
    """

    class Response(_BoundedResponse):
        longest = seconds

    class Connection(http.client.HTTPConnection):
        response_class = Response

    class SecureConnection(http.client.HTTPSConnection):
        response_class = Response

    class Handler(urllib.request.HTTPHandler):
        def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(Connection, request)

    class SecureHandler(urllib.request.HTTPSHandler):
        def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(SecureConnection, request)

    return urllib.request.build_opener(Handler, SecureHandler, _NoRedirects)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class _BoundedResponse(http.client.HTTPResponse):
    """A response that reads its headers and its body within the limits."""

    longest: float

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp: Any = io.BufferedReader(_BoundedReader(sock, self.fp, self.longest))


class _BoundedReader(io.RawIOBase):
    """Bytes of a socket, with limits on their number and on the total time in seconds."""

    def __init__(self, sock: socket.socket, file: io.BufferedReader, longest: float) -> None:
        self._socket, self._file, self._longest = sock, file, longest
        self._silence = sock.gettimeout()
        self._ends = time.monotonic() + longest
        self._left = limits.REPLY_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Receive some bytes in one system call."""
        remaining = self._ends - time.monotonic()
        if remaining <= 0:
            raise ReplyTooSlow(self._longest)
        ends_first = self._silence is None or remaining < self._silence
        self._socket.settimeout(remaining if ends_first else self._silence)
        try:
            count = self._file.raw.readinto(buffer) or 0
        except TimeoutError as error:
            if ends_first:
                raise ReplyTooSlow(self._longest) from error
            raise
        self._left -= count
        if self._left < 0:
            raise ReplyTooLarge
        return count

    def close(self) -> None:
        """Close the socket's file too."""
        if not self.closed:
            self._file.close()
        super().close()
