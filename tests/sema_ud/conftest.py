from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def ud_data() -> Path:
    """The Universal Dependencies treebanks of the public data."""
    default = Path(__file__).resolve().parents[3] / "shared" / "data"
    folder = Path(os.environ.get("SEMA_DATA", default)) / "ud"
    if not folder.is_dir():
        pytest.skip(f"no public data: {folder} is not there (set SEMA_DATA)")
    return folder
