"""Sentence splitters and the tokenizer: ``python -m benchmarks.sema_english.segmentation``.

Splitters: NLTK's Punkt (trained here), pysbd, sentencex and syntok if they are installed, and ours. Texts: the
paragraphs of UD English EWT, the half of WikiSplit validation that the classifier was not trained on, and HSplit; as
written, tokenized, and in lower case.
"""

from __future__ import annotations

import importlib.util
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from sema_english.segmentation import EnglishSegmenter
from sema_english.segmentation.tokenizer import tokenize

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import simplification
from sema.datasets.folder import data_folder
from training.english.boundaries import ud_documents

Splitter = Callable[[str], Iterable[str]]
Item = tuple[str, frozenset[int] | int]
"""A text, and its gold: where sentences end inside it (in characters other than white space), or only their number."""


def punkt() -> Splitter:
    """NLTK's Punkt, trained on raw text: EWT train, OneStopEnglish, the originals of TurkCorpus tune and WikiSplit."""
    from nltk.tokenize.punkt import PunktSentenceTokenizer, PunktTrainer

    texts = [
        "\n\n".join("".join(text for text, _ in document) for document in ud_documents(_ud("train"))),
        "\n".join(simplification("turkcorpus/tune.truecase.detok.orig")),
        "\n".join(simplification("wikisplit/wikisplit.valid.untok.orig")),
    ]
    folder = data_folder("simplification", "onestopenglish", "Texts-SeparatedByReadingLevel")
    texts += [file.read_text(encoding="utf-8-sig", errors="replace") for file in sorted(folder.glob("*/*.txt"))]
    trainer = PunktTrainer()
    trainer.INCLUDE_ALL_COLLOCS = True
    for text in texts:
        trainer.train(text, finalize=False)
    trainer.finalize_training()
    trained: Splitter = PunktSentenceTokenizer(trainer.get_params()).tokenize
    return trained


def splitters(*, trained: bool = True) -> dict[str, Splitter]:
    """The splitters to compare; Punkt, which takes a minute to train, only on request."""
    by_name: dict[str, Splitter] = {"naive: [.!?] and space": lambda text: re.split(r"(?<=[.!?])\s+", text)}
    if trained:
        by_name["NLTK Punkt, trained here"] = punkt()
    if importlib.util.find_spec("pysbd"):
        import pysbd

        by_name["pysbd"] = pysbd.Segmenter(language="en", clean=False).segment
    if importlib.util.find_spec("sentencex"):
        import sentencex

        by_name["sentencex"] = lambda text: sentencex.segment("en", text)
    if importlib.util.find_spec("syntok"):
        import syntok.segmenter

        by_name["syntok"] = lambda text: [
            "".join(token.spacing + token.value for token in sentence)
            for paragraph in syntok.segmenter.analyze(text)
            for sentence in paragraph
        ]
    segmenter = EnglishSegmenter()

    def ours(text: str) -> list[str]:
        result = segmenter.segment([text])[0]
        return [text[result.tokens[a].start : result.tokens[b - 1].end] for a, b in result.sentences]

    by_name["ours"] = ours
    return by_name


def _ud(part: str) -> Path:
    return data_folder("ud", "en_ewt", f"en_ewt-ud-{part}.conllu")


def _ends(sentences: Iterable[str]) -> frozenset[int]:
    """Where sentences end inside their text, counted in characters other than white space."""
    ends: list[int] = []
    position = 0
    for sentence in sentences:
        size = len("".join(sentence.split()))
        if size:
            position += size
            ends.append(position)
    return frozenset(ends[:-1])


def _spelt(sentences: list[str], lower: bool) -> Item:
    sentences = [text.lower() if lower else text for text in sentences]
    return "".join(sentences).strip(), _ends(sentences)


def texts(part: str) -> dict[str, list[Item]]:
    """The test texts, by name."""
    documents = list(ud_documents(_ud(part)))
    written = [[text for text, _ in document] for document in documents]
    tokenized = [[" ".join(words) + " " for _, words in document] for document in documents]
    sets = {
        f"EWT {part}": [_spelt(sentences, False) for sentences in written],
        f"EWT {part}, lower case": [_spelt(sentences, True) for sentences in written],
        f"EWT {part}, tokenized": [_spelt(sentences, False) for sentences in tokenized],
        f"EWT {part}, tokenized, lower case": [_spelt(sentences, True) for sentences in tokenized],
    }
    half = slice(2500, None) if part == "test" else slice(2500)
    for name, gold in (("orig", 1), ("split", 2)):
        lines = simplification(f"wikisplit/wikisplit.valid.untok.{name}")[half]
        lines = [line for line in lines if "<::::>" not in line]
        sets[f"WikiSplit {name}"] = [(line.strip(), gold) for line in lines]
        sets[f"WikiSplit {name}, lower case"] = [(line.strip().lower(), gold) for line in lines]
        sets[f"WikiSplit {name}, tokenized, lower case"] = [
            (" ".join(token.text for token in tokenize(line)).lower(), gold) for line in lines
        ]
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


def sentence_table(tests: Mapping[str, list[Item]], known: Mapping[str, Splitter]) -> None:
    """Print P, R and F1 of boundaries, and the share of texts with the right number of sentences."""
    digits = {"P": 1, "R": 1, "F1": 1, "right number of sentences, %": 1, "texts/s": 0}
    for name, items in tests.items():
        print(f"\n**{name}** ({len(items)} texts)\n")
        table = Figures(f"segmentation.{name}", "splitter", digits=digits, data=name)
        for splitter_name, splitter in known.items():
            right = hits = gold_count = found_count = 0
            marked = isinstance(items[0][1], frozenset)
            start = time.perf_counter()
            results = [_ends(splitter(text)) for text, _ in items]
            seconds = time.perf_counter() - start
            for (_, gold), ends in zip(items, results, strict=True):
                if isinstance(gold, int):
                    right += len(ends) + 1 == gold
                else:
                    right += len(ends) == len(gold)
                    hits += len(ends & gold)
                    gold_count += len(gold)
                    found_count += len(ends)
            shares = (
                hits / max(found_count, 1),
                hits / max(gold_count, 1),
                2 * hits / max(found_count + gold_count, 1),
            )
            boundaries = [100 * share if marked else None for share in shares]
            figures = [*boundaries, 100 * right / len(items), len(items) / seconds]
            table.row(splitter_name, dict(zip(digits, figures, strict=True)), n=len(items))


def token_table(part: str, most: int | None) -> None:
    """Print token F1 against EWT's gold tokens (character offsets) and the speed."""
    hits = gold_count = found_count = 0
    documents = list(ud_documents(_ud(part)))[:most]
    written = ["".join(text for text, _ in document) for document in documents]
    start = time.perf_counter()
    results = [tokenize(text) for text in written]
    seconds = time.perf_counter() - start
    for text, tokens, document in zip(written, results, documents, strict=True):
        gold: set[tuple[int, int]] = set()
        position = 0
        for _, words in document:
            for word in words:
                position = text.index(word[0], position)
                gold.add((position, position + len(word)))
                position += len(word)
        spans = {(token.start, token.end) for token in tokens}
        hits += len(gold & spans)
        gold_count += len(gold)
        found_count += len(spans)
    digits = {"P": 2, "R": 2, "F1": 2, "tokens/s": 0}
    shares = (hits / found_count, hits / gold_count, 2 * hits / (found_count + gold_count))
    figures = [*(100 * share for share in shares), found_count / seconds]
    table = Figures("segmentation.tokens", "tokenizer", digits=digits, data=f"UD English EWT {part}")
    table.row("ours", dict(zip(digits, figures, strict=True)), n=len(documents))


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = CommandLine(__doc__)
    parser.add_argument("--part", choices=("dev", "test"), default="test", help="EWT's part and WikiSplit's half")
    arguments = parser.parse(argv)
    most = 5 if arguments.smoke else None
    token_table(arguments.part, most)
    known = splitters(trained=not arguments.smoke)
    sentence_table({name: items[:most] for name, items in texts(arguments.part).items()}, known)


if __name__ == "__main__":
    run(main)
