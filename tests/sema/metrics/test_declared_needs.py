"""An item offers a reader only its declared needs: reading more is an error, whatever else is computed."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from operator import attrgetter

import pytest
from sema_ud.formulas import formulas

from sema import Item, MeanMetric, Scorer
from sema.analysis.analyser import Analyser
from sema.features.base import FeatureGroup, group_table
from sema.metrics.base import Need
from sema.metrics.combine import CombinedMetric
from sema.metrics.registry import make_metric, metric_names
from sema.model.item import COMPUTED
from tests.esperanto import esperanto

SOURCE, OUTPUT = "La kato dormas kaj la birdo kantas.", "La kato dormas. Birdo kantas."
NEEDED = {**COMPUTED, "findings.evidence": Need.GRAPHS}
OTHERS = ["sema", "meaning", "deletions"]


class Reads(MeanMetric, name="reads"):
    """Reads one attribute of an item."""

    def __init__(self, what: str, *needs: Need, shown: bool = False) -> None:
        self.what, self.shown = what, shown
        self.requires, self.shows = (frozenset(), frozenset(needs)) if shown else (frozenset(needs), frozenset())

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [0.0 if self.shown else self._size(item) for item in items]

    def explain(self, item: Item) -> Mapping[str, float]:  # type: ignore[override]
        return {"size": self._size(item)} if self.shown else {}

    def _size(self, item: Item) -> float:
        found = attrgetter(self.what)(item)
        return float(len(found)) if hasattr(found, "__len__") else float(bool(found))


def declared(what: str) -> set[Need]:
    """What a reader of the attribute declares besides the need that the test leaves out."""
    return {Need.MEANING, Need.OUTPUT_SCENES} if "." in what else set()


@pytest.mark.parametrize("others", [[], OTHERS], ids=["alone", "beside others"])
@pytest.mark.parametrize(("what", "need"), NEEDED.items(), ids=NEEDED)
def test_an_undeclared_need_is_an_error_that_names_metric_and_need(what: str, need: Need, others: list[str]) -> None:
    scorer = Scorer(esperanto(), [Reads(what, *declared(what)), *others])
    (failed,) = scorer.score([SOURCE], [OUTPUT], collect_errors=True).to_dict()["failed"]
    attribute = "graphs" if "." in what else what
    assert f"reads reads {attribute!r} of an item but does not declare Need.{need.name}; add it" in failed["error"]


@pytest.mark.parametrize(("what", "need"), NEEDED.items(), ids=NEEDED)
def test_a_declared_need_gives_the_same_alone_beside_others_and_for_the_evidence_alone(what: str, need: Need) -> None:
    reads = Reads(what, need, *declared(what))
    first, second = (
        Scorer(esperanto(), metrics).score([SOURCE], [OUTPUT])["output"].items[0].scores["reads"]
        for metrics in ([reads], [reads, *OTHERS])
    )
    assert first == second
    shown = Reads(what, need, *declared(what), shown=True)
    evidence = Scorer(esperanto(), [shown]).score([SOURCE], [OUTPUT]).evidence(0)["output"]
    assert (first > 0 and evidence["size"] > 0) or need is Need.STATES  # the language has no encoder


def test_a_feature_group_reads_only_what_it_declares() -> None:
    class Links(FeatureGroup, name="links"):
        """Links.

        Features:
            count: links
        """

        def values(self, item: Item) -> Mapping[str, float]:
            return {"count": float(len(item.links))}

    (item,) = Analyser(esperanto().parts(), {Need.LINKS}).items([SOURCE], [OUTPUT])
    with pytest.raises(ValueError, match=r"the feature group links reads 'links'.*Need\.LINKS"):
        group_table(Links(), [item])  # type: ignore[list-item]


def test_each_part_of_a_mean_reads_only_what_it_declares() -> None:
    scorer = Scorer(esperanto(), [CombinedMetric("mean", Reads("links"), make_metric("sema"))])
    assert "Need.LINKS" in str(scorer.score([SOURCE], [OUTPUT], collect_errors=True).to_dict()["failed"])


@pytest.mark.parametrize("output", [OUTPUT, ""], ids=["text", "nothing"])
def test_every_metric_reads_only_what_it_declares(output: str) -> None:
    unfit = ("hsk",) if find_spec("rouge_score") else ("hsk", "rouge")
    elsewhere = {name for name, formula in formulas().items() if formula.language}
    names = [name for name in metric_names() if not (name.startswith(unfit) or name in elsewhere)]
    scorer = Scorer("en", names, options={"cefr.target": "A2"})
    texts = ["The old cat slept on 2 mats."], [output and "A cat slept. It sat."], ["A cat slept."]
    assert scorer.score(*texts, collect_errors=True).failed == []
