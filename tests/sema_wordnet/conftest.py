"""A small WordNet in the WNDB format, byte offsets and all, for readers that seek by them."""

import shutil
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture
def tiny_wordnet(tmp_path: Path) -> Path:
    """The folder ``corpora/wordnet`` below the test's own: beer and what it is a kind of, some verbs and an adverb."""
    return shutil.copytree(ROOT / "tests" / "data" / "wordnet" / "tiny", tmp_path / "corpora" / "wordnet")
