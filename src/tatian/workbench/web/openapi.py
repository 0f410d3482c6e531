"""The API described for programs (OpenAPI 3.1), made from the table that the server runs on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

import tatian
from tatian.workbench.web.errors import Failure
from tatian.workbench.web.routing import NUMBERS, PREFIX, Route

_REF = "#/components/schemas/{name}"
_JSON = "application/json"
_WHO: dict[str, list[dict[str, list[str]]]] = {
    "anyone": [],
    "annotator": [{"annotator": []}],
    "user": [{"session": []}, {"token": []}],
    "manager": [{"session": []}, {"token": []}],
    "admin": [{"session": []}, {"token": []}],
}
_SCHEMES = {
    "token": {"type": "http", "scheme": "bearer"},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "tatian_session",
        "description": "A browser's session; changes also need its token as X-CSRF-Token.",
    },
    "annotator": {
        "type": "apiKey",
        "in": "cookie",
        "name": "tatian_work",
        "description": "An annotator's session in one campaign (the cookie's name goes on with a "
        "hash of the campaign); changes also need its token as X-CSRF-Token.",
    },
}


def describe(routes: Iterable[Route]) -> dict[str, Any]:
    """The whole document."""
    routes = list(routes)
    types = [kind for route in routes for kind in _types(route)]
    schemas, components = msgspec.json.schema_components([*types, Failure], ref_template=_REF)
    known = dict(zip(map(repr, types), schemas, strict=False))
    failure = schemas[-1]
    paths: dict[str, dict[str, Any]] = {}
    for route in routes:
        paths.setdefault(PREFIX + route.path, {})[route.method.lower()] = _operation(
            route, known, failure
        )
    return {
        "openapi": "3.1.0",
        "info": {"title": "Tatian workbench", "version": tatian.__version__},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": _SCHEMES},
    }


def _types(route: Route) -> list[Any]:
    kinds = [route.body, route.answer, route.query]
    return [kind for kind in kinds if kind is not None and kind is not bytes]


def _operation(route: Route, known: dict[str, Any], failure: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": _name(route),
        "summary": route.summary,
        "security": _WHO[route.who],
        "parameters": _path(route) + _query(route),
        "responses": _responses(route, known, failure),
    }
    if route.body is bytes:
        schema = {"type": "string", "format": "binary"}
        content = {"application/octet-stream": {"schema": schema}}
        operation["requestBody"] = {"required": True, "content": content}
    elif route.body is not None:
        content = {_JSON: {"schema": known[repr(route.body)]}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _path(route: Route) -> list[dict[str, Any]]:
    text = {"type": "string", "minLength": 1, "pattern": "^[^/\\u0000]+$"}
    number = {"type": "integer", "minimum": 1, "maximum": 10**18 - 1}
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": number if name in NUMBERS else text,
        }
        for name in re.findall(r"\{(\w+)\}", route.path)
    ]


def _query(route: Route) -> list[dict[str, Any]]:
    if route.query is None:
        return []
    (schema,), components = msgspec.json.schema_components([route.query], ref_template="{name}")
    fields = components[schema["$ref"]]
    return [
        {"name": name, "in": "query", "required": name in fields["required"], "schema": kind}
        for name, kind in fields["properties"].items()
    ]


def _responses(
    route: Route, known: dict[str, Any], failure: dict[str, Any]
) -> dict[str, dict[str, Any]]:
    success: dict[str, Any] = {"description": "Done."}
    if route.answer is bytes:
        success["content"] = {"*/*": {}}
    elif route.answer is not None:
        success["content"] = {_JSON: {"schema": known[repr(route.answer)]}}
    wrong = {"content": {_JSON: {"schema": failure}}}
    statuses = {"400": "Not understood.", "404": "There is none."}
    if route.who != "anyone":
        statuses |= {"401": "Nobody has signed in.", "403": "Not allowed."}
    statuses |= {"409": "It has changed meanwhile.", "410": "Its time has passed."}
    statuses |= {"413": "Too large.", "415": "Of the wrong type.", "422": "Not usable."}
    statuses |= {"429": "Too often."}
    answers = {status: {"description": text, **wrong} for status, text in statuses.items()}
    return {str(route.status): success, **answers}


def _name(route: Route) -> str:
    words = re.sub(r"[{}]", "", route.path).strip("/").replace("/", "_")
    return f"{route.method.lower()}_{words}"
