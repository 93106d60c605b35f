import sys

import pytest
from sema_english import english
from sema_english.relations import english_lexicon

import sema
from sema import Scorer
from sema.errors import ResourceError
from tests.cases import cases
from tests.conftest import ROOT

EXAMPLES = ROOT / "examples" / "en"


@pytest.fixture(scope="module")
def scorer() -> sema.Scorer:
    return sema.Scorer("en", ["meaning", "sema", "sema_part", "samsa", "samsa_abl"])


def scores(scorer: sema.Scorer, source: str, *outputs: str) -> list[dict[str, float]]:
    report = scorer.score([source] * len(outputs), list(outputs))
    return [item.scores for item in report.systems[0].items]


@cases("en/splits")
def test_a_better_split_scores_higher(scorer: sema.Scorer, source: str, good: str, bad: str) -> None:
    better, worse = scores(scorer, source, good, bad)
    assert better["samsa"] > worse["samsa"]
    assert better["sema"] > worse["sema"]


@cases("en/losses")
def test_erroneous_splits_and_lost_participants_cost(scorer: sema.Scorer, source: str, worse: str) -> None:
    whole, less = scores(scorer, source, source, worse)
    assert less["samsa_abl"] < whole["samsa_abl"] > 90 and less["sema"] < whole["sema"]


def test_copies_keep_nearly_everything_and_a_wider_word_counts_for_sema(scorer: sema.Scorer) -> None:
    sources = (EXAMPLES / "original.txt").read_text(encoding="utf-8").splitlines()
    assert scorer.score(sources, sources).systems[0].scores["sema"] > 95
    (values,) = scores(scorer, "The farmer drank beer.", "The farmer drank an alcoholic drink.")
    assert values["sema"] >= values["sema_part"]


@pytest.mark.parametrize("module", ["sema_ppdb", "sema_wordnet"])
def test_a_broken_lexicon_is_one_line(monkeypatch: pytest.MonkeyPatch, module: str) -> None:
    english_lexicon.cache_clear()  # scorers of a process share it
    monkeypatch.setitem(sys.modules, module, None)  # what a failed import leaves behind
    with pytest.raises(ResourceError, match="'lexicon' of language 'en'") as error:
        _ = english().parts().lexicon
    assert "\n" not in str(error.value) and module in str(error.value)
    assert english().parts().segmenter, "what needs no lexicon works"


def test_neither_threads_nor_company_change_a_score() -> None:
    sources = ["John got home and gave Mary a call.", "He left because it was late.", "A title", "The cat slept."]
    outputs = ["John got home. John gave Mary a call.", "It was late. He left.", "A title", ""]

    def evidence(threads: int, lines: slice) -> list[object]:
        metrics = ["meaning", "sema", "samsa"]
        scorer = Scorer("en", metrics, options={"threads": threads})
        report = scorer.score(sources[lines], outputs[lines])
        return [report.evidence(item) for item in range(len(sources[lines]))]

    together = evidence(2, slice(None))
    assert evidence(1, slice(None)) == together
    assert evidence(2, slice(0, 1)) == together[:1]
