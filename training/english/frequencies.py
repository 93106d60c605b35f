"""Build the shipped word frequencies and n-gram models.

``python -m training.english.frequencies words --cmudict FILE`` needs the package ``wordfreq``;
``python -m training.english.frequencies ngrams`` reads texts whose licence allows weights to be
shipped (``tables/CARD.md`` names them), and nothing that a benchmark reports on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from sema_english.words import TABLES
from sema_ucca.ucca_xml import read_passage
from sema_ud.conllu import read_sentences

from sema.datasets.folder import data_folder
from training.command import command_line
from training.data.tables import read_lines
from training.english.ngrams import train

LEAST_ZIPF = 2.3
CHINESE_TABLES = TABLES.parents[1] / "sema_chinese" / "tables"
WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*", re.UNICODE)


def build_words(language: str, syllables: dict[str, int], folder: Path) -> Path:
    """Write the frequency table of a language from wordfreq's large list into a folder."""
    from wordfreq import get_frequency_dict

    frequencies = get_frequency_dict(language, wordlist="large")
    listed = [
        (word, zipf)
        for word, frequency in frequencies.items()
        if (zipf := np.log10(frequency * 1e9)) >= LEAST_ZIPF and WORD.fullmatch(word)
    ]
    words = [word for word, _ in listed]
    path = folder / "words.npz"
    np.savez_compressed(
        path,
        words=np.frombuffer("\n".join(words).encode(), np.uint8),
        zipf=np.array([round(zipf * 25) for _, zipf in listed], np.uint8),
        syllables=np.array([syllables.get(word, 0) for word in words], np.uint8),
    )
    return path


def read_syllables(path: Path) -> dict[str, int]:
    """The syllables of each word of the CMU dictionary, by its first pronunciation."""
    syllables: dict[str, int] = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        word, _, *phones = line.split()
        syllables.setdefault(word.lower(), sum(phone[-1].isdigit() for phone in phones))
    return syllables


def original_texts() -> Iterator[str]:
    """Ordinary texts: Wikipedia passages and sentences, web text."""
    for path in sorted(data_folder("ucca", "english-wiki", "xml").glob("*.xml")):
        yield " ".join(read_passage(path).tokens)
    yield from _whole("wikisplit", "wikisplit.valid.untok.orig")
    yield from _ewt()


def simple_texts() -> Iterator[str]:
    """Simpler texts: shorter sentences of the same sources, and Simple English Wikipedia."""
    yield from _whole("wikisplit", "wikisplit.valid.untok.split")
    yield from (text for text in _ewt() if len(text.split()) <= 14)
    yield from _whole("pwkp", "pwkp.valid.simp")


def _whole(*parts: str) -> list[str]:
    return [line.replace("<::::>", " ") for line in read_lines("simplification", *parts)]


def _ewt() -> list[str]:
    return [sentence.text for sentence in read_sentences(data_folder("ud", "en_ewt", "en_ewt-ud-train.conllu"))]


def sentences(texts: Iterable[str]) -> Iterator[Sequence[str]]:
    """Tokenized sentences, by the language's own segmenter."""
    from sema.languages import find_language

    segmenter = find_language("en").parts().segmenter
    for text in segmenter.segment(list(dict.fromkeys(texts))):
        yield from text.sentence_words


def main() -> None:
    """Build the named tables."""
    parser = command_line(__doc__)
    parser.add_argument("what", choices=("words", "ngrams"))
    parser.add_argument("--cmudict", type=Path, help="the CMU pronouncing dictionary")
    arguments = parser.parse_args()
    if arguments.what == "words":
        written = [build_words("en", read_syllables(arguments.cmudict), TABLES), build_words("zh", {}, CHINESE_TABLES)]
    else:
        written = []
        for name, texts in (("original", original_texts), ("simple", simple_texts)):
            written.append(TABLES / f"{name}_ngrams.npz")
            np.savez_compressed(written[-1], **train(sentences(texts())))  # type: ignore[arg-type]
    for path in written:
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
