from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")
onnx = pytest.importorskip("onnx", reason="training needs the extra `train`")

from sema_reader import minilm  # noqa: E402
from sema_ucca.network import Network  # noqa: E402
from sema_ucca.pieces import PieceTokenizer  # noqa: E402
from sema_ucca.trees import RemoteEdge, Tree, UnitRef  # noqa: E402
from sema_ud.trees import DependencyTree  # noqa: E402

from sema.runtime.embeddings import Table, to_blocks, to_finer  # noqa: E402
from training.encoder import Encoder, Shape  # noqa: E402
from training.graphs import LARGE  # noqa: E402
from training.ucca import __main__ as command  # noqa: E402
from training.ucca.data import Batcher, BatchPlan, Example, Inventory, epoch, joint_batch, ud_spans  # noqa: E402
from training.ucca.ensemble import distil  # noqa: E402
from training.ucca.export import export_all  # noqa: E402
from training.ucca.model import Plan, SpanParser, learn, loss_of  # noqa: E402

PLAN = Plan("tiny", epochs=4, encoder_rate=1e-3, rate=1e-2, average=0.5, warm_up=1)
INVENTORY = Inventory(("", "A", "P", "H"), ("", "A", "P", "H"), ("", "A"))
OTHER = Inventory(("", "H", "P", "A", "S"), ("", "A", "P", "H", "S"), ("", "S", "A"))
INVENTORIES = {"ucca": INVENTORY, "ucca2": OTHER}


def example(tokens: str, spans: dict[tuple[int, int], str], *remotes: RemoteEdge) -> Example:
    words = tuple(range(len(tokens.split())))
    return Example(tuple(tokens.split()), words, spans, Tree(words, spans, remotes))


EXAMPLES = [
    example("he came", {(0, 2): "H", (0, 1): "A", (1, 2): "P"}),
    example("it works", {(0, 2): "H", (0, 1): "A", (1, 2): "P"}),
    example(
        "he came saw",
        {(0, 2): "H", (0, 1): "A", (1, 2): "P", (2, 3): "H"},
        RemoteEdge(UnitRef(2, 3, 0), UnitRef(0, 1, 0), "A"),
    ),
]


def tiny() -> SpanParser:
    torch.manual_seed(3)
    encoder = Encoder(Shape(32, heads=2, inner=64, layers=4, kinds=0, drop=0.1))
    counts = {task: len(own.labels) for task, own in INVENTORIES.items()}
    remotes = {task: (len(own.categories), len(own.remotes)) for task, own in INVENTORIES.items()}
    return SpanParser(encoder, 0.02 * torch.randn(30522, 32), counts, remotes)


@pytest.fixture
def tiny_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """The embeddings of pieces are those of the tiny network."""
    numbers = tiny().table.numpy()
    rows = to_blocks(numbers)
    monkeypatch.setattr(minilm, "words", lambda *, finer: Table(rows, to_finer(numbers[:12_000], rows[:12_000])))


@pytest.fixture(scope="module")
def batcher() -> Batcher:
    return Batcher("ucca", EXAMPLES, INVENTORY, PieceTokenizer(minilm.TOKENIZER))


def test_training_learns_and_a_stopped_run_goes_on(batcher: Batcher, tmp_path: Path) -> None:
    class Stop(Exception):
        pass

    def batches(rng: np.random.Generator) -> list[BatchPlan]:
        drawn.append(epoch([batcher], rng, 8, 100))
        if len(drawn) == 4:
            raise Stop
        return drawn[-1]

    def loss(model: SpanParser) -> float:
        torch.manual_seed(1)
        return float(loss_of(model, joint_batch([batcher], [0, 1, 2]), PLAN).detach())

    drawn: list[list[BatchPlan]] = []
    with pytest.raises(Stop):
        learn(tiny(), batches, PLAN, tmp_path, save_seconds=0.0)
    assert (tmp_path / "tiny.state").is_file()
    model = learn(tiny(), batches, PLAN, tmp_path)
    assert loss(model) < loss(tiny().eval()) and len(drawn) == 4 + 1 + 2, "one to count, and two epochs are left"
    learn(tiny(), batches, PLAN, tmp_path)
    assert len(drawn) == 7, "a finished stage is read"


@pytest.mark.usefixtures("tiny_words")
def test_the_exported_graph_computes_what_the_model_does(batcher: Batcher, tmp_path: Path) -> None:
    model = tiny().eval()
    export_all(model, INVENTORIES, tmp_path, fp32=True)
    net = Network(tmp_path, "fp32")
    tensors = batcher.tensors([0, 2])
    inputs = {name: tensors[name].numpy() for name in ("ids", "mask", "first", "last")}
    with torch.no_grad():
        mixed, middle = model.encode(model.embed(tensors["ids"]), tensors["mask"])
        hidden = model.span_states(mixed, tensors)
    np.testing.assert_allclose(net.run(inputs, ("states",))[0], middle, atol=1e-4)
    for task in INVENTORIES:
        names = [f"{name}.{task}" for name in ("margins", "best", "left", "right")]
        margins, best, left, right = net.run(inputs, names)
        with torch.no_grad():
            scores = model.scores(hidden, task)
            halves = model.remote_states(mixed, tensors, task)
        np.testing.assert_allclose(margins[:, :, 0], scores[:, :, 1:].max(2).values - scores[:, :, 0], atol=1e-4)
        assert (best[:, :, 0] == scores[:, :, 1:].max(2).indices.numpy() + 1).all()
        np.testing.assert_allclose(left, halves[0], atol=1e-4)
        np.testing.assert_allclose(right, halves[1], atol=1e-4)
        quantized = Network(tmp_path, "int8").run(inputs, names[:1])[0]
        assert np.abs(quantized - margins).max() < 0.1
    graph = onnx.load(str(tmp_path / "model.int8.onnx")).graph
    single = [tensor.dims for tensor in graph.initializer if tensor.data_type == onnx.TensorProto.FLOAT]
    assert all(np.prod(dims) < LARGE for dims in single)


def test_several_networks_judge_by_their_mean() -> None:
    """Which a single network then learns from, as silver data."""
    single, states = tiny(), [{"w": torch.tensor(values)} for values in ([1.0, 2.0], [3.0, 6.0])]
    assert command.mean_weights(states)["w"].tolist() == [2, 4]
    sentences = [example.tokens for example in EXAMPLES]
    alone = distil([single], INVENTORIES, sentences)
    for task, by_task in distil([single, single], INVENTORIES, sentences).items():
        assert [example.tokens for example in by_task] == sentences
        for example, same in zip(by_task, alone[task], strict=True):
            assert example.spans == example.tree.spans == same.spans
            np.testing.assert_array_equal(example.soft.places, same.soft.places)
            np.testing.assert_allclose(example.soft.probabilities, same.soft.probabilities, atol=1e-5)
    for task, by_task in distil([single, tiny()], INVENTORIES, sentences).items():
        batcher = Batcher(task, by_task, INVENTORIES[task], PieceTokenizer(minilm.TOKENIZER))
        lesson = batcher.lesson([0, 1, 2]).spans
        assert lesson.sum(2).tolist() == pytest.approx(np.array([[1, 1, 0, 1, 0, 0]] * 2 + [[1] * 6]), abs=1e-5)


def test_ud_subtrees_without_gaps_are_spans() -> None:
    tags, relations = ("DET", "NOUN", "VERB", "PUNCT"), ("det", "nsubj", "root", "punct")
    spans = ud_spans(DependencyTree(("The", "dog", "barked", "."), tags, (1, 2, -1, 2), relations)).spans
    assert spans == {(0, 1): "det", (0, 2): "nsubj", (1, 2): "@NOUN", (0, 3): "root", (2, 3): "@VERB"}
    gap = ud_spans(DependencyTree(("a", "b", "c"), ("X", "X", "X"), (2, -1, 1), ("r", "root", "s"))).spans
    assert (0, 1) in gap and "s" not in gap.values()


def test_the_command_exports_what_was_trained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "trained", lambda runs: (tiny().eval(), INVENTORIES))
    weights = tmp_path / "weights"
    arguments = ["export", "--runs", str(tmp_path / "runs"), "--weights", str(weights), "--threads", "1"]
    command.main(arguments)
    network = Network(weights, "int8")
    assert network.labels == {task: list(own.labels) for task, own in INVENTORIES.items()}
    with pytest.raises(SystemExit):
        command.main(["no stage", "--runs", str(tmp_path / "runs")])
