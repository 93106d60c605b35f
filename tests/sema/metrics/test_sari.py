from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.parity.easse import TARGETS, TOLERANCE
from benchmarks.sheets import simplicity_da
from sema.metrics.base import Item
from sema.metrics.sari import combine, sari, sari_by_types, statistics
from sema.model.text import Text
from tests.conftest import PublicData

SOURCE = ["About", "95", "species", "are", "currently", "accepted", "."]
NOW = ["95", "species", "are", "now", "accepted", "."]
REFERENCES = [["About", "95", "species", "are", "currently", "known", "."], ["About", *NOW], NOW]


words = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "."]), max_size=9)
FORMULA_7 = partial(sari, paper=True)


@pytest.mark.parametrize(
    ("function", "output", "printed"),
    [  # Xu et al. (2016), section 3.1; see the module for the outputs that belong to the second and third score
        (sari_by_types, "About 95 you now get in .", 0.2683),
        (sari_by_types, "About 95 species are now accepted .", 0.7594),
        (sari_by_types, "About 95 species are now agreed .", 0.5890),
        # formula 7 on the paper's three outputs, as EASSE's `use_paper_version` gives it
        (FORMULA_7, "About 95 you now get in .", 0.2711),
        (FORMULA_7, "About 95 species are now agreed .", 0.6189),
        (FORMULA_7, "About 95 species are currently agreed .", 0.5129),
    ],
)
def test_worked_scores_of_the_paper(function: Callable[..., Any], output: str, printed: float) -> None:
    assert function(SOURCE, output.split(), REFERENCES).score / 100 == pytest.approx(printed, abs=5e-5)


def test_by_occurrences_worked_by_hand() -> None:
    # Source a b, output a c, references "a c" and "b". Unigrams: added {c}, right and all that was wanted: F1 1.
    # Kept a (2 of 2 output weight, 1 in references), references keep a 1 and b 1: P 1/2, R 1/2. Deleted b (2), the
    # references delete b once: P 1/2. Bigrams: added {a c}, wanted {a c}: 1; kept nothing; deleted a b: 2 of 2.
    result = sari(["a", "b"], ["a", "c"], [["a", "c"], ["b"]])
    assert (result.add, result.keep, result.delete) == pytest.approx((100 * 2 / 4, 100 * 0.5 / 4, 100 * 1.5 / 4))
    assert result.score == pytest.approx((50 + 12.5 + 37.5) / 3)


def test_f1_for_deletion_also_asks_for_recall() -> None:
    source, output, references = ["a", "b", "c"], ["a", "b"], [["a"]]
    counts = statistics(source, output, references)
    # Unigrams: deleted c, rightly; b should have gone too: P 1, R 1/2, F1 2/3. Bigrams: b c of {a b, b c}: likewise.
    # Trigrams: the one there was, rightly: 1.
    assert combine(counts).delete == pytest.approx(75)
    assert combine(counts, deletion_f1=True).delete == pytest.approx(100 * (2 / 3 + 2 / 3 + 1) / 4)


@given(words, words, st.lists(words, min_size=1, max_size=4))
def test_bounds_and_order_and_repetition_of_references(source: list[str], output: list[str], references) -> None:
    for function in (sari, sari_by_types):
        result = function(source, output, references)
        assert all(0 <= part <= 100 + 1e-9 for part in (result.add, result.keep, result.delete))
        assert function(source, output, references[::-1]).score == pytest.approx(result.score)
    assert sari(source, output, references * 2).score == pytest.approx(sari(source, output, references).score)


def reference_formulas(source: list[str], output: list[str], references: list[list[str]]) -> float:
    """Formulas 4 to 7 in the paper's own notation, sum by sum."""

    def grams(words: list[str], n: int) -> set[tuple[str, ...]]:
        return {tuple(words[start : start + n]) for start in range(len(words) - n + 1)}

    def ratio(part: float, whole: float) -> float:
        return part / whole if whole else 0.0

    p: dict[str, list[float]] = {"add": [], "keep": [], "del": []}
    r: dict[str, list[float]] = {"add": [], "keep": []}
    for n in (1, 2, 3, 4):
        i, o, refs = grams(source, n), grams(output, n), [grams(reference, n) for reference in references]
        in_i, in_o = {g: float(g in i) for g in i | o}, {g: float(g in o) for g in i | o}
        in_r = {g: float(any(g in one for one in refs)) for g in i | o}
        r_prime = {g: sum(g in one for one in refs) / len(refs) for g in i | o}
        hit = sum(min(max(in_o[g] - in_i[g], 0), in_r[g]) for g in o)
        p["add"].append(ratio(hit, sum(max(in_o[g] - in_i[g], 0) for g in o)))
        r["add"].append(ratio(hit, sum(max(in_r[g] - in_i[g], 0) for g in o)))
        kept = sum(min(min(in_i[g], in_o[g]), min(in_i[g], r_prime[g])) for g in i)
        p["keep"].append(ratio(kept, sum(min(in_i[g], in_o[g]) for g in i)))
        r["keep"].append(ratio(kept, sum(min(in_i[g], r_prime[g]) for g in i)))
        gone = sum(min(max(in_i[g] - in_o[g], 0), max(in_i[g] - r_prime[g], 0)) for g in i)
        p["del"].append(ratio(gone, sum(max(in_i[g] - in_o[g], 0) for g in i)))
    means = {name: (sum(p[name]) / 4, sum(r[name]) / 4) for name in r}
    f1 = [ratio(2 * precision * recall, precision + recall) for precision, recall in means.values()]
    return 100 * (sum(f1) + sum(p["del"]) / 4) / 3


@given(words, words, st.lists(words, min_size=1, max_size=4))
def test_as_printed_is_the_papers_formulas(source: list[str], output: list[str], references: list[list[str]]) -> None:
    result = combine(statistics(source, output, references, printed=True), paper=True)
    assert result.score == pytest.approx(reference_formulas(source, output, references))


def test_each_variant_has_the_settings_of_its_paper(make_item, results) -> None:
    given = "A b c d e", "a b c e", "a b c", "A b d e f"
    source, output, *references = (text.split() for text in given)
    lowered = [text.lower().split() for text in given]
    expected = {
        "sari_paper": sari(source, output, references, paper=True),
        "sari_printed": combine(statistics(source, output, references, printed=True), paper=True),
        "sari_authors": sari_by_types(*lowered[:2], lowered[2:]),
        "sari_easse": sari(*lowered[:2], lowered[2:], deletion_f1=True),
        "sari_metaeval": sari(source, output, references),
    }
    values = {name: results(name, [make_item(*given)]).items[0] for name in expected}
    assert values == {name: pytest.approx(score.score) for name, score in expected.items()}
    assert len(set(values.values())) == 5


def test_easse_s_value_for_access_on_turkcorpus(results, public_data: PublicData) -> None:
    def lines(name: str) -> list[str]:
        return public_data("simplification", *name.split("/")).read_text(encoding="utf-8").rstrip("\n").split("\n")

    names = ("turkcorpus/test.truecase.detok.orig", "system_outputs/turkcorpus/ACCESS")
    columns = [lines(f"turkcorpus/test.truecase.detok.simp.{number}") for number in range(8)]
    rows = zip(*map(lines, names), *columns, strict=True)
    items = [Item(Text(source, (), ()), Text(output, (), ()), tuple(people)) for source, output, *people in rows]
    assert results("sari_easse", items).corpus == pytest.approx(41.38, abs=0.005)


PAIRS = 40


def test_share_of_published_values(public_data: PublicData, results) -> None:
    public_data("ratings", "metaeval")
    sheet = simplicity_da()
    rated = sheet.items("asset")[:PAIRS]
    for name, share in TARGETS.items():
        ours, theirs = results(name, rated, tokenizer="moses").items, sheet.published["asset"][name][:PAIRS]
        agreed = [abs(one - other) <= TOLERANCE for one, other in zip(ours, theirs, strict=True)]
        assert sum(agreed) >= share * len(agreed), name
