"""From signals to scores, by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sema.model.reading import Curve, Scale, Signals

NONE = Signals(*[0.0] * len(Signals._fields))
number = st.floats(-6, 6)


def test_coverage_and_agreement_multiply():
    curve = Curve(0.5, {"source_entailed": 2.0, "conflicts": 1.0}, {"kept": 3.0, "linked_source": 1.0}, power=2.0)
    signals = NONE._replace(kept=math.log(4), linked_source=math.log(1 / 4), source_entailed=1.0, conflicts=1.0)
    # covered: (3 * 4/5 + 1/5) / 4 = 0.65; agreement: 1 / (1 + e^-(0.5 + 2 - 1))
    assert curve.share(signals) == pytest.approx(0.65**2 / (1 + math.exp(-1.5)))


def test_no_certainty_outvotes_a_conflict():
    curve = Curve(0.0, {"output_entailed": 1.0, "conflicts": 1.5}, ceiling=1.5)
    assert curve.share(NONE._replace(output_entailed=6.0)) > 0.99
    assert curve.share(NONE._replace(output_entailed=6.0, conflicts=1.0)) == 0.5
    assert curve.share(NONE._replace(output_entailed=1.0, conflicts=1.0)) == pytest.approx(1 / (1 + math.exp(0.5)))


def test_without_coverage_all_is_covered():
    assert Curve(0.0, {"output_entailed": 1.0}).share(NONE._replace(output_entailed=math.log(3))) == pytest.approx(0.75)


def test_a_scale_is_read_from_a_file(tmp_path):
    file = tmp_path / "scale.json"
    curve = '{"bias": 0, "weights": {"kept": 1}, "coverage": {"kept": 1}, "power": 1}'
    file.write_text(f'{{"meaning": {curve}, "meaning_recall": {curve}, "meaning_precision": {curve}}}')
    assert Scale.load(file).scores(NONE) == {name: 25.0 for name in ("meaning", "meaning_recall", "meaning_precision")}


@given(st.sampled_from(["kept", "source_entailed", "linked_source"]), number, number)
def test_evidence_for_a_text_never_lowers_its_score(signal, low, high):
    curve = Curve(0.1, {"source_entailed": 0.7, "kept": 0.2}, {"kept": 1.0, "linked_source": 0.5}, power=1.5)
    low, high = sorted((low, high))
    assert curve.share(NONE._replace(**{signal: low})) <= curve.share(NONE._replace(**{signal: high})) + 1e-12
