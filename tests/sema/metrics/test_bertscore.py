"""BERTScore: the authors' numbers, by a model of the user's own and by the language's encoder."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from sema import Scorer
from sema.errors import ResourceError
from sema.languages import find_language
from sema.metrics.base import Item
from sema.metrics.bertscore import BertEncoder, BertScoreF1, language_matcher
from sema.metrics.registry import make_metric
from sema.model.text import Text
from sema.options import Settings
from sema.runtime.checksums import digest_of
from tests.networks import tiny_bert

ENGLISH = (
    "The engineer inspected the old bridge last year.",
    "Last year the engineer checked the old bridge.",
    "Cats like to sleep in the sun.",
)
CHINESE = "工程师去年检查了这座旧桥。", "去年工程师查看了旧桥。", "猫喜欢在太阳下睡觉。"


@pytest.mark.parametrize(("lang", "reference", "near", "far"), [("en", *ENGLISH), ("zh", *CHINESE)])
def test_a_language_brings_its_encoder(lang: str, reference: str, near: str, far: str) -> None:
    names = ["bertscore_p", "bertscore_r", "bertscore_f1"]
    report = Scorer(lang, names).score([reference] * 3, [reference, near, far], [reference] * 3)
    same, close, other = ([item.scores[name] for name in names] for item in report.systems[0].items)
    assert same == pytest.approx([100, 100, 100])
    assert all(a > b + 10 for a, b in zip(close, other, strict=True)) and max(other) < 50
    assert ",layer=" in report.signature and ",rescaled=cosine^" in report.signature


def test_a_language_without_an_encoder_asks_for_a_model() -> None:
    with pytest.raises(ResourceError, match="option 'model'"):
        make_metric("bertscore_p").bind(find_language("ud:fi").parts())


VECTORS = {"cat": (1.0, 0.0), "dog": (0.8, 0.6), "sat": (0.0, 1.0), "not": (0.0, -1.0)}


class Plane:
    """An encoder of words between spaces by two numbers; similarities are squares of cosines above 0."""

    signature = "plane"

    def __init__(self) -> None:
        self.read: list[str] = []

    def segment(self, texts: Sequence[str]) -> list[Text]:
        return [Text.from_sentences([part.split() for part in text.split("|")] if text else []) for text in texts]

    def vectors(self, sentences: Sequence[Sequence[str]]) -> list[np.ndarray]:
        self.read += [word for words in sentences for word in words]
        return [np.array([VECTORS[word] for word in words], np.float32) for words in sentences]

    def similarity(self, cosines: np.ndarray) -> np.ndarray:
        return np.maximum(cosines, 0) ** 2


def test_each_piece_is_matched_with_the_nearest_of_the_other_text_and_a_text_is_encoded_once() -> None:
    encoder = Plane()
    matcher = language_matcher(SimpleNamespace(token_encoder=encoder, segmenter=encoder))  # type: ignore[arg-type]
    assert matcher is not None
    one, two, both, *empty = matcher.scores(
        [("cat", ("cat sat",)), ("cat", ("dog",)), ("cat", ("cat sat", "dog")), ("", ("cat",)), ("cat", ("",))]
    )
    assert both == (one.precision, two.recall, max(one.f1, two.f1)), "each score takes its best reference"
    assert empty == [(0, 0, 0), (0, 0, 0)], "texts without words"
    # by hand: cat-dog .64, sat-dog .36; dog-cat .64, not-anything 0
    (matched,) = matcher.scores([("cat sat", ("dog | not",))])
    assert matched == pytest.approx((50.0, 32.0, 100 * 2 * 0.5 * 0.32 / 0.82), abs=1e-3)
    assert sorted(encoder.read) == ["cat", "cat", "dog", "dog", "not", "sat"], "'cat sat' and 'cat' are two texts"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny encoder with random weights."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    return str(tiny_bert(tmp_path_factory.mktemp("encoder"), "abcdefgh", longest=12))


def found(folder: str, *items: Item) -> list[tuple[float, float, float]]:
    settings = Settings({"model": folder})
    metrics = [make_metric(name, settings) for name in ("bertscore_p", "bertscore_r", "bertscore_f1")]
    return list(zip(*(map(metric.item_value, metric.rows(items)) for metric in metrics), strict=True))


def test_against_the_authors_program(folder: str, make_item) -> None:
    """Each score takes its best of several references."""
    bert_score = pytest.importorskip("bert_score", reason="pip install -e '.[dev]'")
    outputs = ["a b c", "a b c d e f", "h", "g g a", "a b x"]
    references = [["a d", "a b"], ["h g f e d c"], ["a"], ["g a", "a g g h"], ["a b c x"]]
    expected = bert_score.score(outputs, references, model_type=folder, num_layers=2)
    items = [make_item("s", output, *some) for output, some in zip(outputs, references, strict=True)]
    for mine, theirs in zip(zip(*found(folder, *items), strict=True), expected, strict=True):
        assert mine == pytest.approx([100 * float(value) for value in theirs], abs=1e-3)
    signature = make_metric("bertscore_p", Settings({"model": folder})).signature
    assert f"model={Path(folder).name}+{digest_of(Path(folder))},layer=" in signature


def test_a_first_word_is_read_as_it_is_further_on(tmp_path: Path, make_item) -> None:
    """Byte-level tokenizers tell a word after a space from one without; the authors put a space before a text."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

    vocabulary = {word: number for number, word in enumerate(["<s>", "<pad>", "</s>", "a", "b", "Ġa", "Ġb", "Ġ"])}
    raw = Tokenizer(models.BPE(vocabulary, [("Ġ", "a"), ("Ġ", "b")]))
    raw.pre_tokenizer, raw.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    raw.post_processor = processors.TemplateProcessing("<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=raw, bos_token="<s>", eos_token="</s>", cls_token="<s>", sep_token="</s>", pad_token="<pad>"
    ).save_pretrained(tmp_path)
    torch.manual_seed(0)
    config = transformers.RobertaConfig(
        vocab_size=8, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    transformers.RobertaModel(config).save_pretrained(tmp_path)
    encoder = BertEncoder(str(tmp_path))
    (read,) = encoder.encode(["a b"])
    (states,) = encoder.model(torch.tensor([[0, 5, 6, 2]])).last_hidden_state.detach().numpy()
    assert read.vectors == pytest.approx(states / np.linalg.norm(states, axis=1, keepdims=True), abs=1e-5)
    assert read.counted.tolist() == [False, True, True, False]
    # positions start after that of padding in RoBERTa alone
    assert encoder.length == 510


def test_a_copy_has_100_an_empty_output_0_and_texts_beyond_the_model_s_length_are_cut(folder: str, make_item) -> None:
    texts = ("a b c", "a b c"), ("", "a"), ("a " * 40, "a b " * 40)
    same, empty, long = found(folder, *(make_item("s", *pair) for pair in texts))
    assert same == pytest.approx((100, 100, 100), abs=1e-3) and empty == (0, 0, 0)
    assert all(0 < score <= 100 for score in long)


def test_weights_that_would_run_code_are_refused_and_not_run(folder: str, tmp_path: Path, make_item, capsys) -> None:
    unsafe, mark = tmp_path / "unsafe", tmp_path / "ran"
    shutil.copytree(folder, unsafe)
    (unsafe / "model.safetensors").unlink()
    pytest.importorskip("torch").save({"weight": Trap(mark)}, unsafe / "pytorch_model.bin")
    with pytest.raises(ResourceError, match="loaded safely") as caught:
        BertScoreF1(model=unsafe).rows([make_item("s", "a", "a")])
    assert "\n" not in str(caught.value)
    assert not mark.exists()


class Trap:
    """Unpickled, it makes a file."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.mark,)
