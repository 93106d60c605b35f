"""The network before training: the English reader with the embeddings of Chinese words in place of English ones.

A Chinese word begins as the mean of the embeddings of its English translations, by their probability (Minixhofer,
Paischer and Rekabsaz, NAACL 2022, do so through words that lie near each other). The layers above stay as they are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sema_chinese.meaning.pieces import JOINED, SPECIAL
from sema_chinese.relations import spell
from sema_chinese.words import word_table

from training.reader.chinese.bilingual import Bitext, glosses
from training.reader.english.network import PairNetwork, base_folder, base_network

Vector = NDArray[np.float32]
PIECES = 18_000
CHARACTERS = 5_200
_MET = 3
"""The frequency in training texts from which a word's learned translations are used."""
_TELLING = 2
"""The ratio of a telling translation's probability to its overall probability."""
_MARKS: Mapping[str, str] = dict(
    zip("。，、；：？！“”（）《》—…％·‘’", (*'.,,;:?!""()""-', "...", "%", "-", "'", "'"), strict=True)
)


def english_reader(file: Path) -> PairNetwork:
    """The English reader in floats, from its graph in 8 bits."""
    import onnx
    from onnx import numpy_helper

    given = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(str(file)).graph.initializer}
    network = base_network()
    state = {name: value.clone() for name, value in network.state_dict().items()}

    def put(name: str, value: NDArray[Any]) -> None:
        state[name] = torch.tensor(np.asarray(value, np.float32))

    def product(name: str) -> NDArray[Any]:
        whole = f"/{name}/MatMul_output_0"
        return (given[f"{whole}.weight"].astype(np.float32) * given[f"{whole}.scale"]).T

    embeddings = "encoder.embeddings."
    put(f"{embeddings}word_embeddings.weight", given["encoder.table"].astype(np.float32) * given["encoder.scale"])
    places = state[f"{embeddings}position_embeddings.weight"]
    places[: len(given["encoder.place"])] = torch.tensor(given["encoder.place"].astype(np.float32))
    put(f"{embeddings}token_type_embeddings.weight", given["kind"])
    for end in ("weight", "bias"):
        put(f"{embeddings}LayerNorm.{end}", given[f"encoder.norm.{end}"])
        for name in ("joint", "pair"):
            put(f"{name}.{end}", given[f"{name}.{end}"])
    number = 0
    for layer in range(network.encoder.config.num_hidden_layers):
        to, here = f"encoder.encoder.layer.{layer}.", f"encoder.layers.{layer}."
        weights, biases = product(f"joint.{layer}"), given[f"encoder.joint.{layer}.bias"]
        three = zip(("query", "key", "value"), np.split(weights, 3), np.split(biases, 3), strict=True)
        for part, weight, bias in three:
            put(f"{to}attention.self.{part}.weight", weight)
            put(f"{to}attention.self.{part}.bias", bias)
        for part in ("attention.output.dense", "intermediate.dense", "output.dense"):
            put(f"{to}{part}.weight", product(f"dense_{number}" if number else "dense"))
            put(f"{to}{part}.bias", given[f"{here}{part}.bias"])
            number += 1
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            for end in ("weight", "bias"):
                put(f"{to}{part}.{end}", given[f"{here}{part}.{end}"])
    put("overlap.weight", given["overlap"])
    put("word.weight", product("word"))
    put("word.bias", given["word.bias"])
    network.load_state_dict(state)
    return network


def vocabulary(texts: Bitext, met: Counter[str]) -> list[str]:
    """The pieces: marks, Latin letters and figures, characters, then the commonest words that have a translation.

    ``met``: how often each word stands in the training texts.
    """
    zipf = {spell(word, numerals=False): word_table().zipf(word) for word in word_table()}
    characters: Counter[str] = Counter()
    for word, value in zipf.items():
        characters.update({char: int(10**value) for char in word if is_han(char)})
    for word, many in met.items():
        characters.update({char: 1000 * many for char in word if is_han(char)})
    words = {
        word: 3 * met[word] + 10 ** zipf.get(word, 0.0) / 30
        for word in {*met, *zipf, *glosses()}
        if 2 <= len(word) <= 6 and is_han(word) and (word in texts.words or word in glosses())
    }
    marks = [word for word in met if len(word) == 1 and not is_han(word)]
    common = [char for char, _ in characters.most_common(CHARACTERS)]
    found = dict.fromkeys((*SPECIAL, *marks, *_MARKS, *_latin(met), *common))
    found |= dict.fromkeys(sorted(words, key=lambda word: -words[word])[: PIECES - len(found)])
    return list(found)


def is_han(word: str) -> bool:
    """Whether a word is of Chinese characters."""
    return all("\u4e00" <= char <= "\u9fff" for char in word)


def _latin(met: Counter[str]) -> list[str]:
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    pieces: Counter[str] = Counter()
    for word, many in met.items():
        if word.isascii():
            pieces.update(dict.fromkeys(_english_pieces().encode(word, add_special_tokens=False).tokens, many))
    return [
        *letters, *(JOINED + char for char in letters), *map(str, range(10, 100)),
        *(f"{JOINED}{figure:02}" for figure in range(100)), *map(str, range(1990, 2027)),
        *(chr(code) for code in range(33, 127) if not chr(code).isalnum()),
        *(piece for piece, many in pieces.most_common() if many >= _MET),
    ]  # fmt: skip


@lru_cache(1)
def _english_pieces() -> Any:
    from tokenizers import Tokenizer

    found = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    found.no_truncation()
    found.no_padding()
    return found


def chinese_network(english: Path, pieces: Sequence[str], texts: Bitext, met: Counter[str]) -> PairNetwork:
    """The English reader of a graph with embeddings for Chinese pieces."""
    network = english_reader(english)
    table = network.encoder.embeddings.word_embeddings.weight.detach().numpy()
    chinese = torch.tensor(_Embeddings(table, texts, met).of(pieces))
    network.encoder.embeddings.word_embeddings = torch.nn.Embedding.from_pretrained(chinese, freeze=False)
    return network


class _Embeddings:
    """Chinese embeddings from English ones."""

    def __init__(self, table: Vector, texts: Bitext, met: Counter[str]) -> None:
        self._table, self._texts, self._met = table, texts, met
        self._ids: dict[str, int] = _english_pieces().get_vocab()
        self._all = sum(texts.english_counts.values())
        self._english = lru_cache(None)(self._mean_of_pieces)

    def of(self, pieces: Sequence[str]) -> Vector:
        """An embedding for each piece, (pieces, width); of a character without any the mean of its words'."""
        known = {piece: vector for piece in pieces if (vector := self._own(piece)) is not None}
        missing = set(pieces) - set(known)
        words = {word: vector for word in glosses() if missing & set(word) and (vector := self._own(word)) is not None}
        of_character: dict[str, list[Vector]] = defaultdict(list)
        for word, vector in words.items():
            for char in missing & set(word):
                of_character[char].append(vector)
        for char, vectors in of_character.items():
            size = float(np.mean([np.linalg.norm(vector) for vector in vectors]))
            known[char] = _sized(np.mean(vectors, 0), size)
        unknown = self._table[self._ids["[UNK]"]]
        return np.stack([known.get(piece, unknown) for piece in pieces])

    def _own(self, piece: str) -> Vector | None:
        if piece in _MARKS:
            return self._english(_MARKS[piece])
        if piece in SPECIAL or piece.isascii():
            return self._table[self._ids[piece]] if piece in self._ids else self._english(piece.removeprefix(JOINED))
        learned, listed = self._texts.words.get(piece), glosses().get(piece)
        rare = self._met[piece] < _MET
        found = dict(listed if listed is not None and (learned is None or rare) else learned or {})
        if len(piece) == 1 and (rare or not found):
            found = {word: chance / 2 for word, chance in self._texts.characters.get(piece, {}).items()} | found
        return self._mean(found)

    def _mean(self, translations: Mapping[str, float]) -> Vector | None:
        """The mean of telling translations' embeddings, as long as they are."""
        total, size, weight = np.zeros(self._table.shape[1], np.float32), 0.0, 0.0
        for word, chance in translations.items():
            vector = self._english(word.replace("_", " "))
            anywhere = self._texts.english_counts[word] / self._all
            if vector is not None and chance >= _TELLING * anywhere:
                total += chance * vector
                size += chance * float(np.linalg.norm(vector))
                weight += chance
        return _sized(total, size / weight) if weight else None

    def _mean_of_pieces(self, words: str) -> Vector | None:
        ids = _english_pieces().encode(words, add_special_tokens=False).ids
        return np.asarray(self._table[ids].mean(0)) if ids else None


def _sized(vector: Vector, size: float) -> Vector:
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-6) * size, np.float32)
