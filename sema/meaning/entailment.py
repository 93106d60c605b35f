"""A reader of the user's choice: a sequence-classification model of entailment or consistency in a local folder.

A model may have three labels (entailment, neutral, contradiction), two (MiniCheck) or one (HHEM). Each sentence of the
output is a hypothesis with the source as its premise, and each sentence of the source one with the output.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.errors import ResourceError
from sema.model.reading import PairReading
from sema.model.text import Text, is_punctuation, spelled
from sema.runtime.checksums import sha256
from sema.runtime.hugging_face import LocalModel

_FILES = (".safetensors", ".bin", ".json", ".txt", ".model")
"""The suffixes of the files that determine a model's numbers."""
_BATCH = 16
LONGEST = 512
"""Most pieces of a premise and a hypothesis that are read together; fewer, where the model has fewer positions."""
_CONTRADICTED = 0.5
"""The probability of a contradiction from which the words of a sentence are wrong."""
Chances = NDArray[np.float64]


class EntailmentReader:
    """Reads pairs with an entailment model, all of which is loaded from its folder.

    A premise that has no room beside its hypothesis is read in runs of its sentences: the hypothesis is entailed if one
    of them entails it. Of a sentence that has none, the end is not read.
    """

    def __init__(self, folder: Path) -> None:
        """Check the folder; a ``ResourceError`` if it has no ``config.json``."""
        if not (folder / "config.json").is_file():
            raise ResourceError(f"{folder} has no config.json: name the folder of a sequence-classification model")
        self._folder = folder
        files = sorted(file for file in folder.iterdir() if file.suffix in _FILES)
        self.signature = "+".join([f"entailment:{folder.name}", *(sha256(file)[:12] for file in files)])

    def read(self, pairs: Sequence[tuple[Text, Text]]) -> list[PairReading]:
        """The readings of sources and outputs, neither of them empty."""
        model = _model(str(self._folder))
        asked: list[tuple[str, str]] = []
        starts: list[int] = []
        for source, output in pairs:
            for premise, text in ((output, source), (source, output)):
                hypotheses = [_written(text, span) for span in _sentences(text)]
                parts = model.parts(premise, max(map(model.size, hypotheses)))
                for hypothesis in hypotheses:
                    starts.append(len(asked))
                    asked += [(part, hypothesis) for part in parts]
        most = (chances.max(0) for chances in np.split(model.chances(asked), starts[1:]))  # by all parts of a premise
        found = ((entailed, min(refuted, 1 - entailed)) for entailed, refuted in most)
        return [_reading(source, output, found) for source, output in pairs]

    def notation(self, source: Text, output: Text) -> list[tuple[range, range]]:
        """Nothing: the model reads the texts as they are."""
        return []


def _sentences(text: Text) -> Sequence[tuple[int, int]]:
    """The sentences that are read: those with words; all of them if none has any."""
    found = [span for span in text.sentences if not all(map(is_punctuation, text.words[slice(*span)]))]
    return found or text.sentences


def _written(text: Text, span: tuple[int, int | None]) -> str:
    return "".join(spelled(text.tokens[slice(*span)]))


def _reading(source: Text, output: Text, found: Any) -> PairReading:
    """The reading of one pair, from the next rows of ``found``.

    Recall and precision are means over the sentences read, weighted by their words; words elsewhere count as kept.
    Meaning is their geometric mean, times 1 less the output's highest probability of a contradiction, so that no
    contradicted sentence is averaged away.
    """
    sides = []
    for text in (source, output):
        spans = _sentences(text)
        chances = np.array([next(found) for _ in spans])
        words = np.tile([1.0, 0.0], (len(text.tokens), 1))
        for (start, end), chance in zip(spans, chances, strict=True):
            words[start:end] = chance
        words[words[:, 1] < _CONTRADICTED, 1] = 0.0
        share = float(np.average(chances[:, 0], weights=[end - start for start, end in spans]))
        sides.append((share, float(chances[:, 1].max()), [tuple(column) for column in words.T.tolist()]))
    (recall, _, first), (precision, worst, second) = sides
    return PairReading((recall * precision) ** 0.5 * (1 - worst), recall, precision, *first, *second)


class EntailmentModel(LocalModel):
    """A sequence-classification model; ``entailed`` and ``refuted`` are the places of these labels.

    Raises:
        ResourceError: the model cannot be loaded, or none of its labels is entailment.
    """

    def __init__(self, folder: str) -> None:
        super().__init__(folder, "AutoModelForSequenceClassification", "entailment model")
        labels = [str(name) for _, name in sorted(self.model.config.id2label.items())]
        unnamed = len(labels) == 1 or (len(labels) == 2 and all(map(_UNNAMED.fullmatch, labels)))
        entailed, refuted = _place(labels, _ENTAILED), _place(labels, _REFUTED)
        if entailed is None and refuted is None and unnamed:
            entailed = len(labels) - 1
        if entailed is None:
            names = "entailment and not_entailment" if len(labels) == 2 else "entailment, neutral and contradiction"
            raise ResourceError(
                f"none of the labels {', '.join(labels)} of {folder} is entailment: write the labels' names, {names}, "
                "into id2label in its config.json"
            )
        self.entailed, self.refuted = entailed, refuted
        self.longest = min(LONGEST, self.length)

    def chances(self, asked: Sequence[tuple[str, str]]) -> Chances:
        """For each premise and hypothesis the probabilities of entailment and of contradiction (pairs, 2)."""
        import torch

        rows = [np.zeros((0, 2))]
        for start in range(0, len(asked), _BATCH):
            premises, hypotheses = map(list, zip(*asked[start : start + _BATCH], strict=True))
            inputs = self.tokenizer(
                premises, hypotheses, truncation="longest_first", max_length=self.longest, padding=True,
                return_tensors="pt",
            )  # fmt: skip
            with torch.inference_mode():
                logits = self.model(**inputs.to(self.device)).logits.double().cpu()
            found = (logits.sigmoid() if logits.shape[1] == 1 else logits.softmax(1)).numpy()
            refuted = np.zeros(len(found)) if self.refuted is None else found[:, self.refuted]
            rows.append(np.stack([found[:, self.entailed], refuted], 1))
        return np.concatenate(rows)

    def size(self, text: str) -> int:
        """How many pieces a text has."""
        return len(self.tokenizer.tokenize(text))

    def parts(self, premise: Text, taken: int) -> list[str]:
        """A premise as one part or, if it has no room beside ``taken`` pieces, as runs of sentences that have."""
        room = self.longest - taken - self.tokenizer.num_special_tokens_to_add(pair=True)
        whole = _written(premise, (0, None))
        if self.size(whole) <= room:
            return [whole]
        spans: list[tuple[int, int]] = []
        left = 0
        for start, end in premise.sentences:
            size = self.size(_written(premise, (start, end)))
            joined = bool(spans) and size <= left
            spans[-1:] = [(spans[-1][0], end)] if joined else [*spans[-1:], (start, end)]
            left = (left if joined else room) - size
        return [_written(premise, span) for span in spans]


def _place(labels: Sequence[str], beginnings: tuple[str, ...]) -> int | None:
    """The place of the first label with one of these beginnings."""
    return next((place for place, name in enumerate(labels) if name.lower().startswith(beginnings)), None)


_model = lru_cache(maxsize=2)(EntailmentModel)
_ENTAILED = ("entail", "support", "consistent", "factual", "faithful", "correct", "true")
_REFUTED = ("contradict", "refute")
"""How models' labels of an entailed and of a contradicted hypothesis begin."""
_UNNAMED = re.compile(r"(?:LABEL_)?\d", re.IGNORECASE)
"""A label without a name; of two such labels the second is entailment."""
