"""Check of host names, against requests under names that are not the server's.

A web page can make a browser send requests to any server within its reach, under a name of the
page's choice (DNS rebinding). All servers therefore refuse a Host or Origin that is not their own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from urllib.parse import urlsplit

from tatian.errors import InputError

LOCAL = ("localhost", "127.0.0.1", "::1")
"""Names of this machine for itself."""
PORTS = {"http": 80, "https": 443}
"""Default port of each scheme."""


def names_of(public_url: str | None, host: str | None) -> frozenset[str]:
    """Return the names of a server: its public one, or else `host`; and those of this machine."""
    if public_url is not None:
        return frozenset({parse_address(public_url)[1], *map(bracketed, LOCAL)})
    return frozenset(map(bracketed, (*LOCAL, *([host.lower()] if host else []))))


def is_for(names: Collection[str], hosts: Sequence[str]) -> bool:
    """Return True if the Host header of a request is one of the server's names."""
    return len(hosts) == 1 and split_port(hosts[0])[0] in names


def is_from(names: Collection[str], origins: Sequence[str]) -> bool:
    """Return True if the Origin header of a request, if any, is one of these names.

    Programs send no Origin.
    """
    if not origins:
        return True
    scheme, _, host = origins[0].lower().partition("://")
    return len(origins) == 1 and scheme in PORTS and split_port(host)[0] in names


def split_port(host: str) -> tuple[str, str]:
    """Return name and port of a Host header; "" if it has no port."""
    name, colon, port = host.lower().rpartition(":")
    if colon and name and (not port or (port.isascii() and port.isdecimal())):
        return name, port
    return host.lower(), ""


def checked_url(public_url: str | None) -> str | None:
    """Return the public address as browsers write it: without the default port."""
    if public_url is None:
        return None
    scheme, host, port = parse_address(public_url)
    usual = port is None or port == PORTS[scheme]
    return f"{scheme}://{host}" if usual else f"{scheme}://{host}:{port}"


def parse_address(url: str) -> tuple[str, str, int | None]:
    """Return scheme, host and port of an address that has nothing else."""
    wrong = InputError(f"'{url}' is no public address: give one such as https://example.org")
    try:
        split_url = urlsplit(url.lower())
        host, port = bracketed(split_url.hostname or ""), split_url.port
    except ValueError as error:
        raise wrong from error
    path = split_url.path.strip("/")
    surplus = path or split_url.query or split_url.fragment or "@" in split_url.netloc
    if split_url.scheme not in PORTS or not host or surplus:
        raise wrong
    return split_url.scheme, host, port


def bracketed(host: str) -> str:
    """Return a host as addresses write it: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host
