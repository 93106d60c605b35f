"""A score depends on its own texts alone; the long signature names every metric and file that affects a number."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import sema_english
import sema_ppdb
import sema_wordnet
from sema_english.language import english
from sema_ud.formulas import formulas

from sema import Item, MeanMetric, ResourceError, Scorer, UsageError
from sema.metrics.base import NETWORK_DECIMALS
from sema.metrics.registry import metric_names
from sema.runtime.checksums import DIGITS, digest_of
from tests.conftest import ROOT
from tests.esperanto import WordCount, esperanto

METRICS = ("meaning", "meaning_recall", "meaning_precision", "fluency", "sema", "samsa")
NETWORKS = METRICS[:4]
Scores = list[dict[str, float]]


def scores(sources: Sequence[str], outputs: Sequence[str], threads: int = 1) -> Scores:
    scorer = Scorer("en", METRICS, options={"threads": threads})
    return [item.scores for item in scorer.score(sources, outputs, keep_items=False).systems[0].items]


def test_order_and_threads_change_nothing_and_scores_of_networks_are_rounded() -> None:
    original, reference = (
        (ROOT / "examples" / "en" / name).read_text("utf-8").splitlines() for name in ("original.txt", "reference.txt")
    )
    together = scores(original, reference)
    for one, other in zip(scores(original[::-1], reference[::-1], threads=2)[::-1], together, strict=True):
        for name in METRICS:
            if name in NETWORKS:
                assert one[name] == pytest.approx(other[name], rel=0, abs=1.1 * 10**-NETWORK_DECIMALS)
                assert other[name] == round(other[name], NETWORK_DECIMALS)
            else:
                assert one[name] == other[name]


SOURCES = [
    "The old cat, which had slept on the mat since Tuesday, was sold by its owner for 20 euros.",
    "John got home and gave Mary a call because the train was late.",
    "About 13 million Syrians had to leave their homes because of danger.",
]
OUTPUTS = ["The old cat. Slept mat on the.", "John came home. He called Mary.", "Syrians left their homes in 1998."]
REFERENCES = ["The cat was sold.", "John called Mary at home.", "Many Syrians fled."]
ZH = ["这只老猫从星期二起一直睡在垫子上。", "他回家后给玛丽打了电话。"], ["老猫睡在垫子上。", "他给玛丽写了信。"]
TEXTS = {"en": (SOURCES, OUTPUTS, REFERENCES), "zh": (*ZH, ZH[0])}


def item_scores(lang: str, metrics: list[str], places: list[int]) -> Scores:
    texts = [[column[place] for place in places] for column in TEXTS[lang]]
    report = Scorer(lang, metrics).score(*texts, targets=[2.0] * len(places))
    return [dict(item.scores) for item in report.systems[0].items]


@pytest.mark.parametrize("lang", ["en", pytest.param("zh", marks=pytest.mark.stress)])
def test_a_metric_alone_equals_itself_among_all_others_in_any_order(lang: str) -> None:
    elsewhere = {name for name, formula in formulas().items() if formula.language}
    places, alone = list(range(len(TEXTS[lang][0]))), {}
    for name in metric_names():
        try:
            alone[name] = [values[name] for values in item_scores(lang, [name], places)]
        except (ResourceError, UsageError):
            assert lang != "en" or name.startswith("hsk") or name in elsewhere, name
    assert len(alone) > 40
    every = list(alone)
    together = item_scores(lang, every, places)
    assert {name: [values[name] for values in together] for name in every} == alone
    mixed = Random(3).sample(every, len(every))
    assert item_scores(lang, mixed, places[::-1])[::-1] == together
    assert item_scores(lang, every, [1]) == [together[1]]


def test_neither_threads_nor_company_change_the_evidence() -> None:
    def evidence(threads: int, items: int) -> list[object]:
        scorer = Scorer("en", ["meaning", "sema", "samsa"], options={"threads": threads})
        report = scorer.score([*SOURCES, "A title", "The cat slept."][:items], [*OUTPUTS, "A title", ""][:items])
        return [report.evidence(item) for item in range(items)]

    together = evidence(2, 5)
    assert evidence(1, 5) == together and evidence(2, 1) == together[:1]


# Signatures


def home(package: object) -> Path:
    return Path(package.__file__).parent  # type: ignore[attr-defined]


def test_a_metric_without_a_signature_of_its_own_appears_by_name_and_options() -> None:
    class Plain(MeanMetric, name="plain"):
        """Nothing."""

        def scores(self, items: list[Item]) -> list[float]:  # type: ignore[override]
            return [0.0] * len(items)

    signature = Scorer(esperanto(), ["sema", Plain(), "bleu", WordCount(least=3), "splits"]).signature
    assert "|metrics:sema+plain+words[least=3]+splits|bleu:tok=13a" in signature


def test_no_digest_appears_twice_and_none_is_missing() -> None:
    elsewhere = {name for name, formula in formulas().items() if formula.language}
    names = [name for name in metric_names() if not (name.startswith("hsk") or name in elsewhere)]
    signature = Scorer("en", names, options={"cefr.target": "A2"}).signature
    digests = Counter(re.findall(rf"(?<![0-9a-f])(?=\d*[a-f])[0-9a-f]{{{DIGITS}}}(?![0-9a-z])", signature))
    assert set(digests.values()) == {1}
    wordnet, judges = home(sema_wordnet) / "data", home(sema_english) / "weights" / "judges"
    for files in (
        [wordnet / "english.npz", wordnet / "graph.npz"],
        [home(sema_ppdb) / "data" / "english.npz"],
        [home(sema_english) / "tables"],
        *([judges / aspect / "judge.json"] for aspect in ("fluency", "simplicity", "overall")),
    ):
        assert digest_of(*files) in digests, files
    assert digest_of(wordnet / "english.npz", wordnet / "graph.npz") in Scorer("en", ["meaning"]).signature
    assert all(name in signature for name in names)


def test_changed_tables_change_the_signature_and_a_readme_does_not(tmp_path: Path) -> None:
    units, words = tmp_path / "units.json", tmp_path / "words.json"
    words.write_text("{}")
    language = replace(english(), data=lambda: (tmp_path,))
    changes = (
        lambda: units.write_text("[]"),
        lambda: (tmp_path / "README.md").write_text("decides nothing"),
        lambda: units.write_text("{}"),
        lambda: words.rename(tmp_path / "other.json"),
    )
    signed = []
    for change in changes:
        change()
        signed.append(Scorer(language, ["bleu"]).signature)
    assert signed[0] == signed[1] and len(set(signed)) == 3
