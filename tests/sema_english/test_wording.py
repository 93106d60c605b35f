"""The reader of senses and breaks: what it finds in texts, and the text that it learned breaks from."""

import random

import numpy as np
import pytest
from sema_english.features.reading import Reading
from sema_english.language import english
from sema_english.wording import EnglishWording, wording_reader
from sema_ucca.network import MAX_WORDS

from sema.model.language import Parts
from sema.model.text import Text
from training.english.broken_text import break_all

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


def test_a_sentence_is_read_the_same_alone_in_a_text_and_beside_other_texts(parts: Parts) -> None:
    assert parts.encoder is not None and len(WHOLE) == len(ALIKE)
    alone = [read(parts, words) for words in (WHOLE, ALIKE)]
    states = parts.encoder.states([WHOLE, ALIKE])
    text = wording_reader().read(Text.from_sentences([WHOLE, ALIKE]), np.concatenate(states))
    assert all(
        np.array_equal(one, np.concatenate(own)) for one, own in zip(text, zip(*alone, strict=True), strict=True)
    )
    together = wording_reader()
    given = [(Text.from_sentences([words]), own) for words, own in zip((WHOLE, ALIKE), states, strict=True)]
    together.prepare(given)
    for one, own in zip(given, alone, strict=True):
        assert all(np.array_equal(*pair) for pair in zip(together.read(*one), own, strict=True))


class Sizes:
    """A graph that notes how many words it is given at a time."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def run(self, outputs: list[str], inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
        states = inputs["states"]
        self.seen.append(states.shape[1])
        return [states[:, :, :2], states[:, :, 0]]


def test_no_sentence_is_read_at_once_that_the_encoder_reads_in_parts() -> None:
    graph = Sizes()
    words = ["("] * 900
    states = np.arange(900, dtype=np.float32)[:, None].repeat(3, 1)
    senses, breaks = EnglishWording(lambda: graph).read(Text.from_sentences([words]), states)
    assert max(graph.seen) <= MAX_WORDS
    assert len(senses) == 900 and breaks[0] == 0
    senses, breaks = EnglishWording(lambda: None).read(Text.from_sentences([]), np.zeros((0, 384), np.float32))
    assert len(senses) == len(breaks) == 0, "nothing to read"


def test_a_language_without_a_reader_has_no_reading() -> None:
    from sema.model.item import Item

    text = Text.from_sentences([WHOLE])
    item = Item(text, text, source_states=np.ones((len(WHOLE), 4), np.float32))
    assert Reading().values(item) == dict.fromkeys(Reading.features, 0.0)


def test_every_sentence_is_broken_where_the_marks_are() -> None:
    rng = random.Random(3)
    words = [["".join(rng.choices("abcdefgh", k=4)) for _ in range(rng.randrange(6, 20))] for _ in range(300)]
    broken = break_all(words, seed=1)
    assert len(broken) > 280
    for one in broken:
        assert len(one.words) == len(one.breaks)
        assert set(one.breaks) == {0, 1} or all(one.breaks)
        assert one.words != one.whole or sum(one.breaks) > 1  # two like words may have changed places
    assert broken == break_all(words, seed=1)
