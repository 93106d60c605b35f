"""Learns lemmas and function words from the treebanks: ``python -m training.trees.lemmas``.

For each ending of a language's words, the commonest edit script is kept if it differs from that of the shorter ending;
words with a beginning that many scripts cut have endings of their own. Words that come out wrong are kept whole.
Held-out sentences choose the key that words of one lemma share: the lemma, or Snowball's stem of the word or of the
lemma, whichever has the highest F1 on pairs of words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from sema_ud.conllu import read_sentences
from sema_ud.lemmas import FILE, WHOLE, Lemmas, Script, plain, stemmer, written

from sema.datasets.folder import data_folder
from training.command import command
from training.trees.treebanks import HELD_OUT, files_of, governing, written_words

CLOSED = frozenset({"ADP", "AUX", "CCONJ", "DET", "PART", "SCONJ"})
"""Parts of speech whose words are function words; pronouns are not among them: they fill Participants."""
WITHOUT_LEMMA = frozenset({"NUM", "PUNCT", "SYM", "X"})
LEAST = 2
"""Different words that an ending needs to have a script of its own."""
LONGEST = 8
"""Letters of the longest ending."""
STARTED = 10
"""Different words whose scripts must cut a beginning for it to have endings of its own."""
COMMON = 3
"""Occurrences that a function word needs."""
STEMMERS = {
    **{"ar": "arabic", "da": "danish", "de": "german", "el": "greek", "en": "english", "es": "spanish"},
    **{"fi": "finnish", "fr": "french", "hi": "hindi", "id": "indonesian", "it": "italian", "nl": "dutch"},
    **{"no": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish"},
}
"""Snowball's algorithms by the code of the language."""
Pairs = set[tuple[str, str]]


@dataclass
class Part:
    """The words of some sentences: how often each has a lemma, and a part of speech."""

    lemmas: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    tags: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def content(self) -> dict[str, frozenset[str]]:
        """The lemmas of the words that are not function words."""
        return {word: frozenset(found) for word, found in self.lemmas.items() if not _closed(self.tags[word])}


def parts_of(files: Iterable[Path]) -> tuple[Part, Part]:
    """The words of files, with those of held-out sentences apart."""
    kept, apart = Part(), Part()
    for file in files:
        for number, sentence in enumerate(read_sentences(file)):
            part = kept if number % HELD_OUT else apart
            written_as = written_words(sentence.surface)
            for token, word in zip(written_as, governing(sentence.tree, written_as), strict=True):
                tag, lemma, form = sentence.tree.upos[word], sentence.lemmas[word], plain(token.form)
                if tag not in WITHOUT_LEMMA and any(map(str.isalpha, form)):
                    part.tags[form][tag] += 1
                    if lemma:
                        part.lemmas[form][_unmarked(plain(lemma), form)] += 1
    return kept, apart


def _unmarked(lemma: str, form: str) -> str:
    """A lemma without the marks that some treebanks put between its parts; of Korean ones the first part."""
    if "+" not in form:
        lemma = lemma.partition("+")[0] or lemma
    return "".join(char for char in lemma if char not in "#_" or char in form)


def _closed(tags: Counter[str]) -> bool:
    return sum(tags[tag] for tag in CLOSED) * 2 > tags.total()


def script(form: str, lemma: str) -> Script:
    """The edit from a word to its lemma, around their common beginning or, if longer, their longest common part."""
    common = next(
        (at for at, (a, b) in enumerate(zip(form, lemma, strict=False)) if a != b), min(len(form), len(lemma))
    )
    match = SequenceMatcher(None, form, lemma, autojunk=False).find_longest_match()
    size, at, other = (common, 0, 0) if common >= match.size else (match.size, match.a, match.b)
    return Script(form[:at], lemma[:other], form[at + size :], lemma[other + size :])


def learn(part: Part) -> Lemmas:
    """The lemmas and function words of a language's sentences."""
    best = {form: min(found, key=lambda lemma: (-found[lemma], lemma)) for form, found in part.lemmas.items()}
    scripts = {form: script(form, lemma) for form, lemma in best.items()}
    cut = Counter(one.start for one in scripts.values())
    starts = ["", *sorted(start for start, count in cut.items() if start and count >= STARTED)]
    endings = {start: dict(_endings(scripts, start)) for start in starts}
    rules = Lemmas(endings)
    endings[""] |= {WHOLE + form: scripts[form] for form, lemma in best.items() if rules.lemma(form) != lemma}
    functional = [form for form, tags in part.tags.items() if tags.total() >= COMMON and _closed(tags)]
    return Lemmas(endings, frozenset(functional))


def _endings(scripts: Mapping[str, Script], start: str) -> Iterator[tuple[str, Script]]:
    """By ending, the scripts of words that begin with ``start``, where they differ from those of shorter endings."""
    counts: defaultdict[str, Counter[Script]] = defaultdict(Counter)
    for form, one in scripts.items():
        if form.startswith(start) and one.start in ("", start):
            for length in range(bool(start), min(len(form) - len(start), LONGEST) + 1):
                counts[form[len(form) - length :]][one] += 1
    chosen: dict[str, Script] = {}
    for ending in sorted(counts, key=len):
        found = counts[ending]
        best = min(found, key=lambda one: (-found[one], one))
        shorter = next((chosen[ending[at:]] for at in range(1, len(ending) + 1) if ending[at:] in chosen), None)
        if found[best] >= LEAST and (shorter is None or found[best] > found[shorter]):
            chosen[ending] = best
            yield ending, best


def pairs_of(keys: Mapping[str, Iterable[str]]) -> Pairs:
    """The pairs of words that share a key."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for word in sorted(keys):
        for key in set(keys[word]):
            groups[key].append(word)
    return {pair for group in groups.values() for pair in combinations(group, 2)}


def f1_of(keys: Mapping[str, str], words: Mapping[str, Iterable[str]]) -> float:
    """F1 of "the same lemma", by the words' lemmas and by their keys, over the pairs of words."""
    found, gold = pairs_of({word: [key] for word, key in keys.items()}), pairs_of(words)
    return 2 * len(found & gold) / max(1, len(found) + len(gold))


def files_by_language() -> dict[str, list[Path]]:
    """The files to learn from by code, English and Chinese among them; Chinese words are their own lemmas."""
    found: defaultdict[str, list[Path]] = defaultdict(list)
    for file in files_of("learn"):
        found[file.name.partition("_")[0]].append(file)
    found["en"] = [data_folder("ud", "en_ewt", f"en_ewt-ud-{name}.conllu") for name in ("train", "dev")]
    names = ("zh_gsdsimp/zh_gsdsimp-ud-dev.conllu", "zh_pud/zh_pud-001-500.conllu")
    found["zh"] = [data_folder("ud", *name.split("/")) for name in names]
    return dict(sorted(found.items()))


def learned(code: str, files: Iterable[Path]) -> Lemmas:
    """A language's lemmas; held-out sentences choose whether it has a stemmer."""
    kept, apart = parts_of(files)
    lemmas = learn(kept)
    if code not in STEMMERS:
        return lemmas
    words = apart.content()
    bases = {word: lemmas.lemma(word) for word in words}
    stem = stemmer(STEMMERS[code]).stemWord
    stems = {word: stem(word) for word in words}, {word: stem(base) for word, base in bases.items()}
    better = max(f1_of(keys, words) for keys in stems) > f1_of(bases, words)
    return replace(lemmas, stemmer=STEMMERS[code] if better else None)


@command
def main(to: Path = FILE) -> None:
    """Write the table."""
    table = {code: written(learned(code, files)) for code, files in files_by_language().items()}
    rows: dict[str, Any] = {code: np.frombuffer(text.encode(), np.uint8) for code, text in table.items()}
    np.savez_compressed(to, **rows)


if __name__ == "__main__":
    main()
