"""Results by name, metrics called on texts, variants of one metric, and runs that a scorer saves."""

import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import sema
from sema.metrics.bleu import Bleu
from sema.metrics.registry import make_metric, parse_names
from sema.metrics.sari import Sari
from tests.esperanto import esperanto

SOURCES = ["La kato dormas.", "Mi vidas la domon."]
OUTPUTS = {"ours": ["Kato dormas.", "Mi vidas domon."], "copy": SOURCES}
REFERENCES = [["La kato dormas nun."], ["Mi vidas domon."]]
EXP, NONE = "bleu[smoothing=exp]", "bleu[smoothing=none]"


def scorer(*metrics: str | sema.Metric) -> sema.Scorer:
    return sema.Scorer(esperanto(), metrics)


def test_systems_and_scores_are_found_by_name() -> None:
    report = scorer("sari").score(SOURCES, OUTPUTS, REFERENCES)
    assert report["copy"] is report.systems[1]
    assert report["ours"]["sari"] == report.systems[0].scores["sari"]
    assert [system.name for system in report] == ["ours", "copy"]
    with pytest.raises(sema.UsageError, match="no system 'theirs'; it has ours, copy"):
        report["theirs"]
    with pytest.raises(sema.UsageError, match="no score by 'bleu'; it has sari"):
        report["ours"]["bleu"]


def test_a_metric_called_on_texts_scores_as_a_scorer_does() -> None:
    expected = sema.Scorer("en", ["sari"]).score(SOURCES, OUTPUTS["ours"], REFERENCES).systems[0]["sari"]
    assert Sari()(SOURCES, OUTPUTS["ours"], REFERENCES) == expected


def test_variants_of_a_metric_are_named_by_their_options() -> None:
    plain, exp, none = Bleu(), Bleu(smoothing="exp"), Bleu(smoothing="none")
    report = scorer(plain, exp, none).score(SOURCES, OUTPUTS, REFERENCES)
    assert report.metrics == ("bleu", EXP, NONE)
    assert report["ours"][EXP] == scorer(exp).score(SOURCES, OUTPUTS, REFERENCES)["ours"]["bleu"]
    short = scorer(exp, none).score(["The cat sat on the mat."], ["The cat sat."], [["A cat sat."]]).systems[0]
    assert short[EXP] > short[NONE] == 0
    assert exp.name == "bleu", "the given object keeps its name"
    assert pickle.loads(pickle.dumps(exp)).full_name == EXP


def test_variants_can_be_named() -> None:
    assert parse_names(f"sari,{EXP}, bleu[smoothing=none,lowercase=yes]") == [
        "sari",
        EXP,
        "bleu[smoothing=none,lowercase=yes]",
    ]
    named, given = scorer(EXP, NONE), scorer(Bleu(smoothing="exp"), Bleu(smoothing="none"))
    scores = [made.score(SOURCES, OUTPUTS, REFERENCES)["ours"].scores for made in (named, given)]
    assert scores[0] == scores[1]
    with pytest.raises(sema.UsageError, match=r"write name\[option=value\]"):
        make_metric("bleu[exp]")
    with pytest.raises(sema.UsageError, match=r"unknown option 'bleu\.smooth'"):
        make_metric("bleu[smooth=exp]")


def test_evidence_is_gathered_once_and_only_if_it_is_asked_for() -> None:
    asked: list[str] = []

    class Explained(sema.MeanMetric, name="explained"):
        """Counts explanations."""

        def scores(self, items: Sequence[sema.Item]) -> Sequence[float]:
            return [0.0] * len(items)

        def explain(self, item: sema.Item) -> dict[str, Any]:
            asked.append(item.source.raw)
            return {"explanations": len(asked)}

    report = scorer(Explained()).score(SOURCES, OUTPUTS["ours"])
    assert asked == []
    assert [report.evidence(1)["output"]["explanations"] for _ in range(2)] == [1, 1]
    assert asked == [SOURCES[1]]
    kept = pickle.loads(pickle.dumps(report.systems[0].items[0].kept))
    assert type(kept) is dict and kept["explanations"] == 2


def test_a_scorer_saves_its_run(tmp_path: Path) -> None:
    made = scorer(Bleu(smoothing="exp"), Bleu(smoothing="none"))
    report = made.score(SOURCES, OUTPUTS, REFERENCES, save=tmp_path / "run")
    assert report == sema.Run(tmp_path / "run").report() == made.score(SOURCES, OUTPUTS, REFERENCES, keep_items=False)
    with pytest.raises(sema.InputError, match="exists already"):
        made.score(SOURCES, OUTPUTS, REFERENCES, save=tmp_path / "run")
    again = made.score(SOURCES, OUTPUTS, REFERENCES, save=tmp_path / "run", overwrite=True)
    assert again == report


def test_a_saved_run_with_a_broken_item_is_kept_and_refused(tmp_path: Path) -> None:
    with pytest.raises(sema.InputError, match="the run is kept in"):
        scorer("sari").score(["", SOURCES[1]], OUTPUTS["ours"], REFERENCES, save=tmp_path / "run")
    assert sema.Run(tmp_path / "run").summary.failed
