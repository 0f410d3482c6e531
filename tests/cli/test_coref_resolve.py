"""``tatian coref resolve``: chains from text, in any form."""

from __future__ import annotations

import json

import pytest

from .harness import Command

STORY = "Clara Dent, the mayor of Oslo, sang. Dent is the owner of a mill.\n"
GERMAN = (
    "Der Rat hat am Montag ein Gesetz beschlossen, das die Kosten für die Bürger senken soll. "
    "Die Opposition war nicht mit dem Entwurf zufrieden und stimmte gegen die Regierung.\n"
)
TABLE = (
    "#begin document (d); part 000\n"
    "d 0 0 Clara - - - - - - - -\n"
    "d 0 1 Dent - - - - - - - -\n"
    "d 0 2 sang - - - - - - - (7)\n"
    "d 0 3 . - - - - - - - -\n"
    "\n"
    "d 0 0 Dent - - - - - - - -\n"
    "d 0 1 slept - - - - - - - (7)\n"
    "d 0 2 . - - - - - - - -\n"
    "\n"
    "#end document\n"
)


def _write(tatian: Command, name: str = "story.txt", text: str = STORY) -> None:
    (tatian.directory / name).write_text(text, "utf-8")


def test_muc_markup_is_the_default(tatian: Command) -> None:
    _write(tatian)
    result = tatian("coref", "resolve", "story.txt")
    assert result.status == 0
    assert result.err == ""
    assert (
        '<COREF ID="1" MIN="Clara Dent">Clara Dent, <COREF ID="2" TYPE="IDENT" REF="1" '
        'MIN="mayor">the mayor of Oslo,</COREF></COREF> sang. <COREF ID="3" TYPE="IDENT" REF="2">'
        'Dent</COREF> is <COREF ID="4" TYPE="IDENT" REF="3" MIN="owner">the owner of a mill</COREF>'
    ) in result.out


def test_resolved_files_pass_the_checks_of_form(tatian: Command) -> None:
    _write(tatian)
    tatian("coref", "resolve", "story.txt", "-o", "response.sgm")
    assert tatian("coref", "check", "response.sgm").status == 0


def test_the_name_of_the_output_says_what_to_write(tatian: Command) -> None:
    _write(tatian)
    tatian("coref", "resolve", "story.txt", "-o", "story.conll", "-q")
    assert (tatian.directory / "story.conll").read_text("utf-8").startswith("#begin document")
    tatian("coref", "resolve", "story.txt", "-o", "story.html")
    assert "<html" in (tatian.directory / "story.html").read_text("utf-8")


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_has_the_chains_of_the_document(tatian: Command, form: str) -> None:
    _write(tatian)
    document = json.loads(tatian("coref", "resolve", "story.txt", "--to", form).out)
    (chain,) = document["layers"]["chains"]["items"]
    assert len(chain["mentions"]) == 4
    assert chain["type"] == "PER"


def test_chains_can_be_written_as_corefud(tatian: Command) -> None:
    _write(tatian)
    result = tatian("coref", "resolve", "story.txt", "--to", "corefud")
    assert result.status == 0
    assert "Entity=(e1-PER" in result.out


def test_tables_keep_their_tokens_and_get_new_chains(tatian: Command) -> None:
    _write(tatian, "tokens.conll", TABLE)
    result = tatian("coref", "resolve", "tokens.conll", "--to", "conll")
    rows = [line.split() for line in result.out.splitlines() if line[:1] == "d"]
    assert [row[3] for row in rows] == ["Clara", "Dent", "sang", ".", "Dent", "slept", "."]
    assert [row[-1] for row in rows] == ["(1", "1)", "-", "-", "(1)", "-", "-"]


def test_several_files_are_several_documents(tatian: Command) -> None:
    _write(tatian, "a.txt")
    _write(tatian, "b.txt")
    result = tatian("coref", "resolve", "a.txt", "b.txt", "--to", "conll", "--quiet")
    assert result.out.count("#begin document") == 2
    assert result.err == ""


def test_a_scheme_that_the_model_does_not_know_is_refused(tatian: Command) -> None:
    _write(tatian)
    result = tatian("coref", "resolve", "story.txt", "--scheme", "litbank", "--model", "match")
    assert result.status == 2
    assert "'match' does not know the scheme 'litbank'; it offers: muc" in result.error


def test_a_text_in_another_language_is_warned_of(tatian: Command) -> None:
    _write(tatian, "de.txt", GERMAN)
    result = tatian("coref", "resolve", "de.txt")
    assert result.status == 0
    (line,) = result.err.splitlines()
    assert "de.txt: seems to be in German: Tatian reads English only" in line
    assert tatian("coref", "resolve", "de.txt", "-q").err == ""


def test_several_documents_are_one_array_in_json_and_lines_in_jsonl(tatian: Command) -> None:
    _write(tatian, "a.txt")
    _write(tatian, "b.txt")
    files = ("coref", "resolve", "a.txt", "b.txt", "-q")
    assert [one["id"] for one in json.loads(tatian(*files, "--to", "json").out)] == ["a", "b"]
    assert len(tatian(*files, "--to", "jsonl").out.splitlines()) == 2


def test_a_second_document_with_the_same_id_is_numbered(tatian: Command) -> None:
    (tatian.directory / "more").mkdir()
    _write(tatian)
    _write(tatian, "more/story.txt")
    result = tatian("coref", "resolve", "story.txt", "more/story.txt", "--to", "conll", "-q")
    begun = [line for line in result.out.splitlines() if line.startswith("#begin")]
    assert begun == [f"#begin document ({id}); part 000" for id in ("story", "story-2")]


def test_explain_says_what_decided_each_link_and_refusal(tatian: Command) -> None:
    _write(tatian, text="Ethel Brandt, the owner, left. Clara Brandt stayed.\n")
    result = tatian("coref", "resolve", "story.txt", "--explain")
    first, *lines = result.out.splitlines()
    assert first.startswith("story: ")
    assert any(line.startswith('  linked "the owner,"') and "§5.3" in line for line in lines)
    assert any("refused" in line and "names of two people or places" in line for line in lines)


def test_a_model_that_only_proposes_is_explained_by_the_definition(tatian: Command) -> None:
    _write(tatian)
    result = tatian("coref", "resolve", "story.txt", "--explain", "--model", "match")
    assert "rule apposition (§5.3)" in result.out


def test_shards_are_not_explained(tatian: Command) -> None:
    _write(tatian)
    result = tatian("coref", "resolve", "story.txt", "--explain", "-o", "shards/")
    assert result.status == 2
    assert "--explain" in result.err
