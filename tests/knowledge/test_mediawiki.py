"""An export of a wiki becomes pages and redirects, in order, however large or broken it is."""

from __future__ import annotations

import bz2
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian import limits
from tatian.errors import EmptyInput, InputError
from tatian.knowledge.building import mediawiki, mediawiki_xml
from tatian.knowledge.building.mediawiki import Dump
from tatian.knowledge.building.pages import Anchor, Page, Redirect
from tatian.text.streams import open_stream

from .mediawiki_samples import HEAD, PAGES, TAIL, UTVAER, export, page, write


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    return write(tmp_path / "sea.xml", export(*PAGES))


def titles(path: Path, work: Path | None = None) -> list[str]:
    return [item.title for item in Dump(path, processes=1, work=work)]


def test_articles_and_redirects_come_in_the_order_of_the_file(dump: Path) -> None:
    assert titles(dump) == [
        "Utvær",
        "Utvaer",
        "Mercury",
        "List of lighthouses in Norway",
        "Ida Holm",
        "Old port",
    ]


def test_page_has_the_content_of_its_wikitext(dump: Path) -> None:
    first = next(iter(Dump(dump, processes=1)))
    assert first == Page(
        title="Utvær",
        kind="location",
        description="Utvær is a lighthouse in Norway.",
        categories=("Lighthouses in Norway",),
        anchors=(
            Anchor("Lighthouse", "lighthouse"),
            Anchor("Norway", "Norway"),
            Anchor("Student", "keepers"),
        ),
        text="Utvær ([ʉtvæːr]; built 1900 (rebuilt 1952)) is a lighthouse in Norway.\n"
        "History\nTwo keepers lived there & fished.",
    )


def test_redirects_are_known_by_element_or_by_text(dump: Path) -> None:
    items = list(Dump(dump, processes=1))
    assert [item for item in items if isinstance(item, Redirect)] == [
        Redirect("Utvaer", "Utvær"),
        Redirect("Old port", "Harbour"),
    ]


def test_disambiguation_pages_and_lists_are_marked(dump: Path) -> None:
    roles = {item.title: item.role for item in Dump(dump, processes=1) if isinstance(item, Page)}
    assert roles == {
        "Utvær": "article",
        "Mercury": "disambiguation",
        "List of lighthouses in Norway": "list",
        "Ida Holm": "article",
    }


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Ida (disambiguation)", "x"),
        ("Ida", "x {{hndis|Ida}}"),
        ("Ida", "x {{Geodis}}"),
        ("Ida", "x {{Disambig}}"),
        ("Ida", "x [[Category:Disambiguation pages]]"),
    ],
)
def test_there_are_several_ways_to_mark_disambiguation(
    tmp_path: Path, title: str, text: str
) -> None:
    path = write(tmp_path / "a.xml", export(page(title, text)))
    assert [item.role for item in Dump(path) if isinstance(item, Page)] == ["disambiguation"]


@pytest.mark.parametrize("name", ["sea.xml.gz", "sea.xml.bz2"])
def test_compressed_exports_give_the_same(tmp_path: Path, dump: Path, name: str) -> None:
    packed = write(tmp_path / name, export(*PAGES))
    assert list(Dump(packed, processes=1)) == list(Dump(dump, processes=1))


def test_standard_input_is_read_too(dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = titles(dump)
    with dump.open("rb") as stream:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
        assert [item.title for item in Dump("-", processes=1)] == whole


class TestMultistream:
    """Wikipedia's own packing: a bzip2 stream for the head, one for some pages each, the end."""

    @pytest.fixture
    def packed(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setattr(mediawiki_xml, "_PACKED", 1)
        path = tmp_path / "multistream.xml.bz2"
        path.write_bytes(b"".join(bz2.compress(part.encode()) for part in (HEAD, *PAGES, TAIL)))
        return path

    def test_dumps_are_unpacked_by_the_workers(self, packed: Path, dump: Path) -> None:
        with open_stream(str(packed), bzip2=True) as stream:
            batches = list(mediawiki_xml.batches(stream))
        assert [batch.packed for batch in batches] == [True] * (len(PAGES) + 2)
        assert [batch.last for batch in batches].index(True) == len(PAGES) + 1
        assert list(Dump(packed, processes=1)) == list(Dump(dump, processes=1))

    def test_truncated_dump_raises_an_error_after_its_readable_part(self, packed: Path) -> None:
        whole = packed.read_bytes()
        for cut, message in ((20, "damaged or was cut off"), (0, "does not end")):
            packed.write_bytes(whole[: whole.rindex(b"BZh") - cut])
            items = iter(Dump(packed, processes=1))
            assert next(items).title == "Utvær"
            with pytest.raises(InputError, match=message):
                list(items)

    def test_streams_that_end_within_pages_are_read_as_one(self, tmp_path: Path) -> None:
        whole = export(*PAGES).encode()
        path = tmp_path / "pieces.xml.bz2"
        path.write_bytes(
            b"".join(bz2.compress(whole[i : i + 500]) for i in range(0, len(whole), 500))
        )
        assert len(titles(path)) == 6


def test_number_of_processes_does_not_change_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mediawiki_xml, "BATCH", 2000)
    path = write(tmp_path / "sea.xml", export(*(page(f"P{n}", UTVAER * 30) for n in range(40))))
    assert list(Dump(path, processes=2)) == list(Dump(path, processes=1))


def test_the_last_revision_of_a_page_counts(tmp_path: Path) -> None:
    both = page("Utvær", "Old words.").replace(
        "</revision>", "</revision><revision><text>New words.</text></revision>"
    )
    items = list(Dump(write(tmp_path / "a.xml", export(both))))
    assert [item.text for item in items if isinstance(item, Page)] == ["New words."]


def test_progress_ends_at_the_size_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "sea.xml.bz2", export(*PAGES))
    seen: list[tuple[int, int]] = []
    list(Dump(path, progress=lambda stage, done, total: seen.append((done, total))))
    assert seen[-1] == (path.stat().st_size, path.stat().st_size)
    assert seen == sorted(seen)


def test_a_page_too_long_to_hold_is_cut_and_the_next_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(limits, "WIKI_PAGE_BYTES", 3 << 20)
    long = page("Long page", "Long pages are cut.\n\nBut\n" + "many words here\n" * 500_000)
    path = write(tmp_path / "a.xml", export(long, page("Next", "Here.")))
    first, second = Dump(path, processes=1)
    assert isinstance(first, Page)
    assert first.title == "Long page"
    assert first.description == "Long pages are cut."
    assert 1_000_000 < len(first.text) < 3_000_000
    assert second.title == "Next"
    assert "cut" in caplog.text


def test_dump_is_read_lazily(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xml", export(*(page(f"P{n}", "word " * 50_000) for n in range(60))))
    seen: list[int] = []
    items = iter(Dump(path, processes=1, progress=lambda stage, done, total: seen.append(done)))
    next(items)
    assert seen[-1] < path.stat().st_size / 3


class TestWork:
    """With a directory for unfinished work, a restart goes on where it stopped."""

    @pytest.fixture
    def many(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        pages = (page(f"P{n}", f"Page {n} " + "word " * 100_000) for n in range(8))
        return write(tmp_path / "many.xml", export(*pages))

    def test_finished_batches_are_not_parsed_again(
        self, many: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        work = tmp_path / "work"
        broken_off = iter(Dump(many, processes=1, work=work))
        first = [next(broken_off).title for _ in range(6)]
        broken_off.close()  # type: ignore[attr-defined]
        kept = len(list(work.rglob("*.msgpack")))
        parsed: list[int] = []
        read_batch = mediawiki.read_batch

        def counted(batch: mediawiki_xml.Batch, *more: Any) -> bytes:
            parsed.append(batch.number)
            return bytes(read_batch(batch, *more))

        monkeypatch.setattr(mediawiki, "read_batch", counted)
        again = titles(many, work)
        assert again[:6] == first
        assert again == [f"P{n}" for n in range(8)]
        assert kept > 0
        assert min(parsed) >= kept

    def test_finished_export_is_not_read_again(self, many: Path, tmp_path: Path) -> None:
        work = tmp_path / "work"
        whole = titles(many, work)
        stat = many.stat()
        many.write_bytes(b"\0" * stat.st_size)
        os.utime(many, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        assert titles(many, work) == whole

    def test_changed_file_is_read_again(self, dump: Path, tmp_path: Path) -> None:
        work = tmp_path / "work"
        titles(dump, work)
        write(dump, export(page("Other", "Here.")))
        assert titles(dump, work) == ["Other"]

    def test_dumps_can_share_a_work_directory(self, many: Path, dump: Path, tmp_path: Path) -> None:
        work = tmp_path / "work"
        assert titles(many, work) == titles(many)
        kept = sorted(work.rglob("*.msgpack"))
        assert titles(dump, work) == titles(dump)
        assert set(kept) < set(work.rglob("*.msgpack"))


class TestBrokenFiles:
    """What cannot be read is named with its place, after what could be read."""

    def read(self, path: Path) -> tuple[list[str], InputError]:
        items = iter(Dump(path, processes=1))
        seen: list[str] = []

        def read_on() -> None:
            while True:
                seen.append(next(items).title)

        with pytest.raises(InputError) as raised:
            read_on()
        return seen, raised.value

    def test_a_file_cut_inside_a_page_gives_the_whole_pages_before(self, tmp_path: Path) -> None:
        text = HEAD + PAGES[0] + PAGES[1] + PAGES[5][:80]
        seen, error = self.read(write(tmp_path / "a.xml", text))
        assert seen == ["Utvær", "Utvaer"]
        assert "ends inside a page" in str(error)
        assert error.line == (HEAD + PAGES[0] + PAGES[1]).count("\n")

    def test_a_compressed_file_cut_off_says_how_far_it_got(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.xml.gz", export(*PAGES))
        path.write_bytes(path.read_bytes()[:-30])
        _, error = self.read(path)
        assert "cut off" in str(error)
        assert str(path) in str(error)

    def test_broken_xml_is_named_by_line_and_by_the_page_before(self, tmp_path: Path) -> None:
        text = export(PAGES[0], "<page><title>x</titel></page>\n")
        _, error = self.read(write(tmp_path / "a.xml", text))
        assert "after the page 'Utvær'" in str(error)
        assert error.line == (HEAD + PAGES[0]).count("\n") + 1

    @pytest.mark.parametrize("title", ["x", "Utvær, Ålesund, Ærø"])
    def test_broken_xml_is_named_by_its_byte(self, tmp_path: Path, title: str) -> None:
        text = export(PAGES[0], f"<page><title>{title}</titel></page>\n")
        _, error = self.read(write(tmp_path / "a.xml", text))
        byte = text.encode().index(b"</titel>") + len("</")
        assert f"broken XML at byte {byte:,}, after" in str(error)

    def test_error_in_a_worker_process_is_reported_alike(self, tmp_path: Path) -> None:
        path = write(tmp_path / "a.xml", export(PAGES[0], "<page><title>x</titel></page>\n"))
        with pytest.raises(InputError, match=r"a\.xml:\d+: broken XML at byte [\d,]+, after"):
            list(Dump(path, processes=2))

    @pytest.mark.parametrize("text", ["", "hello", "<html></html>"])
    def test_another_kind_of_file_is_refused(self, tmp_path: Path, text: str) -> None:
        _, error = self.read(write(tmp_path / "a.xml", text))
        assert "not a MediaWiki export" in str(error)

    def test_an_export_without_articles_is_empty(self, tmp_path: Path) -> None:
        with pytest.raises(EmptyInput, match="no articles"):
            titles(write(tmp_path / "a.xml", HEAD + TAIL))

    def test_a_missing_file_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=r"none\.xml: no such file"):
            titles(tmp_path / "none.xml")

    @given(st.binary(max_size=300), st.integers(0, 2000))
    def test_damaged_dumps_raise_only_input_errors(
        self, tmp_path_factory: pytest.TempPathFactory, noise: bytes, at: int
    ) -> None:
        path = tmp_path_factory.getbasetemp() / "noise.xml"
        data = export(*PAGES).encode()
        path.write_bytes(data[:at] + noise + data[at + len(noise) :])
        with suppress(InputError):
            assert titles(path)
