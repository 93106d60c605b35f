"""Levels against targets, worked by hand; the test decides what the reader returns."""

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from sema.errors import InputError, ResourceError
from sema.metrics.base import Item, Metric
from sema.metrics.registry import make_metric
from sema.model.item import Need
from sema.model.text import Text
from sema.options import Settings
from sema.runtime.checksums import digest_of
from tests.bare_parts import Levels, parts_with_levels
from tests.networks import tiny_bert


def told(text: Text) -> float:
    """Each text is a number."""
    return float(text.raw) if text.raw else math.nan


def bound(name: str, **settings: object) -> Metric:
    options = {f"cefr.{option}": value for option, value in settings.items()}
    return make_metric(name, Settings(options)).bind(parts_with_levels(Levels(told)))


def items(*levels: tuple[float, float | None]) -> list[Item]:
    """Sources of level 5 with outputs of some levels, each with its target."""
    texts = [Text.from_tokenized("" if math.isnan(level) else str(level)) for level, _ in levels]
    plain = [Item(Text.from_tokenized("5"), text) for text in texts]
    return [replace(item, target=target) for item, (_, target) in zip(plain, levels, strict=True)]


FOUR = items((2.4, 2), (1.2, 2), (3.5, 2), (4.6, 3))
"""Read as A2, A1, B2 and C1, for A2, A2, A2 and B1."""
EMPTY = items((2, 2), (math.nan, 2))


def test_levels_keep_the_digits_that_hold_everywhere() -> None:
    """2.5 is read as B1, as it is shown."""
    for name, shown in (("cefr", [2.1234, 2.5]), ("cefr_drop", [2.8766, 2.5]), ("cefr_hit", [1, 0])):
        assert [row[0] for row in bound(name).rows(items((2.123412345, 2), (2.4999999, 2)))] == shown


@pytest.mark.parametrize(
    ("name", "scored", "expected"),
    [
        ("cefr", FOUR, (2.4 + 1.2 + 3.5 + 4.6) / 4),
        ("cefr_source", FOUR, 5),
        ("cefr_drop", FOUR, 5 - (2.4 + 1.2 + 3.5 + 4.6) / 4),
        ("cefr_hit", FOUR, 50),  # the first two
        ("cefr_adjacent", FOUR, 50),  # 0, 1, 2 and 2 levels away
        # A text without words has no level and meets no target.
        ("cefr", EMPTY, 2),
        ("cefr_drop", EMPTY, 3),
        ("cefr_hit", EMPTY, 50),
        ("cefr_adjacent", EMPTY, 50),
        ("cefr", EMPTY[1:], math.nan),
    ],
)
def test_corpus_scores_equal_numbers_by_hand(name: str, scored: list[Item], expected: float) -> None:
    metric = bound(name)
    assert metric.corpus(metric.rows(scored)) == pytest.approx(expected, nan_ok=True)


def test_the_target_of_the_option_is_for_items_without_one() -> None:
    metric = bound("cefr_hit", target="b1")
    assert [row[0] for row in metric.rows(items((3.2, None), (3.2, 2)))] == [1.0, 0.0]
    assert Need.TARGET not in metric.requires and Need.TARGET in bound("cefr_hit").requires
    with pytest.raises(InputError, match=r"cefr_hit needs a target; set cefr.target=A2"):
        bound("cefr_hit").rows(items((3, None)))
    wrong = replace(items((3, None))[0], invalid={Need.TARGET: InputError("the target 'n/a' is not a level")})
    with pytest.raises(InputError, match="'n/a' is not a level"):
        metric.rows([wrong])


def test_a_target_that_is_no_level_of_cefr_is_not_explained_as_one() -> None:
    (item,) = items((3, 8.0))
    unreadable = replace(item, target=None, invalid={Need.TARGET: InputError("the target 'n/a' is not a level")})
    for wrong, lacks in ((item, "8 is not a CEFR level; write A1 to C2"), (unreadable, "'n/a' is not a level")):
        with pytest.raises(InputError, match=lacks):
            bound("cefr").explain(wrong)


def test_targets_are_levels_by_name_or_number_and_nothing_else() -> None:
    for given, level in (("A1", "1"), (" c2", "6"), ("2.5", "2.5"), (3, "3")):
        assert f"target={level}" in bound("cefr_hit", target=given).signature
    for wrong in ("A3", "0", "7", "true", "nan", ""):
        with pytest.raises(InputError, match="write A1 to C2"):
            bound("cefr", target=wrong)


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Hugging Face classifier with untrained weights and the six levels as labels."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    levels = ["A1", "A2", "B1", "B2", "C1", "C2"]
    labels = {"id2label": dict(enumerate(levels)), "label2id": {name: place for place, name in enumerate(levels)}}
    pieces, folder = ["a", "cat", "sat", "."], tmp_path_factory.mktemp("classifier")
    return tiny_bert(folder, pieces, kind="BertForSequenceClassification", num_labels=6, **labels)


def test_a_classifier_of_the_users(classifier: Path) -> None:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    metric = make_metric("cefr", Settings({"cefr.model": str(classifier)}))
    bound = metric.bind(parts_with_levels(None))
    assert Need.STATES not in metric.requires
    assert f"model={classifier.name}+{digest_of(classifier)}" in bound.signature
    texts = [Text.from_tokenized(text) for text in ("a cat sat .", "cat", "")]
    first, second, none = (metric.item_value(row) for row in bound.rows([Item(texts[0], text) for text in texts]))
    inputs = AutoTokenizer.from_pretrained(classifier)("a cat sat .", return_tensors="pt")
    model = AutoModelForSequenceClassification.from_pretrained(classifier)
    assert first == int(model(**inputs).logits.argmax()) + 1
    assert second in range(1, 7) and math.isnan(none)


def test_a_classifier_of_something_else_is_refused(classifier: Path, tmp_path: Path) -> None:
    shutil.copytree(classifier, tmp_path, dirs_exist_ok=True)
    config = json.loads((tmp_path / "config.json").read_text())
    config["id2label"]["0"] = "sarcasm"
    (tmp_path / "config.json").write_text(json.dumps(config))
    (tmp_path / "empty").mkdir()
    wrong = {".": "are not CEFR levels; name them A1 to C2", "empty": "is not a folder with a Hugging Face classifier"}
    for name, said in wrong.items():
        with pytest.raises(ResourceError, match=said):
            bound("cefr", model=str(tmp_path / name))
