"""What the UCCA tests share: the published corpora (where present) and random scene graphs."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import strategies as st

from sema.model.scene_graph import CATEGORIES, SceneGraph
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


@st.composite
def _graphs(draw: st.DrawFn) -> SceneGraph:
    words = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=5)
    tokens = draw(st.lists(words.filter(lambda word: word.strip()), min_size=1, max_size=10))
    graph = SceneGraph(tokens, draw(st.sets(st.integers(0, len(tokens) - 1))))
    categories = st.lists(st.sampled_from([*CATEGORIES]), min_size=1, max_size=2, unique=True)
    units = [graph.root]
    for _ in range(draw(st.integers(0, 8))):
        units.append(graph.add_child(draw(st.sampled_from(units)), *draw(categories)))
    for token in range(len(tokens)):
        graph.add_edge(draw(st.sampled_from(units)), token)
    for parent in draw(st.lists(st.sampled_from(units), max_size=3)):
        graph.add_child(parent, *draw(categories), implicit=True)
    for _ in range(draw(st.integers(0, 4))):
        parent, child = draw(st.sampled_from(units)), draw(st.sampled_from(units))
        if child != graph.root and parent != child and not graph.has_edge(parent, child):
            graph.add_edge(parent, child, *draw(categories), remote=True)
    return graph


@pytest.fixture(scope="session")
def graphs() -> st.SearchStrategy[SceneGraph]:
    """Random scene graphs: nested units, two categories, implicit units, remote edges (cycles too), odd characters."""
    return _graphs()


@pytest.fixture(scope="session")
def ewt_dev(public_data: PublicData) -> list[SceneGraph]:
    """The first sentences of UCCA EWT's dev part, cut at UD's sentence boundaries."""
    from training.ucca.corpus import ewt_graphs

    public_data("ucca", "english-ewt"), public_data("ud", "en_ewt")
    return ewt_graphs("dev", limit=150)


@pytest.fixture(scope="session")
def wiki_dev(public_data: PublicData) -> list[SceneGraph]:
    """The first sentences of UCCA Wiki's dev part, cut by the annotation."""
    from training.ucca.wiki import wiki_graphs

    public_data("ucca", "english-wiki")
    return wiki_graphs("dev")[:150]
