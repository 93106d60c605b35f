"""English texts: detokenised, and those of UD's English Web Treebank."""

from __future__ import annotations

from collections.abc import Mapping

from sacremoses import MosesDetokenizer
from sema_ud.conllu import read_sentences

from sema.datasets.folder import data_folder

_DETOKENIZER = MosesDetokenizer("en")
_MARKS: Mapping[str, str] = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"', "--": "–"}


def detokenized(text: str) -> str:
    """A tokenised English text as people write it."""
    return str(_DETOKENIZER.detokenize([_MARKS.get(word, word) for word in text.split()]))


def ewt() -> list[str]:
    """The sentences of the English Web Treebank's train part, as they are written."""
    return [sentence.text for sentence in read_sentences(data_folder("ud", "en_ewt", "en_ewt-ud-train.conllu"))]
