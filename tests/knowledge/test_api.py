"""Pages of a live wiki are fetched politely, patiently and only once."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tatian.errors import InputError
from tatian.knowledge.building import api_client
from tatian.knowledge.building.api import Live
from tatian.knowledge.building.pages import Page, Redirect

UTVAER = {
    "pageid": 7,
    "ns": 0,
    "title": "Utvær",
    "extract": "Utvær (built 1900) is a lighthouse in Norway. It is white.\nIt has a keeper.",
    "pageprops": {"wikibase_item": "Q77"},
    "categories": [{"ns": 14, "title": "Category:Lighthouses in Norway"}],
    "redirects": [{"ns": 0, "title": "Utvaer"}],
}
Answer = tuple[int, dict[str, str], bytes]


def answer(content: object, status: int = 200, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return status, named, json.dumps(content).encode()


def found(*pages: dict[str, Any], **rest: Any) -> Answer:
    return answer({"batchcomplete": True, "query": {"pages": list(pages), **rest}})


class Wiki:
    """A server that gives prepared answers, the last of them again and again."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.asked: list[dict[str, str]] = []
        self.agents: list[str] = []
        self.slow = 0
        """How many answers come late."""
        self.go_on = threading.Event()
        wiki = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                query = parse_qs(urlsplit(self.path).query)
                wiki.asked.append({key: values[0] for key, values in query.items()})
                wiki.agents.append(self.headers["User-Agent"])
                if wiki.slow:
                    wiki.slow -= 1
                    wiki.go_on.wait(20)
                    return
                last = len(wiki.answers) == 1
                status, headers, body = wiki.answers[0] if last else wiki.answers.pop(0)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server.server_port}/w/api.php"
        self._thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self) -> None:
        self.go_on.set()
        self.server.shutdown()
        self._thread.join()
        self.server.server_close()


@pytest.fixture
def wiki() -> Iterator[Wiki]:
    server = Wiki()
    yield server
    server.close()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the client would have waited; it does not."""
    waited: list[float] = []
    monkeypatch.setattr(api_client.time, "sleep", waited.append)
    return waited


@pytest.fixture
def live(wiki: Wiki, tmp_path: Path) -> Any:
    def make(*titles: str, **options: Any) -> Live:
        settings = {"pause": 0.0, "timeout": 5.0, "cache": tmp_path / "cache"} | options
        return Live(titles, endpoint=wiki.endpoint, **settings)

    return make


def test_a_page_has_its_introduction_categories_id_and_redirects(wiki: Wiki, live: Any) -> None:
    wiki.answers = [found(UTVAER)]
    assert list(live("Utvær")) == [
        Page(
            title="Utvær",
            kind="location",
            description="Utvær is a lighthouse in Norway. It is white.",
            categories=("Lighthouses in Norway",),
            text="Utvær (built 1900) is a lighthouse in Norway. It is white.\nIt has a keeper.",
            wikidata="Q77",
        ),
        Redirect("Utvaer", "Utvær"),
    ]


def test_titles_are_normalised_and_redirects_followed(wiki: Wiki, live: Any) -> None:
    page = {**UTVAER, "redirects": []}
    wiki.answers = [
        found(
            page,
            normalized=[{"from": "Utvaer light", "to": "Utvaer Light"}],
            redirects=[{"from": "Utvaer Light", "to": "Utvær"}],
        )
    ]
    items = list(live("utvaer_light"))
    assert wiki.asked[0]["titles"] == "Utvaer light"
    assert [item.title for item in items] == ["Utvær", "Utvaer Light"]


def test_a_redirect_in_a_circle_ends(wiki: Wiki, live: Any) -> None:
    circle = [{"from": "A", "to": "B"}, {"from": "B", "to": "A"}]
    wiki.answers = [found(redirects=circle)]
    assert list(live("A")) == []


def test_an_answer_in_parts_is_put_together(wiki: Wiki, live: Any) -> None:
    first = {**UTVAER, "redirects": [{"title": "Utvaer"}]}
    second = {"pageid": 7, "ns": 0, "title": "Utvær", "redirects": [{"title": "Out"}]}
    goes_on = {"rdcontinue": "9", "continue": "||"}
    wiki.answers = [
        answer({"continue": goes_on, "query": {"pages": [first]}}),
        found(second),
    ]
    items = list(live("Utvær"))
    assert [item.title for item in items] == ["Utvær", "Utvaer", "Out"]
    assert wiki.asked[1]["rdcontinue"] == "9"


def test_disambiguation_pages_are_marked(wiki: Wiki, live: Any) -> None:
    wiki.answers = [found({**UTVAER, "pageprops": {"disambiguation": ""}})]
    assert next(iter(live("Utvær"))).role == "disambiguation"


def test_pages_that_do_not_exist_are_left_out(wiki: Wiki, live: Any) -> None:
    wiki.answers = [found({"ns": 0, "title": "None", "missing": True}, UTVAER)]
    assert [item.title for item in live("None", "Utvær")] == ["Utvær", "Utvaer"]


def test_twenty_titles_are_asked_for_at_once(wiki: Wiki, live: Any) -> None:
    wiki.answers = [found()]
    list(live(*(f"T{n}" for n in range(45))))
    assert [len(question["titles"].split("|")) for question in wiki.asked] == [20, 20, 5]


def test_every_request_names_us_and_asks_for_no_more_than_the_wiki_can_bear(
    wiki: Wiki, live: Any
) -> None:
    wiki.answers = [found(UTVAER)]
    list(live("Utvær", contact="ida@example.org"))
    assert wiki.agents[0].startswith("tatian/")
    assert "ida@example.org" in wiki.agents[0]
    assert wiki.asked[0]["maxlag"] == "5"


def test_what_was_fetched_once_is_not_asked_for_again(wiki: Wiki, live: Any) -> None:
    wiki.answers = [found(UTVAER)]
    first = list(live("Utvær"))
    assert list(live("Utvær")) == first
    assert len(wiki.asked) == 1


def test_a_damaged_cache_is_fetched_again(wiki: Wiki, live: Any, tmp_path: Path) -> None:
    wiki.answers = [found(UTVAER)]
    first = list(live("Utvær"))
    for path in (tmp_path / "cache").glob("*/*.msgpack"):
        path.write_bytes(b"\xc1")
    assert list(live("Utvær")) == first


def test_there_is_a_pause_between_requests(wiki: Wiki, live: Any, waits: list[float]) -> None:
    wiki.answers = [found()]
    list(live(*(f"T{n}" for n in range(25)), pause=60.0))
    assert len(waits) == 1
    assert 50 < waits[0] <= 60


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again_when_it_says(
    wiki: Wiki, live: Any, waits: list[float], status: int
) -> None:
    wiki.answers = [answer({}, status, Retry_After="17"), found(UTVAER)]
    assert next(iter(live("Utvær"))).title == "Utvær"
    assert waits == [17.0]


def test_a_lagging_wiki_is_asked_again_later(wiki: Wiki, live: Any, waits: list[float]) -> None:
    lag = {"error": {"code": "maxlag", "info": "Waiting for db: 8 seconds lagged", "lag": 8}}
    wiki.answers = [answer(lag, Retry_After="5"), answer(lag), found(UTVAER)]
    assert next(iter(live("Utvær"))).title == "Utvær"
    assert waits == [5.0, 4.0]


@pytest.mark.parametrize("body", [b"<html>", b"", b'{"query":', b"[1]", b"\xff\xfe"])
def test_broken_json_is_asked_for_again_with_growing_pauses(
    wiki: Wiki, live: Any, waits: list[float], body: bytes
) -> None:
    wiki.answers = [(200, {}, body), (200, {}, body), found(UTVAER)]
    assert next(iter(live("Utvær"))).title == "Utvær"
    assert waits == [2.0, 4.0]


def test_after_some_tries_it_gives_up_and_says_what_to_do(
    wiki: Wiki, live: Any, waits: list[float]
) -> None:
    wiki.answers = [answer({}, 503)]
    with pytest.raises(InputError, match=r"HTTP 503.*build from a dump"):
        list(live("Utvær"))
    assert waits == [2.0, 4.0, 8.0, 16.0, 32.0]


def test_no_wait_is_longer_than_two_minutes(wiki: Wiki, live: Any, waits: list[float]) -> None:
    wiki.answers = [answer({}, 429, Retry_After="86400"), found(UTVAER)]
    list(live("Utvær"))
    assert waits == [120.0]


def test_a_server_that_does_not_answer_in_time_is_asked_again(
    wiki: Wiki, live: Any, waits: list[float]
) -> None:
    wiki.answers = [found(UTVAER)]
    wiki.slow = 1
    assert next(iter(live("Utvær", timeout=0.3))).title == "Utvær"
    assert len(wiki.asked) == 2
    assert waits == [2.0]


def test_without_a_connection_it_says_what_to_do(
    tmp_path: Path, waits: list[float], wiki: Wiki
) -> None:
    gone = Wiki()
    gone.close()
    with pytest.raises(InputError, match=r"Check the connection.*kb build"):
        list(Live(["Utvær"], endpoint=gone.endpoint, cache=tmp_path, pause=0))


def test_a_refusal_is_told_at_once(wiki: Wiki, live: Any, waits: list[float]) -> None:
    wiki.answers = [answer({"error": {"code": "badvalue", "info": "Unrecognised value"}})]
    with pytest.raises(InputError, match="badvalue: Unrecognised value"):
        list(live("Utvær"))
    assert waits == []


def test_a_wrong_address_is_told_at_once(wiki: Wiki, live: Any, waits: list[float]) -> None:
    wiki.answers = [answer({}, 404)]
    with pytest.raises(InputError, match="404"):
        list(live("Utvær"))
    with pytest.raises(InputError, match="no address of a MediaWiki API"):
        Live(["A"], endpoint="file:///etc/passwd", cache="x")


def test_an_answer_that_never_ends_is_broken_off(wiki: Wiki, live: Any) -> None:
    wiki.answers = [answer({"continue": {"rdcontinue": "1"}, "query": {"pages": [UTVAER]}})]
    with pytest.raises(InputError, match="does not finish"):
        list(live("Utvær"))
