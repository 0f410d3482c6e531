"""What a knowledge base answers."""

from __future__ import annotations

import math
import multiprocessing
import pickle
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tatian.errors import InputError
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.building.builder import build
from tatian.knowledge.building.pages import Anchor, Page

from .bases import WORLD, Listed, base_of, vectors


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("base") / "world.kb"
    build([Listed(*WORLD)], place, vectors=vectors)
    return place


@pytest.fixture
def base(path: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(path) as opened:
        yield opened


def titles(base: KnowledgeBase, term: str) -> list[str]:
    return [one.title for one in base.lookup(term).candidates]


def test_a_term_is_found_however_it_is_written(base: KnowledgeBase) -> None:
    assert base.lookup("JAGUAR   limited").term == "jaguar limited"
    assert titles(base, "JAGUAR-Limited") == ["Jaguar Cars"]


def test_the_most_common_page_of_a_term_comes_first(base: KnowledgeBase) -> None:
    found = base.lookup("jaguar").candidates
    assert [one.title for one in found[:2]] == ["Jaguar", "Jaguar Cars"]
    assert [one.prior for one in found] == sorted((one.prior for one in found), reverse=True)
    assert sum(one.prior for one in found) == pytest.approx(1)


def test_candidates_have_their_number_of_links(base: KnowledgeBase) -> None:
    counts = {one.title: one.count for one in base.lookup("jaguar").candidates}
    assert (counts["Jaguar"], counts["Jaguar Cars"], counts["Jaguar, Texas"]) == (3, 3, 0)


def test_lists_and_disambiguation_pages_are_never_candidates(base: KnowledgeBase) -> None:
    assert titles(base, "list of cats") == []
    assert titles(base, "jaguar disambiguation") == []


def test_a_plural_is_looked_up_as_its_singular(base: KnowledgeBase) -> None:
    found = base.lookup("Jaguars")
    assert (found.term, found.candidates[0].title) == ("jaguar", "Jaguar")


def test_a_plural_with_an_entry_of_its_own_keeps_it(base: KnowledgeBase) -> None:
    assert base.lookup("cats").term == "cats"


def test_a_term_that_nothing_is_called_has_no_candidates(base: KnowledgeBase) -> None:
    found = base.lookup("Zeppelins")
    assert (found.term, found.link_probability, found.candidates) == ("zeppelins", 0, ())


@pytest.mark.parametrize("term", ["", "!?", "  ", "\ud800"])
def test_unknown_terms_are_not_found(base: KnowledgeBase, term: str) -> None:
    assert base.lookup(term).candidates == ()
    assert base.title_of(term) is None


def test_link_probability_is_links_over_occurrences(base: KnowledgeBase) -> None:
    assert base.lookup("cars").link_probability == pytest.approx(2 / 3)


def test_senses_by_number_are_those_of_the_term(base: KnowledgeBase) -> None:
    number = base.dictionary.get("jaguar")
    assert number is not None
    assert base.senses(number) == base.lookup("jaguar").candidates
    assert base.link_probability(number) == base.lookup("jaguar").link_probability


def test_term_number_gives_words_and_counts(base: KnowledgeBase) -> None:
    number = dict(base.terms())["cars"]
    assert (base.form_of(number), base.counts_of(number)) == ("cars", (2, 3))
    assert (base.form_of(0), base.counts_of(0)) == ("", (0, 0))


def test_the_dictionary_is_made_from_the_terms_where_its_file_is_missing(tmp_path: Path) -> None:
    with base_of(tmp_path / "a.kb", WORLD) as base:
        Path(f"{base.path}.terms").unlink()
        assert base.dictionary.get("jaguar cars") == dict(base.terms())["jaguar cars"]


def test_the_dictionary_of_another_base_is_not_used(tmp_path: Path) -> None:
    with base_of(tmp_path / "a.kb", [Page("A"), Page("C")]) as base:
        build([Listed(Page("B"), Page("C"))], tmp_path / "b.kb")
        Path(tmp_path / "b.kb.terms").replace(f"{base.path}.terms")
        assert [base.dictionary.get(term) for term in "abc"] == [1, None, 2]


def test_an_entity_is_found_by_title_redirect_and_number(base: KnowledgeBase) -> None:
    jaguar = base.entity("Jaguar")
    assert jaguar is not None
    assert jaguar.categories == ("Cats",)
    assert base.entity("Panthera_onca") == jaguar == base.entity(jaguar.id)


def test_titles_lead_to_the_title_of_their_page(base: KnowledgeBase) -> None:
    wanted = ["Felis", "cat", "jaguar cars", "JAGUAR CARS", "Jaguar Boats"]
    found = [base.title_of(title) for title in wanted]
    assert found == ["Cat", "Cat", "Jaguar Cars", "Jaguar Cars", None]


def test_an_unknown_number_is_no_entity(base: KnowledgeBase) -> None:
    assert base.entity(10**30) is None
    assert base.entity(0) is None


def test_an_entity_is_found_by_the_ids_of_others(base: KnowledgeBase) -> None:
    brazil = base.entity("Brazil")
    assert base.by_wikidata("Q155") == brazil == base.by_freebase("/m/015fr")


def test_empty_id_finds_no_entity(base: KnowledgeBase) -> None:
    assert base.by_wikidata("") is None
    assert base.by_freebase("") is None


def test_all_facts_are_returned_without_a_date(base: KnowledgeBase) -> None:
    assert len(base.facts("Brazil")) == 3


@pytest.mark.parametrize(
    ("at", "head"),
    [
        ("2005", ["Lula da Silva"]),
        ("2012-05-01", ["Dilma Rousseff"]),
        ("1500", ["Lula da Silva", "Dilma Rousseff"]),
    ],
)
def test_facts_of_a_date_are_preferred(base: KnowledgeBase, at: str, head: list[str]) -> None:
    facts = base.facts("Brazil", at)
    assert [fact.value for fact in facts if fact.relation == "head of state"] == head
    assert "South America" in [fact.value for fact in facts]


def test_missing_page_has_no_facts(base: KnowledgeBase) -> None:
    assert base.facts("Atlantis") == ()


def test_inlinks_are_the_sorted_numbers_of_articles(base: KnowledgeBase) -> None:
    linking = [base.id_of(title) for title in ("Jaguar", "Cat")]
    found = base.inlinks(base.id_of("Brazil") or 0)
    assert found.dtype == np.int32
    assert found.tolist() == sorted(one for one in linking if one)


def test_relatedness_follows_milne_and_witten(base: KnowledgeBase) -> None:
    brazil, cat = base.id_of("Brazil"), base.id_of("Cat")
    assert brazil
    assert cat
    shared = 1 - (math.log(2) - math.log(1)) / (math.log(len(base)) - math.log(1))
    assert base.relatedness(brazil, cat) == pytest.approx(shared)
    assert base.relatedness(cat, brazil) == base.relatedness(brazil, cat)


def test_relatedness_is_1_to_itself_and_0_to_unlinked_pages(base: KnowledgeBase) -> None:
    brazil, stranger = base.id_of("Brazil"), base.id_of("Rosa Jaguar")
    assert brazil
    assert stranger
    assert base.relatedness(brazil, brazil) == 1
    assert base.relatedness(brazil, stranger) == 0


def test_pages_with_equal_links_have_relatedness_1(tmp_path: Path) -> None:
    pages = [
        Page("A", anchors=(Anchor("X", "x"), Anchor("Y", "y"))),
        *(Page(title) for title in ("X", "Y", "Z")),
    ]
    with base_of(tmp_path / "a.kb", pages) as base:
        assert base.relatedness(base.id_of("X") or 0, base.id_of("Y") or 0) == 1


def test_stored_vector_is_close_to_the_original(base: KnowledgeBase) -> None:
    expected = vectors(["Jaguar: A cat of the Americas."])[0]
    found = base.vector(base.id_of("Jaguar") or 0)
    assert found is not None
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=1 / 127)


def test_pages_that_are_no_articles_have_no_vector(base: KnowledgeBase) -> None:
    assert base.vector(base.id_of("List of cats") or 0) is None


def test_search_gives_the_term_itself_then_the_most_used(base: KnowledgeBase) -> None:
    found = [one.term for one in base.search("jaguar", 3)]
    assert found[0] == "jaguar"
    assert len(found) == 3
    assert all(term.startswith("jaguar") for term in found)
    assert [one.term for one in base.search("ca", 2)] == ["cars", "cats"]


def test_empty_search_finds_nothing(base: KnowledgeBase) -> None:
    assert base.search("") == base.search("zzz") == base.search("a", 0) == ()


def test_iteration_gives_every_entity_once(base: KnowledgeBase) -> None:
    found = list(base)
    assert len(found) == len(base) == base.info().counts.entities == 11
    assert found == [base.entity(one.id) for one in found]


def test_a_base_is_pickled_by_its_path(base: KnowledgeBase) -> None:
    with pickle.loads(pickle.dumps(base)) as again:
        assert again.lookup("jaguar") == base.lookup("jaguar")


def test_using_a_closed_base_is_an_error(path: Path) -> None:
    with KnowledgeBase.open(path) as base:
        pass
    with pytest.raises(InputError, match="has been closed"):
        base.entity("Jaguar")


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_base_can_be_read_by_several_processes(base: KnowledgeBase) -> None:
    expected = base.lookup("jaguar")
    asked = [(base, "jaguar")] * 16
    mortal = partial(signal.signal, signal.SIGTERM, signal.SIG_DFL)  # Ray's handler may hang.
    for method in ("spawn", "fork"):
        with multiprocessing.get_context(method).Pool(3, mortal) as pool:
            assert pool.starmap(KnowledgeBase.lookup, asked) == [expected] * 16


def test_base_can_be_read_by_several_threads(path: Path) -> None:
    with KnowledgeBase.open(path) as base, ThreadPoolExecutor(8) as pool:
        asked = [title for title in ("Jaguar", "Brazil", "Cat", "Felis") for _ in range(200)]
        found = list(pool.map(partial(KnowledgeBase.id_of, base), asked))
    assert len(set(zip(asked, found, strict=True))) == 4
