"""The NIF service: what is asked over HTTP is answered, whatever is asked."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator, Sequence

import pytest

from tatian.errors import InputError, TatianError
from tatian.formats import find
from tatian.formats.links import build_document, links_of
from tatian.mentions.server import NifServer, annotate
from tatian.text import LINKS, Document, Link, Span

NIF = find("nif")
TEXT = build_document("http://a.org/1", "Oslo met New York City.")
TURTLE = "".join(NIF.write([TEXT]))


def detect(document: Document) -> Document:
    """Knows two cities, and the topic that it must not be asked about."""
    if document.metadata.topic == "broken":
        raise TatianError("the model is gone")
    found = [
        Link(at, at + len(name), titles=(name,), score=0.5)
        for name in ("Oslo", "New York City")
        if (at := document.text.find(name)) >= 0
    ]
    return document.with_layer(LINKS, found, "test")


@pytest.fixture
def server() -> Iterator[NifServer]:
    with NifServer(("127.0.0.1", 0), detect, name="cities", limit=10_000) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def ask(
    server: NifServer, method: str, path: str, body: str | bytes | None = None, **headers: str
) -> tuple[int, str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=20)
    sent = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, sent, named)
    answer = connection.getresponse()
    found = answer.status, answer.headers["Content-Type"], answer.read().decode()
    connection.close()
    return found


def titles(turtle: str) -> list[tuple[str, tuple[str, ...]]]:
    (text,) = NIF.read(turtle)
    return [(one.of(text.text), one.titles) for one in links_of(text)]


def test_document_is_annotated(server: NifServer) -> None:
    status, kind, body = ask(server, "POST", "/", TURTLE, Content_Type="application/x-turtle")
    assert (status, kind) == (200, "application/x-turtle; charset=utf-8")
    assert titles(body) == [("Oslo", ("Oslo",)), ("New York City", ("New York City",))]
    assert "<http://dbpedia.org/resource/New_York_City>" in body
    assert "<http://a.org/1>" in body


def test_existing_phrases_are_linked_in_place() -> None:
    given = build_document(TEXT.id, TEXT.text, (Link(9, 17), Link(5, 8)))
    found = annotate("".join(NIF.write([given])), detect)
    assert titles(found) == [("met", ()), ("New York", ("New York City",))]


def test_several_calls_at_once_are_answered(server: NifServer) -> None:
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.append(ask(server, "POST", "/annotate", TURTLE)[0]))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [200] * 8


def test_health_says_which_model_runs(server: NifServer) -> None:
    status, kind, body = ask(server, "GET", "/health")
    assert (status, kind) == (200, "application/json")
    assert json.loads(body) == {"status": "ok", "model": "cities"}


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status", "problem"),
    [
        ("GET", "/", None, {}, 405, "POST a NIF document"),
        ("GET", "/nowhere", None, {}, 404, "nothing at /nowhere"),
        ("POST", "/nowhere", "x", {}, 404, "nothing at /nowhere"),
        ("POST", "/", "x" * 10_001, {}, 413, "the limit is 10000"),
        ("POST", "/", "{}", {"Content_Type": "application/json"}, 415, "send Turtle"),
        ("POST", "/", "\n<broken", {}, 400, "2: not Turtle"),
        ("POST", "/", "", {}, 400, "contains no text"),
        ("POST", "/", b"\xff", {}, 400, "not UTF-8"),
    ],
)
def test_an_invalid_request_gets_the_reason(
    server: NifServer,
    method: str,
    path: str,
    body: str | bytes | None,
    headers: dict[str, str],
    status: int,
    problem: str,
) -> None:
    answer = ask(server, method, path, body, **headers)
    assert answer[0] == status
    assert problem in json.loads(answer[2])["error"]


@pytest.mark.parametrize(("method", "path"), [("GET", "/health"), ("POST", "/")])
def test_requests_from_web_pages_are_refused(server: NifServer, method: str, path: str) -> None:
    for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", ""):
        status, _, body = ask(server, method, path, TURTLE, Host=host)
        assert (status, "--public-url" in body) == (421, True), host
    for origin in ("http://evil.example", "null", "http://127.0.0.1.evil.example:80"):
        assert ask(server, method, path, TURTLE, Origin=origin)[0] == 403, origin
    port = server.server_address[1]
    for name in ("localhost", "127.0.0.1", "[::1]"):
        host = f"{name}:{port}"
        assert ask(server, method, path, TURTLE, Host=host, Origin=f"http://{host}")[0] == 200


def test_public_address_is_accepted() -> None:
    with NifServer(("127.0.0.1", 0), detect, public_url="https://nif.example.org") as running:
        threading.Thread(target=running.serve_forever, args=(0.01,)).start()
        found = [ask(running, "GET", "/health", Host=one)[0] for one in ("nif.example.org", "x")]
        running.shutdown()
    assert found == [200, 421]


def test_a_failing_model_is_reported_and_the_service_continues(server: NifServer) -> None:
    broken = build_document(TEXT.id, TEXT.text, topic="broken")
    status, _, body = ask(server, "POST", "/", "".join(NIF.write([broken])))
    assert (status, json.loads(body)) == (500, {"error": "the model is gone"})
    assert ask(server, "GET", "/health")[0] == 200


def test_a_document_of_unknown_length_is_refused(server: NifServer) -> None:
    with socket.create_connection(server.server_address[:2], timeout=20) as raw:
        raw.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"411" in raw.recv(100)


def test_a_port_that_is_taken_is_named(server: NifServer) -> None:
    port = server.server_address[1]
    with pytest.raises(InputError, match=f"cannot listen on 127.0.0.1:{port}"):
        NifServer(("127.0.0.1", port), detect)


def test_a_linker_that_takes_phrases_is_given_them() -> None:
    given = build_document(TEXT.id, TEXT.text, (Link(5, 8), Link(9, 17)))

    def link(document: Document, spans: Sequence[Span]) -> list[Link | None]:
        assert document.text == TEXT.text
        return [None, Link(spans[1].start, spans[1].end, ("York",), 0.25)]

    answer = annotate("".join(NIF.write([given])), detect, link)
    assert titles(answer) == [("met", ()), ("New York", ("York",))]


def test_linker_of_phrases_annotates_documents_without_any() -> None:
    def link(document: Document, spans: Sequence[Span]) -> list[Link | None]:
        raise AssertionError("nothing was given")

    assert len(titles(annotate(TURTLE, detect, link))) == 2
