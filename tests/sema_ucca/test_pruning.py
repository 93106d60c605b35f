import numpy as np
import onnxruntime
import pytest
from sema_ucca.pruning import pruned

onnx = pytest.importorskip("onnx", reason="models to prune are made with onnx")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402


def model() -> bytes:
    """``left`` = x + 1, ``both`` = (x + 1) * weight."""
    nodes = [helper.make_node("Add", ["x", "one"], ["left"]), helper.make_node("Mul", ["left", "weight"], ["both"])]
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


def test_pruned_outputs_keep_what_they_need_and_lose_the_rest() -> None:
    whole, left = model(), pruned(model(), ["left"])
    assert len(left) < len(whole) - 4000, "the weight is left out"
    assert [output.name for output in onnxruntime.InferenceSession(left).get_outputs()] == ["left"]
    assert (run(left, "left") == 3).all() and (run(pruned(whole, ["both"]), "both") == run(whole, "both")).all()
    declared = onnx.load_from_string(whole)
    del declared.graph.output[0]  # ``left``, which a node still computes
    assert (run(pruned(declared.SerializeToString(), ["left"]), "left") == 3).all()


@pytest.mark.parametrize(
    ("content", "output", "said"),
    [
        (model(), "right", "no output 'right'"),
        (model()[:-100], "left", "cut short"),
        (b"\x0f", "left", "no ONNX model"),
    ],
)
def test_other_models_are_refused(content: bytes, output: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        pruned(content, [output])
