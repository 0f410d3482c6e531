"""``tatian coref score``: what is printed, in which formats, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tatian.coreference.metrics import score
from tatian.formats import find

from .harness import Command

KEY = """#begin document (a); part 000
a\t0\t0\tMary\t(0)
a\t0\t1\tsaid\t-
a\t0\t2\tshe\t(0)
a\t0\t3\tsaw\t-
a\t0\t4\tthe\t(1
a\t0\t5\tcar\t1)

#end document
#begin document (b); part 000
b\t0\t0\tIt\t(4)
b\t0\t1\tlost\t-
b\t0\t2\tits\t(4)
b\t0\t3\twheels\t(5)
#end document
"""
RESPONSE = KEY.replace("she\t(0)", "she\t(2)").replace("wheels\t(5)", "wheels\t-")
WORSE = RESPONSE.replace("its\t(4)", "its\t(7)").replace("Mary\t(0)", "Mary\t-")
METRICS = ["muc", "b3", "ceafm", "ceafe", "blanc", "lea", "mentions", "conll"]


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    texts = {"key.conll": KEY, "response.conll": RESPONSE, "worse.conll": WORSE}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)


def figures(tatian: Command, *options: str, response: str = "response.conll") -> dict[str, object]:
    done = tatian("coref", "score", "key.conll", response, "--format", "json", *options)
    assert done.status == 0, done.err
    return json.loads(done.out)


def test_json_holds_every_metric_as_fractions(tatian: Command) -> None:
    found = figures(tatian)
    assert list(found)[:8] == METRICS
    assert found["muc"] == {"recall": 0.5, "precision": 1.0, "f1": 2 / 3}
    assert found["documents"] == 2
    assert found["signature"].startswith("coref|match:exact|singletons:keep|average:micro|n:2|")


def test_a_key_against_itself_is_perfect(tatian: Command) -> None:
    found = figures(tatian, response="key.conll")
    assert all(found[metric]["f1"] == 1 for metric in METRICS)


def test_text_is_a_table_in_per_cent(tatian: Command) -> None:
    done = tatian("coref", "score", "key.conll", "response.conll")
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[0] == ["metric", "recall", "precision", "f1"]
    assert lines[1] == ["muc", "50.00", "100.00", "66.67"]
    assert [line[0] for line in lines[1:]] == METRICS
    assert done.err.startswith("tatian: note: per cent; coref|")


def test_metrics_can_be_chosen(tatian: Command) -> None:
    found = figures(tatian, "--metric", "lea", "--metric", "muc")
    assert [name for name in found if name in METRICS] == ["muc", "lea"]


def test_the_format_can_be_named(tatian: Command, tmp_path: Path) -> None:
    bare = "".join(line for line in KEY.splitlines(keepends=True) if not line.startswith("#"))
    for name in ("k.txt", "r.txt"):
        (tmp_path / name).write_text(bare)
    assert "not a coreference file" in tatian("coref", "score", "k.txt", "r.txt").error
    options = ("--from", "conll", "--format", "json")
    assert json.loads(tatian("coref", "score", "k.txt", "r.txt", *options).out)["muc"]["f1"] == 1


def test_single_mentions_can_be_dropped(tatian: Command) -> None:
    assert figures(tatian, "--no-singletons")["mentions"]["recall"] == 0.5


def test_scores_of_each_document_are_printed(tatian: Command) -> None:
    found = figures(tatian, "--by", "document")["by_document"]
    assert {id: one["muc"]["recall"] for id, one in found.items()} == {"a": 0, "b": 1}
    shown = tatian("coref", "score", "key.conll", "response.conll", "--by", "document").out
    assert shown.splitlines()[-1].split()[:2] == ["b", "100.00"]


def test_standard_errors_are_printed_on_request(tatian: Command) -> None:
    found = figures(tatian, "--errors")
    assert found["standard_errors"]["muc"] > 0
    assert found["intervals"]["muc"]["level"] == 0.95
    done = tatian("coref", "score", "key.conll", "response.conll", "--errors")
    assert "±" in done.out


def test_two_responses_are_compared(tatian: Command) -> None:
    options = ("--compare", "worse.conll")
    found = figures(tatian, *options)["comparison"]
    assert found["b3"]["difference"] > 0
    assert 0 < found["b3"]["p_value"] <= 1
    shown = tatian("coref", "score", "key.conll", "response.conll", *options).out
    assert "difference" in shown


def test_responses_of_different_formats_are_compared(tatian: Command, tmp_path: Path) -> None:
    converted = tatian("coref", "convert", "worse.conll", "--to", "jsonl")
    (tmp_path / "worse.jsonl").write_text(converted.out)
    found = figures(tatian, "--compare", "worse.jsonl")
    assert found["comparison"] == figures(tatian, "--compare", "worse.conll")["comparison"]


def test_mentions_can_match_in_part(tatian: Command, tmp_path: Path) -> None:
    shorter = KEY.replace("the\t(1", "the\t-").replace("car\t1)", "car\t(1)")
    (tmp_path / "short.conll").write_text(shorter)
    assert figures(tatian, response="short.conll")["mentions"]["recall"] < 1
    found = figures(tatian, "--match", "partial", response="short.conll")
    assert found["mentions"]["recall"] == 1
    assert "|match:partial|" in found["signature"]


def test_chains_are_joined_across_documents(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "key.conll").write_text(KEY.replace("(4)", "(0)"))
    found = figures(tatian, "--cross-document", response="key.conll")
    assert found["documents"] == 1
    assert found["muc"]["f1"] == 1


def test_scoring_tables_and_documents_agrees(tatian: Command) -> None:
    documents = [list(find("conll").read(text)) for text in (KEY, RESPONSE)]
    short, long = figures(tatian), score(*documents).to_json()
    assert [short[metric] for metric in METRICS] == [long[metric] for metric in METRICS]


def test_repeated_mentions_are_reported(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "twice.conll").write_text(KEY.replace("Mary\t(0)", "Mary\t(0)|(9)"))
    done = tatian("coref", "score", "key.conll", "twice.conll")
    assert "tatian: warning: repeated mentions in the response: 1; each counts once" in done.err
    assert tatian("coref", "score", "key.conll", "twice.conll", "-q").err == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (KEY.replace("(b)", "(c)"), "the response lacks document 'b'"),
        (KEY.replace("a\t0\t3\tsaw\t-\n", ""), "bad.conll: document 'a' has 5 tokens and 6"),
        (KEY.replace("car\t1)", "car\t-"), "bad.conll:6: a mention of chain 1 begins here"),
    ],
)
def test_invalid_responses_fail_with_one_line(
    tatian: Command, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "bad.conll").write_text(text)
    assert message in tatian("coref", "score", "key.conll", "bad.conll").error


def test_scoring_tables_needs_no_numpy(tatian: Command) -> None:
    variable = {"PYTHONPROFILEIMPORTTIME": "1"}
    done = tatian.in_new_process(
        "coref", "score", "key.conll", "key.conll", "--format", "json", **variable
    )
    assert "tatian.coreference.metrics" in done.err
    assert "numpy" not in done.err


def test_two_single_documents_are_scored_despite_different_ids(
    tatian: Command, tmp_path: Path
) -> None:
    one = KEY.partition("#begin document (b)")[0]
    (tmp_path / "one.conll").write_text(one)
    (tmp_path / "other.conll").write_text(one.replace("(a)", "(x)"))
    for options in ([], ["--match", "head"]):
        done = tatian("coref", "score", "one.conll", "other.conll", *options)
        assert "note: document 'x' of the response is compared with 'a' of the key" in done.err


def test_a_directory_is_scored_as_the_files_in_it(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "key").mkdir()
    for number, text in enumerate(KEY.split("#end document\n")[:2]):
        (tmp_path / "key" / f"{number}.conll").write_text(f"{text}#end document\n")
    arguments = ("coref", "score", "key", "response.conll", "--format", "json", "--cross-document")
    whole = ("coref", "score", "key.conll", *arguments[3:])
    assert json.loads(tatian(*arguments).out)["b3"] == json.loads(tatian(*whole).out)["b3"]
