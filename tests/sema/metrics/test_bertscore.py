from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from sema.cli.main import main
from sema.errors import ResourceError
from sema.metrics.base import Item
from sema.metrics.bertscore import KNOWN_SCORES, BertScoreF1, Encoder
from sema.metrics.registry import make_metric
from sema.options import Settings

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny encoder with random weights."""
    path = tmp_path_factory.mktemp("encoder")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefgh"]
    (path / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=12,
    )
    transformers.BertModel(config).save_pretrained(path)
    transformers.BertTokenizerFast(vocab_file=str(path / "vocab.txt")).save_pretrained(path)
    return str(path)


def found(folder: str, *items: Item) -> list[tuple[float, float, float]]:
    metrics = [
        make_metric(name, Settings({"model": folder})) for name in ("bertscore_p", "bertscore_r", "bertscore_f1")
    ]
    return list(zip(*(map(metric.item_value, metric.rows(items)) for metric in metrics), strict=True))


def test_against_a_direct_computation(folder: str, make_item) -> None:
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder).eval()

    def vectors(text: str) -> torch.Tensor:
        with torch.no_grad():
            states = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0, 1:-1]
        return torch.nn.functional.normalize(states, dim=-1)

    similar = vectors("a b c") @ vectors("a d").T
    precision, recall = similar.max(1).values.mean().item(), similar.max(0).values.mean().item()
    expected = (100 * precision, 100 * recall, 200 * precision * recall / (precision + recall))
    # Beside longer texts in one batch, so that padding would show.
    (score, _) = found(folder, make_item("s", "a b c", "a d"), make_item("s", "a b c d e f", "h g f e d c"))
    assert score == pytest.approx(expected, abs=1e-3)


def test_identity_best_reference_and_empty_output(folder: str, make_item) -> None:
    same, chosen, empty = found(
        folder, make_item("s", "a b c", "a b c"), make_item("s", "a b c", "h g", "a b c"), make_item("s", "", "a")
    )
    assert same == pytest.approx((100, 100, 100), abs=1e-3)
    assert chosen == pytest.approx(same, abs=1e-3)
    assert empty == (0, 0, 0)


def test_of_several_references_each_score_takes_its_best(folder: str, make_item) -> None:
    first, second = "a b c d e f", "a"
    one, two, both = found(
        folder, *(make_item("s", "a b", *references) for references in ((first,), (second,), (first, second)))
    )
    assert (one[0] > two[0]) != (one[1] > two[1])  # precision is better by one reference, recall by the other
    assert both == pytest.approx(tuple(map(max, zip(one, two, strict=True))))


def test_texts_beyond_the_model_s_length_are_cut(folder: str, make_item) -> None:
    ((precision, recall, f1),) = found(folder, make_item("s", "a " * 40, "a b " * 40))
    assert 0 < f1 <= 100 and 0 < precision <= 100 and 0 < recall <= 100


def test_what_to_pass_is_named(tmp_path: Path, make_item) -> None:
    with pytest.raises(ResourceError, match="option 'model'"):
        BertScoreF1().rows([make_item("s", "a", "a")])
    with pytest.raises(ResourceError, match="not a folder with a Hugging Face encoder"):
        BertScoreF1(model=tmp_path).rows([make_item("s", "a", "a")])


def test_what_is_remembered_is_bounded(folder: str) -> None:
    encoder = Encoder(folder)
    first = encoder.scores([("a b", ("a",))])
    encoder._known.update({(str(number), ()): first[0] for number in range(KNOWN_SCORES - 1)})
    assert len(encoder._known) == KNOWN_SCORES
    assert encoder.scores([("a b", ("a",)), ("c", ("d",))])[0] == first[0]
    assert set(encoder._known) == {("a b", ("a",)), ("c", ("d",))}


def test_weights_that_would_run_code_are_refused_and_not_run(
    folder: str, tmp_path: Path, make_item, capsys: pytest.CaptureFixture[str]
) -> None:
    unsafe, mark = tmp_path / "unsafe", tmp_path / "ran"
    shutil.copytree(folder, unsafe)
    (unsafe / "model.safetensors").unlink()
    torch.save({"weight": Trap(mark)}, unsafe / "pytorch_model.bin")
    with pytest.raises(ResourceError, match="loaded safely") as caught:
        BertScoreF1(model=unsafe).rows([make_item("s", "a", "a")])
    assert "\n" not in str(caught.value)
    if find_spec("simalign"):
        source = tmp_path / "s.txt"
        source.write_text("a b\n", encoding="utf-8")
        command = [
            "align",
            "--lang",
            "en",
            "--aligner",
            "simalign",
            "--set",
            f"simalign.model={unsafe}",
            "-s",
            str(source),
        ]
        assert main([*command, "-o", str(source)]) == 1
        error = capsys.readouterr().err
        assert error.count("\n") == 1 and "cannot load the encoder" in error
    assert not mark.exists()


class Trap:
    """Unpickled, it makes a file."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.mark,)
