"""What the reader of pairs is taught: versions beside each other, and whose judgement teaches which head."""

from __future__ import annotations

from random import Random

import numpy as np
import torch
from sema_reader.windows import OUTPUT_ENTAILED, OUTPUT_JUDGED, SIMILAR

from training.reader.english.batches import Encoded, padded
from training.reader.english.broken import side_by_side
from training.reader.english.examples import BOTH, ENTAILED, JUDGED, NOT_ENTAILED, VERSIONS, Example
from training.reader.english.losses import loss_of
from training.reader.english.network import LOGITS

CALM = Example("Two men sing.", "Two men are singing.", ENTAILED, ENTAILED, 0.9, (1,) * 3, (1,) * 4, group=1)
WRONG = Example("Two men sing.", "Ten men sing.", NOT_ENTAILED, NOT_ENTAILED, 0.2, (0, 1, 1), (0, 1, 1), group=1)
UNKNOWN = Example("It rains.", "It pours.", NOT_ENTAILED, NOT_ENTAILED, 0.2, (), (0, -1), group=2)


def test_versions_beside_each_other_keep_their_labels() -> None:
    found = list(side_by_side([CALM, WRONG, UNKNOWN], Random(1)))
    assert len(found) == 3
    for one in found:
        assert len(one.source_words) == len(one.source.split()) > 3
        assert len(one.output_words) == len(one.output.split())
    calm, wrong, unknown = found
    assert 0 not in calm.output_words and calm.output_entailed == ENTAILED
    assert [word for word, label in zip(wrong.output.split(), wrong.output_words, strict=True) if not label] == ["Ten"]
    assert calm.group == wrong.group != unknown.group
    assert calm.source == wrong.source
    assert [w for w, label in zip(unknown.source.split(), unknown.source_words, strict=True) if label < 0] == [
        "It",
        "rains.",
    ]


def _gradient(teaches: int, graded: float = -1.0) -> torch.Tensor:
    pieces = np.array([[101, 5, 102, 6, 102], [0, 0, 0, 1, 1], [0, 1, 0, 1, 0], [-1] * 5], np.int32)
    batch = padded([Encoded(pieces, ENTAILED, -1, -1.0, 0, 1.0, teaches, graded)])
    pair = torch.zeros(1, LOGITS, requires_grad=True)
    loss_of(pair, torch.zeros(1, 5, 2), batch).backward()  # type: ignore[no-untyped-call]
    assert pair.grad is not None
    return pair.grad[0]


def test_a_judgement_teaches_its_own_head_alone() -> None:
    judged, versions, both = (_gradient(teaches) for teaches in (JUDGED, VERSIONS, BOTH))
    assert judged[OUTPUT_ENTAILED].abs().sum() == 0 < judged[OUTPUT_JUDGED].abs().sum()
    assert versions[OUTPUT_JUDGED].abs().sum() == 0 < versions[OUTPUT_ENTAILED].abs().sum()
    assert both[OUTPUT_ENTAILED].abs().sum() > 0 < both[OUTPUT_JUDGED].abs().sum()


def test_similarity_is_learned_where_people_graded_it() -> None:
    assert _gradient(JUDGED)[SIMILAR] == 0
    assert _gradient(JUDGED, graded=0.9)[SIMILAR] < 0 < _gradient(JUDGED, graded=0.1)[SIMILAR]
