"""What the English and Chinese tables and judges are made from, and what of it ships."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sema_simplifier.extraction import Example, learn_rules
from sema_simplifier.rules import Rule, RuleTable
from sema_simplifier.simplifier import PHRASES

from sema.alignment.exact import ExactAligner
from sema.datasets.folder import data_path
from sema.judges.examples import RatedPair
from tests.cases import cases
from tests.conftest import PublicData
from training.chinese import hsk_tables
from training.data import rated_aspects
from training.english import cefr_words
from training.english.phrases import SWIPE_DEV, kept, matched, pages


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def test_sentences_of_two_pages_are_matched_by_their_words() -> None:
    page = [words("it rained due to a storm ."), words("nobody came .")]
    simple = [words("all went home"), words("it rained because of a storm .")]
    assert list(matched(page, simple)) == [Example(page[0], (simple[1],))]
    assert list(matched(page, [])) == []


def test_a_rule_is_learned_from_two_sentences() -> None:
    pairs = [
        Example(words(f"{a} was late due to {b} ."), (words(f"{a} was late because of {b} ."),))
        for a, b in ("xy", "zw")
    ]
    (rule,) = (rule for rule in learn_rules(pairs, ExactAligner()).rules if kept(rule, set()) and len(rule.source) == 2)
    assert (rule.source, rule.target, rule.sentences) == (words("due to"), words("because of"), 2)


@cases("en/phrase_rules")
def test_rules_that_ship_are_plain_paraphrases(source: str, target: str, sentences: int, ships: bool) -> None:
    assert kept(Rule(words(source), words(target), sentences, sentences), {"calais"}) is ships


def test_the_shipped_table_has_counts_and_no_sentence() -> None:
    table = RuleTable.load(PHRASES)
    assert len(table.rules) > 100 and not table.sources and not table.words
    assert all(kept(rule, set()) and rule.sentences <= table.occurrences[rule.source] for rule in table.rules)
    assert (("due", "to"), ("because", "of")) in {(rule.source, rule.target) for rule in table.rules}


def test_the_last_pages_are_left_out(public_data: PublicData) -> None:
    public_data("swipe", "documents.tsv.gz")
    import gzip

    with gzip.open(data_path("swipe", "documents.tsv.gz"), "rt", encoding="utf-8") as file:
        titles = sum(1 for _ in file) - 1
    assert len(pages()) == titles - SWIPE_DEV


def test_where_nobody_rated_the_quality_the_mean_aspect_stands_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = {"fluency": 0.2, "meaning": 0.5, "simplicity": 0.8, "overall": 0.9}

    def rated(aspect: str) -> list[RatedPair]:
        return [RatedPair("a", "b", ratings[aspect], "QATS train")]

    def aspects(aspect: str) -> list[RatedPair]:
        whole = [RatedPair("c", "d", ratings[aspect], "QuestEval")]
        return whole if aspect == "fluency" else [*whole, RatedPair("e", "f", ratings[aspect], "QuestEval")]

    monkeypatch.setattr(rated_aspects, "TRAINED", {"QATS train": rated, "QuestEval": aspects})
    assert rated_aspects.training_sets("overall") == [
        RatedPair("a", "b", 0.9, "QATS train"),
        RatedPair("c", "d", 0.5, "QuestEval"),
    ], "a pair without a rating of its fluency has no mean"
    assert len(rated_aspects.training_sets("simplicity")) == 3


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
    module: Any, names: list[str], data: tuple[str, ...], public_data: PublicData, tmp_path: Path, monkeypatch: Any
) -> None:
    public_data(*data)
    monkeypatch.setattr("sys.argv", ["", "--to", str(tmp_path)])
    module.main()
    for file in (f"{name}.txt" for name in names):
        assert (tmp_path / file).read_text(encoding="utf-8") == (module.TABLES / file).read_text(encoding="utf-8")
