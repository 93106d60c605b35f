"""A reader from the user's own model: a small entailment model, made here, that reads sentence by sentence."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sema import Scorer
from sema.errors import ResourceError
from sema.meaning.entailment import EntailmentReader, _model
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
    assert reader.read([(whole.without([1, 2, 3]), whole), (whole, long.without([2, 3, 4]))]) == expected
    stripped, read = reader.read([(whole, long.without([2, 3])), (whole, dots)])
    assert stripped.supported == (*expected[1].supported, 1.0) and read.supported == (*expected[1].supported, 1.0, 1.0)
    assert stripped.precision == read.precision == expected[1].precision


def test_texts_beyond_a_models_positions_are_cut(tmp_path: Path) -> None:
    reader = EntailmentReader(model(tmp_path / "nli", THREE))  # it has 64 positions
    assert 0 < reads(reader, "shops open in may . " * 40, "shops open .").precision < 1


def test_a_long_premise_is_read_in_runs_of_its_sentences(tmp_path: Path) -> None:
    reader = EntailmentReader(model(tmp_path / "nli", THREE))  # it has 64 positions
    first, second = "shops open in may . " * 6, "in june shops open . " * 6
    sources = [[first, second], [first], [second]]
    texts = [Text.from_sentences([one.split() for one in sentences]) for sentences in sources]
    hypothesis = Text.from_tokenized("open in june .")
    both, one, other = (read.precision for read in reader.read([(text, hypothesis) for text in texts]))
    assert both == pytest.approx(max(one, other)) and one != other
    short = Text.from_tokenized("shops open .", "in june .")
    assert _model(str(tmp_path / "nli")).parts(short, 5) == ["shops open . in june ."]


@pytest.mark.parametrize("labels", [{0: "unsupported", 1: "supported"}, {0: "score"}])
def test_consistency_models_of_two_labels_and_of_one_contradict_nothing(labels: dict[int, str], tmp_path: Path) -> None:
    read = reads(
        EntailmentReader(model(tmp_path / "consistency", labels)), "shops open in may .", "shops open in june ."
    )
    assert set(read.contradicting) == {0.0} and 0 < read.precision < 1


def place_of_entailment(folder: Path, *labels: str) -> int:
    """Where the model has the label of entailment, by the probability that is read."""
    reader = EntailmentReader(model(folder, dict(enumerate(labels))))
    found = reads(reader, "shops open in may .", "shops open in june .").precision
    loaded = _model(str(folder))
    inputs = loaded.tokenizer(["shops open in may ."], ["shops open in june ."], return_tensors="pt")
    return int((loaded.model(**inputs).logits.softmax(1)[0] - found).abs().argmin())


@pytest.mark.parametrize(
    ("labels", "place"),
    [
        (("contradiction", "neutral", "entailment"), 2),
        (("ENTAILMENT", "NEUTRAL", "CONTRADICTION"), 0),
        (("SUPPORTS", "REFUTES", "NOT ENOUGH INFO"), 0),
        (("entailment", "not_entailment"), 0),
        (("inconsistent", "Consistent"), 1),
        (("CORRECT", "INCORRECT"), 0),
        (("unsupported", "supported"), 1),
        (("LABEL_0", "LABEL_1"), 1),
        (("0", "1"), 1),
    ],
)
def test_a_label_is_known_by_its_name_alone(labels: tuple[str, ...], place: int, tmp_path: Path) -> None:
    assert place_of_entailment(tmp_path / "model", *labels) == place


@pytest.mark.parametrize(
    "labels", [("LABEL_0", "LABEL_1", "LABEL_2"), ("grounded", "hallucinated"), ("contradiction",)]
)
def test_labels_that_do_not_say_which_is_entailment_are_refused(labels: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=rf"{', '.join(labels)} .*entailment.* into id2label in its config\.json"):
        place_of_entailment(tmp_path / "model", *labels)


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


def without_tokenizer(folder: Path) -> None:
    for file in (*folder.glob("*token*"), *folder.glob("vocab*")):
        file.unlink()


def without_classifier(folder: Path) -> None:
    tiny_bert(folder, WORDS, longest=64)


def with_code(folder: Path) -> None:
    """As HHEM-2.1 has it."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    classes = {"AutoConfig": "own.Config", "AutoModelForSequenceClassification": "own.Model"}
    config |= {"model_type": "own", "auto_map": classes}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "own.py").write_text("raise SystemExit('code of the folder was run')", encoding="utf-8")


def of_another_size(folder: Path) -> None:
    """Without labels transformers assumes two."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    del config["id2label"], config["label2id"]
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (without_tokenizer, "it has no tokenizer"),
        (without_classifier, "it has no weights for classifier"),
        (of_another_size, "the sizes of its weights are not those of its config.json: classifier.bias"),
        (with_code, "code of its own, which is never run"),
    ],
)
def test_a_folder_that_would_be_read_at_random_or_runs_code_is_refused(
    damage: Callable[[Path], None], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setattr("builtins.input", lambda *_: "y")
    damage(model(tmp_path / "nli", THREE))
    with pytest.raises(ResourceError, match=reason) as error:
        reads(EntailmentReader(tmp_path / "nli"), "shops open .", "shops open .")
    assert "\n" not in str(error.value)
