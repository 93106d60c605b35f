"""Everything that the network learns from, set by set, in one table (:data:`SETS`)."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from sema_chinese.segmentation.segmenter import to_model_characters

from sema.datasets.folder import data_folder
from training.data.tables import table
from training.data.text import detokenized
from training.reader import made, stories, translations
from training.reader.example import (
    CONTRADICTED,
    ENTAILED,
    HAN,
    JUDGEMENTS,
    KEPT,
    MISSING,
    NEUTRAL,
    NOT_ENTAILED,
    UNKNOWN,
    WRONG,
    Example,
    another_group,
    labelled,
)

OWN = Path(__file__).parent / "judged"
"""Judged pairs of the project, in the form of the public ones."""
PAWS_HELD_OUT = {"en": 1000, "zh": 300}
"""How many pairs at the end of PAWS are held out."""
WHOLE = 0.7
"""From this recall (precision) on, by the ratings of the hand that marked the words, unmarked words count as kept
(supported); below it, marks are not exhaustive."""
PARTS = ("meaning", "recall", "precision")
_KANA_HANGUL = re.compile("[\u3040-\u30ff\uac00-\ud7af]")


ALIGNED = re.compile(r"en_(onestop|swipe|systems|read)|zh_(systems|read)")
"""The files of judged pairs whose outputs come from aligned corpora and systems. What is lost decides their ratings,
and close outputs are better."""
NATURAL = re.compile(r"en_(passages_1|natural_[1789])|zh_natural_[156]|multi_natural_[14]")
"""The files whose outputs are written as many hands would write them."""
TURNED = re.compile(r"_(turned|graded|short)_|en_passages_4")
"""The files whose faithful and wrong outputs are worded alike and differ in one fact."""
WIDE = re.compile(r"en_natural_5|en_passages_2|zh_natural_4|zh_passages_2|multi_natural_[23]")
"""The files with outputs of all kinds for very many sources."""
NEAR = re.compile(r"en_natural_[23]|en_passages|zh_natural_2|zh_passages")
"""The files with faithful and subtly wrong outputs by one hand; the rest have converses, limits, near copies."""
FAMILIES: Mapping[str, re.Pattern[str]] = {
    "aligned": ALIGNED, "natural": NATURAL, "turned": TURNED, "wide": WIDE, "near": NEAR, "contrast": re.compile("")
}  # fmt: skip
"""The families; a file belongs to the first whose pattern occurs in its name."""
GRADED: Mapping[str, float] = {"turned": 0.25, "contrast": 0.25}
"""How much the scores themselves count in families that are read for the order within a source."""


def plain(text: str) -> str:
    """A text as the network reads it: Chinese in simplified characters."""
    return to_model_characters(text) if HAN.search(text) and not _KANA_HANGUL.search(text) else text


def normal(text: str) -> str:
    """A text's letters and digits in one case, to compare sources with those that must not be trained on."""
    return re.sub(r"\W+", "", unicodedata.normalize("NFKC", plain(text)).casefold())


def judged_files() -> list[Path]:
    """The files of judged pairs, the public ones and the project's."""
    return sorted([*data_folder("judged").glob("*.jsonl"), *OWN.glob("*.jsonl")])


def judged(files: Sequence[Path] | None = None) -> Iterator[Example]:
    """Pairs that a careful reader rated. Their kind is the family of their file; a source's pairs in it are a group."""
    for file in judged_files() if files is None else files:
        kind = next(name for name, pattern in FAMILIES.items() if pattern.search(file.stem))
        groups: dict[str, int] = defaultdict(another_group)
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            one = _judged(row)
            yield replace(
                one, kind=kind, group=groups[one.source], hand=row.get("hand", file.stem), graded=GRADED.get(kind, 1.0)
            )


def _judged(row: Mapping[str, Any]) -> Example:
    source, output = plain(row["source"]), plain(row["output"])
    meaning, recall, precision = (row[name] / 100 for name in PARTS)
    wrong = [tuple(map(plain, pair)) for pair in row["wrong"]]
    by_writer = row.get("first", row)
    source_whole, output_whole = (by_writer[name] / 100 >= WHOLE for name in PARTS[1:])
    return Example(
        "judged", source, output, meaning, recall, precision,
        source_labels=labelled(
            source, map(plain, row["lost"]), [a for a, _ in wrong], KEPT if source_whole else UNKNOWN
        ) if recall > 0.2 else (),
        output_labels=labelled(
            output, map(plain, row["added"]), [b for _, b in wrong], KEPT if output_whole else UNKNOWN
        ) if precision > 0.2 else (),
    )  # fmt: skip


def _entailment(*path: str) -> Iterator[dict[str, str]]:
    return table("entailment", *path)


def _judgement(kind: str, row: Mapping[str, str], weight: float = 1.0) -> Example:
    given = JUDGEMENTS.get(row["label"], NOT_ENTAILED)
    turned = CONTRADICTED if given == CONTRADICTED else UNKNOWN
    premise, hypothesis = plain(row["premise"]), plain(row["hypothesis"])
    return Example(kind, premise, hypothesis, output_entailed=given, source_entailed=turned, weight=weight)


def nli(rng: Random) -> Iterator[Example]:
    """SNLI, MultiNLI, near-paraphrases of wiki text, counterfactual edits; few captions."""
    for row in _entailment("train", "nli.tsv.gz"):
        captions = row["source"] == "snli"
        if rng.random() < (0.12 if captions else 0.6):
            pair = _judgement("nli", row, 0.7 if captions else 1.0)
            yield pair if rng.random() < 0.8 else pair.turned()


def fever(rng: Random) -> Iterator[Example]:
    """Claims that Wikipedia refutes, and as many that it supports; half of the negated refuted ones are left out."""
    negated = {"not", "n't", "never", "only", "no", "incapable", "unable", "yet"}
    for row in _entailment("train", "fever.tsv.gz"):
        evidence, refuted = detokenized(row["premise"]), row["label"] != "entailment"
        if len(evidence.split()) > 70 or (refuted and negated & set(row["hypothesis"].split()) and rng.random() < 0.5):
            continue
        if refuted or rng.random() < 0.25:
            yield Example("fever", evidence, row["hypothesis"], output_entailed=CONTRADICTED if refuted else ENTAILED)


def paws(rng: Random) -> Iterator[Example]:
    """The same words in another order, in English and Chinese; the last pairs are held out."""
    for lang, path in (("en", ("train", "paws.tsv.gz")), ("zh", ("zh", "train", "paws.tsv.gz"))):
        for row in list(_entailment(*path))[: -PAWS_HELD_OUT[lang]]:
            source, output = (detokenized(row[x]) if lang == "en" else plain(row[x]) for x in ("premise", "hypothesis"))
            same = row["label"] == "1"
            score, label = (0.96, ENTAILED) if same else (0.3, NOT_ENTAILED)
            known = (labelled(source), labelled(output)) if same else ((), ())
            yield Example("paws", source, output, score, UNKNOWN, UNKNOWN, label, label, UNKNOWN, *known)


def similar(rng: Random) -> Iterator[Example]:
    """STS in four languages: 5 the same, 4 unimportant details differ, 3 important ones."""
    for path in (("train", "sts.tsv.gz"), ("zh", "train", "sts.tsv.gz"), ("other", "ja_sts_train.tsv.gz"),
                 ("other", "ko_sts_train.tsv.gz")):  # fmt: skip
        for row in _entailment(*path):
            yield Example("sts", plain(row["premise"]), plain(row["hypothesis"]), similar=float(row["label"]) / 5)


def monotone(rng: Random) -> Iterator[Example]:
    """MED, HELP and MoNLI: quantifiers, negation, hypernyms, *and* and *or*."""
    for name in ("med", "help_and_or", "monli"):
        for row in _entailment("train", f"{name}.tsv.gz"):
            given = dict(row, premise=detokenized(row["premise"]), hypothesis=detokenized(row["hypothesis"]))
            yield replace(_judgement("monotone", given), source_entailed=UNKNOWN)


def other_nli(rng: Random) -> Iterator[Example]:
    """Entailment in Chinese and Persian."""
    for path in (
        ("zh", "train", "snli.tsv.gz"),
        ("zh", "train", "snli_2.tsv.gz"),
        ("other", "fa_farstail_train.tsv.gz"),
    ):
        letters = {"e": "entailment", "n": "neutral", "c": "contradiction"}
        for row in _entailment(*path):
            yield _judgement("nli other", dict(row, label=letters.get(row["label"], row["label"])), 0.8)


def revisions(rng: Random) -> Iterator[Example]:
    """IteraTeR: people's revisions of form keep the meaning."""
    for row in _entailment("train", "iterater.tsv.gz"):
        kept = row["label"] in ("clarity", "fluency", "coherence", "style")
        if row["label"] in ("fluency", "style"):
            yield Example("revision", row["premise"], row["hypothesis"], 0.97, 0.97, 0.97, ENTAILED, ENTAILED)
        elif kept or row["label"] == "meaning-changed":
            yield Example("revision", row["premise"], row["hypothesis"], 0.9 if kept else 0.6, graded=0.0)


def unsupported(rng: Random) -> Iterator[Example]:
    """WiCE: claims whose unsupported words were marked by hand."""
    for row in _entailment("train", "wice_unsupported_words.tsv.gz"):
        marked = [word.strip() for word in row["unsupported_tokens"].split("|")]
        claim = row["hypothesis"]
        yield Example("wice", " ".join(row["premise"].split()[:120]), claim, output_entailed=NOT_ENTAILED,
                      output_labels=labelled(claim, marked), weight=2.0)  # fmt: skip


_HARMLESS = {
    "minor_id30_tokenized", "minor_id31_full_lower", "minor_id32_first_lower", "minor_id29_punc_addition",
    "minor_id28_final_punc_removed", "minor_id15_case",
}  # fmt: skip
_LOSES = re.compile("id5_|id2[1245]_|id23_|id12_")
_CHANGES = re.compile("id9_|id8_|id7_|id10_|id11_")


def controlled(rng: Random) -> Iterator[Example]:
    """DEMETR's rows of FLORES: one controlled error in a translation, beside the translation without it."""
    seen: dict[str, int] = {}
    for row in table("entailment", "other", "demetr.tsv.gz"):
        if row["origin"] != "FLORES" or row["kind"].startswith("base"):
            continue
        source, output, kind = row["mt"], row["perturbed"], row["kind"]
        if kind in _HARMLESS:
            if rng.random() < 0.3:
                same = labelled(source), labelled(output)
                yield Example("demetr", source, output, 0.98, 0.98, 0.98, ENTAILED, ENTAILED, UNKNOWN, *same)
            continue
        first, second = stories.differing(source, output)
        if _LOSES.search(kind):
            yield Example("demetr", source, output, source_labels=first, output_labels=labelled(output),
                          output_entailed=UNKNOWN, source_entailed=NEUTRAL)  # fmt: skip
        elif _CHANGES.search(kind):
            old, new = (tuple(WRONG if x == MISSING else x for x in labels) for labels in (first, second))
            yield Example(
                "demetr", source, output, 0.45, output_entailed=NOT_ENTAILED, source_entailed=NOT_ENTAILED,
                source_labels=old, output_labels=new, group=seen.setdefault(source, another_group()), graded=0.0,
            )  # fmt: skip
            yield Example("demetr", source, source, 1.0, 1.0, 1.0, group=seen[source], graded=0.0, weight=0.2)


SETS: Mapping[str, Callable[[Random], Iterable[Example]]] = {
    "judged": lambda rng: judged(), "stories": stories.all_stories, "nli": nli, "nli other": other_nli, "fever": fever,
    "paws": paws, "sts": similar, "monotone": monotone, "revision": revisions, "wice": unsupported,
    "demetr": controlled, "translations": translations.all_translations,
}  # fmt: skip
"""What the network is trained on: judged pairs above all, so that its scores fit what people rate."""
_MADE = {"copy": 0.5, "unrelated": 0.5, "exchanged": 0.1, "sentence more": 0.5, "sentence less": 0.5}
_LESSONS = {"nli": 0.08, "nli other": 0.04, "fever": 0.1, "monotone": 0.08, "sts": 0.06, "revision": 0.05, "wice": 0.5,
            "translations": 0.005}  # fmt: skip
_EVERY = {
    "natural": 1.3, "aligned": 1.3, "wide": 1.0, "near": 0.5, "contrast": 0.5, "turned": 0.9, "reworded": 0.6,
    "alone": 0.3, "paws": 0.4, "stories": 0.2, "demetr": 0.2, **_MADE, **_LESSONS,
}  # fmt: skip
_FEWER = {**_EVERY, "contrast": 0.4, "turned": 0.5, "reworded": 0.3, "alone": 0.15}
MIXES: Mapping[str, Mapping[str, float]] = {
    "real": {**_EVERY, "natural": 1.5, "aligned": 1.5, "contrast": 0.2, "turned": 0.0, "reworded": 0.0, "alone": 0.0,
             "paws": 0.1, "stories": 0.05, "demetr": 0.1},
    "every": _EVERY,
    "fewer": {**_FEWER, "aligned": 1.5, "paws": 1.0},
    "last": {**_FEWER, "natural": 1.5, "aligned": 2.0, "turned": 0.4, "paws": 1.2},
}  # fmt: skip
"""How often pairs of a kind are read in one pass over the mix of a stage: judged pairs by family (:data:`FAMILIES`),
pairs made of them (:mod:`training.reader.made`), and the other sets. First come outputs as simplifiers make them, then
everything, then fewer contrasts, since those make the network suspect errors where there are none."""


def kept_aside() -> set[str]:
    """The normalised texts (:func:`normal`) of probes, rating sets and benchmarks: none may be trained on."""
    found: set[str] = set()
    for part in ("probes", "ratings", "tsar2025", "simplification", "entailment/dev"):
        for file in sorted(data_folder(*part.split("/")).rglob("*")):
            if file.is_file() and not re.search(r"onestopenglish|wikisplit|questeval|README|\.(xls|py|md)$", str(file)):
                found.update(_texts(file))
    return {text for text in found if len(text) > 12}


def _texts(file: Path) -> Iterator[str]:
    import gzip

    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "rt", encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if file.suffix == ".jsonl":
                yield from (normal(text) for text in _strings(json.loads(line)))
            else:
                yield from (normal(cell) for cell in re.split(r'\t|","|",|,"|": "', line))


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


def everything(seed: int = 4) -> tuple[list[Example], dict[str, tuple[int, int]]]:
    """All examples, and for each set how many are used and how many were left out because they are kept aside."""
    rng, aside = Random(seed), kept_aside()
    found: list[Example] = []
    counts: dict[str, tuple[int, int]] = {}
    for name, one in SETS.items():
        read = list(one(rng))
        usable = [pair for pair in read if normal(pair.source) not in aside]
        counts[name] = len(usable), len(read) - len(usable)
        found += usable
        if name == "judged":
            for make in (made.changed, made.reworded, made.alone):
                more = list(make(usable, rng))
                counts[make.__name__] = len(more), 0
                found += more
    return found, counts
