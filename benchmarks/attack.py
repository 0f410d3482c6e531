"""Attacks on real servers on this machine, by class: number tried, and number that held.

    python benchmarks/attack.py --format markdown
    python benchmarks/attack.py --only roles hosts origins

Workbench, MCP server and NIF service listen on loopback. Every role requests every address. The
attacks send foreign hosts and origins, missing tokens, paths that lead elsewhere, oversized and
nested bodies, and bombs of several kinds. The server is killed while answers come in. Its disk is
filled, if a tmpfs may be mounted for it. The server holds if the answer is right, comes in bounded
time, and the server keeps running. Otherwise the run ends with status 1.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote, urlsplit

from msgspec import Struct, field
from starlette.requests import Request

import attack_storage
from tatian import limits
from tatian.corpora import isolation, read_bytes
from tatian.errors import TatianError
from tatian.mentions.server import NifServer
from tatian.statistics.tables import Column, Table
from tatian.workbench.accounts import sessions
from tatian.workbench.campaigns import people
from tatian.workbench.storage.database import Database
from tatian.workbench.web.routing import Route
from tatian.workbench.web.security import USER, WORK, cookie_name
from tatian.workbench.web.server import ROUTES
from workbench_load import Server

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "corpora"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "workbench" / "web"))
from bombs import made as bombs_made
from file_samples import packed
from roles import PARTS, ROLES, address, answered_rightly
from world import World

SECONDS = 20.0
"""Time limit for the answer to an attack."""
CANARY = "the-canary-sings-7f3a"
"""Content of a file beside the database that must be in no answer."""
HOSTS = ("evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", "")
ORIGINS = ("http://evil.example", "https://localhost.evil.example", "null", "file://")
ELSEWHERE = (
    "../../../../../../etc/passwd",
    "..%2f..%2f..%2f..%2fetc%2fpasswd",
    "%2e%2e/%2e%2e/canary.txt",
    "..%252f..%252fcanary.txt",
    "..\\..\\canary.txt",
    "%2fetc%2fpasswd",
    "/etc/passwd",
    "canary.txt%00.css",
    "....//....//canary.txt",
    "file:%2f%2f%2fetc%2fpasswd",
)
_CHUNKED = {"Transfer_Encoding": "chunked"}
_CHUNKS = b"%x\r\n%s\r\n0\r\n\r\n" % (2**20 + 1, b" " * (2**20 + 1))
DEEP = b"[" * 30_000 + b"]" * 30_000


class Reply(Struct, frozen=True):
    """Reply of a server; status 0 if there was none."""

    status: int
    location: str = ""
    body: bytes = b""


class Target(Struct):
    """A server, with the session of each role."""

    port: int
    cookies: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)

    def ask(
        self,
        method: str,
        path: str,
        role: str = "nobody",
        data: bytes | None = None,
        **headers: str,
    ) -> Reply:
        """Send a request on a connection of its own; given headers replace the default ones."""
        sent = {"Host": f"127.0.0.1:{self.port}", "Cookie": self.cookies.get(role, "")}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                connection.putheader(name, value)
            if data is not None and not {"Content-Length", "Transfer-Encoding"} & set(sent):
                connection.putheader("Content-Length", str(len(data)))
            connection.endheaders()
            with suppress(ConnectionError):  # The server may answer and hang up before the end.
                connection.send(data or b"")
            answer = connection.getresponse()
            return Reply(answer.status, answer.headers.get("Location", ""), answer.read())
        except (OSError, http.client.HTTPException):
            return Reply(0)
        finally:
            connection.close()

    def call(
        self,
        route: Route,
        role: str,
        *,
        path: str = "",
        data: bytes | None = None,
        token: bool = True,
        **headers: str,
    ) -> Reply:
        """Call a route as its own page does, with the role's token."""
        csrf = self.tokens.get(role, "") if token else ""
        if route.method != "GET" and route.page:
            data = data or f"csrf={quote(csrf)}".encode()
            headers.setdefault("Content_Type", "application/x-www-form-urlencoded")
        elif route.method != "GET":
            data = data or b"{}"
            headers.setdefault("Content_Type", "application/json")
            headers.setdefault("X_CSRF_Token", csrf)
        return self.ask(route.method, path or address(route), role, data, **headers)


class Tally(Struct):
    """Result of one class of attacks: the number tried, and those that succeeded."""

    tried: int = 0
    failed: list[str] = field(default_factory=list)

    def add(self, held: bool, what: str) -> None:
        """Count one attack."""
        self.tried += 1
        if not held:
            self.failed.append(what)

    def take(self, tried: int, failed: list[str]) -> None:
        """Add the counts of other attacks."""
        self.tried += tried
        self.failed += failed


class Ground(Struct):
    """The running servers."""

    workbench: Target
    mcp: Target
    nif: Target
    world: World
    process: Server


@contextmanager
def standing(folder: Path) -> Iterator[Ground]:
    """Start all servers, with two campaigns and a user in every role."""
    (folder / "canary.txt").write_text(CANARY)
    url = f"sqlite:///{folder / 'attack.db'}"
    database = Database(url)
    world = World(database)
    workbench = Server(url, folder / "server.log")
    command = [sys.executable, "-m", "tatian", "mcp", "--http", "--port", "0"]
    with ExitStack() as stack:
        stack.callback(database.close)
        tools = stack.enter_context(subprocess.Popen(command, stderr=subprocess.PIPE, text=True))
        stack.callback(tools.terminate)
        workbench.start()
        stack.callback(workbench.kill)
        nif = stack.enter_context(NifServer(("127.0.0.1", 0), lambda document: document))
        threading.Thread(target=nif.serve_forever, daemon=True).start()
        stack.callback(nif.shutdown)
        target = filled_with_people(world, workbench.port)
        asyncio.run(workbench.ready())
        assert tools.stderr is not None
        address_line = tools.stderr.readline().partition("listening on ")[2].partition(": end")[0]
        mcp = Target(int(urlsplit(address_line).port or 0))
        yield Ground(target, mcp, Target(int(nif.server_address[1])), world, workbench)


def filled_with_people(world: World, port: int) -> Target:
    """Create a user with a session in every role."""
    target = Target(port)
    birds, _ = world.campaign("birds"), world.campaign("bees")
    members = {
        "stranger": world.user("eve", "manager", campaigns=("bees",)),
        "manager": world.user("max", "manager", campaigns=("birds",)),
        "admin": world.user("ada"),
    }
    headers = [(b"host", f"127.0.0.1:{port}".encode())]
    request = Request({"type": "http", "path": "/", "headers": headers})
    with world.database.writing() as connection:
        for role, user in members.items():
            cookie, session = sessions.begin(connection, user=user.id)
            target.cookies[role] = f"{cookie_name(world.site, request, USER)}={cookie}"
            target.tokens[role] = session.csrf
        cookie, session = sessions.begin(connection, annotator=people.enter(connection, birds).id)
        name = cookie_name(world.site, request, WORK, "birds")
        target.cookies["annotator"], target.tokens["annotator"] = f"{name}={cookie}", session.csrf
    return target


def _of(route: Route) -> str:
    """Return a role that may call a route."""
    return {"annotator": "annotator", "anyone": "nobody"}.get(route.who, "admin")


def roles(ground: Ground, tally: Tally) -> None:
    """Request every address in every role, except sign-outs that would end a session."""
    for route in ROUTES:
        for role in ROLES if route.path != "/sign-out" else ("nobody", "annotator"):
            got = ground.workbench.call(route, role)
            # A form by nobody must be one that the server has issued.
            held = got.status == 403 and route.who == "anyone" and route.method == "POST"
            held = held or answered_rightly(route, role, got.status, got.location)
            tally.add(held, f"{route.method} {address(route)} by {role}: {got.status}")


def tokens(ground: Ground, tally: Tally) -> None:
    """Request every change in a permitted role, without the session's token."""
    for route in ROUTES:
        if route.method != "GET":
            got = ground.workbench.call(route, _of(route), token=False)
            tally.add(got.status == 403, f"{route.method} {route.path}: {got.status}")


def hosts(ground: Ground, tally: Tally) -> None:
    """Request every address with foreign host names, and with the servers' own."""
    reads = [route for route in ROUTES if route.method == "GET"]
    for host in HOSTS:
        for route in reads:
            got = ground.workbench.call(route, _of(route), Host=host)
            tally.add(got.status == 400, f"{route.path} for '{host}': {got.status}")
        for target, path in ((ground.mcp, "/mcp"), (ground.nif, "/health"), (ground.nif, "/")):
            got = target.ask("POST", path, data=b"{}", Content_Type="application/json", Host=host)
            tally.add(got.status in (400, 421), f"{path} for '{host}': {got.status}")
    for name in ("localhost", "127.0.0.1"):
        for target, path in ((ground.workbench, "/health"), (ground.nif, "/health")):
            got = target.ask("GET", path, Host=f"{name}:{target.port}")
            tally.add(got.status == 200, f"{path} for {name}: {got.status}")


def origins(ground: Ground, tally: Tally) -> None:
    """Request changes as pages of other sites would."""
    foreign = [{"Origin": origin} for origin in ORIGINS]
    foreign += [{"Sec_Fetch_Site": site} for site in ("cross-site", "same-site")]
    for headers in foreign:
        for route in ROUTES:
            if route.method != "GET":
                got = ground.workbench.call(route, _of(route), **headers)
                tally.add(got.status == 403, f"{route.path} from {headers}: {got.status}")
        if "Origin" in headers:
            kind = {"Content_Type": "application/json", **headers}
            for target, path in ((ground.mcp, "/mcp"), (ground.nif, "/")):
                got = target.ask("POST", path, data=b"{}", **kind)
                tally.add(got.status == 403, f"{path} from {headers}: {got.status}")


def traversal(ground: Ground, tally: Tally) -> None:
    """Request paths that lead elsewhere, in every part of every address and static folder."""
    calls: list[tuple[Route | None, str]] = []
    for route in ROUTES:
        for part in PARTS:
            if f"{{{part}}}" in route.path:
                calls += [(route, address(route, **{part: target})) for target in ELSEWHERE]
    folders = ("/static/", "/static/tasks/", "/static/tasks/union/", "/static/core/")
    calls += [(None, folder + target) for folder in folders for target in ELSEWHERE]
    for route_used, path in calls:
        if route_used is None:
            got = ground.workbench.ask("GET", path)
        else:
            got = ground.workbench.call(route_used, _of(route_used), path=path)
        secret = CANARY.encode() in got.body or b"root:" in got.body
        tally.add(0 < got.status < 500 and not secret, f"{path}: {got.status}")


def oversized(ground: Ground, tally: Tally) -> None:
    """Send more bytes than an address takes, announced and in chunks."""
    for route in ROUTES:
        if route.body is not None or (route.page and route.method == "POST"):
            size = str(1 + max(route.limit, 2**20))
            got = ground.workbench.call(route, _of(route), Content_Length=size)
            tally.add(got.status == 413, f"{route.path} of {size}: {got.status}")
            if route.limit <= 2**20:
                got = ground.workbench.call(route, _of(route), data=_CHUNKS, **_CHUNKED)
                tally.add(got.status == 413, f"{route.path} in chunks: {got.status}")
    for target, path, most in (
        (ground.mcp, "/mcp", limits.MCP_REQUEST_BYTES),
        (ground.nif, "/", limits.NIF_REQUEST_BYTES),
    ):
        kind = "application/json" if path == "/mcp" else "application/x-turtle"
        got = target.ask("POST", path, data=b" " * (most + 1), Content_Type=kind)
        tally.add(got.status == 413, f"{path}: {got.status}")


def nesting(ground: Ground, tally: Tally) -> None:
    """Send deeply nested JSON to every address that takes JSON, and to the MCP server."""
    for route in ROUTES:
        if not route.page and route.body not in (None, bytes):
            got = ground.workbench.call(route, _of(route), data=DEEP)
            tally.add(400 <= got.status < 500, f"{route.path}: {got.status}")
    kind = {"Content_Type": "application/json", "Accept": "application/json, text/event-stream"}
    got = ground.mcp.ask("POST", "/mcp", data=DEEP, **kind)
    tally.add(400 <= got.status < 500, f"/mcp: {got.status}")


def bombs(ground: Ground, tally: Tally) -> None:
    """Upload and read files that unpack to huge sizes; the server must keep running."""
    target, csrf = ground.workbench, ground.workbench.tokens["admin"]
    headers = {"Content_Type": "application/json", "X_CSRF_Token": csrf}
    reply = target.ask("POST", "/api/v1/desk/projects", "admin", b'{"title": "Bombs"}', **headers)
    project = json.loads(reply.body)["id"]
    headers["Content_Type"] = "application/octet-stream"
    for name, data in bombs_made(packed).items():
        path = f"/api/v1/desk/projects/{project}/accounts?name={name}"
        begun = time.monotonic()
        got = target.ask("POST", path, "admin", data, **headers)
        took = time.monotonic() - begun
        well = target.ask("GET", "/health").status == 200
        held = 200 <= got.status < 500 and took < SECONDS and well
        tally.add(held, f"{name} uploaded: {got.status} after {took:.1f} s")
        begun = time.monotonic()
        try:
            read_bytes(data, name, warn=lambda _: None)
            held = True
        except TatianError as error:
            held = "\n" not in str(error)
        except Exception as error:  # noqa: BLE001  # what the run is there to find
            held, name = False, f"{name} ({error!r})"
        took = time.monotonic() - begun
        tally.add(held and took < SECONDS, f"{name} read: after {took:.1f} s")
    isolation._close_all()


CLASSES: dict[str, Callable[[Ground, Tally], None]] = {
    "roles": roles,
    "tokens": tokens,
    "hosts": hosts,
    "origins": origins,
    "traversal": traversal,
    "oversized": oversized,
    "nesting": nesting,
    "bombs": bombs,
    "kills": lambda _, tally: tally.take(*attack_storage.kill_repeatedly()),
    "full disk": lambda _, tally: tally.take(*attack_storage.fill_disk()),
}


def attacked(chosen: list[str]) -> dict[str, tuple[Tally, float]]:
    """Run the chosen classes; return the result and the seconds of each."""
    tallies = {}
    with tempfile.TemporaryDirectory() as name, standing(Path(name)) as ground:
        for attack in chosen:
            tally, begun = Tally(), time.monotonic()
            CLASSES[attack](ground, tally)
            tallies[attack] = tally, time.monotonic() - begun
    return tallies


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=list(CLASSES), default=list(CLASSES))
    parser.add_argument("--format", choices=["text", "markdown"], default="text")
    options = parser.parse_args()
    tallies = attacked(options.only)
    rows = [
        (attack, tally.tried, tally.tried - len(tally.failed), seconds)
        for attack, (tally, seconds) in tallies.items()
    ]
    columns = ("attack", "tried", "held", Column("seconds", precision=0))
    print(Table.of(columns, rows).render(options.format))
    for attack, (tally, _) in tallies.items():
        for line in tally.failed[:20]:
            print(f"{attack}: {line}", file=sys.stderr)
    return 1 if any(tally.failed for tally, _ in tallies.values()) else 0


if __name__ == "__main__":
    raise SystemExit(main())
