"""Archives of the New York Times Annotated Corpus, and what they are found among."""

from __future__ import annotations

from pathlib import Path

import pytest

from tatian.corpora.articles import Article, Years, parse_years
from tatian.corpora.news import sources
from tatian.errors import InputError
from tatian.formats import Losses

from .nitf_samples import nitf, tar


def read(path: Path, years: Years | None = None) -> tuple[list[Article], list[str]]:
    """All articles of a path, and what was said about them."""
    defects = Losses()
    found = [
        article
        for source in sources([str(path)], years=years)
        for article in source.articles(years, defects, lambda done: None)
    ]
    return found, defects.messages()


def ids(path: Path, years: Years | None = None) -> list[str]:
    return [article.id for article in read(path, years)[0]]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Three months of two years."""
    for year, month, number in ((2005, 12, "1"), (2006, 1, "2"), (2006, 2, "3")):
        name = f"{month:02}/14/{number}.xml"
        text = nitf(number, published=f"{year}{month:02}14T000000")
        tar(tmp_path / "data" / str(year) / f"{month:02}.tgz", {name: text})
    (tmp_path / "readme.txt").write_text("About the corpus.")
    return tmp_path


def test_archives_are_read_in_the_order_of_years_and_months(corpus: Path) -> None:
    assert ids(corpus) == ["1", "2", "3"]


def test_years_choose_archives_by_their_folders_without_opening_them(corpus: Path) -> None:
    (corpus / "data" / "2005" / "12.tgz").write_bytes(b"cannot be opened")
    assert ids(corpus, (2006, 2007)) == ["2", "3"]


def test_years_select_articles_without_folders_of_years(tmp_path: Path) -> None:
    old = nitf("1", published="20050101T000000")
    packed = tar(tmp_path / "all.tgz", {"a.xml": old, "b.xml": nitf("2")})
    articles, said = read(packed, (2006, 2006))
    assert [article.id for article in articles] == ["2"]
    assert said == [f"articles of other years (1; first in '{packed}/a.xml')"]


def test_years_that_the_corpus_lacks_are_an_error(corpus: Path) -> None:
    with pytest.raises(InputError, match="nothing of these years"):
        read(corpus, (1999, 1999))


def test_unpacked_folders_and_single_files_are_read_as_well(tmp_path: Path) -> None:
    day = tmp_path / "2006" / "05" / "14"
    day.mkdir(parents=True)
    (day / "7.xml").write_text(nitf("7"))
    (day / "8.xml").write_text(nitf("8"))
    assert ids(tmp_path) == ["7", "8"]
    assert ids(day / "8.xml") == ["8"]
    assert ids(tmp_path, (2006, 2006)) == ["7", "8"]


def test_the_whole_corpus_may_be_one_archive_of_archives(tmp_path: Path) -> None:
    inner = tar(tmp_path / "05.tgz", {"05/14/1.xml": nitf("1")}).read_bytes()
    whole = tar(
        tmp_path / "whole.tar",
        {"nyt/data/2005/05.tgz": b"not read", "nyt/data/2006/05.tgz": inner},
    )
    assert ids(whole, (2006, 2006)) == ["1"]


def test_a_truncated_archive_gives_what_can_be_read(tmp_path: Path) -> None:
    articles = {f"{n}.xml": nitf(str(n), title=f"{n * 12345}") for n in range(200)}
    packed = tar(tmp_path / "05.tgz", articles)
    packed.write_bytes(packed.read_bytes()[:-2000])
    found, said = read(packed)
    assert 0 < len(found) < 200
    assert said == [f"damaged archives, read as far as possible (1; first in '{packed}')"]


def test_file_other_than_an_archive_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "05.tgz").write_text("not packed")
    with pytest.raises(InputError, match=r"05\.tgz: not a tar archive"):
        read(tmp_path / "05.tgz")


def test_files_other_than_articles_are_counted(tmp_path: Path) -> None:
    packed = tar(tmp_path / "05.tgz", {"a.xml": "", "b.xml": nitf("1"), "c.xml": "<p>no</p>"})
    articles, said = read(packed)
    assert [article.id for article in articles] == ["1"]
    assert said == [
        f"files left out: empty or damaged (1; first in '{packed}/a.xml')",
        f"files left out: not an NITF document (1; first in '{packed}/c.xml')",
    ]


def test_reading_reports_progress_in_bytes(corpus: Path) -> None:
    (source, *_) = sources([str(corpus)])
    done: list[int] = []
    list(source.articles(None, Losses(), done.append))
    assert 0 < done[-1] <= source.size


def test_folder_with_other_xml_is_read_as_texts(tmp_path: Path) -> None:
    (tmp_path / "feed.xml").write_text("<rss/>")
    (tmp_path / "story.txt").write_text("Rain fell on Oslo.")
    articles, said = read(tmp_path)
    assert [one.id for one in articles] == ["story"]
    assert len(said) == 1


def test_plain_texts_become_articles_without_an_index(tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    path.write_text('{"id": "a", "text": "Rain.", "title": "Wet", "date": "2006-01-02"}\n')
    articles, said = read(path)
    (article,) = articles
    assert (article.id, article.title, article.date) == ("a", "Wet", "2006-01-02")
    assert article.entities is None
    assert said == []


def test_text_without_a_date_matches_no_year(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Rain fell on Oslo.")
    assert read(tmp_path / "a.txt", (2006, 2006)) == (
        [],
        ["articles without a date (1; first in 'a')"],
    )


def test_repeated_path_is_read_once(corpus: Path) -> None:
    twice = sources([str(corpus), f"{corpus}/data/.."])
    assert len(twice) == 3


@pytest.mark.parametrize(
    ("written", "years"), [("2006", (2006, 2006)), ("2006-2007", (2006, 2007))]
)
def test_years_are_a_year_or_a_range(written: str, years: Years) -> None:
    assert parse_years(written) == years


@pytest.mark.parametrize("written", ["", "06", "2007-2006", "2006-", "year"])
def test_invalid_years_are_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"year"):
        parse_years(written)
