"""What the English and Chinese tables and judges are made from, and what of it ships."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sema_english.ngrams import NgramModel
from sema_simplifier.rules import Rule, RuleTable
from sema_simplifier.simplifier import PHRASES

from tests.cases import cases
from tests.conftest import PublicData
from training.chinese import hsk_tables
from training.english import cefr_words, frequencies
from training.english.phrases import kept


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


@cases("en/phrase_rules")
def test_rules_that_ship_are_plain_paraphrases(source: str, target: str, sentences: int, ships: bool) -> None:
    assert kept(Rule(words(source), words(target), sentences, sentences), {"calais"}) is ships


def test_the_shipped_table_has_counts_and_no_sentence() -> None:
    table = RuleTable.load(PHRASES)
    assert len(table.rules) > 100 and not table.sources and not table.words
    assert all(kept(rule, set()) and rule.sentences <= table.occurrences[rule.source] for rule in table.rules)
    assert (("due", "to"), ("because", "of")) in {(rule.source, rule.target) for rule in table.rules}


@cases("zh/frame_points")
def test_frames_are_points_of_several_given_words(content: str, found: tuple[tuple[str, ...], ...]) -> None:
    assert tuple(hsk_tables.frames(content)) == found


@pytest.mark.parametrize(
    ("module", "names", "data"),
    [
        (cefr_words, ["cefr_words"], ("readability", "cefrj_vocabulary.tsv.gz")),
        (hsk_tables, ["hsk_words", "hsk_grammar"], ("lexicons", "zh", "hsk30_words.tsv.gz")),
    ],
)
def test_the_shipped_tables_are_those_that_the_command_writes(
    module: Any, names: list[str], data: tuple[str, ...], public_data: PublicData, tmp_path: Path
) -> None:
    public_data(*data)
    module.main(["--to", str(tmp_path)])
    for file in (f"{name}.txt" for name in names):
        assert (tmp_path / file).read_text(encoding="utf-8") == (module.TABLES / file).read_text(encoding="utf-8")


def test_the_models_of_words_in_sequence_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frequencies, "TABLES", tmp_path)
    for name in ("original", "simple"):
        monkeypatch.setattr(frequencies, f"{name}_texts", lambda: ["The cat sat. The cat ran.", "The cat sat down."])
    frequencies.main(["ngrams"])
    model = NgramModel.load(tmp_path / "simple_ngrams.npz")
    assert model.bigram("the", "cat") > model.bigram("the", "sat")
