"""Chinese training pairs: broken texts, rows with what they translate."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.conftest import PublicData
from training.reader.chinese import breaks, broken
from training.reader.chinese.bilingual import translated
from training.reader.chinese.sentences import Editor, Pool, Sentence
from training.reader.example import ENTAILED, NEUTRAL, NOT_ENTAILED
from training.reader.perturbation import Edit

POOL = Pool({0: ["火车"], 1: ["修理"], 2: ["安静"]}, [("天气", "很", "好")])
TEXT = ("如果", "下雨", "，", "小王", "或", "小李", "可能", "不", "参加", "最大", "的", "3", "场", "比赛", "。")


def edited(editor: Editor, text: tuple[str, ...] = TEXT) -> Edit:
    edit = editor(Sentence(text, POOL, Random(1)))
    assert edit is not None
    return edit


@pytest.mark.parametrize("editor", [editor for editor, _ in (*breaks.BREAKS, *breaks.LOSSES, *breaks.ADDITIONS)])
def test_an_edit_marks_what_it_changes(editor: Editor) -> None:
    edit = editor(Sentence(TEXT, POOL, Random(1)))
    if edit is None:
        return
    left = [word for place, word in enumerate(TEXT) if place not in edit.lost]
    still = [word for place, word in enumerate(edit.words) if place not in edit.new]
    assert edit.words != TEXT
    assert (
        Counter(left) == Counter(still)
        or edit.output_entailed
        or edit.source_entailed
        or "，" in Counter(left) - Counter(still)
    )


def test_breaks_do_what_they_are_called() -> None:
    assert "3" not in edited(breaks.number_changed).words
    assert "不" not in edited(breaks.affirmed).words
    assert not {"如果", "下雨"} & set(edited(breaks.condition_lost).words)
    assert "最大" not in edited(breaks.superlative_changed).words
    assert edited(breaks.clause_lost).output_entailed and edited(breaks.clause_added).source_entailed


def test_a_broken_copy_has_a_label_for_every_word() -> None:
    made = list(broken.near_copies([TEXT] * 20, POOL, Random(1)))
    assert {ENTAILED, NOT_ENTAILED} <= {example.output_entailed for example in made}
    assert NEUTRAL in {example.source_entailed for example in made}
    for example in made:
        assert len(example.output_words) in (0, len(example.output.split()))
        assert len(example.source_words) in (0, len(example.source.split()))


def test_rows_and_their_translations_are_judged_alike(public_data: PublicData) -> None:
    public_data("entailment", "zh", "train", "sts.tsv.gz")
    pairs = list(translated())
    assert len(pairs) > 10_000
    for chinese, english in pairs:
        labels = chinese["label"], english["label"]
        assert labels[0] == labels[1] or abs(float(labels[0]) - float(labels[1])) <= 1
