import numpy as np
import pytest
from sema_english.language import english

from sema.model.language import Parts
from sema.model.text import Text

WHOLE = ["The", "committee", "did", "not", "approve", "the", "budget", "because", "it", "was", "too", "high", "."]
BROKEN = ["The", "committee", "did", "not", "the", "approve", "budget", "budget", "it", "was", "because", "too", "."]
ALIKE = ["The", "panel", "did", "not", "accept", "the", "budget", "since", "it", "was", "too", "large", "."]
OTHER = ["Cats", "like", "to", "sleep", "on", "warm", "roofs", "in", "the", "summer", "."]


@pytest.fixture(scope="module")
def parts() -> Parts:
    return english().parts()


def read(parts: Parts, *sentences: list[str]) -> tuple[np.ndarray, np.ndarray]:
    assert parts.encoder is not None and parts.wording is not None
    states = np.concatenate(parts.encoder.states(sentences))
    return parts.wording.read(Text.from_sentences(sentences), states)


def test_broken_sentences_have_more_breaks_and_senses_tell_like_from_unlike(parts: Parts) -> None:
    _, broken = read(parts, BROKEN)
    (here, whole), (alike, _), (other, _) = (read(parts, words) for words in (WHOLE, ALIKE, OTHER))
    assert len(whole) == len(WHOLE) and whole.mean() < 0.2 < broken.mean()
    assert np.linalg.norm(here, axis=1) == pytest.approx(1, abs=1e-5)
    near, far = (float(here.mean(0) @ array.mean(0)) for array in (alike, other))
    assert near > far + 0.2
