"""Nothing shown about a pair contradicts its findings: verdict, marks, problems, points and Scenes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sema import Scorer
from sema.display.pictures.items import KEPT, STATES, view_item
from sema.display.pictures.verdicts import verdict_of
from sema.model.meaning import FAIR, WHOLE
from tests.conftest import ROOT

EXAMPLES = ROOT / "examples"


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def contradictions(evidence: dict[str, Any], score: float) -> list[str]:
    """What is shown of one pair and does not follow from its findings."""
    found, said, scenes = evidence["findings"], evidence["verdict"], evidence["source_scenes"]
    view = view_item(evidence)
    sentence = verdict_of(evidence, {"meaning": score}, view).sentence
    marked = {
        (side, word.number, word.state)
        for side, words in (("source", view.source), ("output", [word for words in view.output for word in words]))
        for word in words if word.state in STATES.values()
    }  # fmt: skip
    named = {
        (side, token, STATES[one["kind"]])
        for one in found for side in ("source", "output") for token in one[f"{side}_tokens"]
    }  # fmt: skip
    struck = [
        (scene.state, word.text) for scene in view.scenes for _, centers in scene.units
        for words in centers for word in words if word.state in STATES.values()
    ]  # fmt: skip
    gone = {evidence["source"][token] for one in found for token in one["source_tokens"]}
    states = {tuple(scene["tokens"]): scene["state"] for scene in scenes}
    kinds = [one["kind"] for one in found]
    copy = list(evidence["source"]) == [word for words in evidence["sentences"] for word in words]
    points = sum(one["weight"] for one in found) + evidence["not_attributed"]
    checks = {
        "marked words are not those of the findings": marked == named,
        "it says that all is kept": ("everything that matters is kept" in said) == (not found and score >= WHOLE),
        "it says reworded": ("reworded" in said) == (not found and score < WHOLE),
        "it does not say that the meaning is gone": not found or ("not preserved" in said) == (score < FAIR),
        "a problem is counted twice or not at all": all(f"{kinds.count(kind)} {kind}" in said for kind in kinds),
        "the sentence is not the verdict's": copy or sentence.lower() == f"{said}.".lower(),
        "points do not add up": abs(points - (1 - score / 100)) < 2e-3,
        "a Scene strikes a word that no finding has": {word for _, word in struck} <= gone,
        "a Scene's state is not the findings'": all(
            scene.state == states[tuple(shown["leaves"])]
            for scene, shown in zip(view.scenes, evidence["scenes"], strict=True)
        ),
        "a kept Scene has a marked word": KEPT not in {state for state, _ in struck},
        "a Scene has a reason that is no finding": all(
            one["kind"] in kinds and scene["state"] != "kept" for scene in scenes for one in scene["because"]
        ),
    }
    return [what for what, holds in checks.items() if not holds]


def assert_none(lang: str, sources: Sequence[str], outputs: Sequence[str]) -> None:
    metrics = ["meaning", "sema"] if lang in ("en", "zh") else ["meaning"]
    report = Scorer(lang, metrics).score(sources, outputs, keep_items=True)
    found = {}
    for place, item in enumerate(report.systems[0].items):
        if wrong := contradictions(report.evidence(place)["output"], item.scores["meaning"]):
            found[sources[place], outputs[place]] = wrong
    assert not found


@pytest.mark.parametrize("lang", ["en", "zh", "fr"])
def test_nothing_contradicts_the_findings_of_the_examples(lang: str) -> None:
    sources = lines(EXAMPLES / lang / "original.txt")
    others = [path for path in sorted((EXAMPLES / lang).glob("*.txt")) if path.stem not in ("original", "reference")]
    assert others
    for path in others:
        assert_none(lang, sources, lines(path))


@pytest.mark.stress  # it is slow
@pytest.mark.parametrize(
    ("lang", "path", "versions", "items"),
    [("en", "simplification/asset/asset.test", 10, 200), ("zh", "simplification/mcts/dataset/mcts.dev", 5, 100)],
)
def test_nothing_contradicts_the_findings_of_public_sets(public_data, lang: str, path: str, versions: int, items: int):
    *folder, name = path.split("/")
    texts = [lines(public_data(*folder) / f"{name}.simp.{number}") for number in range(versions)]
    outputs = [texts[place % versions][place] for place in range(items)]
    assert_none(lang, lines(public_data(*folder) / f"{name}.orig")[:items], outputs)
