"""The network that reads pairs: examples become batches, a run learns and resumes, a graph is written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

from sema_reader.pieces import Cutter  # noqa: E402
from sema_reader.windows import LOGITS, SCORES  # noqa: E402

from sema.runtime.onnx import session  # noqa: E402
from training.encoder import Shape  # noqa: E402
from training.graphs import MAX_WEIGHT, begin_as_graph  # noqa: E402
from training.reader.__main__ import STAGES  # noqa: E402
from training.reader.batches import Batch, encode, units  # noqa: E402
from training.reader.choose import read  # noqa: E402
from training.reader.data import MIXES, SETS, judged, normal, plain  # noqa: E402
from training.reader.example import (  # noqa: E402
    ENTAILED,
    KEPT,
    MISSING,
    NOT_ENTAILED,
    UNKNOWN,
    WRONG,
    Example,
    labelled,
)
from training.reader.export import export_network  # noqa: E402
from training.reader.learn import learn, loss_of, plan_of  # noqa: E402
from training.reader.made import alone, changed, reworded  # noqa: E402
from training.reader.network import PairNetwork  # noqa: E402
from training.reader.rounding import rounded  # noqa: E402
from training.reader.shortcuts import closeness, foretold, form, places  # noqa: E402
from training.reader.stories import differing  # noqa: E402

SHAPE = Shape(width=32, heads=2, inner=48, layers=2, positions=40)
CUTTER = Cutter(["<s>", "<pad>", "</s>", "<unk>", "▁two", "▁men", "▁ten", "▁sing"], [0.0] * 8)
TABLE = torch.randn(8, 32, generator=torch.Generator().manual_seed(1)).half()
SAME = Example(
    "a", "two men sing", "two men", 0.9, 0.8, 1.0, ENTAILED, source_labels=labelled("two men sing", ["sing"]),
    output_labels=labelled("two men"), group=1,
)  # fmt: skip
BAD = Example(
    "a", "two men sing", "ten men", 0.1, 0.3, 0.2, NOT_ENTAILED, output_labels=labelled("ten men", [], ["ten"]), group=1
)


def network() -> PairNetwork:
    torch.manual_seed(2)
    return PairNetwork(SHAPE)


def test_characters_labels_become_those_of_pieces() -> None:
    pack = encode(CUTTER, [SAME, BAD])
    batch = pack.batch([0, 1])
    assert batch.labels[0, :8].tolist() == [UNKNOWN, KEPT, KEPT, MISSING, UNKNOWN, KEPT, KEPT, UNKNOWN]
    assert batch.labels[1, :8].tolist() == [UNKNOWN] * 5 + [WRONG, KEPT, UNKNOWN]
    assert batch.types[0, :8].tolist() == [0] * 5 + [1] * 3
    assert batch.numbers["meaning"].tolist() == pytest.approx([0.9, 0.1])
    drawn = units(encode(CUTTER, [SAME, BAD, Example("b", "two", "ten")] * 3), {"b": 2.0}, np.random.default_rng(1))
    assert sorted(map(len, drawn)) == [1] * 6 + [6], "a batch holds whole groups"
    silent = [Example("a", "two men", output, group=1) for output in ("ten men", "two")]
    unknown = encode(CUTTER, silent).batch([0, 1])
    pair, words = torch.randn(2, LOGITS), torch.randn(2, unknown.ids.shape[1], 3)
    assert loss_of(pair, words, words, unknown).item() == 0, "what is not known teaches nothing"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_learns_scores_their_order_and_words(tmp_path: Path, workers: int) -> None:
    pairs = encode(CUTTER, [SAME, BAD])
    plan = plan_of(240 * workers, 5e-3, pieces=64, workers=workers)
    learned = learn(network(), TABLE, pairs, plan, tmp_path / "a.pt")
    logits = read(learned.float(), TABLE.float(), CUTTER, [(SAME.source, SAME.output), (BAD.source, BAD.output)])
    assert (logits[0, SCORES] > logits[1, SCORES] + 1).all()
    saved = torch.load(tmp_path / "a.pt", weights_only=True)
    assert set(saved) == set(learned.state_dict())


def test_a_stopped_run_goes_on_where_it_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = encode(CUTTER, [SAME, BAD])
    plan = replace(plan_of(80, 1e-3, pieces=64), save_seconds=0.0)
    batch, seen = pairs.batch, 0

    class Stopped(Exception):
        pass

    def stop(chosen: Sequence[int]) -> Batch:
        nonlocal seen
        seen += 1
        if seen == 6:
            raise Stopped
        return batch(chosen)

    monkeypatch.setattr(pairs, "batch", stop)
    with pytest.raises(Stopped):
        learn(network(), TABLE, pairs, plan, tmp_path / "a.pt")
    assert torch.load(tmp_path / "a.state", weights_only=True)["done"] == 10
    learn(network(), TABLE, pairs, plan, tmp_path / "a.pt")
    assert seen == 6 + 35, "a batch of both pairs is read again, and no other"
    learn(network(), TABLE, pairs, plan, tmp_path / "a.pt")
    assert seen == 6 + 35, "a finished run is not run again"


def test_a_graph_answers_as_its_network_does(tmp_path: Path) -> None:
    given = network().eval()
    with torch.no_grad():
        for parameter in given.parameters():  # equal constants would be one in the file
            parameter.add_(torch.randn(parameter.shape), alpha=0.01)
    export_network(given, tmp_path / "reader.onnx", SHAPE.positions)
    batch = encode(CUTTER, [SAME, BAD]).batch([0, 1])
    words = TABLE[batch.ids].float()
    with torch.no_grad():
        wanted = given(words, batch.types, batch.marks, batch.mask)
    inputs = {"words": words, "types": batch.types, "marks": batch.marks, "mask": batch.mask.long()}
    found = session(tmp_path / "reader.onnx").run(None, {name: value.numpy() for name, value in inputs.items()})
    for one, other in zip(found, wanted, strict=True):
        assert np.abs(one - other.numpy()).max() < 0.05
    torch.manual_seed(3)
    again = begin_as_graph(PairNetwork(SHAPE), tmp_path / "reader.onnx").eval()
    with torch.no_grad():
        for one, other in zip(again(words, batch.types, batch.marks, batch.mask), wanted, strict=True):
            assert (one - other).abs().max() < 0.05, "a graph can be trained further"


def test_judged_pairs_of_one_source_are_a_group(tmp_path: Path) -> None:
    row = {"source": "Two men sing.", "output": "Men sing.", "meaning": 80, "recall": 78, "precision": 99,
           "lost": ["Two"], "added": [], "wrong": []}  # fmt: skip
    worse = row | {"output": "Ten men sing.", "meaning": 30, "precision": 40, "lost": [], "wrong": [["Two", "Ten"]]}
    file = tmp_path / "en_turned_9.jsonl"
    file.write_text("\n".join(map(json.dumps, (row, worse, row | {"source": "Bees sing."}))), encoding="utf-8")
    first, second, third = judged([file])
    assert first.group == second.group != third.group and first.kind == third.kind == "turned"
    assert first.graded < 1, "the scores of such files count less than their order"
    assert first.source_labels[:4] == (MISSING, MISSING, MISSING, KEPT)
    assert second.output_labels[:4] == (WRONG, WRONG, WRONG, UNKNOWN)
    one, other = differing("Two men sing.", "Ten men sing!")  # words that both share in order are kept
    assert one[:7] == (MISSING,) * 3 + (UNKNOWN,) + (KEPT,) * 3 and other[:3] == (MISSING,) * 3
    assert normal("Two men, sing!") == normal("two MEN sing"), "sources are compared without case and punctuation"
    assert normal("體操錦標賽") == normal("体操锦标赛") and plain("日本語の體") == "日本語の體"


def test_what_must_hold_of_every_text_is_taught_with_judged_pairs() -> None:
    pairs = [
        Example(
            "judged x", f"Dog number {n} sleeps. It dreams of the sea.", f"Dog {n} sleeps. It dreams.", 0.9, 0.85, 0.97,
            output_labels=labelled(f"Dog {n} sleeps. It dreams."), group=n,
        )
        for n in range(400)
    ]  # fmt: skip
    found = {one.kind: one for one in changed(pairs, Random(1))}
    assert {"copy", "unrelated", "sentence more", "sentence less", "exchanged"} == set(found)
    assert found["copy"].meaning == 1 and found["unrelated"].meaning < 0.05
    more, less = found["sentence more"], found["sentence less"]
    assert more.recall == 0.85 and more.precision < 0.97 and MISSING in more.output_labels
    assert len(more.output_labels) == len(more.output)
    assert less.precision == 0.97 and less.recall < 0.85
    assert (found["exchanged"].recall, found["exchanged"].precision) == (0.97, 0.85)


def test_what_is_rated_beside_a_source_holds_beside_a_faithful_rewording_of_it() -> None:
    rated = {"Two men sing.": (1, 1, 1), "A pair of men sings.": (0.97, 0.98, 0.96), "Men sing.": (0.8, 0.7, 1)}
    pairs = [Example("natural", "Two males sing.", text, *scores, group=-3) for text, scores in rated.items()]
    pairs.append(Example("natural", "Bees sing.", "Birds sing.", 0.2, 0.2, 0.2, group=-4))
    found = list(reworded(pairs, Random(1)))
    assert len(found) == 2 and len({(one.source, one.group) for one in found}) == 1 and found[0].group > 0
    for one in found:
        assert one.source in list(rated)[:2] and one.source != one.output and one.kind == "reworded"
        assert (one.meaning, one.recall, one.precision) == rated[one.output]


def test_sentences_of_outputs_are_read_alone() -> None:
    text = "Two men sing. Ten men dance. It rains a lot."
    labels = labelled(text, ["It rains a lot."], ["Ten"])
    one = Example("natural", "Two men sing and two dance.", text, 0.5, 0.9, 0.6, output_labels=labels, group=-2)
    wrong, added, kept = alone([one], Random(1))
    assert (kept.output, wrong.output, added.output) == tuple(text.replace(". ", ".|").split("|"))
    assert kept.precision > 0.9 > wrong.precision > added.precision and {one.meaning for one in (kept, wrong)} == {
        UNKNOWN
    }
    assert wrong.output_labels[:3] == (WRONG,) * 3 and wrong.group == kept.group


def test_every_mix_says_how_often_each_kind_is_read() -> None:
    assert list(MIXES) == [stage.name for stage in STAGES]
    assert all(set(mix) == set(MIXES["last"]) >= set(SETS) - {"judged"} for mix in MIXES.values())


def test_rounding_by_a_layers_inputs_changes_its_outputs_less() -> None:
    rng = np.random.default_rng(3)
    mixed = torch.from_numpy(rng.normal(size=(24, 24)) * np.geomspace(1, 0.05, 24)).float()
    inputs = torch.from_numpy(rng.normal(size=(500, 24))).float() @ mixed
    weight = torch.from_numpy(rng.normal(size=(10, 24))).float()
    steps = weight.abs().amax(1, keepdim=True) / MAX_WEIGHT
    nearest, found = (weight / steps).round() * steps, rounded(weight, inputs.T @ inputs)
    errors = [float((inputs @ (one - weight).T).norm()) for one in (found, nearest)]
    assert errors[0] < 0.7 * errors[1]
    whole = found / steps
    torch.testing.assert_close(whole, whole.round(), atol=1e-3, rtol=0)
    assert torch.equal(whole.abs().amax(1).round(), torch.full((10,), float(MAX_WEIGHT)))


def test_what_form_alone_tells_of_judged_pairs_is_found() -> None:
    """If ratings follow the lengths of outputs, form foretells them; if they are mixed, it does not."""
    outputs = ["Bees sing." + " They sing on." * n for n in range(5)]
    pairs = [
        Example("near", f"Source {k} hums.", output, 0.2 * n) for k in range(40) for n, output in enumerate(outputs)
    ]
    table = np.array([form(pair.output) for pair in pairs])
    assert foretold(pairs, table) > 0.95 and foretold(pairs, places(pairs)) > 0.95
    mixed = np.random.default_rng(1).permutation([pair.meaning for pair in pairs]).tolist()
    assert abs(foretold([replace(pair, meaning=value) for pair, value in zip(pairs, mixed, strict=True)], table)) < 0.3
    assert closeness(pairs, np.ones(len(pairs))) < -0.5
