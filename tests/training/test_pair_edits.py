"""Texts broken on purpose: what changes is marked, what only rewords is not."""

from __future__ import annotations

from random import Random

import pytest

from training.reader.english import breaks, rewordings
from training.reader.english.edits import Pool, Sentence
from training.reader.perturbation import Edit, chosen

POOL = Pool(
    ["Vienna", "Thomas"], {"ed": ["painted"], "ing": ["painting"], "s": ["paints"]}, ["in a box"], ["It rained."]
)
TEXT = "However, King Henry VIII may have sold 3 old pianos to the school in Berlin on 16 June because he needed money."


@pytest.fixture(autouse=True)
def tags(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of speech without a treebank."""
    known = {"sold": "VERB", "needed": "VERB", "old": "ADJ", "pianos": "NOUN", "school": "NOUN", "money": "NOUN"}

    def tag(word: str) -> str:
        return known.get(word, "PROPN" if word[:1].isupper() else "NUM" if word.isdigit() else "X")

    monkeypatch.setattr(breaks, "tag", tag)
    monkeypatch.setattr(rewordings, "tag", tag)
    monkeypatch.setitem(breaks.is_name.__globals__, "tag", tag)


def edited(editor: breaks.Editor, text: str = TEXT, seed: int = 1) -> Edit:
    edit = editor(Sentence(text.split(), POOL, Random(seed)))
    assert edit is not None
    return edit


@pytest.mark.parametrize("seed", range(20))
def test_a_break_marks_what_it_changed_and_nothing_else(seed: int) -> None:
    edit = chosen(breaks.BREAKS, Sentence(TEXT.split(), POOL, Random(seed)))
    assert edit is not None and edit.same < 0.5 and not edit.output_entailed
    old = {word.strip(".,?").lower() for word in TEXT.split()}
    unmarked = [w for place, w in enumerate(edit.words) if place not in edit.new]
    assert {word.strip(".,?").lower() for word in unmarked} <= old


@pytest.mark.parametrize("seed", range(20))
def test_a_rewording_keeps_the_meaning_both_ways(seed: int) -> None:
    edit = chosen(rewordings.REWORDINGS, Sentence(TEXT.split(), POOL, Random(seed)))
    assert edit is not None and edit.output_entailed and edit.source_entailed and edit.same >= 0.9
    assert not edit.new and not edit.lost and edit.words != tuple(TEXT.split())


def test_losses_are_entailed_by_the_source_and_additions_entail_it() -> None:
    loss = edited(breaks.phrase_left_out)
    assert loss.output_entailed and not loss.source_entailed and loss.lost and not loss.new
    added = edited(breaks.phrase_added, seed=3)
    assert added.source_entailed and not added.output_entailed and added.new and not added.lost
    assert {word.strip(".,") for word in loss.words} <= {word.strip(".,") for word in TEXT.split()}


@pytest.mark.parametrize(
    ("editor", "word"),
    [(breaks.roman_changed, "VIII"), (breaks.negated, "may"), (breaks.exchanged, "may")],
)
def test_an_edit_names_the_place(editor: breaks.Editor, word: str) -> None:
    text = f"The {word} of Henry" if word == "VIII" else "It may rain"
    edit = edited(editor, "Henry VIII ruled" if word == "VIII" else text)
    assert " ".join(edit.words) != text and (edit.new or edit.lost)


def test_a_kings_number_has_two_forms() -> None:
    assert " ".join(edited(rewordings.roman, "King Henry VIII ruled").words) == "King Henry the Eighth ruled"
