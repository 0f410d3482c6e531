"""The benchmark of intersections runs from end to end, on a few short clusters."""

import importlib
import json
from pathlib import Path

import pytest

from tatian.analysis.installed import unavailable

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
CSV = """abs_scu_id,scu_label,text
1,ferry ran aground,A ferry ran aground in thick fog.
1,ferry ran aground,The ferry ran aground near Sennick.
2,the museum burned down,"The museum burned down on Monday, officials said."
2,the museum burned down,The old museum burned down.
"""


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("union_intersection")


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "union" / "extra"
    folder.mkdir(parents=True)
    (folder / "pyramid-fusion-val.csv").write_text(CSV)
    return tmp_path


def test_rows_of_one_unit_are_one_cluster(benchmark, data):
    path = data / "union" / "extra" / "pyramid-fusion-val.csv"
    clusters = benchmark.read_clusters(path)
    assert [(cluster.id, len(cluster.sentences)) for cluster in clusters] == [("1", 2), ("2", 2)]


def test_shared_words_stand_in_the_order_of_the_shortest_sentence(benchmark):
    assert benchmark.shared_words(["Fog hid a ferry.", "A ferry sank in fog."]) == "Fog ferry"


@pytest.mark.skipif(bool(unavailable()), reason=unavailable() or "")
def test_every_system_is_measured_on_the_same_clusters(benchmark, data, capsys):
    benchmark.main(["--data", str(data), "--format", "json"])
    table = json.loads(capsys.readouterr().out)
    rows = {row["system"]: row for row in table["rows"]}
    assert set(rows) >= {"first sentence", "shortest sentence", "shared words", "intersection"}
    assert rows["intersection"]["ROUGE-1"]["value"] > rows["first sentence"]["ROUGE-1"]["value"]


def test_missing_data_is_an_error(benchmark, tmp_path):
    with pytest.raises(SystemExit, match="error: "):
        benchmark.main(["--data", str(tmp_path)])
