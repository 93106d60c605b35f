"""The English sentence splitter and tokenizer.

    python -m benchmarks.sema_english.segmentation [--part dev]

Texts: the paragraphs of UD English EWT, the half of WikiSplit validation that the classifier was not trained on, and
HSplit; as written, tokenized, and in lower case.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from sema_english.segmentation import EnglishSegmenter
from sema_english.segmentation.tokenizer import tokenize

from benchmarks.overlap import overlap
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import simplification
from sema.datasets.folder import data_folder
from training.english.boundaries import ud_documents

Item = tuple[str, frozenset[int] | int]
"""A text, and its gold: where sentences end inside it (in characters other than white space), or only their number."""


def _ud(part: str) -> Path:
    return data_folder("ud", "en_ewt", f"en_ewt-ud-{part}.conllu")


def _ends(sentences: Iterable[str]) -> frozenset[int]:
    """Where sentences end inside their text, counted in characters other than white space."""
    ends: list[int] = []
    for sentence in sentences:
        if size := len("".join(sentence.split())):
            ends.append((ends[-1] if ends else 0) + size)
    return frozenset(ends[:-1])


def _spelt(sentences: list[str], spell: Callable[[str], str] = str) -> Item:
    sentences = list(map(spell, sentences))
    return "".join(sentences).strip(), _ends(sentences)


def texts(part: str) -> dict[str, list[Item]]:
    """The test texts, by name."""
    documents = list(ud_documents(_ud(part)))
    written = [[text for text, _ in document] for document in documents]
    cut = [[" ".join(words) + " " for _, words in document] for document in documents]
    sets: dict[str, list[Item]] = {
        f"EWT {part}": [_spelt(sentences) for sentences in written],
        f"EWT {part}, lower case": [_spelt(sentences, str.lower) for sentences in written],
        f"EWT {part}, tokenized": [_spelt(sentences) for sentences in cut],
        f"EWT {part}, tokenized, lower case": [_spelt(sentences, str.lower) for sentences in cut],
    }
    half = slice(2500, None) if part == "test" else slice(2500)
    for name, gold in (("orig", 1), ("split", 2)):
        lines = simplification(f"wikisplit/wikisplit.valid.untok.{name}")[half]
        items = [(line.strip(), gold) for line in lines if "<::::>" not in line]
        tokens = [" ".join(token.text for token in tokenize(line)) for line, _ in items]
        sets[f"WikiSplit {name}"] = list(items)
        sets[f"WikiSplit {name}, lower case"] = [(line.lower(), gold) for line, _ in items]
        sets[f"WikiSplit {name}, tokenized, lower case"] = [(line.lower(), gold) for line in tokens]
    hsplit = [line.strip() for number in range(1, 5) for line in simplification(f"hsplit/hsplit.tok.{number}")]
    # A stand-alone sign ends a sentence, except in "p ." and "c ."; so does a full stop directly before a capital.
    alone = r"(?<=\s[.!?])(?<!\s[pc]\s\.)(?=\s)(?!\s*(?:&quot;|[”\"')])\s*$)"
    gold_end = re.compile(alone + r"|(?<=[a-z]{3}\.)(?=[A-Z][a-z])")
    gold_ends = [_ends(gold_end.split(line)) for line in hsplit]
    sets["HSplit"] = list(zip(hsplit, gold_ends, strict=True))
    sets["HSplit, detokenized"] = [(detokenize(line), ends) for line, ends in sets["HSplit"]]
    return sets


def detokenize(line: str) -> str:
    """Restore the spacing of signs and capitals at the start of sentences; the number of characters stays the same."""
    line = re.sub(r" (?=[.,;:!?)\]%]|&apos;[a-z]|n't|'s)|(?<=[(\[$]) ", "", line)
    line = re.sub(r'(^| )(&quot;|") ([^"&]*?) \2', r"\1\2\3\2", line)
    return re.sub(r"(^|[.!?] )(\W*)([a-z])", lambda match: match[1] + match[2] + match[3].upper(), line)


def sentence_table(tests: Mapping[str, list[Item]]) -> None:
    """Print P, R and F1 of boundaries, and the share of texts with the right number of sentences."""
    digits = {"P": 1, "R": 1, "F1": 1, "right number of sentences, %": 1, "texts/s": 0}
    nothing: dict[str, float | None] = dict.fromkeys(("P", "R", "F1"))
    table = Figures("segmentation.sentences", "texts", digits=digits)
    segmenter = EnglishSegmenter()
    for name, items in tests.items():
        start = time.perf_counter()
        cut = [segmenter.segment([text])[0] for text, _ in items]
        seconds = time.perf_counter() - start
        found = [
            _ends(text[one.tokens[first].start : one.tokens[last - 1].end] for first, last in one.sentences)
            for (text, _), one in zip(items, cut, strict=True)
        ]
        numbers = [gold if isinstance(gold, int) else len(gold) + 1 for _, gold in items]
        right = sum(len(ends) + 1 == number for ends, number in zip(found, numbers, strict=True))
        marked = [gold for _, gold in items if not isinstance(gold, int)]
        boundaries = overlap(found, marked).prf(whole=100) if marked else nothing
        rest = {"right number of sentences, %": 100 * right / len(items), "texts/s": len(items) / seconds}
        table.row(name, {**boundaries, **rest}, n=len(items), data=name)


def token_table(part: str, most: int | None) -> None:
    """Print token F1 against EWT's gold tokens (character offsets) and the speed."""
    documents = list(ud_documents(_ud(part)))[:most]
    written = ["".join(text for text, _ in document) for document in documents]
    start = time.perf_counter()
    results = [tokenize(text) for text in written]
    seconds = time.perf_counter() - start
    gold: list[list[tuple[int, int]]] = []
    for text, document in zip(written, documents, strict=True):
        position, spans = 0, []
        for word in (word for _, words in document for word in words):
            position = text.index(word[0], position)
            spans.append((position, position + len(word)))
            position += len(word)
        gold.append(spans)
    found = overlap([[(token.start, token.end) for token in tokens] for tokens in results], gold)
    digits = {"P": 2, "R": 2, "F1": 2, "tokens/s": 0}
    table = Figures("segmentation.tokens", "tokenizer", digits=digits, data=f"UD English EWT {part}")
    table.row("ours", found.prf(whole=100) | {"tokens/s": found.predicted / seconds}, n=len(documents))


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--part", choices=("dev", "test"), default="test", help="EWT's part and WikiSplit's half")
    arguments = parser.parse(argv)
    most = 5 if arguments.smoke else None
    token_table(arguments.part, most)
    print()
    sentence_table({name: items[:most] for name, items in texts(arguments.part).items()})


if __name__ == "__main__":
    run(main)
