"""One server for all tests; nothing is collected where the extra ``web`` or the test client's httpx is missing."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from tests.sema.web.servers import client

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

collect_ignore_glob = [] if find_spec("fastapi") and find_spec("httpx") else ["test_*.py"]


@pytest.fixture(scope="session")
def web() -> Iterator[TestClient]:
    """A client of a server with Esperanto."""
    with client() as opened:
        yield opened
