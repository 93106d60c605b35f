"""Training pairs of the reader: two texts with their labels, from the data folder's open sets."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from sacremoses import MosesDetokenizer

from sema.datasets.folder import data_folder

ENTAILED, NEUTRAL, CONTRADICTED, NOT_ENTAILED, UNKNOWN = 0, 1, 2, 3, -1
"""The labels of entailment; ``NOT_ENTAILED`` is neutral or contradicted."""

_LABELS = {"entailment": ENTAILED, "neutral": NEUTRAL, "contradiction": CONTRADICTED}
_TURNED = {ENTAILED: UNKNOWN, NEUTRAL: UNKNOWN, CONTRADICTED: CONTRADICTED}
"""The label of the other direction where only one was judged: contradiction is symmetric."""


VERSIONS, JUDGED, BOTH = 1, 2, 3
"""The head that learns a pair's entailment: of versions of one text, of separate sentences, or both."""


@dataclass(frozen=True)
class Example:
    """Two texts with their labels.

    Attributes:
        source: the first text.
        output: the second text.
        output_entailed: whether the source entails the output (:data:`ENTAILED` …).
        source_entailed: whether the output entails the source.
        same: how far both mean the same, in [0, 1], or -1.
        source_words: for each word between spaces 1 if the output keeps it, 0 if it is lost or changed, -1 if unknown.
        output_words: likewise for the output, whether the source supports it.
        group: pairs of one group are ranked by ``same``; 0 for none.
        weight: how much the pair counts.
        teaches: which head learns the entailment (:data:`VERSIONS` …).
        graded: how similar people find the texts, in [0, 1], or -1.
    """

    source: str
    output: str
    output_entailed: int = UNKNOWN
    source_entailed: int = UNKNOWN
    same: float = -1.0
    source_words: tuple[int, ...] = ()
    output_words: tuple[int, ...] = ()
    group: int = 0
    weight: float = 1.0
    teaches: int = VERSIONS
    graded: float = -1.0

    def turned(self) -> Example:
        """The same pair with the texts exchanged."""
        return replace(
            self,
            source=self.output,
            output=self.source,
            output_entailed=self.source_entailed,
            source_entailed=self.output_entailed,
            source_words=self.output_words,
            output_words=self.source_words,
        )


def rows(*path: str) -> Iterator[dict[str, str]]:
    """The rows of a gzipped table of the entailment folder."""
    file = data_folder("entailment").joinpath(*path)
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def natural_language_inference(rng: Random, share_of_captions: float, copies: int = 1) -> Iterator[Example]:
    """SNLI (a share of it), and so many copies of MultiNLI, near-paraphrases of wiki text, counterfactual edits."""
    for row in rows("train", "nli.tsv.gz"):
        label = _LABELS[row["label"]]
        if row["source"] == "snli" and rng.random() > share_of_captions:
            continue
        captions = row["source"] == "snli"
        for _ in range(1 if captions else copies):
            yield Example(
                row["premise"], row["hypothesis"], label, _TURNED[label],
                weight=0.8 if captions else 1.2, teaches=JUDGED if captions else BOTH,
            )  # fmt: skip


def fever(rng: Random, supported: int) -> Iterator[Example]:
    """Claims refuted by Wikipedia, so many that are supported, and claims beside other evidence."""
    refuted: list[tuple[str, str]] = []
    kept: list[tuple[str, str]] = []
    for row in rows("train", "fever.tsv.gz"):
        evidence = detokenized(row["premise"])
        if len(evidence.split()) > 70:
            continue
        (kept if row["label"] == "entailment" else refuted).append((evidence, row["hypothesis"]))
    # Most refuted claims have a negation word: half of those are left out, so that the word decides nothing.
    negated = ("not", "n't", "never", "only", "no", "incapable", "unable", "yet")
    refuted = [pair for pair in refuted if not _has(pair[1], negated) or rng.random() < 0.5]
    for evidence, claim in refuted:
        yield Example(evidence, claim, CONTRADICTED, CONTRADICTED, teaches=BOTH)
    for evidence, claim in rng.sample(kept, supported):
        yield Example(evidence, claim, ENTAILED, teaches=BOTH)
    claims = [row["claim"] for row in rows("train", "fever_claims_without_evidence.tsv.gz")]
    for claim in rng.sample(claims, 5000):
        yield Example(rng.choice(kept)[0], claim, NEUTRAL, NEUTRAL, teaches=BOTH)


def _has(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text.lower().split() for word in words)


def paws() -> Iterator[Example]:
    """The same words in another order; the last 1,000 pairs are left out."""
    for row in list(rows("train", "paws.tsv.gz"))[:-1000]:
        same = row["label"] == "1"
        label = ENTAILED if same else NOT_ENTAILED
        first, second = detokenized(row["premise"]), detokenized(row["hypothesis"])
        yield Example(first, second, label, label, 0.95 if same else 0.25, teaches=BOTH)


def monotonicity() -> Iterator[Example]:
    """MED, HELP and MoNLI: quantifiers, negation, hypernyms, *and* and *or*."""
    for name in ("med", "help_and_or", "monli"):
        for row in rows("train", f"{name}.tsv.gz"):
            label = {"entailment": ENTAILED, "contradiction": CONTRADICTED}.get(row["label"], NOT_ENTAILED)
            yield Example(detokenized(row["premise"]), detokenized(row["hypothesis"]), label, weight=0.8, teaches=BOTH)


def graded_similarity() -> Iterator[Example]:
    """STS: 5 the same, 4 unimportant details differ, 3 important ones."""
    for row in rows("train", "sts.tsv.gz"):
        score = float(row["label"]) / 5
        label = ENTAILED if score > 0.95 else NOT_ENTAILED if score <= 0.6 else UNKNOWN
        yield Example(row["premise"], row["hypothesis"], label, label, score, teaches=BOTH, graded=score)


def revisions() -> Iterator[Example]:
    """IteraTeR: revisions by people; those of form keep the meaning."""
    for row in rows("train", "iterater.tsv.gz"):
        kept = row["label"] in ("clarity", "fluency", "coherence", "style")
        if kept or row["label"] == "meaning-changed":
            label = ENTAILED if row["label"] in ("fluency", "style") else UNKNOWN
            yield Example(row["premise"], row["hypothesis"], label, label, 0.9 if kept else 0.35)


def unsupported_words() -> Iterator[Example]:
    """WiCE: claims whose unsupported words were marked by hand."""
    for row in rows("train", "wice_unsupported_words.tsv.gz"):
        marked = [word.strip() for word in row["unsupported_tokens"].split("|")]
        words = row["hypothesis"].split()
        flags = tuple(0 if word.strip(".,;:!?'\"()") in marked or word in marked else 1 for word in words)
        evidence = " ".join(row["premise"].split()[:120])
        yield Example(evidence, row["hypothesis"], NOT_ENTAILED, output_words=flags, weight=2.0)


def aligned_by_hand() -> Iterator[Example]:
    """MultiMWA's training parts: words without a link are lost or added."""
    for name, weight in (("mtref", 0.5), ("wiki", 0.5)):
        file = data_folder("alignment", f"{name}-train.tsv")
        for line in file.read_text(encoding="utf-8").splitlines():
            cells = line.split("\t")
            source, output = cells[1].split(), cells[3].split()
            pairs = [tuple(map(int, link.split("-"))) for link in cells[7].split()]
            kept, supported = {a for a, _ in pairs}, {b for _, b in pairs}
            if len(kept) < 0.4 * len(source) or len(source) + len(output) > 110:
                continue
            yield Example(
                cells[1], cells[3], same=0.9 if name == "mtref" else -1.0, weight=weight,
                source_words=tuple(int(i in kept) if w.isalnum() else -1 for i, w in enumerate(source)),
                output_words=tuple(int(i in supported) if w.isalnum() else -1 for i, w in enumerate(output)),
            )  # fmt: skip


_DETOKENIZER = MosesDetokenizer("en")
_MARKS: Mapping[str, str] = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"', "--": "–"}


def detokenized(text: str) -> str:
    """A text of separated tokens as people write it."""
    return str(_DETOKENIZER.detokenize([_MARKS.get(word, word) for word in text.split()]))
