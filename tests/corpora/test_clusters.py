"""Clusters of reports: ECB+, directories, record files, single files."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest

from tatian.corpora.reading import is_ecbplus, read_clusters
from tatian.errors import InputError

XML = (
    '<Document doc_name="{name}.xml" doc_id="1"><token t_id="1" sentence="0" number="0">Fire'
    '</token><token t_id="2" sentence="0" number="1">.</token><Markables></Markables>'
    "<Relations></Relations></Document>"
)
NAMES = ("1_1ecb", "1_1ecbplus", "1_2ecb", "2_1ecb", "10_1ecb")


def ids(clusters: object) -> list[list[str]]:
    return [[document.id for document in cluster] for cluster in clusters]  # type: ignore[attr-defined]


def test_every_event_of_an_ecbplus_archive_is_a_cluster(tmp_path: Path) -> None:
    archive = tmp_path / "ecb.tar.gz"
    with tarfile.open(archive, "w:gz") as out:
        for name in NAMES:
            content = XML.format(name=name).encode()
            member = tarfile.TarInfo(f"ECB+/{name.partition('_')[0]}/{name}.xml")
            member.size = len(content)
            out.addfile(member, io.BytesIO(content))
    events = [["1_1ecb", "1_2ecb"], ["1_1ecbplus"], ["2_1ecb"], ["10_1ecb"]]
    assert ids(read_clusters(archive)) == events


def test_unpacked_ecbplus_is_read(tmp_path: Path) -> None:
    for name in NAMES:
        file = tmp_path / name.partition("_")[0] / f"{name}.xml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(XML.format(name=name))
    assert is_ecbplus(str(tmp_path))
    assert len(list(read_clusters(str(tmp_path)))) == 4


def test_a_directory_is_a_cluster_and_so_are_single_files_together(tmp_path: Path) -> None:
    (tmp_path / "day").mkdir()
    for name in ("day/a.txt", "day/b.txt", "c.txt", "d.txt"):
        (tmp_path / name).write_text("A ferry sank.")
    paths = [tmp_path / "c.txt", tmp_path / "day", tmp_path / "d.txt"]
    assert ids(read_clusters(paths)) == [["day/a", "day/b"], ["c", "d"]]
    assert ids(read_clusters(tmp_path / "day")) == [["a", "b"]]


def test_records_are_kept_apart_by_topic(tmp_path: Path) -> None:
    records = [
        {"id": n, "text": "A ferry sank.", "topic": t} for n, t in ((1, "x"), (2, "x"), (3, "y"))
    ]
    path = tmp_path / "all.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    assert ids(read_clusters(path)) == [["1", "2"], ["3"]]


def test_records_are_read_lazily(tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text('{"text": "A.", "topic": "x"}\n{"text": "B.", "topic": "y"}\nnot json\n')
    clusters = read_clusters(path)
    assert len(next(clusters)) == 1
    with pytest.raises(InputError, match=r"all.jsonl:3"):
        list(clusters)


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none.txt: no such file"):
        list(read_clusters(tmp_path / "none.txt"))
    with pytest.raises(InputError, match=r"none.tar.gz: no such file"):
        list(read_clusters(tmp_path / "none.tar.gz"))
