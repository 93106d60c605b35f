"""Dictionary knowledge of words in the two forms that Stanza's trainers take: a word list and word vectors.

The tokenizer reads a list of words; the tagger and the parser read "pretrained vectors", here a word's part of speech
in jieba's dictionary and in the Chinese wordnets, and its frequency. No raw text is
large enough here to train real vectors on; the treebanks alone leave two words in ten of a new text unseen.
"""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np

from sema.datasets.folder import data_folder

MIN_FREQUENCY = 11
MAX_LENGTH = 4
HAN = re.compile(rf"^[一-鿿]{{1,{MAX_LENGTH}}}$")
TAG_GROUPS = (
    "n ng", "nr nrt nrfg", "ns", "nt", "nz j", "v vd vg vi vq", "vn", "a ad an ag b z", "d dg df", "m mg mq", "q",
    "r rg rr rz", "c p", "u ud ug uj ul uv uz y e o k h", "i l", "t tg", "s f", "zg g x",
)  # fmt: skip
"""jieba's parts of speech (ICTCLAS), one dimension each."""
GROUP_OF = {tag: index for index, tags in enumerate(TAG_GROUPS) for tag in tags.split()}
WORDNET_CLASSES = "nvar"
WORDNETS = ("cow/wn-data-cmn.tab", "wikt/wn-wikt-cmn.tab")


def jieba_words() -> dict[str, tuple[int, str]]:
    """jieba's dictionary: word -> (frequency, part of speech)."""
    import jieba

    words = {}
    with (Path(jieba.__file__).parent / "dict.txt").open(encoding="utf-8") as handle:
        for line in handle:
            word, frequency, tag = line.split()
            if HAN.match(word) and int(frequency) >= MIN_FREQUENCY and tag in GROUP_OF:
                words[word] = (int(frequency), tag)
    return words


def wordnet_words() -> dict[str, set[str]]:
    """The Chinese wordnets: word -> the classes (n, v, a, r) that it has a sense in."""
    senses: dict[str, set[str]] = {}
    for name in WORDNETS:
        with (data_folder("lexicons", name)).open(encoding="utf-8") as handle:
            for line in handle:
                columns = line.rstrip("\n").split("\t")
                word = columns[-1].replace("+", "")
                if len(columns) == 3 and columns[1].endswith("lemma") and HAN.match(word):
                    senses.setdefault(word, set()).add(columns[0][-1].replace("s", "a"))
    return senses


def write_word_list(path: Path) -> None:
    """The tokenizer's external dictionary: words of two to four characters, one a line."""
    words = {word for word in [*jieba_words(), *wordnet_words()] if len(word) > 1}
    path.write_text("\n".join(sorted(words)) + "\n", encoding="utf-8")


def write_vectors(path: Path) -> None:
    """Save the dictionary vectors as a Stanza ``Pretrain`` file (a vocabulary and a float32 matrix)."""
    import torch
    from stanza.models.common.pretrain import PretrainedWordVocab
    from stanza.models.common.vocab import VOCAB_PREFIX

    jieba, wordnet = jieba_words(), wordnet_words()
    words = sorted({*jieba, *wordnet}, key=lambda word: (-jieba.get(word, (0, ""))[0], word))
    features = np.stack([_features(jieba.get(word), wordnet.get(word)) for word in words])
    matrix = np.concatenate([np.zeros((len(VOCAB_PREFIX), features.shape[1])), features])
    state = PretrainedWordVocab(words, lang="zh-hans", idx=0)
    torch.save({"vocab": state.state_dict(), "emb": torch.tensor(matrix, dtype=torch.float32)}, path)


def _features(jieba: tuple[int, str] | None, senses: set[str] | None) -> np.ndarray:
    row = np.zeros(len(TAG_GROUPS) + len(WORDNET_CLASSES) + 1)
    if jieba is not None:
        frequency, tag = jieba
        row[GROUP_OF[tag]] = 1
        row[-1] = math.log10(frequency) / 4
    for letter in senses or ():
        row[len(TAG_GROUPS) + WORDNET_CLASSES.index(letter)] = 1
    return row
