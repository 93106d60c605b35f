"""The Chinese models run without Stanza: the same words and trees, and Stanza where they are of another kind."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sema_chinese import MODELS
from sema_chinese.provider import ChineseProvider
from sema_chinese.segmentation.segmenter import MODEL_CODE, ChineseSegmenter
from sema_ud.conllu import read_sentences
from sema_ud.models import ModelSet, file_of, find_models
from sema_ud.numpy_inference.files import ABOUT
from sema_ud.numpy_inference.models import TreeModels, numpy_trees
from sema_ud.numpy_inference.tokenizer import Tokenizer, numpy_tokenizer

from sema.runtime.checksums import write_sums

pytest.importorskip("stanza")
TEXTS = Path(__file__).parents[1].joinpath("data", "chinese.txt").read_text(encoding="utf-8").splitlines()
TREEBANKS = ("zh_gsdsimp/zh_gsdsimp-ud-test", "zh_gsd/zh_gsd-ud-dev", "zh_hk/zh_hk-ud-test", "zh_pud/zh_pud-001-500")


@pytest.fixture(scope="module")
def models() -> ModelSet:
    return find_models(MODEL_CODE, prefer_shipped=True)


def both(threads: int | None = None) -> tuple[ChineseSegmenter, ChineseSegmenter, ChineseProvider, ChineseProvider]:
    paths = ((ChineseSegmenter, True), (ChineseSegmenter, False), (ChineseProvider, True), (ChineseProvider, False))
    return tuple(part(prefer_shipped=True, threads=threads, numpy=numpy) for part, numpy in paths)  # type: ignore[return-value]


def test_the_shipped_models_are_run_here(models: ModelSet) -> None:
    assert isinstance(numpy_trees(models), TreeModels)
    assert isinstance(numpy_tokenizer(models), Tokenizer)


@pytest.mark.parametrize("threads", [1, 3])
def test_words_and_trees_are_stanzas(threads: int) -> None:
    ours, stanza, trees, stanzas_trees = both(threads)
    texts = [*TEXTS, "", " \x85", "\x80", "\x91好\x92 吗", "".join(TEXTS)]
    segmented = ours.segment(texts)
    assert segmented == stanza.segment(texts)
    sentences = [words for text in segmented for words in text.sentence_words]
    assert trees.parse(sentences) == stanzas_trees.parse(sentences)


@pytest.mark.parametrize("name", TREEBANKS)
def test_words_and_trees_of_treebanks_are_stanzas(name: str, ud_data: Path) -> None:
    ours, stanza, trees, stanzas_trees = both()
    sentences = list(read_sentences(ud_data / f"{name}.conllu"))[::10]
    texts = [sentence.text for sentence in sentences]
    assert ours.segment(texts) == stanza.segment(texts)
    words = [sentence.tree.words for sentence in sentences]
    assert trees.parse(words) == stanzas_trees.parse(words)


def test_torch_is_not_loaded() -> None:
    program = (
        "import sys; from sema_chinese.segmentation.segmenter import ChineseSegmenter as S;"
        "from sema_chinese.provider import ChineseProvider as P;"
        "words = S(prefer_shipped=True).segment(['他来了。'])[0].sentence_words;"
        "assert P(prefer_shipped=True).parse(words)[0].relations[-1] == 'punct';"
        "assert not {'torch', 'stanza', 'transformers'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def changed(folder: Path, name: str, **options: object) -> ModelSet:
    """The shipped models with other options in one of their files."""
    shutil.copytree(MODELS, folder)
    with np.load(file_of(folder, name)) as archive:
        entries = dict(archive)
    about = json.loads(entries[ABOUT].tobytes())
    about["config"].update(options)
    entries[ABOUT] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    np.savez(file_of(folder, name), allow_pickle=False, **entries)
    sums = json.loads((folder / "SHA256.json").read_text())
    write_sums(folder, sums)
    return ModelSet(MODEL_CODE, folder, True, "changed")


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("pos", {"share_hid": False}),
        ("pos", {"bert_model": "some"}),
        ("depparse", {"charlm": True}),
        ("depparse", {"resolve_head_constraints": True}),
        ("depparse", {"use_ufeats": True}),
    ],
)
def test_other_taggers_and_parsers_are_left_to_stanza(name: str, option: dict[str, object], tmp_path: Path) -> None:
    assert numpy_trees(changed(tmp_path / "models", name, **option)) is None


@pytest.mark.parametrize("option", [{"use_mwt": True}, {"hierarchical": False}, {"feat_funcs": ["phone_id"]}])
def test_other_tokenizers_are_left_to_stanza(option: dict[str, object], tmp_path: Path) -> None:
    assert numpy_tokenizer(changed(tmp_path / "models", "tokenize", **option)) is None


def test_stanza_runs_what_is_left_to_it(tmp_path: Path, models: ModelSet) -> None:
    provider = ChineseProvider(prefer_shipped=True, threads=1)
    inner = provider._provider
    words = [["他", "来", "了", "。"], ["会议", "在", "巴黎", "举行"]]
    expected = provider.parse(words)
    inner.models = changed(tmp_path / "models", "depparse", resolve_head_constraints=True)
    assert numpy_trees(inner.models) is None
    assert provider.parse(words) == expected


def test_an_installation_is_left_to_stanza(models: ModelSet) -> None:
    installed = ModelSet(models.language, models.folder, False, models.fingerprint)
    assert numpy_trees(installed) is None and numpy_tokenizer(installed) is None
