"""Required responses to every role, by route."""

from __future__ import annotations

from tatian.workbench.web.routing import PREFIX, Route

PARTS = {
    "campaign": "birds",
    "assignment": "1",
    "key": "k",
    "project": "p",
    "account": "a1",
    "format": "text",
    "sentence": "a1:0-9",
    "check": "c",
    "token": "forged.x",
    "annotator": "nobody",
    "invitation": "none",
    "item": "999",
    "form": "jsonl",
    "job": "1",
}
"""Something for every part of an address."""
ROLES = ("nobody", "annotator", "stranger", "manager", "admin")
"""Nobody; an annotator of the campaign; a manager of another; its manager; an admin."""
_SIGN_IN, _NOT_FOUND, _REFUSED = "sign in", "not found", "refused"
_MANAGERS = {"nobody": _SIGN_IN, "annotator": _SIGN_IN, "stranger": _NOT_FOUND}
_DENIED = {
    "anyone": {},
    "annotator": dict.fromkeys(("nobody", "stranger", "manager", "admin"), _SIGN_IN),
    "user": dict.fromkeys(("nobody", "annotator"), _SIGN_IN),
    "manager": _MANAGERS,
    "admin": {**_MANAGERS, "manager": _REFUSED},
}


SHARED = {("PUT", "/desk/models"), ("GET", "/desk/models/servers")}
"""Routes of every user on a machine of one's own, and of admins on a shared desk."""


def address(route: Route, **parts: str) -> str:
    """Return the path of a route with its parameters filled in."""
    path = route.path if route.page else PREFIX + route.path
    return path.format(**{**PARTS, **parts})


def answered_rightly(route: Route, role: str, status: int, location: str) -> bool:
    """Return True if a response admits or refuses as the role requires."""
    asks = status == 401 or (status == 303 and location.startswith("/sign-in?to="))
    if role == "stranger" and "{campaign}" not in route.path:
        role = "manager"  # Where there is no campaign, all managers are alike.
    who = "admin" if (route.method, route.path) in SHARED else route.who
    denied = _DENIED[who].get(role)
    if denied is None:
        return 0 < status < 500 and not asks and status != 403
    return {_SIGN_IN: asks, _NOT_FOUND: status == 404, _REFUSED: status == 403}[denied]
