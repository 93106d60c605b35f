"""The long signature names every metric, and by its digest, once, every file that affects a number."""

import json
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import sema_english
import sema_ppdb
import sema_wordnet
from sema_english.language import english
from sema_ud.formulas import formulas

from sema import Item, MeanMetric, Scorer
from sema.judges.storage import load_judge
from sema.metrics.registry import metric_names
from sema.runtime.checksums import DIGITS, digest_of
from tests.esperanto import WordCount, esperanto


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


def test_a_judge_is_signed_with_its_scale_and_features(tmp_path: Path) -> None:
    shutil.copytree(home(sema_english) / "weights" / "judges" / "fluency", tmp_path / "judge")
    before = load_judge(tmp_path / "judge").digest
    described = json.loads((tmp_path / "judge" / "judge.json").read_text("utf-8"))
    described["scale"]["slope"] *= 2
    (tmp_path / "judge" / "judge.json").write_text(json.dumps(described))
    assert load_judge(tmp_path / "judge").digest != before
