"""What a build makes of its sources."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings

from tatian import __version__
from tatian.engine import open_engine
from tatian.errors import EmptyInput, InputError
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.building.builder import build
from tatian.knowledge.building.pages import Anchor, Page, Redirect
from tatian.knowledge.entities import Fact

from .bases import SOURCES, WORLD, Listed, base_of


def candidates(base: KnowledgeBase, term: str) -> dict[str, float]:
    return {one.title: round(one.prior, 6) for one in base.lookup(term).candidates}


def test_sources_are_merged_by_title(tmp_path: Path) -> None:
    first = [Page("Oslo", description="A city.", categories=("Cities",), aliases=("Christiania",))]
    second = [
        Page(
            "oslo",
            kind="location",
            description="The capital of Norway.",
            categories=("Ports", "Cities"),
            facts=(Fact("country", "Norway"),),
            wikidata="Q585",
        )
    ]
    with base_of(tmp_path / "a.kb", first, second) as base:
        oslo = base.entity("Oslo")
        assert len(base) == 1
        assert oslo
        assert (oslo.kind, oslo.description, oslo.wikidata) == ("location", "A city.", "Q585")
        assert oslo.categories == ("Cities", "Ports")
        assert oslo.facts == (Fact("country", "Norway"),)
        assert base.lookup("christiania").candidates[0].title == "Oslo"


@pytest.mark.parametrize("field", ["wikidata", "freebase"])
def test_pages_with_the_same_id_are_one_under_the_first_title(tmp_path: Path, field: str) -> None:
    first, second = Page("Mumbai", **{field: "x1"}), Page("Bombay", **{field: "x1"})
    with base_of(tmp_path / "a.kb", [first], [second]) as base:
        assert [one.title for one in base] == ["Mumbai"]
        assert base.title_of("Bombay") == "Mumbai"


def test_a_page_that_another_source_redirects_joins_the_target(tmp_path: Path) -> None:
    old = [Page("Bombay", description="A city."), Page("Ship", anchors=(Anchor("Bombay", "B"),))]
    new = [Page("Mumbai"), Redirect("Bombay", "Mumbai")]
    with base_of(tmp_path / "a.kb", old, new) as base:
        mumbai = base.entity("Bombay")
        assert mumbai
        assert (mumbai.title, mumbai.description, mumbai.inlinks) == ("Mumbai", "A city.", 1)


def test_page_redirected_to_a_missing_one_is_kept(tmp_path: Path) -> None:
    with base_of(tmp_path / "a.kb", [Page("Bombay")], [Redirect("Bombay", "Mumbai")]) as base:
        assert (base.title_of("Bombay"), base.title_of("Mumbai")) == ("Bombay", None)


def test_links_to_missing_pages_are_dropped(tmp_path: Path) -> None:
    with base_of(tmp_path / "a.kb", [Page("A", anchors=(Anchor("B", "thing"),))]) as base:
        assert base.lookup("thing").candidates == ()
        assert base.info().counts.links == 0


def test_a_link_written_in_other_cases_finds_the_only_page_of_that_name(tmp_path: Path) -> None:
    pages = [Page("United States"), Page("A", anchors=(Anchor("united states", "the States"),))]
    with base_of(tmp_path / "a.kb", pages) as base:
        assert candidates(base, "the states") == {"United States": 1}


def test_a_link_in_other_cases_stays_open_where_two_pages_fit(tmp_path: Path) -> None:
    pages = [Page("Red Meat"), Page("Red meat"), Page("A", anchors=(Anchor("Red MEAT", "beef"),))]
    with base_of(tmp_path / "a.kb", pages) as base:
        assert base.lookup("beef").candidates == ()


def test_in_links_count_articles_once_and_not_the_page_itself(tmp_path: Path) -> None:
    pages = [
        Page("A", anchors=(Anchor("B", "b", 5), Anchor("B", "bee"), Anchor("A", "a"))),
        Page("B"),
        Page("List of B", role="list", anchors=(Anchor("B", "b"),)),
    ]
    with base_of(tmp_path / "a.kb", pages) as base:
        assert base.inlinks(base.id_of("B") or 0).tolist() == [base.id_of("A")]
        assert len(base.inlinks(base.id_of("A") or 0)) == 0


def test_links_count_in_the_priors_and_names_as_a_few_links(tmp_path: Path) -> None:
    pages = [
        Page("Georgia", kind="location"),
        Page("Georgia (U.S. state)", kind="location"),
        Page("A", anchors=(Anchor("Georgia (U.S. state)", "Georgia", 4),)),
    ]
    with base_of(tmp_path / "a.kb", pages) as base:
        assert candidates(base, "georgia") == {"Georgia": 0.5, "Georgia (U.S. state)": 0.5}


@pytest.mark.parametrize(
    ("page", "term", "found"),
    [
        (Page("Jaguar (animal)"), "jaguar", True),
        (Page("Denton, Texas", kind="location"), "denton", True),
        (Page("Crosby, Stills, Nash & Young"), "crosby", False),
        (Page("Marie Curie", kind="person"), "curie", True),
        (Page("Martin Luther King Jr.", kind="person"), "king", True),
        (Page("Marie Curie", kind="concept"), "curie", False),
        (Page("Henry VIII", kind="person"), "viii", False),
        (Page("Catherine of Aragon", kind="person"), "aragon", False),
        (Page("Marie Curie", aliases=("Maria Skłodowska",)), "maria skłodowska", True),
    ],
)
def test_titles_give_names(tmp_path: Path, page: Page, term: str, found: bool) -> None:
    with base_of(tmp_path / "a.kb", [page]) as base:
        assert bool(base.lookup(term).candidates) is found


def test_disambiguation_page_gives_candidates_of_its_title(tmp_path: Path) -> None:
    pages = [
        Page("Ajax (programming)"),
        Page("AFC Ajax"),
        Page("Mythology"),
        Page(
            "Ajax",
            role="disambiguation",
            anchors=(Anchor("AFC Ajax", "AFC Ajax"), Anchor("Mythology", "mythology")),
        ),
    ]
    with base_of(tmp_path / "a.kb", pages) as base:
        assert list(candidates(base, "ajax")) == ["Ajax (programming)", "AFC Ajax"]


def test_a_source_with_only_the_title_does_not_make_an_article(tmp_path: Path) -> None:
    pages = [Page("Ajax", role="disambiguation")]
    with base_of(tmp_path / "a.kb", pages, [Page("Ajax")]) as base:
        assert [one.role for one in base] == ["disambiguation"]
    with base_of(tmp_path / "b.kb", pages, [Page("Ajax", kind="person")]) as base:
        assert [one.role for one in base] == ["article"]


def test_a_value_that_is_a_redirect_becomes_the_title(tmp_path: Path) -> None:
    pages = [
        Page("Oslo", facts=(Fact("country", "Kingdom of Norway"), Fact("mayor", "somebody"))),
        Page("Norway"),
        Redirect("Kingdom of Norway", "Norway"),
    ]
    with base_of(tmp_path / "a.kb", pages) as base:
        assert [fact.value for fact in base.facts("Oslo")] == ["Norway", "somebody"]


def test_info_has_sources_and_counts(tmp_path: Path) -> None:
    info = build([Listed(*WORLD, name="world")], tmp_path / "a.kb")
    assert [(one.name, one.pages, one.redirects) for one in info.sources] == [("world", 11, 3)]
    assert (info.schema, info.tatian) == (1, __version__)
    counts = info.counts
    assert (counts.articles, counts.lists, counts.disambiguations) == (9, 1, 1)
    assert sum(counts.kinds.values()) == counts.articles
    assert counts.vectors == 0


def test_building_is_deterministic(tmp_path: Path) -> None:
    for name in ("a.kb", "b.kb"):
        build([Listed(*WORLD)], tmp_path / name)
    assert (tmp_path / "a.kb").read_bytes() == (tmp_path / "b.kb").read_bytes()
    assert (tmp_path / "a.kb.terms").read_bytes() == (tmp_path / "b.kb.terms").read_bytes()


def test_workers_count_the_same_terms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build([Listed(*WORLD)], tmp_path / "a.kb")
    monkeypatch.setattr("tatian.knowledge.building.staging._TEXT_BATCH_BYTES", 1)
    stages: dict[str, int] = {}
    build(
        [Listed(*WORLD)],
        tmp_path / "b.kb",
        engine=open_engine(processes=2),
        progress=lambda stage, done, total: stages.update({stage: total}),
    )
    assert stages["counting terms"] > 1
    assert (tmp_path / "a.kb").read_bytes() == (tmp_path / "b.kb").read_bytes()


def test_sources_without_pages_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(EmptyInput, match="list has no pages"):
        build([Listed(Redirect("A", "B"))], tmp_path / "a.kb")
    assert list(tmp_path.iterdir()) == []


class Broken(Listed):
    """A source that fails after its pages."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(*WORLD)
        self.error = error

    def __iter__(self) -> Iterator[Page | Redirect]:
        yield from super().__iter__()
        raise self.error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), InputError("bad line")])
def test_interrupted_build_keeps_the_old_base(tmp_path: Path, error: BaseException) -> None:
    build([Listed(Page("A"))], tmp_path / "a.kb")
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    with pytest.raises(type(error)):
        build([Broken(error)], tmp_path / "a.kb")
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before


def test_remains_of_a_killed_build_are_removed_by_the_next(tmp_path: Path) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    left, others = tmp_path / f".a.kb.{dead.pid}.staging", tmp_path / f".b.kb.{dead.pid}.staging"
    running = tmp_path / f".a.kb.{os.getppid()}.staging"
    for file in (left, others, running):
        file.touch()
    sorting = tmp_path / f".a.kb.{dead.pid}.terms.sorted"
    (sorting / "hashes").mkdir(parents=True)
    build([Listed(Page("A"))], tmp_path / "a.kb")
    assert (left.exists(), others.exists(), running.exists()) == (False, True, True)
    assert not sorting.exists()


def test_replaced_base_stays_readable_while_open(tmp_path: Path) -> None:
    with base_of(tmp_path / "a.kb", [Page("A")]) as old:
        build([Listed(Page("B"))], tmp_path / "a.kb")
        assert old.title_of("A") == "A"


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.kb: cannot be written"):
        build([Listed(*WORLD)], tmp_path / "none" / "a.kb")


def test_build_leaves_a_valid_base_and_no_other_file(tmp_path: Path) -> None:
    build([Listed(*WORLD)], tmp_path / "a.kb")
    connection = sqlite3.connect(tmp_path / "a.kb")
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.kb", "a.kb.terms"]


@settings(max_examples=settings.default.max_examples * 3 // 5)
@given(sources=SOURCES)
def test_every_title_leads_to_one_entity_and_every_id_belongs_to_one(
    sources: list[list[Page | Redirect]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    pages = [item for items in sources for item in items if isinstance(item, Page)]
    with base_of(tmp_path_factory.mktemp("any") / "a.kb", *sources) as base:
        assert all(base.entity(page.title) for page in pages)
        ids = [one.wikidata for one in base if one.wikidata]
        assert len(ids) == len(set(ids))
        assert {one.title for one in base} <= {page.title for page in pages}
        for one in base:
            assert base.entity(one.title) == one
            assert one.id not in base.inlinks(one.id)
        for form, number in base.terms():
            assert sum(one.prior for one in base.senses(number)) == pytest.approx(1), form
