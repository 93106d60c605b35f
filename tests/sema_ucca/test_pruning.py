import numpy as np
import onnxruntime
import pytest
from sema_ucca.pruning import pruned

onnx = pytest.importorskip("onnx", reason="models to prune are made with onnx")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402


def model() -> bytes:
    """``left`` = x + 1, ``both`` = (x + 1) * weight."""
    nodes = [
        helper.make_node("Add", ["x", "one"], ["left"]),
        helper.make_node("Mul", ["left", "weight"], ["both"]),
    ]
    constants = [
        numpy_helper.from_array(np.float32(1), "one"),
        numpy_helper.from_array(np.arange(1000, dtype=np.float32), "weight"),
    ]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1000]) for name in ("x", "left", "both")]
    graph = helper.make_graph(nodes, "test", values[:1], values[1:], constants)
    return bytes(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9).SerializeToString()
    )


def run(graph: bytes, output: str) -> np.ndarray:
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    (values,) = session.run([output], {"x": np.full(1000, 2, np.float32)})
    return np.asarray(values)


def test_pruned_outputs_lose_what_they_do_not_need() -> None:
    whole, left = model(), pruned(model(), ["left"])
    assert len(left) < len(whole) - 4000, "the weight is left out"
    assert (run(left, "left") == 3).all()
    names = [output.name for output in onnxruntime.InferenceSession(left).get_outputs()]
    assert names == ["left"]


def test_pruned_outputs_keep_what_they_need() -> None:
    assert (run(pruned(model(), ["both"]), "both") == run(model(), "both")).all()


def test_other_models_are_refused() -> None:
    with pytest.raises(ValueError, match="no output 'right'"):
        pruned(model(), ["right"])
    with pytest.raises(ValueError, match="cut short"):
        pruned(model()[:-100], ["left"])
    with pytest.raises(ValueError, match="no ONNX model"):
        pruned(b"\x0f", ["left"])


def test_what_a_node_computes_may_be_an_output() -> None:
    declared = onnx.load_from_string(model())
    del declared.graph.output[0]  # ``left``
    inner = pruned(declared.SerializeToString(), ["left"])
    assert (run(inner, "left") == 3).all()
