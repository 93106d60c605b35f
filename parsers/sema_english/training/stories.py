"""What the meaning model learns order from: a source, a faithful simplification of it, and texts that are worse.

Ratings say how good outputs of systems are; that a text in other words throughout is better than a copy with one wrong
number they hardly say, since hardly anybody rated such texts. Stories do: some were written for the purpose
(``stories.jsonl``), others are OneStopEnglish's pairs of sentences, spoilt by
:mod:`sema_english.training.perturbation`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from random import Random

from sema.analysis.analyser import Analyser
from sema.datasets.folder import data_folder
from sema.model.item import Need
from sema.model.text import Text
from sema_english.training.perturbation import KINDS, Good, Spoils, goods
from sema_english.training.spoils import english_spoils

WRITTEN = Path(__file__).parent / "stories.jsonl"
FILES = (("ADV-ELE", False), ("ADV-INT", False), ("ELE-INT", True))
"""OneStopEnglish's files of sentence pairs, and whether the simpler sentence comes first in them."""
BETWEEN = "*******"
REWORDED = (0.25, 0.85)
"""How alike source and simplification are, word by word: neither another sentence nor almost a copy."""
LENGTHS = (0.55, 1.25)
"""Letters of the simplification for one of the source: little is left out, little explained."""
TOKENS = range(8, 46)
PAIRS = 900
SEED = 1
KINDS_OF_SOURCES = (
    "participants_swapped",
    "negated",
    "number_changed",
    "name_changed",
    "antonym",
    "detail_added",
    "sentence_added",
    "relation_replaced",
)
"""What makes a copy of the source worse than a faithful simplification; so it does with the simplification itself."""
KINDS_OF_LOSS = ("half_cut", "participant_deleted")
"""What makes a simplification worse, but not a copy of the source, which says more than the simplification anyway."""
OF_SOURCE, OF_GOOD = 3, 2
"""How many texts are made of either."""
_PREPOSITIONS = frozenset(
    "in on at during after before since near with for because by from under against without".split()  # noqa: SIM905
)


@dataclass(frozen=True)
class Story:
    """A source, a faithful simplification, and texts that are worse than it."""

    source: str
    good: str
    worse: tuple[str, ...]


def written_stories() -> list[Story]:
    """The stories that were written: what is worse leaves something out, or says one thing otherwise."""
    found = []
    for line in WRITTEN.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        found.append(Story(told["source"], told["good"], (told["lossy"], told["bad_source"], told["bad_good"])))
    return found


def spoilt_stories(pairs: int = PAIRS) -> list[Story]:
    """So many of OneStopEnglish's pairs, drawn by chance, with what spoiling makes of source and simplification."""
    from sema_english.language import english

    random = Random(SEED)
    chosen = list(_onestop())
    random.shuffle(chosen)
    sources, simple = zip(*chosen[:pairs], strict=True)
    spoils = english_spoils(sorted({phrase for source in sources if (phrase := _closing_phrase(source))}))
    analyser = Analyser(english().parts(), {Need.GRAPHS})
    texts = analyser.segment(sources)
    ready = zip(_ready(analyser, texts, texts, spoils), _ready(analyser, simple, texts, spoils), strict=True)
    found = []
    for source, good, (long, short) in zip(sources, simple, ready, strict=True):
        kinds = random.sample(KINDS_OF_SOURCES, len(KINDS_OF_SOURCES))
        worse = [*list(_spoilt(long, kinds, spoils, random))[:OF_SOURCE]]
        worse += [
            *list(_spoilt(short, kinds, spoils, random))[:OF_GOOD],
            *_spoilt(short, KINDS_OF_LOSS, spoils, random),
        ]
        if worse:
            found.append(Story(source, good, tuple(worse)))
    return found


def _onestop() -> Iterator[tuple[str, str]]:
    """Sentences with their simpler versions, each source once."""
    seen = set()
    for name, turned in FILES:
        file = data_folder("simplification", "onestopenglish", "Sentence-Aligned") / f"{name}.txt"
        for block in file.read_text(encoding="utf-8-sig").split(BETWEEN):
            lines = [line for line in block.splitlines() if line.strip()]
            if len(lines) != 2:
                continue
            source, good = reversed(lines) if turned else lines
            words, simple = source.lower().split(), good.lower().split()
            if source in seen or len(words) not in TOKENS:
                continue
            alike = SequenceMatcher(None, words, simple).ratio()
            if REWORDED[0] < alike < REWORDED[1] and LENGTHS[0] < len(good) / len(source) < LENGTHS[1]:
                seen.add(source)
                yield source, good


def human_pairs() -> list[tuple[str, str]]:
    """OneStopEnglish's sentences with their simpler versions, near copies and short ones too."""
    found = {}
    for name, turned in FILES:
        file = data_folder("simplification", "onestopenglish", "Sentence-Aligned") / f"{name}.txt"
        for block in file.read_text(encoding="utf-8-sig").split(BETWEEN):
            lines = [line.strip() for line in block.splitlines() if line.strip()]
            if len(lines) == 2:
                source, good = reversed(lines) if turned else lines
                alike = SequenceMatcher(None, source.lower().split(), good.lower().split()).ratio()
                if REWORDED[0] < alike < 0.95 and LENGTHS[0] < len(good) / len(source) < 1.4:
                    found[source, good] = None
    return list(found)


def _closing_phrase(text: str) -> str | None:
    """The preposition nearest to the end of a sentence with what follows it, three to eight words."""
    words = text.rstrip('.!?"').split()
    for place in range(len(words) - 3, max(0, len(words) - 9), -1):
        if words[place] in _PREPOSITIONS and not any(mark in word for word in words[place:] for mark in ',;:"'):
            return " ".join(words[place:])
    return None


def _ready(analyser: Analyser, texts: Sequence[str | Text], sources: Sequence[Text], spoils: Spoils) -> list[Good]:
    segmented = analyser.segment(texts)
    parsed = [found if isinstance(found, list) else [] for found in analyser.graphs(segmented)]
    return goods(segmented, parsed, sources, spoils)


def _spoilt(good: Good, kinds: Sequence[str], spoils: Spoils, random: Random) -> Iterator[str]:
    for kind in kinds:
        words = KINDS[kind](good, spoils, random)
        if words and words != good.words:
            yield " ".join(words)
