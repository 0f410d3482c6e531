"""From coreference corpora to one file: alignment, what is kept out, and the file's format."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.text import CHAINS, TOKENS, Authorship, Chain, Document, Mention, Token, tokenize
from tatian.training.__main__ import main
from tatian.training.coref.data import (
    CorefData,
    Question,
    align_words,
    chains_of,
    gap_question,
    move_chains,
    read_data,
    read_ecb,
    read_gap,
    read_gum,
    read_litbank,
    read_sources,
)
from tatian.training.data import write_packed

from .coref_world import DATA

MADE = Authorship(by="test")
GUM = """# newdoc id = GUM_news_elm
# global.Entity = GRP-etype-infstat-salience-centering-minspan-link-identity
# sent_id = GUM_news_elm-1
# text = Vera lost her ferry.
1\tVera\tVera\tPROPN\tNNP\t_\t2\tnsubj\t_\tEntity=(1-person-new-nnn-cf1-1-coref)
2\tlost\tlose\tVERB\tVBD\t_\t0\troot\t_\t_
3\ther\ther\tPRON\tPRP$\t_\t4\tnmod:poss\t_\tEntity=(2-object-new-nnn-cf2-2-sgl(1-person-giv-nnn-cf1-1-ana)
4\tferry\tferry\tNOUN\tNN\t_\t2\tobj\t_\tEntity=2)|SpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""
ONTOGUM = (
    "# begin document GUM_news_elm\n0\tVera\t(1)\n1\tlost\t_\n2\ther\t(1)\n3\tferry\t_\n4\t.\t_\n"
    "# end document\n"
)
LITBANK = """#begin document (elm_{0}); part 0
elm_{0}\t0\t0\tVera\t_\t_\t_\t_\t_\t_\t_\t_\t(2)
elm_{0}\t0\t1\tsank\t_\t_\t_\t_\t_\t_\t_\t_\t

#end document
"""
COLUMNS = "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"
ASKED = "test-1\tVera saw Anna Elm. She left.\tShe\t19\tVera\t0\tFALSE\tAnna Elm\t9\tTRUE\t"
ECB = (
    '<Document doc_name="{name}"><token t_id="1" sentence="0" number="0">Vera</token>'
    '<token t_id="2" sentence="0" number="1">sank</token><Markables>'
    '<HUMAN_PART_PER m_id="1"><token_anchor t_id="1"/></HUMAN_PART_PER>'
    '<ACTION_OCCURRENCE m_id="2"><token_anchor t_id="2"/></ACTION_OCCURRENCE>'
    "</Markables><Relations/></Document>"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """All corpora, with next to nothing in them."""
    for split in ("train", "dev"):
        packed(tmp_path / f"gum-{split}.conllu.gz", GUM)
        packed(tmp_path / f"ontogum-{split}.conll.gz", ONTOGUM)
    packed(tmp_path / "litbank-train.conll.gz", "".join(LITBANK.format(n) for n in range(9)))
    for name in ("development", "validation"):
        (tmp_path / f"gap-{name}.tsv").write_text(f"{COLUMNS}\n{ASKED}\n")
    with tarfile.open(tmp_path / "ecbplus-topics-1-35.tar.gz", "w:gz") as archive:
        for name in ("1_1ecb.xml", "30_1ecb.xml", "31_1ecb.xml"):
            data = ECB.format(name=name).encode()
            member = tarfile.TarInfo(f"{name.partition('_')[0]}/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return tmp_path


def packed(path: Path, text: str) -> None:
    path.write_bytes(gzip.compress(text.encode()))


def document(id: str, words: str, *chains: Any) -> Document:
    """Words set apart by blanks, and chains of character offsets."""
    tokens, at = [], 0
    for word in words.split():
        tokens.append(Token(at, at + len(word), word))
        at += len(word) + 1
    made = [
        Chain(str(n), tuple(Mention(*span) for span in chain)) for n, chain in enumerate(chains)
    ]
    return Document(id, words).with_layer(TOKENS, tokens, MADE).with_layer(CHAINS, made, MADE)


def test_gum_has_its_own_chains_and_those_of_ontonotes(folder: Path) -> None:
    train, dev = read_gum(folder)
    assert (train.split, dev.split) == ("train", "dev")
    assert sorted(map(sorted, train.chains["gum"])) == [[(0, 1), (2, 3)], [(2, 4)]]
    assert train.chains["ontonotes"] == [[(0, 1), (2, 3)]]


def test_ontogum_of_another_text_is_refused(folder: Path) -> None:
    packed(folder / "ontogum-train.conll.gz", ONTOGUM.replace("Vera", "Anna"))
    with pytest.raises(InputError, match="is not the text of"):
        list(read_gum(folder))


def test_chains_are_moved_to_the_tokens_of_the_other_version(folder: Path) -> None:
    one, two = document("a", "x so a b c" + " w" * 40), document("b", "so a b c" + " w" * 40)
    places = align_words(one, two, folder)
    assert move_chains([[(2, 4), (0, 2)], [(0, 1)]], places) == [[(1, 3)]]


def test_gum_and_ontogum_must_have_the_same_documents(folder: Path) -> None:
    packed(folder / "ontogum-dev.conll.gz", ONTOGUM + ONTOGUM.replace("elm", "oak"))
    with pytest.raises(InputError, match="2 documents where GUM has 1"):
        list(read_gum(folder))


def test_every_eighth_litbank_document_is_held_out(folder: Path) -> None:
    assert [one.split for one in read_litbank(folder)] == ["dev", *["train"] * 7, "dev"]


def test_the_last_topics_of_ecbplus_and_its_events_are_kept_out(folder: Path) -> None:
    found = list(read_ecb(folder))
    assert [one.document.metadata.topic for one in found] == ["1", "30"]
    assert [one.chains for one in found] == [{"ecb": [[(0, 1)]]}] * 2


def test_mentions_that_end_inside_a_word_are_left_out() -> None:
    given = document("a", "Vera sank", [(0, 4), (5, 7)], [(6, 9)])
    assert chains_of(given) == [[(0, 1)]]


def test_gap_asks_for_words_of_the_analysed_text(folder: Path) -> None:
    first, _ = read_gap(folder)
    tokens = tokenize(first.document.text)
    analysed = Document("a", first.document.text).with_layer(TOKENS, tokens, MADE)
    assert gap_question(first.document, analysed) == Question(5, ((0, 1), (2, 4)), (False, True))


def test_gap_asks_nothing_where_the_words_are_missing(folder: Path) -> None:
    first, _ = read_gap(folder)
    analysed = Document("a", first.document.text).with_layer(TOKENS, (), MADE)
    assert gap_question(first.document, analysed) is None


def test_a_dry_run_takes_a_few_of_each_part(folder: Path) -> None:
    found = [(one.corpus, one.split) for one in read_sources(folder, limit=1)]
    assert len(found) == len(set(found)) == 7


def test_a_missing_corpus_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gum-train\.conllu\.gz"):
        read_sources(tmp_path)


def test_the_command_analyses_all_corpora_and_keeps_their_tokens(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "made" / "coref.msgpack.gz"
    assert main(["coref-data", "--data", str(folder), "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "gum train 1, gum dev 1, litbank dev 2, litbank train 7, gap train 1" in said
    first = read_data(out).part("gum", "train")[0]
    assert list(first.analysis.tokens) == ["Vera", "lost", "her", "ferry", "."]
    assert set(first.chains) == {"gum", "ontonotes"}


@given(st.lists(st.sampled_from(DATA.documents), max_size=4))
def test_data_are_read_as_they_were_written(tmp_path_factory: Any, documents: Any) -> None:
    path = tmp_path_factory.mktemp("data") / "coref.msgpack.gz"
    data = CorefData(documents, "x")
    write_packed(data, path)
    before = path.read_bytes()
    assert msgspec.to_builtins(read_data(path)) == msgspec.to_builtins(data)
    write_packed(read_data(path), path)
    assert path.read_bytes() == before


def test_an_invalid_file_is_refused_with_the_command_that_makes_one(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"no")
    with pytest.raises(InputError, match=r"python -m tatian\.training coref-data"):
        read_data(tmp_path / "x")


def test_data_of_another_schema_are_refused(tmp_path: Path) -> None:
    write_packed(msgspec.structs.replace(DATA, schema=9), tmp_path / "x")
    with pytest.raises(InputError, match="schema 9 where 1 is read"):
        read_data(tmp_path / "x")
