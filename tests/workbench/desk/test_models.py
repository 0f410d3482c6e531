"""Language models of the desk: choice, refusal, status of texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tatian.chat.endpoint import find_servers
from tatian.consolidation.result import Draft, Writing
from tatian.errors import InputError
from tatian.workbench.desk.models import DeskModels, NamedModels, check_models, model_problem
from tatian.workbench.storage.database import Database
from tatian.workbench.web.routing import PREFIX

from ...chat.server import Script, says, sends, serve
from ..web.world import World, code

MODELS = f"{PREFIX}/desk/models"
OLLAMA = "http://localhost:11434/v1#llama3"
CLOUD = "https://models.example.org/v1"
OpenDesk = Callable[..., World]


@pytest.fixture
def open_desk(new_database: Callable[[str], Database]) -> OpenDesk:
    """Return a function that opens a desk, local unless a host is given."""
    database = new_database("sqlite")
    return lambda **options: World(database, desk=True, **options)


def test_without_a_choice_no_model_is_used(open_desk: OpenDesk) -> None:
    world = open_desk()
    found = world.signed_in(world.user("ann", "manager")).get(MODELS).json()
    assert (found["writer"], found["editor"], found["judge"]) == ("", "", "small")
    assert (found["fixed"], found["elsewhere"], found["may_change"]) == ([], [], True)
    assert found["judges"][0] == "small"


def test_a_chosen_model_is_used_at_once_and_after_a_restart(open_desk: OpenDesk) -> None:
    world = open_desk()
    browser = world.signed_in(world.user("ann", "manager"))
    chosen = {"editor": OLLAMA, "judge": CLOUD}
    assert browser.put(MODELS, json=chosen).json()["elsewhere"] == [CLOUD]
    assert world.site.desk.language_models == DeskModels("", OLLAMA, CLOUD)
    assert open_desk().site.desk.language_models == DeskModels("", OLLAMA, CLOUD)
    browser.put(MODELS, json={})
    assert open_desk().site.desk.language_models == DeskModels()


def test_models_set_on_the_command_line_are_fixed_in_the_browser(open_desk: OpenDesk) -> None:
    open_desk().site.desk.choose_models(DeskModels("", OLLAMA, CLOUD))
    world = open_desk(models=NamedModels(writer=CLOUD))
    assert world.site.desk.language_models == DeskModels(CLOUD, "", CLOUD)
    browser = world.signed_in(world.user("ann", "manager"))
    assert browser.get(MODELS).json()["fixed"] == ["writer", "editor"]
    refused = browser.put(MODELS, json={"editor": OLLAMA})
    assert code(refused)[0] == 422
    assert "set by --writer" in refused.text
    assert browser.put(MODELS, json={"writer": CLOUD, "judge": "local"}).status_code == 200
    assert open_desk().site.desk.language_models == DeskModels("", OLLAMA, "local")


def test_a_small_judge_on_the_command_line_is_used_in_place_of_a_stored_one(
    open_desk: OpenDesk,
) -> None:
    open_desk().site.desk.choose_models(DeskModels("", OLLAMA, CLOUD))
    world = open_desk(models=NamedModels(judge="small"))
    assert world.site.desk.language_models == DeskModels("", OLLAMA, "small")
    browser = world.signed_in(world.user("ann", "manager"))
    assert browser.get(MODELS).json()["fixed"] == ["judge"]
    refused = browser.put(MODELS, json={"editor": OLLAMA, "judge": CLOUD})
    assert "set by --judge" in refused.text
    assert browser.put(MODELS, json={"judge": "small"}).status_code == 200
    assert open_desk().site.desk.language_models == DeskModels("", "", CLOUD)


def test_a_file_that_the_command_line_names_stays_beside_another_judge(open_desk: OpenDesk) -> None:
    world = open_desk(models=NamedModels(writer="model.gguf"))
    browser = world.signed_in(world.user("ann", "manager"))
    assert browser.put(MODELS, json={"writer": "model.gguf", "judge": OLLAMA}).status_code == 200
    assert world.site.desk.language_models == DeskModels("model.gguf", "", OLLAMA)
    assert open_desk().site.desk.language_models == DeskModels("", "", OLLAMA)


def test_only_admins_choose_models_of_a_shared_desk(open_desk: OpenDesk) -> None:
    world = open_desk(host="192.0.2.7")
    ann, root = world.signed_in(world.user("ann", "manager")), world.signed_in(world.user("root"))
    assert code(ann.put(MODELS, json={"editor": OLLAMA})) == (403, "refused")
    assert code(ann.get(f"{MODELS}/servers")) == (403, "refused")
    assert root.put(MODELS, json={"editor": OLLAMA}).status_code == 200
    seen = ann.get(MODELS).json()
    assert (seen["editor"], seen["may_change"]) == (OLLAMA, False)
    assert world.browser().get(MODELS).status_code == 401


def test_servers_on_this_machine_are_listed_with_their_models(
    open_desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = open_desk()
    browser = world.signed_in(world.user("ann", "manager"))
    with serve(Script(says("a"))) as script:
        script.models = sends({"data": [{"id": "llama3"}, {"id": "qwen3:8b"}]})
        port = int(script.url.partition("127.0.0.1:")[2].partition("/")[0])
        there = partial(find_servers, {"Ollama": port})
        monkeypatch.setattr("tatian.workbench.web.desk.models.find_servers", there)
        (server,) = browser.get(f"{MODELS}/servers").json()
    address = f"http://localhost:{port}/v1"
    assert server == {"name": "Ollama", "address": address, "models": ["llama3", "qwen3:8b"]}
    assert script.requests == []


@pytest.mark.parametrize(
    ("chosen", "why"),
    [
        ({"writer": "local"}, "the local model is no writer"),
        ({"editor": "local"}, "the local model is no editor"),
        ({"writer": OLLAMA, "editor": OLLAMA}, "a writer and an editor cannot be combined"),
        ({"writer": "models/large.gguf"}, "is not an address"),
        ({"judge": "file:///etc/passwd"}, "is not an address"),
        ({"editor": "https://ann:secret@models.example.org/v1"}, "must not hold a password"),
        ({"editor": "x" * 5000}, "editor"),
    ],
)
def test_unusable_models_are_refused(open_desk: OpenDesk, chosen: dict[str, str], why: str) -> None:
    world = open_desk()
    refused = world.signed_in(world.user("ann", "manager")).put(MODELS, json=chosen)
    assert refused.status_code == 422
    assert why in refused.text
    assert world.site.desk.language_models == DeskModels()


def test_a_file_of_this_machine_may_be_named_on_the_command_line() -> None:
    named = NamedModels(writer="model.gguf")
    assert check_models(named, files=named.places) == named
    with pytest.raises(InputError, match="is not an address"):
        check_models(named)


BY_WRITER = Writing("llama3", (Draft("A ferry sank.", (0,)),))
BY_EDITOR = Writing("llama3", role="editor")


@pytest.mark.parametrize(
    ("models", "done", "said"),
    [
        (DeskModels(), None, ""),
        (DeskModels(judge=CLOUD), None, ""),
        (DeskModels(), Writing("llama3", role="merger"), ""),
        (DeskModels(), BY_WRITER, "no longer chosen"),
        (DeskModels(), BY_EDITOR, "no longer chosen"),
        (DeskModels(writer=OLLAMA), BY_WRITER, ""),
        (DeskModels(writer=CLOUD), BY_WRITER, ""),
        (DeskModels(editor=OLLAMA), BY_EDITOR, ""),
        (DeskModels(editor=OLLAMA), Writing("llama3", role="merger"), ""),
        (DeskModels(editor=OLLAMA), None, "not been asked yet"),
        (DeskModels(editor=OLLAMA), BY_WRITER, "not been asked yet"),
        (DeskModels(writer=OLLAMA), BY_EDITOR, "not been asked yet"),
        (DeskModels(writer=f"{CLOUD}#larger"), BY_WRITER, "not been asked yet"),
        (DeskModels(writer=OLLAMA), Writing(OLLAMA, problem="away"), "could not be asked (away)"),
    ],
)
def test_texts_of_other_models_say_so(models: DeskModels, done: Writing | None, said: str) -> None:
    problem = model_problem(models, done)
    assert said in problem
    assert bool(problem) == bool(said)
