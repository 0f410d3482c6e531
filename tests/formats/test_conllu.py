"""CoNLL-U: read and written without loss, and valid."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.analysis.pieces import RuleAnalyser
from tatian.errors import EmptyInput, InputError
from tatian.formats.conllu import parse
from tatian.formats.conllu_writer import to_conllu
from tatian.text import NAMES, SENTENCES, TOKENS, WORDS, Document, Name, Sentence, Token, Word

SAMPLE = """\
# newdoc id = story
# sent_id = s1
# text = Ann didn't go.
1\tAnn\tAnn\tPROPN\tNNP\tNumber=Sing\t4\tnsubj\t_\tNER=B-PER
2-3\tdidn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdid\tdo\tAUX\tVBD\tMood=Ind|Tense=Past\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tgo\tgo\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\tSpaceAfter=No|Gloss=x
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

# newpar
# sent_id = s2
# text = Why?
1\tWhy\twhy\tADV\tWRB\t_\t0\troot\t_\tSpaceAfter=No
2\t?\t?\tPUNCT\t.\t_\t1\tpunct\t_\t_

"""


def read(text: str) -> list[Document]:
    return list(parse(text.splitlines(keepends=True), "name", "a.conllu"))


def violations(conllu: str) -> list[str]:
    """What breaks the rules of form of Universal Dependencies."""
    found: list[str] = []
    assert conllu.endswith("\n\n")
    ids = re.findall(r"^# sent_id = (\S+)$", conllu, re.MULTILINE)
    blocks = conllu.removesuffix("\n\n").split("\n\n")
    if len(set(ids)) != len(blocks):
        found.append("sent_id")
    for block in blocks:
        lines = block.split("\n")
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        texts = [line.removeprefix("# text = ") for line in lines if line.startswith("# text = ")]
        if any(len(row) != 10 or not all(row) for row in rows):
            found.append("columns")
        words = [row for row in rows if "-" not in row[0]]
        if [row[0] for row in words] != [str(n) for n in range(1, len(words) + 1)]:
            found.append("ids")
        heads = [int(row[6]) for row in words]
        if heads.count(0) != 1 or any((row[6] == "0") != (row[7] == "root") for row in words):
            found.append("root")
        if any(head > len(words) or head == place for place, head in enumerate(heads, 1)):
            found.append("heads")
        if any(" " in row[1] for row in words):
            found.append("forms")
        if texts != [spelled(rows)]:
            found.append("text")
        for row in words:
            names = [item.partition("=")[0].lower() for item in row[5].split("|")]
            if names != sorted(names):
                found.append("features")
    return found


def spelled(rows: list[list[str]]) -> str:
    """The text that a sentence's rows spell."""
    text, covered = "", 0
    for row in rows:
        first, _, last = row[0].partition("-")
        if int(first) > covered or last:
            text += row[1] + ("" if "SpaceAfter=No" in row[9].split("|") else " ")
            covered = int(last or first)
    return text.strip()


def test_reading_and_writing_returns_the_file() -> None:
    assert "".join(map(to_conllu, read(SAMPLE))) == SAMPLE


def test_words_stand_in_the_text_where_the_file_has_them() -> None:
    (document,) = read(SAMPLE)
    assert document.id == "story"
    assert document.text == "Ann didn't go.\n\nWhy?"
    assert [token.text for token in document.tokens][:4] == ["Ann", "did", "n't", "go"]
    assert [s.of(document.text) for s in document.sentences] == ["Ann didn't go.", "Why?"]


def test_annotations_become_layers() -> None:
    (document,) = read(SAMPLE)
    assert document.get(WORDS)[1] == Word(
        token=1,
        tag="AUX",
        lemma="do",
        head=3,
        relation="aux",
        fine="VBD",
        features={"Mood": "Ind", "Tense": "Past"},
    )
    assert document.get(WORDS)[5].head == -1
    assert document.get(NAMES) == (Name(0, 3, "PER"),)


def test_columns_without_annotation_give_no_words() -> None:
    (document,) = read("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n")
    assert not document.has(WORDS)
    assert document.text == "a b"
    assert document.id == "name"


def test_newdoc_comments_start_documents() -> None:
    second = SAMPLE.replace("id = story", "id = other")
    third = SAMPLE.replace("# newdoc id = story", "# newdoc")
    assert [document.id for document in read(SAMPLE + second + third)] == [
        "story",
        "other",
        "name-3",
    ]


def test_a_multiword_token_that_its_words_do_not_spell_is_kept() -> None:
    text = "# sent_id = a\n# text = du\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
    text += "1\tde\t_\t_\t_\t_\t_\t_\t_\t_\n2\tle\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    (document,) = read(text)
    assert document.text == "de le"
    assert to_conllu(document) == text


ENHANCED = """\
# sent_id = e
# text = Ann swam, Bob too.
0.1\t_\t_\t_\t_\t_\t_\t_\t_\t_
1\tAnn\tAnn\tPROPN\tNNP\tNumber=Sing\t2\tnsubj\t2:nsubj\t_
2\tswam\tswim\tVERB\tVBD\tTense=Past\t0\troot\t0:root\tSpaceAfter=No
3\t,\t,\tPUNCT\t,\t_\t4\tpunct\t4.1:punct\t_
4\tBob\tBob\tPROPN\tNNP\tNumber=Sing\t2\tconj\t4.1:nsubj\t_
4.1\tswam\tswim\tVERB\tVBD\t_\t_\t_\t2:conj\tCopyOf=2
5-6\ttoo.\t_\t_\t_\tTypo=Yes\t_\t_\t_\t_
5\ttoo\ttoo\tADV\tRB\t_\t4\torphan\t4.1:advmod\t_
6\t.\t.\tPUNCT\t.\t_\t2\tpunct\t2:punct\t_

"""


def test_empty_nodes_and_enhanced_dependencies_are_written_again() -> None:
    (document,) = read(ENHANCED)
    assert document.text == "Ann swam, Bob too."
    assert to_conllu(document) == ENHANCED


def test_empty_nodes_and_enhanced_dependencies_go_with_the_tree_they_belong_to() -> None:
    (document,) = read(ENHANCED)
    written = to_conllu(chain_words(document))
    assert violations(written) == []
    assert "4.1" not in written
    assert "5-6\ttoo.\t_\t_\t_\tTypo=Yes" in written


def test_unattached_words_stay_unattached() -> None:
    text = "# sent_id = a\n# text = a b\n1\ta\ta\tX\t_\t_\t_\t_\t_\t_\n"
    text += "2\tb\t_\tX\t_\tsg|A=1\t_\t_\t_\t_\n\n"
    assert to_conllu(*read(text)) == text.replace("sg|A=1", "A=1|sg")


def test_invalid_ner_label_gives_no_name() -> None:
    (document,) = read(SAMPLE.replace("NER=B-PER", "NER=PER"))
    assert not document.has(NAMES)


def test_new_document_is_separated_from_the_one_before() -> None:
    bare = SAMPLE.split("\n", 1)[1]
    (document,) = read(bare)
    assert to_conllu(document) == bare
    assert to_conllu(document, apart=True) == "# newdoc id = name\n" + bare
    assert to_conllu(*read(SAMPLE), apart=True) == SAMPLE


def test_sentences_without_words_are_skipped() -> None:
    document = Document("x", "\nHi").with_layer(TOKENS, [Token(1, 3, "Hi")], "m")
    document = document.with_layer(SENTENCES, [Sentence(0, 0), Sentence(1, 3)], "m")
    assert to_conllu(document).splitlines()[:2] == ["# newdoc id = x", "# sent_id = x-2"]


def test_new_annotations_replace_old_ones_and_keep_the_rest() -> None:
    (document,) = read(SAMPLE)
    changed = document.with_layer(NAMES, [Name(11, 13, "LOC")], "me")
    written = to_conllu(changed)
    assert "NER=B-PER" not in written
    assert "\tSpaceAfter=No|Gloss=x|NER=B-LOC\n" in written


def test_frames_survive_json() -> None:
    (document,) = read(SAMPLE)
    again = Document.from_json(json.loads(json.dumps(document.to_json())))
    assert to_conllu(again) == SAMPLE


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_a_file_without_sentences_is_refused(text: str) -> None:
    with pytest.raises(EmptyInput):
        read(text)


def test_text_without_analysis_has_empty_columns() -> None:
    document = RuleAnalyser().analyze(Document("my story", "Ann didn't go.\n\nWhy?"))
    assert to_conllu(document).splitlines()[:5] == [
        "# newdoc id = my story",
        "# sent_id = my_story-1",
        "# text = Ann didn't go.",
        "1\tAnn\t_\t_\t_\t_\t_\t_\t_\t_",
        "2\tdid\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
    ]
    assert "# newpar\n# sent_id = my_story-2\n" in to_conllu(document)


def chain_words(document: Document) -> Document:
    """Every word hangs on the one before it."""
    words = []
    for sentence in document.sentences:
        inside = [i for i, t in enumerate(document.tokens) if sentence.contains(t)]
        for place in inside:
            root = place == inside[0]
            words.append(
                Word(
                    token=place,
                    tag="X",
                    lemma="x",
                    head=-1 if root else place - 1,
                    relation="root" if root else "dep",
                    features={"b": "1", "A": "2"},
                )
            )
    return document.with_layer(WORDS, words, "test")


@given(st.text(min_size=1).filter(lambda text: RuleAnalyser().analyze(Document("x", text)).tokens))
def test_any_text_becomes_valid_conllu(text: str) -> None:
    document = chain_words(RuleAnalyser().analyze(Document("x y/z", text)))
    assert violations(to_conllu(document)) == []


@given(st.text(min_size=1).filter(lambda text: RuleAnalyser().analyze(Document("x", text)).tokens))
def test_writing_and_reading_keeps_the_tokens(text: str) -> None:
    document = chain_words(RuleAnalyser().analyze(Document("x", text)))
    written = to_conllu(document)
    (again,) = parse(written, "x")
    assert len(again.tokens) == len(document.tokens)
    assert to_conllu(again) == written


def test_tokens_with_blanks_inside_stay_one_column() -> None:
    document = Document("x", "a\tb c").with_layer(
        TOKENS, [Token(0, 3, "a\tb"), Token(4, 5, "c")], "m"
    )
    document = document.with_layer(SENTENCES, [Sentence(0, 5)], "m")
    assert violations(to_conllu(chain_words(document))) == []
    assert "1\ta_b\t" in to_conllu(document)


def test_a_head_in_another_sentence_is_refused() -> None:
    (document,) = read(SAMPLE)
    words = list(document.get(WORDS))
    words[5] = Word(token=5, tag="ADV", lemma="why", head=0, relation="dep")
    with pytest.raises(InputError, match=r"the head of 'Why' .* is in another sentence"):
        to_conllu(document.with_layer(WORDS, words, "me"))


@pytest.mark.parametrize("name", ["syntax/en_ewt-dev.conllu.gz", "coreference/gum-dev.conllu.gz"])
def test_treebanks_are_written_back_unchanged(name: str, data: Path) -> None:
    with gzip.open(data / name, "rt", encoding="utf-8") as file:
        text = file.read()
    assert "".join(map(to_conllu, parse(text))) == text
