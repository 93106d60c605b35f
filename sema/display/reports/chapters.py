"""The contents of a report from a saved run: scores with intervals, what became of words and Scenes, texts."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice, zip_longest
from typing import Any

from sema.analysis.texts import ProgressCallback
from sema.display.pictures.svg import asset
from sema.display.reports.profiles import SHOWN_WORDS, LevelProfile, Profile
from sema.display.reports.statistics import paragraph
from sema.display.tables import Table
from sema.errors import InputError
from sema.evaluation.clusters import partition, same_sources
from sema.evaluation.comparison import Comparison, compare
from sema.evaluation.significance import Estimate, Resampling, spearman
from sema.files.blocks import Mapped
from sema.languages import known_language
from sema.metrics.base import Metric
from sema.model.language import TO
from sema.runtime.forks import cached_property
from sema.scoring.results import Report, SystemScore
from sema.scoring.run_files import plain_text
from sema.scoring.runs import Run

FAMILIES = {"fkbleu": ("sari", "ibleu"), "sema": ("sema", "ucca"), "samsa": ("samsa", "ucca")}
"""The works behind a family of metrics, unless it is one work of the family's name."""


@dataclass(frozen=True)
class Chapter:
    """A run, its scores, and the metric by which its items are ordered."""

    run: Run
    report: Report
    metric: str
    progress: ProgressCallback = field(repr=False, compare=False)  # called with completed and total steps

    @cached_property
    def comparison(self) -> Comparison | None:
        """The comparison of the systems; ``None`` unless there are several and some item has scores in all."""
        try:
            return compare(self.report, clusters=self.sources, progress=self.progress)
        except InputError:
            return None

    @cached_property
    def estimates(self) -> Mapping[str, Mapping[str, Estimate]]:
        """For each system and metric the corpus score with its interval."""
        if self.comparison is not None:
            return self.comparison.systems

        def estimate(system: SystemScore, metric: Metric) -> Estimate:
            scored = [item.scores.get(metric.name, math.nan) for item in system.items]
            own = [source for source, score in zip(self.sources, scored, strict=True) if not math.isnan(score)]
            return Resampling(partition(own, len(own))).bootstrap(system.rows(metric.name), metric.value)

        metrics = self.report.objects
        return {system.name: {one.name: estimate(system, one) for one in metrics} for system in self.report}

    @cached_property
    def sources(self) -> list[Hashable]:
        """A label for each item, equal for items of one source."""
        return same_sources(plain_text(row["source"]) for row in self.texts)

    def letters(self, metric: str) -> dict[str, str]:
        """The letters of significance of the systems; none where not all were compared."""
        return {} if self.comparison is None else self.comparison.letters(metric)

    @cached_property
    def worst_first(self) -> list[int]:
        """The items with a score in the primary metric by their worst output, the worst first."""
        return [*dict.fromkeys(output.item for output in self.report.worst_first(self.metric))]

    @cached_property
    def profiles(self) -> dict[str, Profile]:
        """What each system did."""
        by_name = {name: Profile() for name in self.report.names}
        done, total = count(1), self.report.items * len(by_name)
        for row in self.run.all_evidence():
            by_name[row["system"]].add(row)
            self.progress(next(done), total)
        return by_name

    def operations(self) -> Table:
        """The profiles as a table: operations down, systems across."""
        by_system = {name: profile.operations() for name, profile in self.profiles.items()}
        labels = dict.fromkeys(label for column in by_system.values() for label in column)
        rows = [[label, *(column.get(label, "–") for column in by_system.values())] for label in labels]
        return Table("Operations", ["operation", *by_system], rows)

    def commonest(self) -> list[Table]:
        """The commonest replacements and deletions of each system, with how often each occurs."""
        language = known_language(self.report.lang)
        function_words: Collection[str] = () if language is None else language.of_sources.parts().function_words
        replaced, deleted = {}, {}
        for name, profile in self.profiles.items():
            pairs = profile.replaced.most_common(SHOWN_WORDS)
            content = ((word, times) for word, times in profile.deleted.most_common() if word not in function_words)
            replaced[name] = [f"{old} → {new} ({times})" for (old, new), times in pairs]
            deleted[name] = [f"{word} ({times})" for word, times in islice(content, SHOWN_WORDS)]
        left_out = "; function words are left out" if function_words else ""
        lost = f"by word links: source words for which no word stands, lost or not needed{left_out}"
        listed = [
            ("replacements", replaced, "by word links: source words, and what stands in their place"),
            ("deletions", deleted, lost),
        ]
        tables = []
        for title, columns, note in listed[TO in self.report.lang :]:  # across languages every kept word is replaced
            rows = [[str(rank), *cells] for rank, cells in enumerate(zip_longest(*columns.values(), fillvalue=""), 1)]
            if rows:
                tables.append(Table(f"Commonest {title}", ["", *columns], rows, [note]))
        return tables

    @property
    def levels(self) -> dict[str, LevelProfile]:
        """The words of the source and of each system's outputs by level; empty where no metric read levels."""
        found = {name: profile.levels for name, profile in self.profiles.items() if profile.levels.words}
        return {"source": next(iter(self.profiles.values())).source_levels, **found} if found else {}

    @property
    def paragraph(self) -> str:
        """The paragraph for a paper."""
        report = self.report
        return paragraph(report.summary, report.objects, len(set(self.sources)), self.estimates, self.comparison)

    def to_dict(self) -> dict[str, Any]:
        """The entry of a chapter in the object that ``sema report --json`` prints."""
        report = self.report
        return {
            "title": self.run.folder.name,
            "paragraph": self.paragraph,
            "signature": report.signature,
            "lang": report.lang,
            "level": report.level,
            "items": report.items,
            "sources": len(set(self.sources)),
            "systems": [
                {
                    "name": name,
                    "scores": {metric: estimate.to_dict() for metric, estimate in self.estimates[name].items()},
                    "replacements": [[*pair, times] for pair, times in profile.replaced.most_common()],
                    "deletions": [[word, times] for word, times in profile.deleted.most_common()],
                }
                for name, profile in self.profiles.items()
            ],
            "letters": {metric: letters for metric in report.metrics if (letters := self.letters(metric))},
            "levels": {name: profile.to_list() for name, profile in self.levels.items()},
        }

    @cached_property
    def texts(self) -> Sequence[dict[str, Any]]:
        """For each item ``source``, ``outputs`` by system, ``references``; sentences joined. Read on demand."""

        def joined(row: Mapping[str, Any]) -> dict[str, Any]:
            outputs = {name: plain_text(text) for name, text in row["outputs"].items()}
            references = [plain_text(text) for text in row.get("references", ())]
            return {"source": plain_text(row["source"]), "outputs": outputs, "references": references}

        return Mapped(joined, self.run.all_texts())

    @cached_property
    def correlations(self) -> list[list[float]]:
        """Spearman's rho of every two metrics over all outputs; NaN if one is constant or under 3 have both."""
        systems = [system.columns(self.report.metrics) for system in self.report.systems]
        columns = [
            [value for system in systems for value in system.values(name).tolist()] for name in self.report.metrics
        ]
        return [[spearman(first, second).value for second in columns] for first in columns]

    def works(self) -> list[str]:
        """The works to cite for the metrics and this software; UCCA only if the Scenes are UCCA's."""
        works: dict[str, str] = json.loads(asset("works.json"))
        families = [name.partition("_")[0] for name in self.report.metrics]
        keys = dict.fromkeys(key for family in families for key in FAMILIES.get(family, (family,)))
        if "scenes:ucca" not in self.report.signature:
            keys.pop("ucca", None)
        cited = [works[key] for key in keys if key in works]
        return [*cited, "sema: a multilingual semantic-alignment metric engine for text simplification (CITATION.cff)"]


def read_chapter(
    folder: str, metric: str | None = None, progress: ProgressCallback = lambda done, total: None
) -> Chapter:
    """Read a run.

    Args:
        folder: the run's folder.
        metric: the metric by which items are ordered (default: the first).
        progress: called during the comparison of the systems and the count of their words.

    Raises:
        InputError: the folder holds no finished run.
        UsageError: the run has no such metric.
    """
    run = Run(folder)
    report = run.report()
    return Chapter(run, report, report.metrics[0] if metric is None else report.metric(metric).name, progress)
