"""The command line as a user runs it, and an outside package that adds a language."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from sema.datasets.folder import data_path

ROOT = Path(__file__).parents[1]
Run = Callable[..., subprocess.CompletedProcess[str]]


def artifacts(name: str) -> Path:
    """A folder for what tests leave to be looked at: in ``SEMA_ARTIFACTS``, by default in ``artifacts``."""
    folder = Path(os.environ.get("SEMA_ARTIFACTS") or ROOT / "artifacts") / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def ud_data() -> Path:
    """The Universal Dependencies treebanks of the public data."""
    folder = data_path("ud")
    if not folder.is_dir():
        pytest.skip(f"no public data: {folder} is not there (set SEMA_DATA)")
    return folder


@pytest.fixture(scope="session")
def outside_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that pip installed a wheel of an outside package into: a language and a metric."""
    folder = tmp_path_factory.mktemp("outside")
    wheel = folder / "sema_eo-0.1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("sema_eo.py", (ROOT / "tests" / "esperanto.py").read_text(encoding="utf-8"))
        info = "sema_eo-0.1.dist-info"
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: sema-eo\nVersion: 0.1\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(
            f"{info}/entry_points.txt",
            "[sema.languages]\neo = sema_eo:esperanto\n[sema.metrics]\nwords = sema_eo:WordCount\n",
        )
        names = [name for name in archive.namelist()]
        archive.writestr(f"{info}/RECORD", "".join(f"{name},,\n" for name in [*names, f"{info}/RECORD"]))
    site = folder / "site"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", str(site)]
    subprocess.run([*command, str(wheel)], check=True, capture_output=True)
    return site


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run ``sema`` in an empty folder; ``site`` adds a folder of installed packages."""

    def call(*arguments: str, site: Path | None = None, stdin: str | bytes = "") -> subprocess.CompletedProcess[str]:
        paths = [str(ROOT), str(ROOT / "parsers"), str(ROOT / "lexicons"), *([str(site)] if site else [])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "NO_COLOR": "1"}
        done = subprocess.run(
            [sys.executable, "-m", "sema", *arguments],
            cwd=tmp_path,
            env=environment,
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            timeout=300,
        )
        assert b"Traceback" not in done.stderr, done.stderr.decode()
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return call
