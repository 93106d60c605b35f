"""The scorer: combines one language with some metrics, loads models once, and scores batches."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from copy import copy
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Unpack

from sema.analysis.matching import Matching
from sema.analysis.source import SourceAnalysis
from sema.analysis.texts import ProgressCallback, RawText, Readable
from sema.errors import InputError, Keyword, MissingText, SemaError, SemaWarning, UsageError, counted
from sema.files.scene_formats import format_factories
from sema.languages import find_language
from sema.metrics.base import Metric
from sema.metrics.registry import components, default_metrics, make_metric
from sema.metrics.token_metric import TokenMetric
from sema.model.item import Need
from sema.model.language import Language
from sema.model.links import Aligner
from sema.model.scene_graph import SceneExtractor
from sema.model.text import Text
from sema.options import Settings
from sema.scoring.chosen_metrics import defined, metric_list
from sema.scoring.chunk import Ids, Inputs, chunks
from sema.scoring.coerce import Columns, LinkInput, References, Targets, coerced, system_lists, whole_number
from sema.scoring.engine import MATCH, ChunkScores, Engine, Keep, Level, Plan
from sema.scoring.item_scores import ItemColumns, ItemScore, summable, warn_of_doubts
from sema.scoring.results import Report, make_system
from sema.scoring.runners import Runner, make_runner
from sema.scoring.runs import Run, open_run, run_head

CHUNK: dict[Level, int] = {"sentence": 128, "passage": 16}
"""Items analysed at a time: enough to fill the models' batches, few enough to show progress and to keep the sources in
the aligners' caches until every system's outputs are aligned."""


class Scorer:
    """Scores simplifications in one language.

    Models load on first use and stay loaded; segmentations and parses are cached, so score many outputs with one
    scorer.

    >>> scorer = Scorer("en", ["sema", "samsa"])
    >>> report = scorer.score(["John got home."], ["John got home."])
    >>> report.systems[0].scores
    {'sema': 100.0, 'samsa': 100.0}

    Args:
        lang: a language code (``sema languages`` lists them), or a language of your own; ``en-to-es`` for English
            sources with Spanish outputs.
        metrics: names (``sema metrics`` lists them) and metrics of your own, in the order in which results show them;
            by default ``meaning``, and ``sema`` and ``samsa`` where the language has Scenes.
        level: ``sentence`` scores the Scenes of the whole source against all output sentences in one go; ``passage``
            those of each source sentence, and takes the mean over the source sentences.
        segment: with ``False`` a passage is scored in one go as well. SAMSA is defined only for that: sentence by
            sentence it is not among the default metrics, and an error if named.
        parse_whole: parse a source passage as one sentence too, as in the rows without segmentation of SEMA's Table 2;
            only where ``segment`` is off. Long passages are slow, and parsers make mistakes in them.
        extractor, aligner: alternatives to the language's defaults: names, or objects of your own. Across languages
            the extractor is the sources'.
        options: options of single components, ``{"bleu.smoothing": "exp", "ud.heads": "root"}``; a name without a
            component (``"threads"``) sets the option of every component that has it.
        workers: processes that score in parallel; worth it for thousands of items.
        runner: where chunks are scored, instead of ``workers``.
        scene_formats: names of the file formats that the ``scenes`` of :meth:`score` are read from. Options then apply
            to these formats, and to the extractor only if it parses outputs.
        select_references: score each output against the references that match its operations, as in Table 11 of
            Alva-Manchego, Scarton and Specia (2021). The three numbers divide each item's references, in this order:
            those that only split, those that only reword, and those that do anything.

    Raises:
        UnknownNameError: a language, metric, extractor or aligner that is not installed.
        InputError: an option that no component has, or a wrong value.
        ResourceError: a plug-in that was asked for is broken.
    """

    def __init__(
        self,
        lang: str | Language = "en",
        metrics: Sequence[str | Metric] | None = None,
        *,
        level: Level = "sentence",
        segment: bool = True,
        parse_whole: bool = False,
        extractor: str | SceneExtractor | None = None,
        aligner: str | Aligner | None = None,
        options: Mapping[str, object] | Settings | None = None,
        workers: int = 1,
        runner: Runner | None = None,
        select_references: tuple[int, int, int] | None = None,
        scene_formats: Sequence[str] | None = None,
    ) -> None:
        if level not in ("sentence", "passage"):
            raise UsageError(f"unknown level {level!r}; use 'sentence' or 'passage'")
        if parse_whole and (segment or level != "passage"):
            passages = (Keyword("level", "'passage'"), " and ") if level != "passage" else ()
            raise UsageError(
                "sources are parsed whole only in passages that are not segmented",
                remedy=("give ", *passages, Keyword("segment", "False")),
            )
        if not isinstance(lang, str | Language):
            raise UsageError(f"lang must be a code such as 'en', or a Language, not {lang!r}")
        if runner is not None and not isinstance(runner, Runner):
            raise UsageError(f"runner must have a method map, as sema.scoring.runners has it; {runner!r} has none")
        workers = whole_number(workers, "workers", 1)
        if select_references is not None:
            select_references = _three_sizes(select_references)
        settings = options if isinstance(options, Settings) else Settings(options)
        language = find_language(lang) if isinstance(lang, str) else lang
        if language.unmeasured:
            warnings.warn(language.unmeasured, SemaWarning, stacklevel=2)
        if select_references is not None and language.sides is not None:
            raise UsageError(
                "references are selected by the words that an output keeps; leave this out across languages"
            )
        scenes = bool(language.of_sources.extractors or extractor is not None or scene_formats is not None)
        chosen = metric_list(default_metrics(scenes=scenes) if metrics is None else metrics)
        made = tuple(make_metric(name, settings, language) if isinstance(name, str) else name for name in chosen)
        made = defined(made, language, segmented=level == "passage" and segment, refuse=metrics is not None)
        self.engine = Engine(
            Plan(lang, made, level, segment, parse_whole, extractor, aligner, settings, select_references)
        )
        named = [name for name in chosen if isinstance(name, str)]
        formats = {} if scene_formats is None else format_factories(scene_formats)
        parses = scene_formats is None or any(Need.OUTPUT_SCENES in metric.requires for metric in made)
        parts = self.language.components(extractors=parses)
        settings.check({MATCH: Matching}, formats, components(named, language), parts)
        self.runner = make_runner(workers) if runner is None else runner

    @property
    def language(self) -> Language:
        """The language."""
        return self.engine.language

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, in the order of the results."""
        return self.engine.plan.metrics

    @property
    def signature(self) -> str:
        """Everything that determines the numbers, in sacreBLEU's ``key:value|…`` form."""
        return self.engine.signature()

    def with_metrics(self, metrics: Sequence[Metric]) -> Scorer:
        """The same scorer for some of its metrics."""
        other = copy(self)
        other.engine = Engine(replace(self.engine.plan, metrics=tuple(metrics)))
        return other

    def score(
        self,
        sources: Sequence[Readable],
        outputs: Sequence[Readable] | Mapping[str, Sequence[Readable]],
        references: References | None = None,
        *,
        scenes: Sequence[SourceAnalysis | SemaError] | None = None,
        links: Mapping[str, Sequence[LinkInput]] | Sequence[LinkInput] | None = None,
        targets: Targets | None = None,
        ids: Ids | None = None,
        collect_errors: bool = False,
        keep_items: bool = True,
        progress: ProgressCallback | None = None,
        save: str | Path | None = None,
        resume: bool = False,
        overwrite: bool = False,
    ) -> Report:
        """Score the outputs of one system, or of several by name.

        Args:
            sources: one text per item: a string, the list of its sentences, or a segmented :class:`~sema.Text`.
                An :class:`~sema.InputError` in its place marks an item that could not be read. Lists, generators,
                columns of pandas and polars and arrays of NumPy are accepted; sets have no order and are refused.
            outputs: in the same forms; a blank output scores 0 in the scene metrics. A missing one (``None``, NaN) is
                left out of the means, counted under ``failed``, and reported with a :class:`~sema.errors.SemaWarning`.
                A mapping has each system's outputs under its name, a table a system in each column.
            references: ``references[i]`` are the references of item ``i``, or a single one; missing ones are dropped. A
                table has a set of references in each column.
            scenes: analyses of the sources that were read from files instead of parsed.
            links: word links to use instead of the aligner's, for each system by name (or for the only one) and item:
                an :class:`~sema.model.links.Alignment`, or pairs of token numbers, the output's counted over all its
                sentences.
            targets: for each item the target CEFR level of its output (``"A2"``, or 2), if any.
            ids: for each item the id by which reports name it, in place of its number.
            collect_errors: keep going past broken items and carry their errors in the report.
            keep_items: keep the analysed items in the report, so that it can show the evidence. Without them a report
                takes a few hundred bytes an item instead of about ten thousand.
            progress: called with the number of items done and their total.
            save: a folder that the run is written to, chunk by chunk, with the evidence of all items; :class:`sema.Run`
                and the commands read it. The report then has only the numbers.
            resume, overwrite: continue the unfinished run in the folder, or replace it.

        Raises:
            InputError: lengths differ, a metric needs references and there are none, or an item is broken (a blank
                source, a NUL byte) and ``collect_errors`` is off; ``item`` is its number.
        """
        given: Columns = {"scenes": scenes, "links": links, "targets": targets, "ids": ids}
        inputs = self.inputs(sources, outputs, references, **given)
        for name, own in () if collect_errors else inputs.systems.items():
            if missing := sum(isinstance(output, MissingText) for output in own):
                what = f"{missing} of {counted(len(own), 'output')} of {name!r}"
                warnings.warn(f"missing: {what}; their items are left out", SemaWarning, stacklevel=2)
        if save is not None:
            run = self._write(save, inputs, resume=resume, overwrite=overwrite, progress=progress)
            report = run.report(self.metrics)
            for system, item in () if collect_errors else report.failed:
                if not isinstance(inputs.systems[system.name][item.index], MissingText):
                    raise InputError(f"{item.error}; the run is kept in {save}")
            return report
        metrics = [metric.name for metric in self.metrics]
        columns = {name: ItemColumns(metrics) for name in inputs.systems}
        keep = Keep.ITEMS if keep_items else Keep.NOTHING
        with closing(self.stream(inputs, keep=keep)) as parts:
            for part in parts:
                for column, items in zip(columns.values(), part, strict=True):
                    for item in () if collect_errors else items:
                        if item.cause is not None and not isinstance(item.cause, MissingText):
                            raise item.cause
                    column.extend(items)
                if progress is not None:
                    progress(len(column), len(inputs))
        return self.report(columns, inputs)

    def write(
        self,
        folder: str | Path,
        sources: Sequence[Readable],
        outputs: Sequence[Readable] | Mapping[str, Sequence[Readable]],
        references: References | None = None,
        *,
        resume: bool = False,
        overwrite: bool = False,
        progress: ProgressCallback | None = None,
        place: Callable[[SemaError, int], str] | None = None,
        **columns: Unpack[Columns],
    ) -> Run:
        """Score into a folder, chunk by chunk; memory does not grow with the number of items. Failed items are kept.

        Args:
            folder: where the run goes; it must not exist, be empty, or hold the same run unfinished (``resume``).
            sources, outputs, references, progress, columns: as in :meth:`score` (``scenes``, ``links``, ``targets``,
                ``ids``); lazy sequences are read twice, in order.
            resume: continue an unfinished run of the same inputs, metrics and options; a finished one is returned
                unchanged, but damaged chunks are scored again, with a :class:`~sema.errors.SemaWarning`.
            overwrite: replace the run that is in the folder.
            place: makes the text of an item's error from the error and the item's number.

        Raises:
            InputError: the folder holds something else, or a run of other inputs or options, or is in use.
        """
        given = self.inputs(sources, outputs, references, **columns)
        return self._write(folder, given, resume=resume, overwrite=overwrite, progress=progress, place=place)

    def _write(
        self,
        folder: str | Path,
        given: Inputs,
        *,
        resume: bool,
        overwrite: bool,
        progress: ProgressCallback | None,
        place: Callable[[SemaError, int], str] | None = None,
    ) -> Run:
        if not isinstance(folder, str | Path):
            raise UsageError(f"a run is saved in a folder, which a path names, not {type(folder).__name__}")
        head = run_head(self.engine, given, CHUNK[self.engine.plan.level])
        texts = Inputs(given.sources, given.systems, given.references, ids=given.ids)
        with open_run(Path(folder), head, resume=resume, overwrite=overwrite) as writer:
            if writer.finished:
                return Run(folder)
            with closing(self.stream(given, keep=Keep.EVIDENCE, numbers=writer.missing)) as parts:
                for number, part in zip(writer.missing, parts, strict=True):
                    start = number * head["chunk"]
                    end = start + len(part[0])
                    if place is not None:
                        part = [[item.placed(place) for item in system] for system in part]
                    writer.write_chunk(number, part, texts.part(start, end))
                    if progress is not None:
                        progress(end, len(given))
            writer.finish(self.metrics)
        return Run(folder)

    def inputs(self, sources: object, outputs: object, references: object = None, **more: Unpack[Columns]) -> Inputs:
        """The inputs of :meth:`score`, coerced and checked."""
        sets = self.engine.plan.select_references
        return coerced(sources, outputs, references, metrics=self.metrics, sets=sets, **more)

    def check(self, given: Inputs) -> None:
        """Check that the inputs fit together and suffice for the metrics (:meth:`Inputs.check`)."""
        given.check(self.metrics, selects=self.engine.plan.select_references is not None)

    def stream(
        self, given: Inputs, *, keep: Keep = Keep.NOTHING, numbers: Sequence[int] | None = None
    ) -> Generator[ChunkScores, None, None]:
        """Score chunk by chunk: for each chunk (those with ``numbers``, or all) the items of each system.

        Close the stream if you stop early: workers may be busy with the next chunks.
        """
        widths: dict[str, int] = {}
        warned: set[str] = set()
        words = any(isinstance(metric, TokenMetric) for metric in self.metrics)
        made = chunks(given, CHUNK[self.engine.plan.level], self.language, numbers, words=words)
        parts = self.runner.map(self.engine, made, keep=keep)
        try:
            for part in parts:
                scores = [[summable(item, widths) for item in items] for items in part]
                warn_of_doubts(scores, self.engine.metrics, warned)
                yield scores
        finally:
            if isinstance(parts, Generator):
                parts.close()

    def report(self, columns: Mapping[str, Iterable[ItemScore]], given: Inputs | None = None) -> Report:
        """The report over the scored items of every system; ``given`` are the inputs."""
        return Report(
            self.engine.signature(given),
            self.language.code,
            self.engine.plan.level,
            tuple(metric.name for metric in self.metrics),
            tuple(make_system(name, items, self.metrics) for name, items in columns.items()),
            self.metrics,
            None if given is None else given.ids,
        )


def _three_sizes(sizes: object) -> tuple[int, int, int]:
    if not isinstance(sizes, Sequence) or isinstance(sizes, str) or len(sizes) != 3:
        raise UsageError(f"select_references must be three numbers of references, not {sizes!r}")
    first, second, third = (whole_number(size, "a number of references", 0) for size in sizes)
    return first, second, third


_kept_scorer = lru_cache(maxsize=4)(Scorer)


def score(
    source: RawText | Sequence[RawText],
    output: RawText | Sequence[RawText],
    references: str | Sequence[str] | Sequence[Sequence[str]] | None = None,
    *,
    lang: str | Language = "en",
    metrics: Sequence[str | Metric] | None = None,
    level: Level = "sentence",
) -> dict[str, float]:
    """Score one output, or lists of sources and outputs, in one call; the scorer is kept for the next.

    ``references`` are the references of the one source (or a single one), or have an entry for each source. Returns
    the (corpus) scores by metric.

    >>> import sema
    >>> sema.score("John got home and gave Mary a call.", "John got home. John gave Mary a call.", metrics=["samsa"])
    {'samsa': 100.0}

    Raises:
        InputError: as :meth:`~sema.scoring.scorer.Scorer.score`.
    """
    single = isinstance(source, str | Text)
    systems = system_lists([output] if isinstance(output, str | Text) else output)
    if len(systems) > 1:
        raise UsageError("sema.score() scores one system; use Scorer(…).score() for several")
    lists = [references] if single and references is not None else references
    chosen = None if metrics is None else tuple(metric_list(metrics))
    by_name = isinstance(lang, str) and all(isinstance(metric, str) for metric in chosen or ())
    scorer = (_kept_scorer if by_name else Scorer)(lang, chosen, level=level)
    sources = [source] if single else source
    report = scorer.score(sources, systems, lists, keep_items=False)  # type: ignore[arg-type]
    return report.systems[0].scores
