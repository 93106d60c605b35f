import json
import math
from pathlib import Path
from typing import Any

import pytest
from sema_ud import generic, universal
from sema_ud.formulas import default_formula, formulas, readability_metrics
from sema_ud.readability import QUANTITIES, Counts, count, syllables, words_of

from sema import Run, Scorer
from sema.errors import UsageError
from sema.metrics.registry import make_metric
from sema.model.text import Text
from tests.cases import cases

RECORDED: list[dict[str, Any]] = json.loads((Path(__file__).parent / "textstat.json").read_text("utf-8"))["texts"]
CHECKED = [(text, name) for text in RECORDED for name in text["values"]]
TWENTY = Counts(sentences=2, words=20, letters=110, syllables=36, one_syllable=9, three_syllables=4, four_syllables=1,
                long_words=5)  # fmt: skip


def value(name: str, counts: Counts) -> float:
    formula = formulas()[name]
    return formula.value({quantity: QUANTITIES[quantity](counts) for quantity in formula.terms})


WORKED = {
    # 10 words a sentence, 1.8 syllables and 5.5 letters a word; 45 % of the words have one syllable,
    # 20 % three or more, 5 % four or more; 25 % are long
    "wstf1": 0.1935 * 20 + 0.1672 * 10 + 0.1297 * 25 - 0.0327 * 45 - 0.875,
    "wstf2": 0.2007 * 20 + 0.1682 * 10 + 0.1373 * 25 - 2.779,
    "wstf3": 0.2963 * 20 + 0.1905 * 10 - 1.1144,
    "wstf4": 0.2744 * 20 + 0.2656 * 10 - 1.693,
    "flesch_amstad": 180 - 10 - 58.5 * 1.8,
    "fernandez_huerta": 206.84 - 0.60 * 180 - 1.02 * 10,
    "szigriszt_pazos": 206.835 - 62.3 * 36 / 20 - 20 / 2,
    "kandel_moles": 207 - 1.015 * 10 - 0.736 * 180,
    "gulpease": 89 + (300 * 2 - 10 * 110) / 20,
    "franchina_vacca": 217 - 1.3 * 10 - 0.6 * 180,
    "flesch_oborneva": 206.835 - 1.3 * 10 - 60.1 * 1.8,
    "flesch_douma": 206.84 - 0.93 * 10 - 0.77 * 180,
    "leesindex_a": 195 - 2 * 10 - 2 / 3 * 180,
    "flesch_martins": 248.835 - 1.015 * 10 - 84.6 * 1.8,
    "atesman": 198.825 - 40.175 * 1.8 - 2.610 * 10,
    "fog_pl": 0.4 * (10 + 5),
    "lix": 10 + 25,
    "rix": 5 / 2,
}


@pytest.mark.parametrize("name", formulas())
def test_formulas_by_hand(name: str) -> None:
    assert value(name, TWENTY) == pytest.approx(WORKED[name], abs=1e-6)


@pytest.mark.parametrize(("recorded", "name"), CHECKED)
def test_the_weights_are_textstat_s(recorded: dict[str, Any], name: str) -> None:
    """On textstat's own counts; its Spanish and Dutch constants differ from ours in the third decimal."""
    assert value(name, Counts(*recorded["counts"])) == pytest.approx(recorded["values"][name], abs=0.006)


@cases("any/syllables")
def test_syllables(code: str, words: dict[str, int]) -> None:
    assert {word: syllables(word, code) for word in words} == words


def test_words_are_not_the_segmenter_s_and_sentences_without_words_do_not_count() -> None:
    raw = "L'eau du E-Mail-Servers kostet 3.5 Euro – oder_nicht?! «Ja»…"
    assert words_of(raw) == ["L'eau", "du", "E-Mail-Servers", "kostet", "3.5", "Euro", "oder", "nicht", "Ja"]
    assert words_of("за́мок ❤️") == ["за́мок"]
    assert words_of("हिन्दी भाषा बहुत सुंदर है।") == ["हिन्दी", "भाषा", "बहुत", "सुंदर", "है"]
    assert words_of("ශ්‍රී ලංකා") == ["ශ්‍රී", "ලංකා"]  # with a joiner
    text = Text.from_sentences([["Er", "schläft", "."], ["…"], ["Sie", "liest", "."]])
    assert count(text, "de")[:2] == (2.0, 4.0)


def test_each_language_has_its_own_formula_as_fk() -> None:
    for code in ("de", "es", "fr", "it", "ru", "nl", "pt", "tr", "pl", "sv", "da", "no"):
        for language in (universal(code), generic(code)):
            metrics = language.metrics
            assert metrics["fk"] == metrics[default_formula(code)], code
            own = {name for name, formula in formulas().items() if formula.language in ("", code)}
            assert set(metrics) == own | {"fk"}
    assert set(readability_metrics("ko")) == {"lix", "rix"}
    assert set(readability_metrics("<code>")) == set(formulas())


def test_fk_says_which_formula_it_is() -> None:
    source, output = "Der Bundestag beriet lange.", "Der Bundestag hat ein Gesetz beschlossen. Die Debatte war lang."
    scorer = Scorer("de", ["fk", "wstf1", "flesch_amstad"])
    report = scorer.score([source], [output])
    scores = report.systems[0].scores
    assert "|fk:formula=wstf1,syllables=de|" in scorer.signature
    assert scores["fk"] == scores["wstf1"] != scores["flesch_amstad"]
    # 10 words, 2 sentences, 17 syllables: Bun-des-tag, Ge-setz, be-schlos-sen, De-bat-te; three words have three
    assert scores["wstf1"] == pytest.approx(0.1935 * 30 + 0.1672 * 5 + 0.1297 * 30 - 0.0327 * 60 - 0.875)
    assert scores["flesch_amstad"] == pytest.approx(180 - 5 - 58.5 * 1.7)
    assert report.higher_is_better == {"fk": False, "wstf1": False, "flesch_amstad": True}


def test_the_language_of_outputs_decides_which_fk_it_is(tmp_path: Path) -> None:
    """A saved run reads it as it was scored."""
    Scorer("en-to-es", ["fk"]).write(tmp_path / "run", ["The dog sleeps."], {"ours": ["El perro duerme en casa."]})
    run = Run(tmp_path / "run")
    report = run.report()
    assert "formula=fernandez_huerta" in report.signature and report.higher_is_better == {"fk": True}
    assert report.systems[0].scores["fk"] == pytest.approx(206.84 - 60 * 8 / 5 - 1.02 * 5)
    english = Scorer("en", ["fk", "lix"]).signature
    assert "fk:tok" in english and "lix:formula=lix" in english
    assert type(make_metric("fk")).__module__ == "sema_english.readability"


@cases("any/formulas_refused")
def test_other_languages_are_refused_in_one_line(code: str, name: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        Scorer(code, [name]).score(["a"], ["a"])
    assert str(raised.value) == message


def test_a_text_without_words_has_no_value() -> None:
    scores = Scorer("de", ["wstf1"]).score(["Er schläft.", "x"], ["…", "Er schläft."])
    items = scores.systems[0].items
    assert math.isnan(items[0].scores["wstf1"]) and scores.systems[0].scores["wstf1"] == items[1].scores["wstf1"]
