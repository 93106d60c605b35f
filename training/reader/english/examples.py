"""English training pairs of the reader, from the data folder's open sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

from sacremoses import MosesDetokenizer

from training.data.alignment_data import read_gold
from training.data.tables import table
from training.reader.example import (
    BOTH,
    CONTRADICTED,
    ENTAILED,
    JUDGED,
    JUDGEMENTS,
    NEUTRAL,
    NOT_ENTAILED,
    UNKNOWN,
    Example,
)

_TURNED = {ENTAILED: UNKNOWN, NEUTRAL: UNKNOWN, CONTRADICTED: CONTRADICTED}
"""The label of the other direction where only one was judged: contradiction is symmetric."""
PAWS_HELD_OUT = 1000
"""The pairs at the end of PAWS that train nothing."""


def rows(*path: str) -> Iterator[dict[str, str]]:
    """The rows of a table of the entailment folder."""
    return table("entailment", *path)


def natural_language_inference() -> Iterator[Example]:
    """SNLI, MultiNLI, near-paraphrases of wiki text, counterfactual edits."""
    for row in rows("train", "nli.tsv.gz"):
        label = JUDGEMENTS[row["label"]]
        captions = row["source"] == "snli"
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
    """The same words in another order; the last pairs are left out."""
    for row in list(rows("train", "paws.tsv.gz"))[:-PAWS_HELD_OUT]:
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
    for name in ("mtref", "wiki"):
        for pair in read_gold(f"{name}-train"):
            kept, supported = {a for a, _ in pair.links}, {b for _, b in pair.links}
            if len(kept) < 0.4 * len(pair.source) or len(pair.source) + len(pair.output) > 110:
                continue
            yield Example(
                " ".join(pair.source), " ".join(pair.output), same=0.9 if name == "mtref" else -1.0, weight=0.5,
                source_words=tuple(int(i in kept) if w.isalnum() else -1 for i, w in enumerate(pair.source)),
                output_words=tuple(int(i in supported) if w.isalnum() else -1 for i, w in enumerate(pair.output)),
            )  # fmt: skip


_DETOKENIZER = MosesDetokenizer("en")
_MARKS: Mapping[str, str] = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"', "--": "–"}


def detokenized(text: str) -> str:
    """A text of separated tokens as people write it."""
    return str(_DETOKENIZER.detokenize([_MARKS.get(word, word) for word in text.split()]))
