"""Training pairs made on purpose: near copies broken or reworded in places, and the same done to human rewordings.

Near copies must not give away the label, so sentences are reworded in up to three places and broken in one, in their
own words and in those of people who simplified them, and all versions of a source are ranked against each other.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random

from rapidfuzz.distance import LCSseq

from training.data.onestopenglish import human_pairs
from training.reader.english.breaks import ADDITIONS, BREAKS, LOSSES
from training.reader.english.edits import Pool, Sentence
from training.reader.english.examples import detokenized, rows
from training.reader.english.lexical import tag
from training.reader.english.rewordings import REWORDINGS
from training.reader.example import ENTAILED, NEUTRAL, NOT_ENTAILED, UNKNOWN, Example
from training.reader.perturbation import Edit, chosen, unchanged

SHORTEST, LONGEST = 7, 42
"""Words of a sentence that is edited."""
_SAME_AT_MOST = 0.85
"""The similarity of a text with hardly a word left out."""
_GROUPS = count(1)


def sentences(rng: Random, many: int) -> list[str]:
    """Sentences of Wikipedia (FEVER's evidence), MultiNLI's prose, OneStopEnglish, few captions; in chance order."""
    texts: list[str] = []
    for row in rows("train", "fever.tsv.gz"):
        if row["genre"] == "wiki-1sent":
            texts.append(detokenized(row["premise"]))
    for row in rows("train", "nli.tsv.gz"):
        prose = row["source"] in ("mnli", "sanli") and row["genre"] != "telephone"
        if prose or (row["source"] == "snli" and rng.random() < 0.04):
            texts.append(row["premise"])
    texts += [source for source, _ in human_pairs()] * 2
    usable = {
        text for text in texts
        if SHORTEST <= len(text.split()) <= LONGEST and text[:1].isupper() and text.rstrip()[-1:] in ".!?"
    }  # fmt: skip
    ordered = sorted(usable)
    rng.shuffle(ordered)
    return ordered[:many]


def pool_of(texts: Sequence[str]) -> Pool:
    """The material that sentences borrow from each other."""
    names: set[str] = set()
    verbs: dict[str, set[str]] = defaultdict(set)
    phrases: set[str] = set()
    for text in texts:
        words = text.rstrip(".!?").split()
        for place, word in enumerate(words):
            if place and word.isalpha() and word[0].isupper() and word[1:].islower() and tag(word) == "PROPN":
                names.add(word)
            if word.islower() and word.isalpha() and tag(word) == "VERB":
                for ending in ("ing", "ed", "s"):
                    if word.endswith(ending):
                        verbs[ending].add(word)
                        break
        for size in (3, 4, 5, 6, 7):
            if len(words) > size + 4 and words[-size] in _OPENERS and "," not in " ".join(words[-size:]):
                phrases.add(" ".join(words[-size:]))
    return Pool(
        sorted(names), {key: sorted(of_ending) for key, of_ending in verbs.items()}, sorted(phrases), texts[:20000]
    )


_OPENERS = frozenset("in on at during after before since with for because by from under against to as while".split())  # noqa: SIM905


def near_copies(texts: Sequence[str], pool: Pool, rng: Random) -> Iterator[Example]:
    """Each text with a version that breaks, loses or adds something, and often one that only rewords."""
    for text in texts:
        group = next(_GROUPS)
        calm = _reworded(text, pool, rng, rng.choice((0, 0, 1, 1, 2, 3)))
        if calm != text and rng.random() < 0.6:
            yield unchanged(text, calm, 0.96, group)
        elif rng.random() < 0.08:
            yield unchanged(text, text, 1.0, group)
        kind = rng.random()
        editors = BREAKS if kind < 0.62 else LOSSES if kind < 0.85 else ADDITIONS
        if (edit := chosen(editors, _sentence(calm, pool, rng))) is not None:
            yield _edited(text, calm, edit, group)
        if rng.random() < 0.35:
            yield from _shortened(text, pool, rng, group)


def around_people(pairs: Sequence[tuple[str, str, float]], pool: Pool, rng: Random) -> Iterator[Example]:
    """A human rewording (source, output, how much the same, -1 for unknown), and broken versions of both texts."""
    for source, good, same in pairs:
        group = next(_GROUPS) if same >= 0 else 0
        yield Example(source, good, ENTAILED, same=same, group=group)
        if _editable(good) and (edit := chosen(BREAKS, _sentence(good, pool, rng))) is not None:
            yield _of_good(source, good, edit, group, same)
        if _editable(good) and rng.random() < 0.3:
            editors = LOSSES if rng.random() < 0.6 else ADDITIONS
            if (edit := chosen(editors, _sentence(good, pool, rng))) is not None:
                yield _of_good(source, good, edit, group, same)
        if group and _editable(source):
            calm = _reworded(source, pool, rng, rng.choice((0, 1, 2)))
            if (edit := chosen(BREAKS, _sentence(calm, pool, rng))) is not None:
                yield _edited(source, calm, edit, group)


def side_by_side(examples: Sequence[Example], rng: Random) -> Iterator[Example]:
    """Each version of a sentence between others that are only reworded: one wrong word in a longer text."""
    calm = [
        one
        for one in examples
        if one.output_entailed == one.source_entailed == ENTAILED and one.source_words and one.output_words
    ]
    groups: dict[int, list[Example]] = defaultdict(list)
    for one in examples:
        groups[one.group].append(one)
    for versions in groups.values():
        around = rng.sample(calm, rng.choice((1, 1, 2, 3)))
        place, group = rng.randrange(len(around) + 1), next(_GROUPS)
        for one in versions:
            texts = [*around[:place], one, *around[place:]]
            yield replace(
                one, source=" ".join(text.source for text in texts), output=" ".join(text.output for text in texts),
                source_words=_labels(texts, "source"), output_words=_labels(texts, "output"), group=group,
            )  # fmt: skip


def _labels(texts: Sequence[Example], side: str) -> tuple[int, ...]:
    """The words' labels of texts beside each other, -1 for those of a text without any."""
    return tuple(
        label for text in texts for label in getattr(text, f"{side}_words") or (-1,) * len(getattr(text, side).split())
    )


def human_rewordings(rng: Random) -> list[tuple[str, str, float]]:
    """OneStopEnglish's pairs, wiki near-paraphrases and MultiNLI pairs that are entailed, PAWS pairs of one meaning."""
    pairs = [(source, good, 0.9) for source, good in human_pairs()]
    for row in rows("train", "nli.tsv.gz"):
        if row["label"] != "entailment" or len(row["hypothesis"].split()) < 6:
            continue
        if row["source"] == "sanli" or (
            row["source"] == "mnli" and rng.random() < 0.35 and row["genre"] != "telephone"
        ):
            pairs.append((row["premise"], row["hypothesis"], -1.0))
    return pairs


def _sentence(text: str, pool: Pool, rng: Random) -> Sentence:
    return Sentence(text.split(), pool, rng)


def _editable(text: str) -> bool:
    return 4 <= len(text.split()) <= 60


def _reworded(text: str, pool: Pool, rng: Random, times: int) -> str:
    for _ in range(times):
        edit = chosen(REWORDINGS, _sentence(text, pool, rng))
        if edit is not None:
            text = " ".join(edit.words)
    return text


def _edited(source: str, calm: str, edit: Edit, group: int) -> Example:
    """A broken near copy; whether the source's words are kept is known only if nothing was reworded before."""
    kept = edit.kept(len(source.split())) if calm == source else ()
    return Example(source, " ".join(edit.words), *edit.entails, edit.same, kept, edit.supported, group=group)


def _shortened(text: str, pool: Pool, rng: Random, group: int) -> Iterator[Example]:
    """Versions that omit more and more of a text; the more they omit, the lower their similarity."""
    words, places = text.split(), list(range(len(text.split())))
    for _ in range(rng.choice((1, 2, 3))):
        edit = chosen(LOSSES, _sentence(" ".join(words), pool, rng))
        if edit is None or not edit.output_entailed or len(edit.words) != len(words) - len(edit.lost):
            return
        words = list(edit.words)
        places = [place for at, place in enumerate(places) if at not in edit.lost]
        left = set(places)
        kept = tuple(int(place in left) for place in range(len(text.split())))
        same = _SAME_AT_MOST * (sum(kept) / len(kept)) ** 0.7
        yield Example(text, " ".join(words), ENTAILED, NEUTRAL, same, kept, (1,) * len(words), group=group)


def _of_good(source: str, good: str, edit: Edit, group: int, same: float) -> Example:
    supported = edit.supported if edit.new or edit.output_entailed else ()
    output_entailed, source_entailed = edit.entails
    return Example(
        source, " ".join(edit.words), output_entailed, UNKNOWN if source_entailed == ENTAILED else source_entailed,
        max(0.1, edit.same - 0.03) if same >= 0 else -1.0, (), supported, group=group,
    )  # fmt: skip


def written(file: Path) -> Iterator[Example]:
    """Stories written for the purpose: versions of a source, faithful, lossy and wrong, near copies and free ones."""
    for line in file.read_text(encoding="utf-8").splitlines():
        story: Mapping[str, str] = json.loads(line)
        source, group = story["source"], next(_GROUPS)
        good = story["good"]
        for name in ("good", "good2"):
            if name in story:
                yield replace(unchanged(source, story[name], 0.95, group), weight=1.5)
        lossy = story.get("lossy") or story["minor"]
        yield Example(
            source, lossy, ENTAILED, NEUTRAL, 0.72, output_words=(1,) * len(lossy.split()), group=group, weight=1.5
        )
        kinds = story.get("kinds") or (story["kind"], story["kind_good"])
        for name, kind, model in (
            ("bad_near" if "bad_near" in story else "bad_source", kinds[0], source),
            ("bad_free" if "bad_free" in story else "bad_good", kinds[1], good),
        ):
            bad = story[name]
            kept, supported = _differing(model, bad)
            output_entailed = {"loss": ENTAILED, "addition": NEUTRAL}.get(kind, NOT_ENTAILED)
            source_entailed = {"loss": NEUTRAL, "addition": ENTAILED}.get(kind, NOT_ENTAILED)
            yield Example(
                source, bad, output_entailed, source_entailed,
                0.35 if kind in ("loss", "addition") else 0.2, kept if model is source else (),
                supported if 0 in supported or kind == "loss" else (), group=group, weight=1.5,
            )  # fmt: skip


def _differing(model: str, text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For the words of either text 1 where both have them in the same order, else 0."""
    first, second = model.split(), text.split()
    kept, supported = [0] * len(first), [0] * len(second)
    for step in LCSseq.opcodes([w.lower() for w in first], [w.lower() for w in second]):
        if step.tag == "equal":
            for place in range(step.src_end - step.src_start):
                kept[step.src_start + place] = supported[step.dest_start + place] = 1
    return tuple(kept), tuple(supported)
