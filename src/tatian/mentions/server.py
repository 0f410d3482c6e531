"""HTTP service that annotates NIF documents with a detector, as GERBIL expects.

In a document without phrases, mentions are detected (GERBIL's A2KB). In one with phrases, these are
linked (D2KB): by the linker if it accepts phrases, else by the detected mention that overlaps most.

POST a document to ``/`` to get it back annotated; ``/health`` answers while the service runs. The
service is for trusted networks: it has no logins and no encryption.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from msgspec.structs import replace

from tatian import hosts, limits
from tatian.errors import InputError, TatianError
from tatian.formats import nif
from tatian.formats.links import links_of, replace_links, topic_of
from tatian.formats.wiki import dbpedia_uri
from tatian.mentions.detection import typed_links
from tatian.text import Document, Link, Metadata, Span

Detect = Callable[[Document], Document]
"""Adds the `mentions` and `links` layers to a plain document."""
LinkSpans = Callable[[Document, Sequence[Span]], Sequence[Link | None]]
"""Links phrases of a plain document; None for a phrase without a page."""


def annotate(turtle: str, detect: Detect, link: LinkSpans | None = None) -> str:
    """Annotate a NIF document with DBpedia resources; `link` links existing phrases."""
    texts = (annotate_text(text, detect, link) for text in nif.read(turtle))
    return "".join(nif.write(texts, dbpedia_uri))


def annotate_text(text: Document, detect: Detect, link: LinkSpans | None = None) -> Document:
    """Return the text with the mentions that `detect` finds, or with pages for existing ones."""
    document = Document(text.id, text.text, Metadata(topic=topic_of(text) or None))
    own_links = links_of(text)
    if own_links and link is not None:
        return replace_links(text, map(_copy_pages, own_links, link(document, own_links)))
    detected = typed_links(detect(document))
    return replace_links(
        text,
        [_link_like_detected(mention, detected) for mention in own_links] or detected,
    )


def _link_like_detected(mention: Link, detected: Sequence[Link]) -> Link:
    """Return a mention with the pages of the detected mention that overlaps it most."""
    overlapping = [other for other in detected if other.overlaps(mention)]
    best = max(
        overlapping,
        key=lambda other: (_overlap(other, mention), -abs(len(other) - len(mention))),
        default=None,
    )
    return _copy_pages(mention, best)


def _copy_pages(mention: Link, source: Link | None) -> Link:
    if source is None:
        return replace(mention, titles=(), ids=(), score=None)
    return replace(mention, titles=source.titles, ids=(), score=source.score)


def _overlap(first: Span, second: Span) -> int:
    return min(first.end, second.end) - max(first.start, second.start)


PATHS = ("/", "/annotate")
HEALTH = "/health"
_TURTLE = "application/x-turtle"
_ACCEPTED_TYPES = ("turtle", "nif", "text/plain", "octet-stream", "x-www-form-urlencoded")


class NifServer(ThreadingHTTPServer):
    """Server for many clients; the detector runs for one at a time.

    The Host of a request must be the address of the server, a name of this machine, or the name in
    `public_url`.
    """

    daemon_threads = True

    def __init__(
        self,
        address: tuple[str, int],
        detect: Detect,
        *,
        link: LinkSpans | None = None,
        name: str = "",
        limit: int = limits.NIF_REQUEST_BYTES,
        public_url: str | None = None,
    ) -> None:
        self.names = hosts.names_of(hosts.checked_url(public_url), address[0])
        self.detect = detect
        self.link = link
        self.name = name
        self.limit = limit
        self.lock = threading.Lock()
        try:
            super().__init__(address, _Handler)
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(
                f"cannot listen on {address[0]}:{address[1]} ({reason.lower()}): name another "
                "with --host and --port"
            ) from error

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a client that disconnects; show any other error."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    @property
    def url(self) -> str:
        """Address that it listens on."""
        host, port = self.server_address[:2]
        address = host.decode() if isinstance(host, bytes) else host
        return f"http://[{address}]:{port}/" if ":" in address else f"http://{address}:{port}/"


class _Refused(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: HTTPStatus, problem: str) -> None:
        super().__init__(problem)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    server: NifServer
    server_version = "tatian"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = limits.NIF_SECONDS

    def do_GET(self) -> None:
        if not self._is_admitted():
            return
        path = self._path()
        if path == HEALTH:
            self._answer_json(HTTPStatus.OK, {"status": "ok", "model": self.server.name})
        elif path in PATHS:
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "POST a NIF document here", Allow="POST")
        else:
            self._refuse_path(path)

    def do_POST(self) -> None:
        if not self._is_admitted():
            return
        path = self._path()
        if path not in PATHS:
            self._refuse_path(path)
            return
        try:
            body = self._body()
            with self.server.lock:
                annotated_turtle = annotate(body, self.server.detect, self.server.link)
        except _Refused as error:
            self._refuse(error.status, str(error))
        except InputError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, str(error))
        except TatianError as error:
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))
        else:
            self._answer(HTTPStatus.OK, f"{_TURTLE}; charset=utf-8", annotated_turtle.encode())

    def _is_admitted(self) -> bool:
        """Return whether host and origin are allowed; otherwise answer with an error."""
        if not hosts.is_for(self.server.names, self.headers.get_all("Host", [])):
            problem = "this service does not go by that name: give it one with --public-url"
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, problem)
        elif not hosts.is_from(self.server.names, self.headers.get_all("Origin", [])):
            self._refuse(HTTPStatus.FORBIDDEN, "the request comes from a page of another site")
        else:
            return True
        return False

    def _path(self) -> str:
        return self.path.partition("?")[0]

    def _body(self) -> str:
        kind = self.headers.get("Content-Type", "")
        if kind and not any(accepted in kind.lower() for accepted in _ACCEPTED_TYPES):
            problem = f"{kind} is not understood: send Turtle ({_TURTLE})"
            raise _Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, problem)
        declared = self.headers.get("Content-Length", "")
        if not declared.isdecimal():
            raise _Refused(HTTPStatus.LENGTH_REQUIRED, "say how long the document is")
        length = int(declared)
        if length > self.server.limit:
            self._skip(min(length, limits.NIF_SKIPPED_BYTES))
            problem = f"{length} bytes, and the limit is {self.server.limit}"
            raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, problem)
        data = self.rfile.read(length)
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise _Refused(HTTPStatus.BAD_REQUEST, f"not UTF-8: {error.reason}") from error

    def _skip(self, length: int) -> None:
        """Read and drop the rest of the request, so that the client reads the answer."""
        while length > 0 and (read := len(self.rfile.read(min(length, 2**16)))):
            length -= read

    def _refuse_path(self, path: str) -> None:
        self._refuse(HTTPStatus.NOT_FOUND, f"nothing at {path}: POST to / or ask {HEALTH}")

    def _refuse(self, status: HTTPStatus, problem: str, **headers: str) -> None:
        """Send the reason and close the connection, without reading the rest of the request."""
        self._answer_json(status, {"error": problem}, Connection="close", **headers)

    def _answer_json(self, status: HTTPStatus, plain: dict[str, str], **headers: str) -> None:
        self._answer(status, "application/json", json.dumps(plain).encode(), **headers)

    def _answer(self, status: HTTPStatus, kind: str, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""
