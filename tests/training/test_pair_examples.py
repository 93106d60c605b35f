"""What the cross-encoder is taught: versions beside each other, and whose judgement teaches which head."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra `train`")

from sema_reader.pieces import Unigrams  # noqa: E402
from sema_reader.windows import LOGITS, OUTPUT_ENTAILED, OUTPUT_JUDGED, SAME, SIMILAR  # noqa: E402

from training.reader.batches import Batch, Lesson, encode  # noqa: E402
from training.reader.broken import side_by_side  # noqa: E402
from training.reader.example import BOTH, ENTAILED, JUDGED, NOT_ENTAILED, VERSIONS, Example  # noqa: E402
from training.reader.losses import loss_of  # noqa: E402
from training.reader.material import row  # noqa: E402

CALM = Example("Two men sing.", "Two men are singing.", ENTAILED, ENTAILED, 0.9, (1,) * 3, (1,) * 4, group=1)
WRONG = Example("Two men sing.", "Ten men sing.", NOT_ENTAILED, NOT_ENTAILED, 0.2, (0, 1, 1), (0, 1, 1), group=1)
UNKNOWN = Example("It rains.", "It pours.", NOT_ENTAILED, NOT_ENTAILED, 0.2, (), (0, -1), group=2)


def test_versions_beside_each_other_keep_their_labels() -> None:
    versions = list(side_by_side([CALM, WRONG, UNKNOWN], Random(1)))
    assert len(versions) == 3
    for one in versions:
        assert len(one.source_words) == len(one.source.split()) > 3
        assert len(one.output_words) == len(one.output.split())
    calm, wrong, unknown = versions
    assert 0 not in calm.output_words and calm.output_entailed == ENTAILED
    assert [word for word, label in zip(wrong.output.split(), wrong.output_words, strict=True) if not label] == ["Ten"]
    assert calm.group == wrong.group != unknown.group
    assert calm.source == wrong.source
    assert [w for w, label in zip(unknown.source.split(), unknown.source_words, strict=True) if label < 0] == [
        "It",
        "rains.",
    ]


CUTTER = Unigrams(["<s>", "<pad>", "</s>", "<unk>", "▁two", "▁men", "▁ten"], [0.0] * 7)


def _batch(example: Example, lessons: dict[int, Lesson] | None = None) -> Batch:
    return encode(CUTTER, [row(example, "kind") | {"i": 7}], lessons or {}).batch([0])


def _gradient(batch: Batch) -> torch.Tensor:
    pair = torch.zeros(1, LOGITS, requires_grad=True)
    loss_of(pair, torch.zeros(*batch.ids.shape, 2), batch).backward()  # type: ignore[no-untyped-call]
    assert pair.grad is not None
    return pair.grad[0]


def judged(teaches: int, graded: float = -1.0) -> torch.Tensor:
    return _gradient(_batch(Example("two men", "ten men", ENTAILED, teaches=teaches, graded=graded)))


def test_pieces_have_the_labels_of_their_words() -> None:
    batch = _batch(Example("two men", "ten men", source_words=(0, 1), output_words=(0, 1)))
    assert batch.ids[0, :7].tolist() == [0, 4, 5, 2, 6, 5, 2]
    assert batch.words[0, :7].tolist() == [-1, 0, 1, -1, 0, 1, -1]
    assert batch.types[0, :7].tolist() == [0, 0, 0, 0, 1, 1, 1]


def test_the_teacher_teaches_what_it_has_read() -> None:
    example = Example("two men", "ten men")
    pair = np.zeros(LOGITS, np.float32)
    pair[SAME] = 4.0
    lesson = Lesson(pair, np.array([0.9, 1.0, 0.1, -1.0], np.float32))
    batch = _batch(example, {7: lesson})
    assert batch.taught[0, :7].tolist() == pytest.approx([-1, 0.9, 1.0, -1, 0.1, -1, -1])
    assert _gradient(batch)[SAME] < 0 == _gradient(_batch(example, {3: lesson}))[SAME]


def test_a_judgement_teaches_its_own_head_alone() -> None:
    alone, versions, both = (judged(teaches) for teaches in (JUDGED, VERSIONS, BOTH))
    assert alone[OUTPUT_ENTAILED].abs().sum() == 0 < alone[OUTPUT_JUDGED].abs().sum()
    assert versions[OUTPUT_JUDGED].abs().sum() == 0 < versions[OUTPUT_ENTAILED].abs().sum()
    assert both[OUTPUT_ENTAILED].abs().sum() > 0 < both[OUTPUT_JUDGED].abs().sum()


def test_similarity_is_learned_where_people_graded_it() -> None:
    assert judged(JUDGED)[SIMILAR] == 0
    assert judged(JUDGED, graded=0.9)[SIMILAR] < 0 < judged(JUDGED, graded=0.1)[SIMILAR]
