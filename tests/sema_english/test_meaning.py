import sys
from pathlib import Path

import numpy as np
import pytest
from sema_english import english
from sema_english.relations import english_lexicon
from sema_english.wording import EnglishWording

from sema import Scorer
from sema.errors import ResourceError, UsageError
from sema.evaluation.significance import pearson
from sema.model.text import Text
from tests.cases import cases
from tests.conftest import ROOT, PublicData

NAMES = ("meaning", "meaning_recall", "meaning_precision")
SOURCE = "The committee did not approve the budget of 13 million dollars in 2004."


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer("en", [*NAMES, "sema", "sema_part", "samsa", "samsa_abl"])


def score(scorer: Scorer, source: str, *outputs: str) -> list[dict[str, float]]:
    report = scorer.score([source] * len(outputs), list(outputs))
    return [item.scores for item in report.systems[0].items]


@pytest.mark.parametrize("text", [SOURCE, "word " * 300, "the the the", "No, no, no!", "A"])
def test_a_copy_is_100(scorer: Scorer, text: str) -> None:
    (scores,) = score(scorer, text, text)
    assert [scores[name] for name in NAMES] == [100, 100, 100]


@pytest.mark.parametrize(
    ("output", "lower"),
    [
        ("The committee approved the budget of 13 million dollars in 2004.", "meaning"),
        ("The committee did not approve the budget of 15 million dollars in 2004.", "meaning_precision"),
        ("The committee did not approve the budget.", "meaning_recall"),
        ("The committee did not approve the budget of 13 million dollars in 2009.", "meaning_precision"),
    ],
)
def test_losses_changes_and_additions_cost_more_than_rewording(scorer: Scorer, output: str, lower: str) -> None:
    wrong, reworded = score(scorer, SOURCE, output, "In 2004, the committee said no to the 13 million dollar budget.")
    assert wrong[lower] < reworded[lower] and wrong["meaning"] < reworded["meaning"]


def test_additions_cost_precision_alone_and_losses_recall_alone(scorer: Scorer) -> None:
    short = "The committee rejected the plan."
    long = f"{short} Its members will meet again in May."
    alone, more = score(scorer, short, short, long)
    assert more["meaning_recall"] >= alone["meaning_recall"] - 2 and more["meaning_precision"] < 90
    (less,) = score(scorer, long, short)
    assert less["meaning_precision"] >= 98 and less["meaning_recall"] < 80


def test_points_of_findings_and_of_none_add_up_to_what_the_score_lacks(scorer: Scorer) -> None:
    report = scorer.score([SOURCE], ["The committee approved the budget of 13 million dollars."], keep_items=True)
    shown, scores = report.evidence(0)["output"], report.systems[0].items[0].scores
    points = sum(found["weight"] for found in shown["findings"]) + shown["not_attributed"]
    assert shown["findings"] and points == pytest.approx(1 - scores["meaning"] / 100, abs=1e-3)
    assert {scene["state"] for scene in shown["source_scenes"]} <= {"kept", "partly", "changed", "lost"}
    assert all({"kind", "text"} == set(reason) for scene in shown["source_scenes"] for reason in scene["because"])


def test_a_reader_is_named_in_the_metric_and_two_in_one_run_are_refused(tmp_path: Path) -> None:
    texts = [SOURCE], ["The group refused the money."]
    both = Scorer("en", [*NAMES, "meaning[reader=none]"]).score(*texts).systems[0].scores
    best, none = (Scorer("en", NAMES, options={"meaning.reader": reader}) for reader in ("best", "none"))
    assert best.signature != none.signature
    alone, links = (one.score(*texts).systems[0].scores for one in (best, none))
    assert both == {**alone, "meaning[reader=none]": links["meaning"]}
    assert all(alone[name] != links[name] for name in NAMES)
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError, match="a run of its own"):
        Scorer("en", ["meaning", f"meaning_recall[reader={tmp_path}]"]).score(*texts)


def test_broken_sentences_are_less_fluent() -> None:
    whole = "The committee did not approve the budget because it was too high."
    broken = "The committee did not the approve budget budget it was because too."
    fluent, other = (found["fluency"] for found in score(Scorer("en", ["fluency"]), whole, whole, broken))
    assert fluent > other + 20


def test_the_wording_of_a_sentence_is_the_same_alone_in_a_text_and_prepared() -> None:
    sentences = [f"The {who} the budget .".split() for who in ("committee did not approve", "panel did not accept")]
    encoder = english().parts().encoder
    assert encoder is not None
    states = encoder.states(sentences)
    given = [(Text.from_sentences([words]), own) for words, own in zip(sentences, states, strict=True)]
    prepared = EnglishWording()
    prepared.prepare(given)
    whole = EnglishWording().read(Text.from_sentences(sentences), np.concatenate(states))
    for parts in ([EnglishWording().read(*one) for one in given], [prepared.read(*one) for one in given]):
        for numbers, own in zip(whole, zip(*parts, strict=True), strict=True):
            np.testing.assert_array_equal(numbers, np.concatenate(own))


@cases("en/splits")
def test_a_better_split_scores_higher(scorer: Scorer, source: str, good: str, bad: str) -> None:
    better, worse = score(scorer, source, good, bad)
    assert better["samsa"] > worse["samsa"] and better["sema"] > worse["sema"]


@cases("en/losses")
def test_erroneous_splits_and_lost_participants_cost(scorer: Scorer, source: str, worse: str) -> None:
    whole, less = score(scorer, source, source, worse)
    assert less["samsa_abl"] < whole["samsa_abl"] > 90 and less["sema"] < whole["sema"]


def test_copies_keep_nearly_everything_and_a_wider_word_counts_for_sema(scorer: Scorer) -> None:
    sources = (ROOT / "examples" / "en" / "original.txt").read_text(encoding="utf-8").splitlines()
    assert scorer.score(sources, sources).systems[0].scores["sema"] > 95
    (values,) = score(scorer, "The farmer drank beer.", "The farmer drank an alcoholic drink.")
    assert values["sema"] >= values["sema_part"]


@pytest.mark.parametrize("module", ["sema_ppdb", "sema_wordnet"])
def test_a_broken_lexicon_is_one_line(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    english_lexicon.cache_clear()  # scorers of a process share it
    monkeypatch.setitem(sys.modules, module, None)  # what a failed import leaves behind
    with pytest.raises(ResourceError, match="'lexicon' of language 'en'") as error:
        _ = english().parts().lexicon
    assert "\n" not in str(error.value) and module in str(error.value)
    assert english().parts().segmenter, "what needs no lexicon works"


def test_it_agrees_with_people(public_data: PublicData) -> None:
    from training.data.rated_aspects import qats

    public_data("ratings", "qats2016")
    pairs = qats("meaning", "test")
    report = Scorer("en", ["meaning"]).score([pair.source for pair in pairs], [pair.output for pair in pairs])
    predicted = [item.scores["meaning"] for item in report.systems[0].items]
    assert pearson([pair.rating for pair in pairs], predicted).value > 0.5
