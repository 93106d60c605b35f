"""From examples to a graph: a stage learns, labels of a teacher reach students, a graph gives its weights back."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from sema.errors import ResourceError

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

from sema_reader.pieces import Unigrams  # noqa: E402

from training.reader import __main__ as command  # noqa: E402
from training.reader import teach  # noqa: E402
from training.reader.bases import Base  # noqa: E402
from training.reader.batches import Row, encode  # noqa: E402
from training.reader.begin import moved_words, of_graph, shipped  # noqa: E402
from training.reader.export import export_network  # noqa: E402
from training.reader.learn import NEW_PARTS, Plan, learn  # noqa: E402
from training.reader.network import PairNetwork, Shape  # noqa: E402
from training.reader.plans import LABELLED, PLANS, Stage, Stages, chosen  # noqa: E402

SHAPE = Shape(width=32, heads=2, inner=48, layers=2, positions=32)
CUTTER = Unigrams(["<s>", "<pad>", "</s>", "<unk>", "▁two", "▁men", "▁ten", "▁sing"], [0.0] * 8)
TABLE = torch.randn(8, 32, generator=torch.Generator().manual_seed(1)).half()
BASE = Base(lambda: CUTTER, SHAPE, dict, lambda: TABLE)
SAME: Row = {"s": "two men sing", "o": "two men", "k": "a", "oe": 0, "se": 1, "m": 0.9, "g": 1, "i": 3}
WRONG: Row = {"s": "two men sing", "o": "ten men", "k": "a", "oe": 3, "se": 3, "m": 0.1, "g": 1, "i": 4, "ow": "01"}


def network(shape: Shape = SHAPE) -> PairNetwork:
    torch.manual_seed(2)
    return PairNetwork(shape)


def test_a_stage_learns_the_order_of_versions(tmp_path: Path) -> None:
    pairs = encode(CUTTER, [SAME, WRONG], {})
    learned = learn(network(), TABLE, pairs, Plan(300, 3e-3, 64, faster=NEW_PARTS), tmp_path / "a.pt")
    batch = pairs.batch([0, 1])
    with torch.no_grad():
        pair, _ = learned(TABLE[batch.ids].float(), batch.types, batch.marks, batch.mask)
    assert pair[0, 6] > pair[1, 6] + 1, "what is the same"
    saved = torch.load(tmp_path / "a.pt", weights_only=True)
    assert torch.equal(saved["pair.bias"], learned.pair.bias)


def test_frozen_layers_stay_and_the_marks_above_them_learn(tmp_path: Path) -> None:
    given = network(Shape(width=32, heads=2, inner=48, layers=2, positions=32, relative=True, frozen=1))
    before = {name: value.clone() for name, value in given.state_dict().items()}
    learn(given, TABLE, encode(CUTTER, [SAME, WRONG], {}), Plan(40, 1e-3, 64), tmp_path / "a.pt")
    after = given.state_dict()
    frozen = [name for name in before if name.startswith(("encoder.layers.0.", "encoder.place", "encoder.relative"))]
    assert frozen and all(torch.equal(before[name], after[name]) for name in frozen)
    assert not torch.equal(before["encoder.overlap.weight"], after["encoder.overlap.weight"])


def test_a_teachers_labels_reach_its_students(tmp_path: Path) -> None:
    teach.label(network(), BASE, [SAME, WRONG], tmp_path / "labels.one.npz")
    alone = teach.load(tmp_path)
    teach.label(network(), BASE, [SAME], tmp_path / "labels.two.npz")
    lessons = teach.load(tmp_path)
    assert set(lessons) == {3, 4}
    assert np.array_equal(lessons[4].pair, alone[4].pair)
    (tmp_path / "labels.one.npz").unlink()
    other = teach.load(tmp_path)
    assert np.allclose(lessons[3].pair, (alone[3].pair + other[3].pair) / 2, atol=1e-3), "teachers label together"
    assert np.allclose(lessons[3].words, (alone[3].words + other[3].words) / 2, atol=1e-3)
    assert len(lessons[3].words) == 5 and ((lessons[3].words >= 0) & (lessons[3].words <= 1)).all()
    batch = encode(CUTTER, [SAME, WRONG], lessons).batch([0, 1])
    assert np.allclose(batch.lesson.numpy(), np.stack([lessons[3].pair, lessons[4].pair]))
    assert batch.taught[0, 1:4].tolist() == pytest.approx(lessons[3].words[:3].tolist())


def test_a_graph_gives_its_weights_back(tmp_path: Path) -> None:
    given = network().eval()
    for parameter in given.parameters():  # a graph keeps equal parameters once, as those of norms are in the beginning
        torch.nn.init.normal_(parameter)
    export_network(given, tmp_path / "reader.onnx", SHAPE.positions)
    weights = of_graph(network(), tmp_path / "reader.onnx")
    for name, value in given.state_dict().items():
        assert (weights[name] - value).abs().max() <= value.abs().max() / 100, name


def test_words_that_are_moved_to_ship_are_moved_back(tmp_path: Path) -> None:
    given = network().eval()
    for parameter in given.parameters():
        torch.nn.init.normal_(parameter)
    before = deepcopy(given.state_dict())
    moved = moved_words(given)
    assert all(torch.equal(before[name], value) for name, value in given.state_dict().items()), "a copy is moved"
    assert not torch.equal(moved.word.bias, given.word.bias)
    export_network(moved, tmp_path / "reader.onnx", SHAPE.positions)
    weights = shipped("english", network(), tmp_path / "reader.onnx")
    for name in ("word.weight", "word.bias"):
        assert (weights[name] - before[name]).abs().max() <= before[name].abs().max() / 100, name


def test_a_stage_that_is_taught_needs_labels(tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match="has no labels: run"):
        teach.load(tmp_path)


def test_a_stage_draws_groups_whole_and_labels_kinds_that_students_read() -> None:
    rows = [{**SAME, "g": number // 4, "i": number} for number in range(4, 404)]
    some = chosen(rows, Stage("half", 1, 1, {"a": 0.5}, seed=1))
    assert 100 < len(some) < 300 and len(some) % 4 == 0
    students = {kind for name in ("english", "languages") for stage in PLANS[name].stages for kind in stage.shares}
    assert all(set(labelled.shares) <= students for labelled in LABELLED.values())


def test_the_command_trains_a_teacher_has_it_label_and_trains_what_ships(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stage(name: str, *, taught: bool = False) -> Stage:
        return Stage(name, 0.2, 1e-3, {"a": 1}, seed=1, taught=taught, new=True)

    shipped: list[str] = []
    monkeypatch.setattr(Base, "network", lambda _: network())
    monkeypatch.setattr(command, "BASES", {"teacher": BASE, "english": BASE})
    plans = {"teacher": (stage("first"),), "english": (stage("first"), stage("second", taught=True))}
    monkeypatch.setattr(command, "PLANS", {name: Stages(given, pieces=64) for name, given in plans.items()})
    monkeypatch.setattr(command, "LABELLED", {"teacher": Stage("labels", 0, 0, {"a": 1}, seed=1)})
    rows = "\n".join(json.dumps(row) for row in (SAME, WRONG))
    monkeypatch.setattr(command.material, "write", lambda file: file.write_text(rows, encoding="utf-8"))
    monkeypatch.setattr("training.reader.export.ship", lambda name, *_: shipped.append(name))
    for what in ("teacher", "label", "english"):
        teachers = ["--by", "teacher"] if what == "label" else []
        monkeypatch.setattr("sys.argv", ["training.reader", what, "--work", str(tmp_path), *teachers])
        command.main()
    assert shipped == ["english"]
    assert {file.name for file in tmp_path.iterdir()} == {
        "examples.jsonl", "labels.teacher.npz", "teacher.first.pt", "english.first.pt", "english.second.pt",
    }  # fmt: skip
