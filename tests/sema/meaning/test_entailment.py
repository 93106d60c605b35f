"""A reader from the user's own model: a small entailment model, made here, that reads sentence by sentence."""

from pathlib import Path

import pytest

from sema import Scorer
from sema.errors import ResourceError
from sema.meaning.entailment import EntailmentReader
from sema.meaning.findings import without
from sema.model.reading import PairReading
from sema.model.text import Text
from tests.networks import tiny_bert

pytest.importorskip("torch", reason="pip install 'sema-metrics[hf]'")
pytest.importorskip("transformers", reason="pip install 'sema-metrics[hf]'")

WORDS = ["shops", "open", "in", "may", "june", "."]


def model(folder: Path, labels: dict[int, str]) -> Path:
    """A tiny BERT with random weights."""
    ids = {name: place for place, name in labels.items()}
    return tiny_bert(folder, WORDS, kind="BertForSequenceClassification", longest=64, id2label=labels, label2id=ids)


def reads(reader: EntailmentReader, source: str, *sentences: str) -> PairReading:
    texts = [Text.from_sentences([sentence.split() for sentence in side]) for side in ([source], sentences)]
    return reader.read([(texts[0], texts[1])])[0]


THREE = {0: "contradiction", 1: "entailment", 2: "neutral"}


def test_each_sentence_has_the_models_probability(tmp_path: Path) -> None:
    reader = EntailmentReader(model(tmp_path / "nli", THREE))
    outputs = ["shops open ."], ["in june ."], ["shops open .", "in june ."]
    alone, other, both = (reads(reader, "shops open in may .", *sentences) for sentences in outputs)
    assert both.supported == (*alone.supported, *other.supported)
    assert both.precision == pytest.approx((alone.precision + other.precision) / 2)
    assert 0 <= both.meaning <= (both.recall * both.precision) ** 0.5


def test_words_that_were_taken_out_and_sentences_without_words_are_not_read(tmp_path: Path) -> None:
    reader = EntailmentReader(model(tmp_path / "nli", THREE))
    whole, rest = (Text.from_sentences([one.split() for one in own]) for own in (["shops open in may ."], ["shops ."]))
    long, dots = (Text.from_sentences([*rest.sentence_words, one.split()]) for one in ("in june .", ". ."))
    expected = reader.read([(rest, whole), (whole, rest)])
    assert reader.read([(without(whole, [1, 2, 3]), whole), (whole, without(long, [2, 3, 4]))]) == expected
    stripped, read = reader.read([(whole, without(long, [2, 3])), (whole, dots)])
    assert stripped.supported == (*expected[1].supported, 1.0) and read.supported == (*expected[1].supported, 1.0, 1.0)
    assert stripped.precision == read.precision == expected[1].precision


def test_texts_beyond_a_models_positions_are_cut(tmp_path: Path) -> None:
    reader = EntailmentReader(model(tmp_path / "nli", THREE))  # it has 64 positions
    assert 0 < reads(reader, "shops open in may . " * 40, "shops open .").precision < 1


@pytest.mark.parametrize("labels", [{0: "unsupported", 1: "supported"}, {0: "score"}])
def test_consistency_models_of_two_labels_and_of_one_contradict_nothing(labels: dict[int, str], tmp_path: Path) -> None:
    read = reads(
        EntailmentReader(model(tmp_path / "consistency", labels)), "shops open in may .", "shops open in june ."
    )
    assert set(read.contradicting) == {0.0} and 0 < read.precision < 1


def test_a_label_is_known_by_its_name_alone(tmp_path: Path) -> None:
    named, other = (
        reads(EntailmentReader(model(tmp_path / labels[0], labels)), "shops open in may .", "shops open in june .")
        for labels in ({0: "CORRECT", 1: "INCORRECT"}, {0: "supported", 1: "unsupported"})
    )
    assert named == other
    unnamed = EntailmentReader(model(tmp_path / "unnamed", {place: f"LABEL_{place}" for place in range(3)}))
    with pytest.raises(ResourceError, match=r"LABEL_0, LABEL_1, LABEL_2.*id2label"):
        reads(unnamed, "shops open .", "shops open .")


def test_a_score_by_a_folder_has_its_digests_in_the_signature(tmp_path: Path) -> None:
    folder = model(tmp_path / "nli", THREE)
    scorer = Scorer("en", ["meaning"], options={"meaning.reader": str(folder)})
    report = scorer.score(["Shops open in May."], ["Shops open."])
    assert 0 < report.systems[0].scores["meaning"] < 100
    assert "entailment:nli+" in report.signature


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ResourceError, match=r"has no config\.json"):
        EntailmentReader(tmp_path)
    folder = model(tmp_path / "nli", THREE)
    (folder / "model.safetensors").write_bytes(b"cut off")
    with pytest.raises(ResourceError, match="not a folder with a Hugging Face entailment model"):
        reads(EntailmentReader(folder), "shops open .", "shops open .")
