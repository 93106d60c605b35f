"""The contents of a report from saved runs: scores with intervals, what became of words and Scenes, example items.

Scores come from the run; what is counted here are words and Scenes of the evidence.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import Any

from sema.display.pictures.items import ADDED, KEPT, LOST, view_item
from sema.display.pictures.svg import KINDS
from sema.display.tables import Table
from sema.errors import InputError
from sema.evaluation.comparison import Comparison, compare
from sema.evaluation.significance import Estimate, bootstrap
from sema.files.blocks import Mapped
from sema.scoring.results import Report
from sema.scoring.runs import Run

FATES = (*KINDS, KEPT, LOST)
"""What can happen to a source word, the best first (``kept``: by a model without links)."""

Progress = Callable[[int, int], None]


def _no_progress(done: int, total: int) -> None:
    """For those who do not ask how far it is."""


@dataclass
class Profile:
    """What one system did over all items: words by fate, Scenes by state, sentences, unchanged items."""

    words: Counter[str] = field(default_factory=Counter)
    scenes: Counter[str] = field(default_factory=Counter)
    items: int = 0
    source_words: int = 0
    output_words: int = 0
    output_sentences: int = 0
    unchanged: int = 0
    empty: int = 0
    linked: int = 0

    def add(self, evidence: Mapping[str, Any]) -> None:
        """Count one item's evidence; one that could not be scored counts nothing."""
        if "source" not in evidence:
            return
        view = view_item(evidence)
        source = evidence["source"]
        output = [word for sentence in evidence["sentences"] for word in sentence]
        self.items += 1
        self.source_words += len(source)
        self.output_words += len(output)
        self.output_sentences += len(evidence["sentences"])
        self.unchanged += source == output
        self.empty += not output
        self.linked += view.linked
        self.words.update(view.counts)
        self.scenes.update(scene.state for scene in view.scenes)

    @property
    def counted(self) -> int:
        """The source words whose fate is known."""
        return sum(self.words[fate] for fate in FATES)

    def share(self, fate: str) -> float:
        """The share of source words (for added ones: of output words) with this fate, in [0, 1]."""
        if fate == ADDED:
            matched = self.counted - self.words[LOST]
            whole = self.words[ADDED] + matched
        else:
            whole = self.counted
        return self.words[fate] / whole if whole else 0.0

    def operations(self) -> dict[str, str]:
        """The profile as names and figures for people."""
        items = max(self.items, 1)
        found = {
            "words out for each word in": f"{self.output_words / max(self.source_words, 1):.2f}",
            "sentences an item": f"{self.output_sentences / items:.2f}",
            "unchanged": f"{self.unchanged / items:.0%}",
            "empty": f"{self.empty / items:.0%}",
        }
        if self.counted:
            rephrased = sum(self.words[kind] for kind in KINDS[1:])
            found["words copied"] = f"{self.share(KINDS[0]):.0%}"
            found["words rephrased"] = f"{rephrased / self.counted:.0%}"
            found["words lost"] = f"{self.share(LOST):.0%}"
            found["words added (of the output)"] = f"{self.share(ADDED):.0%}"
        scenes = sum(self.scenes.values())
        if scenes:
            for state in (KEPT, "partly", LOST):
                found[f"Scenes {state}"] = f"{self.scenes[state] / scenes:.0%}"
        return found


@dataclass(frozen=True)
class Shapes:
    """What the choice of items needs of all texts: the sources' lengths, and each system's copied items."""

    lengths: Sequence[int]
    copies: Mapping[str, Collection[int]]


@dataclass(frozen=True)
class Chapter:
    """Runs of the same sources by the same scorer: their joint report, their folders, and the primary metric."""

    report: Report
    runs: tuple[Run, ...]
    owners: Mapping[str, tuple[int, str]]
    """For each system's name here, the number of its run and its name there."""
    metric: str
    progress: Progress = field(default=_no_progress, repr=False, compare=False)
    """Called with completed and total resamplings of the comparison."""

    @cached_property
    def comparison(self) -> Comparison | None:
        """The systems compared, where there are several and some item has scores in all."""
        if len(self.report.systems) < 2:
            return None
        try:
            return compare(self.report, progress=self.progress)
        except InputError:
            return None

    @cached_property
    def estimates(self) -> dict[str, dict[str, Estimate]]:
        """For each system and metric the corpus score with its interval."""
        if self.comparison is not None:
            return {name: dict(scores) for name, scores in self.comparison.systems.items()}
        return {
            system.name: {
                metric.name: bootstrap(system.rows(metric.name), metric.value) for metric in self.report.objects
            }
            for system in self.report.systems
        }

    def mark(self, system: str, metric: str) -> str:
        """``best``, ``tied`` (not significantly below the best: p >= 0.05 by either test), or nothing."""
        found = self.comparison
        if found is None:
            return ""
        best = found.best(metric)
        if system == best:
            return "best"
        for pair in found.pairs:
            if pair.metric == metric and {pair.first, pair.second} == {system, best}:
                gap = pair.difference
                return "" if max(gap.p_bootstrap, gap.p_randomization) < 1 - found.confidence else "tied"
        return ""

    @cached_property
    def profiles(self) -> dict[str, Profile]:
        """What each system did."""
        found = {system.name: Profile() for system in self.report.systems}
        names = {owner: name for name, owner in self.owners.items()}
        for number, run in enumerate(self.runs):
            for row in run.all_evidence():
                found[names[number, row["system"]]].add(row)
        return found

    def operations(self) -> Table:
        """The profiles as a table: operations down, systems across."""
        found = {name: profile.operations() for name, profile in self.profiles.items()}
        labels = dict.fromkeys(label for column in found.values() for label in column)
        rows = [[label, *(column.get(label, "–") for column in found.values())] for label in labels]
        return Table("Operations", ["operation", *found], rows)

    @cached_property
    def texts(self) -> Sequence[dict[str, Any]]:
        """For each item ``source``, ``outputs`` by system, ``references``; sentences joined. Read as asked for."""
        return Mapped(self._joined, *(run.all_texts() for run in self.runs))

    def _joined(self, *rows: Mapping[str, Any]) -> dict[str, Any]:
        names = {owner: name for name, owner in self.owners.items()}
        return {
            "item": rows[0]["item"],
            "source": plain_text(rows[0]["source"]),
            "outputs": {
                names[number, name]: plain_text(text)
                for number, row in enumerate(rows)
                for name, text in row["outputs"].items()
            },
            "references": [plain_text(text) for text in rows[0].get("references", ())],
        }

    @cached_property
    def shapes(self) -> Shapes:
        """The sources' lengths and the copied outputs, read once for all items."""
        lengths = array("l")
        copies: dict[str, set[int]] = {system.name: set() for system in self.report.systems}
        for row in self.texts:
            lengths.append(len(row["source"]))
            words = row["source"].split()
            for name, output in row["outputs"].items():
                if output.split() == words:
                    copies[name].add(row["item"])
        return Shapes(lengths, copies)

    def evidence(self, wanted: Iterable[tuple[int, str]]) -> dict[tuple[int, str], dict[str, Any]]:
        """The evidence of some items and systems."""
        found = {}
        for item, name in wanted:
            number, own_name = self.owners[name]
            rows = self.runs[number].evidence(item)
            if own_name in rows:
                found[item, name] = rows[own_name]
        return found

    @cached_property
    def correlations(self) -> list[list[float | None]]:
        """Spearman's correlation of every two metrics over all outputs; ``None`` where one of them is constant."""
        from scipy.stats import spearmanr

        systems = [system.columns(self.report.metrics) for system in self.report.systems]
        columns = [
            [value for system in systems for value in system.values(name)[system.usable()].tolist()]
            for name in self.report.metrics
        ]
        rows: list[list[float | None]] = []
        for first in columns:
            row: list[float | None] = []
            for second in columns:
                pairs = [(a, b) for a, b in zip(first, second, strict=True) if a == a and b == b]
                usable = len(pairs) > 2 and len({a for a, _ in pairs}) > 1 and len({b for _, b in pairs}) > 1
                row.append(float(spearmanr(*zip(*pairs, strict=True)).statistic) if usable else None)
            rows.append(row)
        return rows


def plain_text(text: Any) -> str:
    """A text of a run as one string."""
    if isinstance(text, Mapping):
        return " ".join(" ".join(words) for words in text["sentences"])
    if isinstance(text, str) or text is None:
        return text or ""
    return " ".join(text)


def read_chapters(
    folders: Sequence[str], metric: str | None = None, progress: Progress = _no_progress
) -> list[Chapter]:
    """Read runs; those of the same sources by the same scorer become one chapter, so that their systems compare.

    Args:
        folders: the runs' folders.
        metric: the metric by which items are picked (default: each chapter's first).
        progress: called during the comparison of a chapter's systems.

    Raises:
        InputError: a folder holds no finished run, or a run has no such metric.
    """
    groups: list[list[tuple[Run, Report]]] = []
    keys: list[tuple[object, ...]] = []
    for folder in folders:
        run = Run(folder)
        report = run.report()
        sources = hashlib.sha256()
        for row in run.all_texts():
            sources.update(plain_text(row["source"]).encode() + b"\n")
        key = (report.signature, report.metrics, sources.digest())
        if key in keys:
            groups[keys.index(key)].append((run, report))
        else:
            keys.append(key)
            groups.append([(run, report)])
    return [_chapter(group, metric, progress) for group in groups]


def _chapter(group: Sequence[tuple[Run, Report]], metric: str | None, progress: Progress) -> Chapter:
    first = group[0][1]
    if metric is not None:
        first.metric(metric)
    owners: dict[str, tuple[int, str]] = {}
    systems = []
    for number, (run, report) in enumerate(group):
        for system in report.systems:
            name = system.name
            if name in owners:
                name = f"{run.folder.name}/{system.name}"
            while name in owners:
                name += "'"
            owners[name] = (number, system.name)
            systems.append(type(system)(name, system.scores, system.items))
    joined = Report(first.signature, first.lang, first.level, first.metrics, tuple(systems), first.objects)
    return Chapter(joined, tuple(run for run, _ in group), owners, metric or first.metrics[0], progress)


FAMILIES = {"fkbleu": ("sari", "ibleu"), "sema": ("sema", "ucca"), "samsa": ("samsa", "ucca"), "mean": (), "gmean": ()}


def works_of(metrics: Sequence[str], signature: str) -> list[str]:
    """The works behind some metrics, and this software; UCCA where the Scenes of the signature are UCCA's."""
    works: dict[str, str] = json.loads(files("sema.display.reports").joinpath("works.json").read_text(encoding="utf-8"))
    keys: list[str] = []
    for name in metrics:
        family = name.partition("_")[0]
        keys += FAMILIES.get(name, FAMILIES.get(family, (family,)))
    found = [
        works[key] for key in dict.fromkeys(keys) if key in works and (key != "ucca" or "scenes:ucca" in signature)
    ]
    return [*found, "sema: a multilingual semantic-alignment metric engine for text simplification (CITATION.cff)"]
