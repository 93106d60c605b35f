"""CEFR levels by a classifier of the user's: a local Hugging Face folder for sequence classification.

Its labels must name the six levels (``A1`` … ``C2``, whatever stands around the name), or be six in number without
names, from A1 up; a model with one output is taken to give the level as a number from 1 to 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sema.errors import ResourceError
from sema.model.levels import CEFR, TextLevel
from sema.model.text import Text
from sema.runtime.caching import BoundedCache
from sema.runtime.checksums import sha256
from sema.runtime.hugging_face import LocalModel

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

BATCH = 32
KEPT_TEXTS = 1 << 14


class LevelModel(LocalModel):
    """The classifier of a folder as a reader of levels (:class:`sema.model.levels.LevelReader`).

    The level of a text is the one that the classifier finds most likely. A text is read as a whole, up to the length
    that the model takes.

    Raises:
        ResourceError: the folder holds no such model, or torch or transformers is not installed.
    """

    def __init__(self, folder: str) -> None:
        super().__init__(folder, "AutoModelForSequenceClassification", "classifier")
        self._levels = _levels(self.model.config, folder)
        weights = sorted(path for path in Path(folder).iterdir() if path.suffix in (".safetensors", ".bin"))
        self.signature = f"model={Path(folder).resolve().name}+{sha256(weights[0])[:12]}"
        self._kept: BoundedCache[str, float] = BoundedCache(KEPT_TEXTS)

    def read(self, texts: Iterable[tuple[Text, NDArray[float32] | None]]) -> Sequence[TextLevel]:
        """The level of each text; NaN for one without words. States are not asked for."""
        given = [text for text, _ in texts]
        known = self._kept.lookup((text.raw for text in given if text.words), self._classified)
        return [TextLevel(known[text.raw] if text.words else float("nan")) for text in given]

    def _classified(self, texts: list[str]) -> list[float]:
        by_length = sorted(texts, key=len)
        batches = [by_length[start : start + BATCH] for start in range(0, len(texts), BATCH)]
        found = dict(zip(by_length, chain.from_iterable(map(self._batch, batches)), strict=True))
        return [found[text] for text in texts]

    def _batch(self, batch: list[str]) -> list[float]:
        import torch

        inputs = self.tokenizer(batch, padding=True, truncation=True, max_length=self.length, return_tensors="pt")
        with torch.inference_mode():
            logits = self.model(**inputs.to(self.device)).logits.float().cpu()
        if self._levels is None:
            return [min(max(float(value), 1.0), float(len(CEFR))) for value in logits[:, 0]]
        return [self._levels[int(best)] for best in logits.argmax(-1)]


def _levels(config: Any, folder: str) -> list[float] | None:
    """The level of each of the model's outputs; ``None`` where its only output is the level itself."""
    labels = [str(config.id2label[number]) for number in range(config.num_labels)]
    if len(labels) == 1:
        return None
    named = [re.search(r"(?<![A-Za-z0-9])([ABC][12])(?![0-9])", label.upper().replace("_", " ")) for label in labels]
    if all(named):
        return [float(CEFR.index(found[1]) + 1) for found in named if found]
    if len(labels) == len(CEFR) and all(re.fullmatch(r"LABEL_\d", label) for label in labels):
        return [float(number) for number in range(1, len(CEFR) + 1)]
    raise ResourceError(
        f"the labels of {folder} ({', '.join(labels[:8])}) are not CEFR levels; name them A1 to C2 in its config.json"
    )


@lru_cache(maxsize=2)
def level_model(folder: str) -> LevelModel:
    """The classifier of a folder, loaded once."""
    return LevelModel(folder)
