"""What the UCCA tests share: the published corpora, where present."""

from pathlib import Path

import pytest

from sema.model.scene_graph import SceneGraph
from tests.conftest import PublicData

LONGEST = 100_000
"""Bytes of a passage's file; that is about 300 words."""


@pytest.fixture(scope="session")
def ucca_files(public_data: PublicData) -> list[Path]:
    """About 20 of the published passages, spread evenly; fewer where only excerpts are there.

    Longer ones are left out: UCCA's toolkit, which tests compare with, takes time by the square of a passage's length.
    """
    files = sorted(file for file in public_data("ucca").glob("*/xml/*.xml") if file.stat().st_size < LONGEST)
    return files[:: max(1, len(files) // 20)]


@pytest.fixture(scope="session")
def ewt_dev(public_data: PublicData) -> list[SceneGraph]:
    """The first sentences of UCCA EWT's dev part, cut at UD's sentence boundaries."""
    from training.ucca.corpus import ewt_graphs

    public_data("ucca", "english-ewt"), public_data("ud", "en_ewt")
    return ewt_graphs("dev", limit=150)


@pytest.fixture(scope="session")
def wiki_dev(public_data: PublicData) -> list[SceneGraph]:
    """The first sentences of UCCA Wiki's dev part, cut by the annotation."""
    from training.ucca.corpus import wiki_graphs

    public_data("ucca", "english-wiki")
    return wiki_graphs("dev")[:150]
