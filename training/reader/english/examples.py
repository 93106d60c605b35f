"""English training pairs of the reader, from the data folder's open sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from sacremoses import MosesDetokenizer

from training.data.alignment_data import read_gold
from training.data.onestopenglish import human_pairs
from training.data.tables import table
from training.reader.example import (
    BOTH,
    CONTRADICTED,
    ENTAILED,
    JUDGED,
    NEUTRAL,
    NOT_ENTAILED,
    UNKNOWN,
    Example,
    judged,
)

PAWS_HELD_OUT = 1000
"""The pairs at the end of PAWS that train nothing."""
SHORTEST, LONGEST = 7, 42
"""Words of a sentence that is broken."""


def rows(*path: str) -> Iterator[dict[str, str]]:
    """The rows of a table of the entailment folder."""
    return table("entailment", *path)


def natural_language_inference() -> Iterator[Example]:
    """SNLI, MultiNLI, near-paraphrases of wiki text, counterfactual edits."""
    for row in rows("train", "nli.tsv.gz"):
        pair, captions = judged(row["premise"], row["hypothesis"], row["label"]), row["source"] == "snli"
        yield replace(pair, weight=0.8 if captions else 1.2, teaches=JUDGED if captions else BOTH)


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
        yield judged(detokenized(row["premise"]), detokenized(row["hypothesis"]), row["label"])


def monotonicity() -> Iterator[Example]:
    """MED, HELP and MoNLI: quantifiers, negation, hypernyms, *and* and *or*."""
    for name in ("med", "help_and_or", "monli"):
        for row in rows("train", f"{name}.tsv.gz"):
            label = {"entailment": ENTAILED, "contradiction": CONTRADICTED}.get(row["label"], NOT_ENTAILED)
            yield Example(detokenized(row["premise"]), detokenized(row["hypothesis"]), label, weight=0.8, teaches=BOTH)


def graded_similarity() -> Iterator[Example]:
    """STS: 5 the same, 4 unimportant details differ, 3 important ones."""
    for row in rows("train", "sts.tsv.gz"):
        yield judged(row["premise"], row["hypothesis"], row["label"], graded=True)


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


def sentences(rng: Random, many: int) -> list[str]:
    """Sentences of Wikipedia (FEVER's evidence), MultiNLI's prose, OneStopEnglish, few captions; in chance order."""
    texts = [detokenized(row["premise"]) for row in rows("train", "fever.tsv.gz") if row["genre"] == "wiki-1sent"]
    for row in rows("train", "nli.tsv.gz"):
        prose = row["source"] in ("mnli", "sanli") and row["genre"] != "telephone"
        if prose or (row["source"] == "snli" and rng.random() < 0.04):
            texts.append(row["premise"])
    texts += [source for source, _ in human_pairs()]
    usable = {
        text for text in texts
        if SHORTEST <= len(text.split()) <= LONGEST and text[:1].isupper() and text.rstrip()[-1:] in ".!?"
    }  # fmt: skip
    ordered = sorted(usable)
    rng.shuffle(ordered)
    return ordered[:many]


def human_rewordings(rng: Random) -> Iterator[Example]:
    """OneStopEnglish's pairs, wiki near-paraphrases and MultiNLI pairs that are entailed."""
    yield from (Example(source, good, ENTAILED, same=0.9) for source, good in human_pairs())
    for row in rows("train", "nli.tsv.gz"):
        if row["label"] == "entailment" and len(row["hypothesis"].split()) >= 6:
            prose = row["source"] == "mnli" and row["genre"] != "telephone"
            if row["source"] == "sanli" or (prose and rng.random() < 0.35):
                yield Example(row["premise"], row["hypothesis"], ENTAILED)


_DETOKENIZER = MosesDetokenizer("en")
_MARKS: Mapping[str, str] = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"', "--": "–"}


def detokenized(text: str) -> str:
    """A text of separated tokens as people write it."""
    return str(_DETOKENIZER.detokenize([_MARKS.get(word, word) for word in text.split()]))
