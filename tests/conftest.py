"""The command line as a user runs it, public data, and an outside package that adds a language."""

import gc
import io
import math
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from sema.datasets.folder import VARIABLE, data_path
from tests.commands import ROOT, environment

pytest_plugins = ["tests.metric_fixtures"]

if "PYTEST_XDIST_WORKER" in os.environ:  # a worker has one core: threads of torch and BLAS would wait for each other
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

# Tests leave little garbage: collecting it as often as Python does by default takes a tenth of their time.
gc.set_threshold(100_000, 20, 20)

EXCERPTS = ROOT / "tests" / "data" / "public"
DATA = data_path() if data_path().is_dir() else EXCERPTS
HIDDEN = ROOT / "tests" / "data" / "hidden"
MISSING = re.compile(r"(?:No module named '|[Pp]ackage '?|: pip install )([\w-]+)")
"""The messages of Python and sema if a package is not installed."""
DAYS = 1e6
"""Seconds after which an idle server empties the caches: one of an earlier test must not do so during a test."""
SEED = int(os.environ.get("SEMA_SEED", "0"))
# The time of an example depends more on the machine's other work than on the code.
settings.register_profile("chance", deadline=None, derandomize=False, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("chance"), derandomize=True)
settings.load_profile("same")
Run = Callable[..., subprocess.CompletedProcess[str]]
PublicData = Callable[..., Path]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what ``make stress`` alone runs."""
    return True if collection_path == ROOT / "tests" / "stress" and "stress" not in config.option.markexpr else None


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name bytes by their argument: what packers write has the time in it, and workers must find the same tests."""
    return argname if isinstance(val, bytes) else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark with ``data`` what asks for public data; leave out what is marked ``stress`` unless that is asked for."""
    for item in items:
        if "public_data" in getattr(item, "fixturenames", ()):
            item.add_marker("data")
    if "stress" not in config.option.markexpr:
        left_out = [item for item in items if item.get_closest_marker("stress")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Show the public data, or excerpts of it where there is none, to tests marked ``data`` and to no others."""
    os.environ[VARIABLE] = str(DATA if item.get_closest_marker("data") else HIDDEN)
    if service := sys.modules.get("sema.web.service"):
        service.CALM = DAYS  # type: ignore[attr-defined]


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """With ``SEMA_EXTRAS=none``, where no extra is installed, skip what turns out to need a package of one."""
    try:
        return (yield)
    except Exception as error:
        cause: BaseException | None = error
        missing = None
        while cause is not None and missing is None:
            missing = MISSING.search(f"{cause} {getattr(cause, 'stderr', '')}")
            cause = cause.__cause__ or cause.__context__
        if os.environ.get("SEMA_EXTRAS") != "none" or missing is None:
            raise
        pytest.skip(f"needs {missing[1]}, which an extra installs")


@pytest.fixture
def chance(request: pytest.FixtureRequest) -> random.Random:
    """For tests marked ``stress``: random numbers that ``SEMA_SEED`` repeats."""
    return random.Random(f"{SEED} {request.node.nodeid}")


def artifacts(name: str) -> Path:
    """A folder for what tests leave to be looked at: in ``SEMA_ARTIFACTS``, by default in ``artifacts``."""
    folder = Path(os.environ.get("SEMA_ARTIFACTS") or ROOT / "artifacts") / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def public_data() -> PublicData:
    """Give a file or folder of the public data by the parts of its path; where it is absent the test skips."""

    def find(*parts: str) -> Path:
        assert data_path() == DATA, "the test has to ask for public_data by name, so that it is marked"
        if not data_path(*parts).exists():
            pytest.skip(f"needs {'/'.join(parts)} in the folder that {VARIABLE} names")
        return data_path(*parts)

    return find


@pytest.fixture(scope="session")
def ud_data(public_data: PublicData) -> Path:
    """The Universal Dependencies treebanks of the public data."""
    return public_data("ud")


def install(site: Path, name: str, version: str, modules: dict[str, str], entry_points: str) -> Path:
    """Put an outside package into a folder as pip leaves it: its modules, and what says that they are installed."""
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    files = {**modules, f"{info}/METADATA": about, f"{info}/entry_points.txt": entry_points}
    for file, text in files.items():
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        (site / file).write_text(text, encoding="utf-8")
    return site


def install_esperanto(site: Path) -> Path:
    """An outside package: a language and a metric."""
    module = (ROOT / "tests" / "esperanto.py").read_text(encoding="utf-8")
    points = "[sema.languages]\neo = sema_eo:esperanto\n[sema.metrics]\nwords = sema_eo:WordCount\n"
    return install(site, "sema-eo", "0.1", {"sema_eo.py": module}, points)


@pytest.fixture(scope="session")
def outside_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the outside package installed."""
    return install_esperanto(tmp_path_factory.mktemp("outside"))


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run ``sema`` as :func:`run` does, but in this process, whose models are loaded: ten times as fast."""
    from sema.cli import messages
    from sema.cli.main import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(messages, "FIRST_SECONDS", math.inf)  # a slow machine prints no progress
    monkeypatch.setattr(messages.loudness, "quiet", False)
    monkeypatch.setattr(messages.loudness, "debug", False)

    def call(*arguments: str, site: Path | None = None, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
        capfd.readouterr()
        given = io.BytesIO(stdin.encode() if isinstance(stdin, str) else stdin)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(given, encoding="utf-8"))
            if site is not None:
                patch.syspath_prepend(str(site))
            try:
                status = main(list(arguments))
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else int(end.code is not None)
        out, err = capfd.readouterr()
        assert "Traceback" not in err or "--debug" in arguments, err
        return subprocess.CompletedProcess(["sema", *arguments], status, out, err)

    return call


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run ``sema`` in an empty folder; ``site`` adds a folder of installed packages."""

    def call(*arguments: str, site: Path | None = None, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "sema", *arguments],
            cwd=tmp_path,
            env=environment(site, NO_COLOR="1"),
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
