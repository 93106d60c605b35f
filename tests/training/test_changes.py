"""Sentences changed on purpose: what changes is marked, what only rewords is not, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from tests.conftest import PublicData
from training.reader.broken import Breaker
from training.reader.changes import Edit, Language, Pool, Rule, Sentence, chosen, labels, text_of
from training.reader.chinese.bilingual import translated
from training.reader.chinese.rules import CHINESE
from training.reader.english import lexical
from training.reader.english.rules import ENGLISH
from training.reader.example import ENTAILED, NEUTRAL, NOT_ENTAILED, UNKNOWN, judged

LANGUAGES: dict[str, tuple[Language, Pool, str]] = {
    "en": (
        ENGLISH,
        {"P": ["Vienna"], "Ved": ["painted"], "phrases": ["in a box"], "sentences": ["It rained \u2060."]},
        "However, King Henry VIII may have sold 3 old pianos to the school in Rome on 16 June because he needed money.",
    ),
    "zh": (
        CHINESE,
        {"N": ["火车"], "V": ["修理"], "J": ["安静"], "phrases": ["天气 很 好"]},
        "如果 明天 还 下雨 ， 小王 或 小李 可能 不 参加 最大 的 3 场 比赛 。",
    ),
}


@pytest.fixture(autouse=True)
def tags(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """English parts of speech without a treebank."""
    known = {
        "sold": "VERB",
        "met": "VERB",
        "needed": "VERB",
        "old": "ADJ",
        "former": "ADJ",
        "almost": "ADV",
        "twenty": "NUM",
        "pianos": "NOUN",
        "school": "NOUN",
    }
    known |= {
        "money": "NOUN",
        "however": "ADV",
        "the": "DET",
        "he": "PRON",
        "have": "AUX",
        "cat": "NOUN",
        "man": "NOUN",
        "slept": "VERB",
    }

    def tag(word: str) -> str:
        return known.get(word.lower(), "PROPN" if word[:1].isupper() else "NUM" if word.isdigit() else "X")

    monkeypatch.setattr(lexical, "tag", tag)
    lexical.letter.cache_clear()
    yield
    lexical.letter.cache_clear()


def changed(rules: tuple[Rule, ...] | list[Rule], text: str, lang: str = "en", seed: int = 1) -> Edit | None:
    language, pool, _ = LANGUAGES[lang]
    return chosen(rules, Sentence(language.cut(text), language, pool, Random(seed)))


def rules(lang: str, kind: str) -> list[Rule]:
    return list(getattr(LANGUAGES[lang][0], kind))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", ["breaks", "losses", "additions", "rewordings"])
def test_an_edit_marks_what_it_changed_and_nothing_else(lang: str, kind: str) -> None:
    text = LANGUAGES[lang][2]
    old = LANGUAGES[lang][0].cut(text)
    found = [edit for seed in range(12) for rule in rules(lang, kind) if (edit := changed([rule], text, lang, seed))]
    assert len(found) > 10
    for edit in found:
        entails = {"breaks": (False, False), "losses": (True, False), "additions": (False, True)}
        assert (edit.output_entailed, edit.source_entailed) == entails.get(kind, (True, True))
        assert bool(edit.new) == (kind in ("breaks", "additions")) and bool(edit.lost) == (kind in ("breaks", "losses"))
        if kind != "rewordings":
            unmarked = {word.lower() for place, word in enumerate(edit.words) if place not in edit.new}
            assert unmarked <= {word.lower() for word in old}
        assert (edit.same >= 0.9) == (kind == "rewordings")


def found(text: str, kind: str = "breaks", lang: str = "en") -> set[str]:
    """All that the rules of a kind make of a text."""
    edits = (changed([rule], text, lang, seed) for seed in range(30) for rule in rules(lang, kind))
    return {text_of(edit.words) for edit in edits if edit is not None}


@pytest.mark.parametrize(
    ("kind", "text", "wanted"),
    [
        ("breaks", "Henry VIII ruled.", "Henry XIV ruled."),
        ("breaks", "It may rain.", "It may not rain."),
        ("breaks", "It may rain.", "It must rain."),
        ("breaks", "It did not rain.", "It did rain."),
        ("breaks", "Anna Smith met Bob in June.", "Bob met Anna Smith in June."),
        ("breaks", "The cat slept because he needed money.", "He needed money because the cat slept."),
        ("losses", "The man slept on the school in Berlin.", "The man slept on the school."),
        ("rewordings", "King Henry VIII ruled.", "King Henry the Eighth ruled."),
        ("rewordings", "The man slept on 16 June.", "The man slept on June 16."),
        ("rewordings", "The man slept on 16 June.", "On 16 June, the man slept."),
        ("rewordings", "The man met 14 cats.", "The man met fourteen cats."),
        ("rewordings", "The man met 19 cats.", "The man met nineteen cats."),
        ("rewordings", "The man met twenty cats.", "The man met 20 cats."),
        ("losses", "The old man slept (in June) on the school.", "The man slept (in June) on the school."),
        ("rewordings", "However, the man slept.", "The man slept."),
        ("rewordings", "The man slept long, and he needed money.", "The man slept long. He needed money."),
    ],
)
def test_rules_do_what_they_are_for(kind: str, text: str, wanted: str) -> None:
    assert wanted in found(text, kind)


@pytest.mark.parametrize(
    ("kind", "text", "wrong"),
    [
        ("rewordings", "The man met 16 cats.", "forty"),
        ("rewordings", "The man slept long, or he needed money.", "long. He"),
        ("losses", "The former school man met the cat.", "The school man"),
        ("losses", "The man almost slept on the school.", "man slept"),
        ("losses", "The man slept (in June) on the school.", "()"),
        ("losses", "The man sold 50% of all the money.", "50."),
        ("additions", "The man sold 50% of all the money.", "box%"),
    ],
)
def test_rules_leave_alone_what_would_make_labels_wrong(kind: str, text: str, wrong: str) -> None:
    assert [one for one in found(text, kind) if wrong in one or "\u2060" in one] == []


def test_chinese_rules_do_what_they_are_for() -> None:
    text = LANGUAGES["zh"][2]
    broken = found(text, "breaks", "zh")
    assert any("3" not in one.split() for one in broken) and any("不" not in one.split() for one in broken)
    assert any("如果" not in one for one in broken) and any("最大" not in one.split() for one in broken)


def test_marks_stand_close_to_words_and_are_not_to_blame() -> None:
    text = 'The "old" (man), who slept; 3.5 cats!'
    words = ENGLISH.cut(text)
    assert text_of(words) == text and "man" in words
    assert labels(words, [words.index("old")]) == (1, 0, 1, 1, 1, 1, 1)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_broken_copy_has_a_label_for_every_word(lang: str) -> None:
    language, pool, text = LANGUAGES[lang]
    made = list(Breaker(language, pool, Random(1)).near_copies([text] * 30))
    assert {ENTAILED, NOT_ENTAILED} <= {example.output_entailed for example in made}
    assert NEUTRAL in {example.source_entailed for example in made}
    for example in made:
        assert len(example.output_words) in (0, len(example.output.split()))
        assert len(example.source_words) in (0, len(example.source.split()))


def test_rows_and_their_translations_are_judged_alike(public_data: PublicData) -> None:
    public_data("entailment", "zh", "train", "sts.tsv.gz")
    pairs = list(translated())
    assert len(pairs) > 10_000
    for _, chinese, english in pairs:
        labels = chinese["label"], english["label"]
        assert labels[0] == labels[1] or abs(float(labels[0]) - float(labels[1])) <= 1


def test_a_degree_is_no_judgement() -> None:
    assert judged("a", "b", "1").output_entailed == ENTAILED
    assert judged("a", "b", "1", graded=True).output_entailed == NOT_ENTAILED
    assert judged("a", "b", "4", graded=True).output_entailed == UNKNOWN
