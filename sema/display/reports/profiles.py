"""What systems did, counted from the evidence of all items: words by fate and by level, Scenes by state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sema.display.pictures.items import ADDED, CHANGED, FATES, KEPT, LOST, PARTLY, WRONG, view_item
from sema.display.tables import Table
from sema.model.links import LinkKind
from sema.model.meaning import KINDS
from sema.model.text import is_punctuation

SIGNS = {"wrong": "≠", "missing": "−", "added": "+"}  # the signs of the kinds of findings, as the texts have them
LEVELS = ("cefr", "hsk_level")  # the metrics that read levels
SHOWN_WORDS = 10
FATE_LABELS = {
    LinkKind.EXACT: "words copied",
    LinkKind.FORM: "words in another form",
    LinkKind.SYNONYM: "words replaced by synonyms",
    LinkKind.PARAPHRASE: "words paraphrased",
    LinkKind.CONTEXTUAL: "words rephrased in context",
    LinkKind.HYPONYMY: "words replaced by wider ones",
    WRONG: "words wrong",
    LOST: "words lost",
}
"""What became of a source word, for people."""


@dataclass
class LevelProfile:
    """Counts of words by level; numbers, names and punctuation have no level."""

    words: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, words: Sequence[str], labels: Iterable[str | None]) -> None:
        """Count the words of a text, each with the name of its level."""
        for word, label in zip(words, labels, strict=True):
            if label is not None:
                self.words.setdefault(label, Counter())[word.casefold()] += 1

    @property
    def counts(self) -> dict[str, int]:
        """The number of words of each level, the easiest first."""
        return {label: self.words[label].total() for label in sorted(self.words)}

    @property
    def shares(self) -> dict[str, float]:
        """The share of each level, in [0, 1]."""
        total = sum(self.counts.values())
        return {label: count / total for label, count in self.counts.items()}

    def commonest(self, label: str, shown: int = SHOWN_WORDS) -> str:
        """The commonest words of a level, each with its count where that is not 1."""
        found = self.words[label].most_common(shown)
        return ", ".join(word if count == 1 else f"{word} ({count})" for word, count in found)

    def to_list(self) -> list[dict[str, Any]]:
        """The levels with their words, as ``sema levels --json`` prints them."""
        return [
            {"level": label, "words": count, "share": self.shares[label], "list": dict(self.words[label].most_common())}
            for label, count in self.counts.items()
        ]


def levels_table(profiles: Mapping[str, LevelProfile]) -> Table:
    """For each text and level the share of its words, and the commonest."""
    rows = [
        [f"{name}, {label}", f"{share:.0%}", profile.commonest(label)]
        for name, profile in profiles.items()
        for label, share in profile.shares.items()
    ]
    return Table("Words by level", ["", "share", "commonest words"], rows)


@dataclass
class Profile:
    """What one system did over all items: words by fate, Scenes by state, ``totals`` of everything else."""

    words: Counter[str] = field(default_factory=Counter)
    scenes: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    problems: dict[int, str] = field(default_factory=dict)
    """For each item with findings, the number of each kind after the kind's sign: ``≠1 −2``."""
    replaced: Counter[tuple[str, str]] = field(default_factory=Counter)  # source words, and what stands in their place
    deleted: Counter[str] = field(default_factory=Counter)
    levels: LevelProfile = field(default_factory=LevelProfile)
    source_levels: LevelProfile = field(default_factory=LevelProfile)

    def add(self, evidence: Mapping[str, Any]) -> None:
        """Count one item's evidence; an item that could not be scored is skipped."""
        if "source" not in evidence:
            return
        view, source, sentences = view_item(evidence), evidence["source"], evidence["sentences"]
        output = [word for sentence in sentences for word in sentence]
        sizes = {"items": 1, "source words": len(source), "output words": len(output), "sentences": len(sentences)}
        sizes["counted output"] = sum(not is_punctuation(word) for word in output) if view.counts else 0
        self.totals.update({**sizes, "unchanged": source == output, "empty": not output})
        self.words.update(view.counts)
        self.scenes.update(scene.state for scene in view.scenes)
        # The operations of sema.metrics.operations, by the links of the evidence: a word is replaced if it is linked to
        # no word of its form, and deleted if to none; without links, if a finding calls it missing.
        for word in view.source:
            form, others = word.text.casefold(), [(kind, output[number].casefold()) for number, kind in word.links]
            if others and all(other != form for _, other in others):
                self.replaced[form, next(other for kind, other in others if kind == word.kind)] += 1
            elif not others and not is_punctuation(word.text) and ("links" in evidence or word.state == LOST):
                self.deleted[form] += 1
        if (levels := evidence.get("levels")) is not None:
            self.levels.add(output, levels["output"]["words"])
            self.source_levels.add(source, levels["source"]["words"])
        kinds = Counter(found["kind"] for found in evidence.get("findings", ()))
        if kinds:
            problems = (f"{SIGNS[kind]}{kinds[kind]}" for kind in KINDS if kinds[kind])
            self.problems[evidence["item"]] = " ".join(problems)

    def operations(self) -> dict[str, str]:
        """The profile as names and figures for people."""
        of, items = self.totals, max(self.totals["items"], 1)
        shown = {
            "words out for each word in": f"{of['output words'] / max(of['source words'], 1):.2f}",
            "sentences an item": f"{of['sentences'] / items:.2f}",
            "unchanged": f"{of['unchanged'] / items:.0%}",
            "empty": f"{of['empty'] / items:.0%}",
        }
        if counted := sum(self.words[fate] for fate in FATES):
            shown |= {label: f"{self.words[fate] / counted:.0%}" for fate, label in FATE_LABELS.items()}
            added = self.words[ADDED] / max(of["counted output"], 1)
            shown["words added (of the output)"] = f"{added:.0%}"
        if scenes := self.scenes.total():
            states = (state for state in (KEPT, PARTLY, CHANGED, LOST) if self.scenes[state] or state != CHANGED)
            shown |= {f"Scenes {state}": f"{self.scenes[state] / scenes:.0%}" for state in states}
        return shown
