"""The API's description: complete, valid, and true of whatever schemathesis thinks of sending."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    response_schema_conformance,
    status_code_conformance,
)

from tatian.workbench.web.app import ROUTES
from tatian.workbench.web.routing import PREFIX, Route

from . import world as worlds
from .world import World

CHECKS = [not_a_server_error, response_schema_conformance, status_code_conformance]
LONG = pytest.mark.long


def _named(route: Route) -> str:
    return f"{route.method} {route.path}"


def test_every_address_is_described_once() -> None:
    addresses = [(route.method, route.path) for route in ROUTES]
    assert len(set(addresses)) == len(addresses)


def test_every_reference_leads_somewhere(world: World) -> None:
    document = world.browser().get(f"{PREFIX}/openapi.json").json()

    def references(value: Any) -> set[str]:
        if isinstance(value, dict):
            own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
            return own.union(*map(references, value.values()))
        return set().union(*map(references, value)) if isinstance(value, list) else set()

    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert references(document) <= known
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_every_change_says_who_may_make_it(world: World) -> None:
    document = world.browser().get(f"{PREFIX}/openapi.json").json()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            assert operation["summary"]
            assert operation["security"] or (path, method) == (f"{PREFIX}/openapi.json", "get")


@pytest.mark.parametrize(
    ("schema", "fields"),
    [
        ("SentAnswer", {"revision", "guideline"}),
        ("Correction", {"guideline"}),
        ("Work", {"guideline"}),
        ("AnsweredItem", {"guideline"}),
        ("Mine", {"number", "title"}),
        ("Received", {"progress"}),
    ],
)
def test_what_a_name_alone_does_not_say_is_described(
    world: World, schema: str, fields: set[str]
) -> None:
    document = world.browser().get(f"{PREFIX}/openapi.json").json()
    known = document["components"]["schemas"][schema]["properties"]
    assert fields <= {name for name, field in known.items() if field.get("description")}


@pytest.mark.parametrize(
    ("route", "mode"),
    [
        *(pytest.param(one, GenerationMode.POSITIVE, id=_named(one)) for one in ROUTES),
        *(
            pytest.param(one, GenerationMode.NEGATIVE, id=f"{_named(one)} broken", marks=LONG)
            for one in ROUTES
            if one.body not in (None, bytes) or one.query is not None
        ),
    ],
)
def test_any_request_is_answered_as_described(
    world: World, route: Route, mode: GenerationMode
) -> None:
    """Generated requests to real campaigns, items and people, as those who may make them."""
    call = _Calls(world, route)
    schema = schemathesis.openapi.from_asgi(
        f"{PREFIX}/openapi.json", world.app, headers={"Host": "localhost"}
    )
    operation = schema[PREFIX + route.path][route.method]
    alike = route.body is None and route.query is None
    examples = 1 if alike else settings.default.max_examples // 10

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Case) -> None:
        call.check(case)

    check()


class _Calls:
    """Makes generated requests reach what there is."""

    def __init__(self, world: World, route: Route) -> None:
        campaign = world.campaign()
        user = world.user()
        self.person = world.annotator(campaign)
        item = worlds.given(self.person)["assignment"]
        if "correction" in route.path or route.path.endswith("{assignment}"):
            assert worlds.answer(self.person, item).status_code == 200
        me = self.person.get(f"{PREFIX}/work/birds/me").json()["annotator"]
        self.parts = {
            "campaign": "birds",
            "assignment": item,
            "annotator": me["id"],
            "invitation": me["invitation"],
            "key": "birds-1",
            "name": "ada",
        }
        if "{project}" in route.path:
            desk = world.signed_in(user)
            made = desk.post(f"{PREFIX}/desk/projects", json={}).json()["id"]
            url = f"{PREFIX}/desk/projects/{made}/accounts/paste"
            assert desk.post(url, json={"text": "A ferry sank."}).status_code == 201
            self.parts |= {"project": made, "account": "a1", "format": "text"}
        self.caller = self.person if route.who == "annotator" else world.program(user)
        if route.browser:
            self.caller = world.signed_in(user)

    def check(self, case: Case) -> None:
        """Send a request as somebody who may, and hold the answer against the description."""
        for name in case.path_parameters:
            case.path_parameters[name] = self.parts.get(name, case.path_parameters[name])
        if isinstance(case.body, dict) and isinstance(case.body.get("task"), str):
            case.body["task"] = "union"
        if isinstance(case.body, dict) and type(case.body.get("revision")) is int:
            case.body["revision"] = 0
        case.cookies.clear()
        case.headers.clear()
        headers = {"Host": "localhost", "X-CSRF-Token": self.caller.csrf}
        if "authorization" in self.caller.headers:
            headers["Authorization"] = self.caller.headers["authorization"]
        response = case.call(headers=headers, cookies=dict(self.caller.cookies))
        case.validate_response(response, checks=CHECKS)
