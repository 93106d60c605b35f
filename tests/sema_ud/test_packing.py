"""Models from Stanza's trainers to the form in which they ship, and back for Stanza."""

from pathlib import Path
from typing import Any

import pytest
from sema_chinese import MODELS

from sema.runtime.checksums import recorded, sha256

torch = pytest.importorskip("torch")
packing = pytest.importorskip("training.ud.packing")
installation = pytest.importorskip("training.ud.installation")
Contents = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def contents() -> Contents:
    found: Contents = installation.contents(MODELS)
    return found


@pytest.fixture(scope="module")
def saved(contents: Contents, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What Stanza's trainers would have left."""
    folder = tmp_path_factory.mktemp("saved")
    files = {name: folder / f"{name}.pt" for name in contents}
    for name, content in contents.items():
        torch.save(content, files[name])
    return files


def packed(files: dict[str, Path], folder: Path, **changed: dict[str, Any]) -> list[str]:
    """Pack models, some of them changed; the names of the written files."""
    for name, content in changed.items():
        files = {**files, name: folder / f"{name}.pt"}
        torch.save(content, files[name])
    (folder / "packed").mkdir()
    names: list[str] = packing.pack(files["pretrain"], files, folder / "packed")
    return names


def test_models_are_the_same_after_a_way_through_stanzas_format(
    contents: Contents, saved: dict[str, Path], tmp_path: Path
) -> None:
    names = packed(saved, tmp_path)
    assert set(names) == recorded(MODELS, "models").keys()
    for name in names:
        if name != "dictionary.npz":  # an archive has the time of its writing
            assert sha256(tmp_path / "packed" / name) == sha256(MODELS / name), name
    again = installation.contents(tmp_path / "packed")["pretrain"]
    assert again["vocab"] == contents["pretrain"]["vocab"] and (again["emb"] == contents["pretrain"]["emb"]).all()


def test_a_tokenizer_with_words_of_its_own_is_refused(
    contents: Contents, saved: dict[str, Path], tmp_path: Path
) -> None:
    own = contents["tokenize"]
    with pytest.raises(ValueError, match="other words"):
        packed(saved, tmp_path, tokenize={**own, "lexicon": [*own["lexicon"], "另外的词"]})


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        ("tokenize", "use_mwt", True),
        ("tokenize", "hierarchical", False),
        ("tokenize", "feat_funcs", ["phone_id"]),
        ("pos", "share_hid", False),
        ("pos", "bert_model", "some"),
        ("depparse", "charlm", True),
        ("depparse", "resolve_head_constraints", True),
        ("depparse", "use_ufeats", True),
    ],
)
def test_models_of_another_architecture_are_refused(
    contents: Contents, name: str, option: str, value: object, tmp_path: Path
) -> None:
    models = {one: packing._model(one, content) for one, content in contents.items() if one != "pretrain"}
    own = contents[name]
    models[name] = packing._model(name, {**own, "config": {**own["config"], option: value}})
    with pytest.raises(ValueError, match=option):
        packing.write_tokenizer(models["tokenize"], tmp_path / "tokenize")
        packing.write_words(models["pos"], models["depparse"], contents["pretrain"]["emb"].shape[1], tmp_path / "words")
        packing.write_trees(models["pos"], models["depparse"], tmp_path / "trees")
        packing.write_labels(models["depparse"], tmp_path / "labels")
