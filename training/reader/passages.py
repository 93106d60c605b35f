"""How far an unsupported sentence lowers the meaning of a passage: ``python -m training.reader.passages``.

The whole hides what a sentence shows, and the network has read judged passages as wholes, so that fitting their ratings
would trust the whole too much. So both logits, the whole's meaning and the precision of the least supported sentence,
count alike, in units of their own spread over judged passages, and their mean is brought back to the whole's mean and
spread, since that scale is calibrated. Prints the constants of :mod:`sema_reader.windows`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sema_chinese.segmentation import ChineseSegmenter
from sema_english.segmentation import EnglishSegmenter
from sema_reader.languages import shipped
from sema_reader.reader import NetworkReader
from sema_reader.windows import MEANING, PRECISION

from sema.model.text import Segmenter
from training.command import command
from training.reader.data import judged, judged_files

ONE_IN = 5
"""One judged pair in so many is read."""


def logits_of(lang: str, segmenter: Segmenter) -> NDArray[np.float64]:
    """The whole's logit of meaning, and the least sentence's of precision, of judged passages (passages, 2)."""
    files = [file for file in judged_files() if file.stem.startswith(lang)]
    some = [(one.source, one.output) for one in judged(files)][::ONE_IN]
    texts = [segmenter.segment(side) for side in zip(*some, strict=True)]
    read = NetworkReader(shipped()).passes(list(zip(*texts, strict=True)))
    found = [(logits[0].pair[MEANING], min(one.pair[PRECISION] for one in logits[1:]))
             for passes, logits in read if passes[-1].alone]  # fmt: skip
    return np.array(found, float)


@command
def main() -> None:
    """Print the constants."""
    found = np.concatenate([logits_of("en", EnglishSegmenter()), logits_of("zh", ChineseSegmenter())])
    mean, spread = found.mean(0), found.std(0)
    both = ((found - mean) / spread).sum(1).std()
    whole, least = spread[0] / both / spread
    print(f"{len(found)} passages: READ_WHOLE {whole:.2f}, UNFOUNDED {least:.2f}, "
          f"SHIFT {mean[0] - whole * mean[0] - least * mean[1]:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
