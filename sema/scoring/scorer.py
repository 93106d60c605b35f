"""The scorer: one language and some metrics put together, loaded once, scoring batches."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from multiprocessing import get_context
from typing import Literal

from sema.analysis.analyser import Analyser, ProgressCallback, RawText, Readable, SourceAnalysis, check_text
from sema.errors import InputError, SemaError
from sema.languages import Language, RunOptions, find_language
from sema.metrics import REGISTRY
from sema.metrics.base import Item, Metric, MetricOptions
from sema.scoring.results import ItemScore, Report, SystemScore
from sema.model.scene_graph import SceneExtractor
from sema.model.text import Segmenter, Text

DEFAULT_METRICS = ("sema", "sema_part", "sema_base", "samsa", "samsa_abl")
Level = Literal["sentence", "passage"]

CHUNK: dict[Level, int] = {"sentence": 256, "passage": 32}
"""Items analysed at a time: enough to fill the models' batches, few enough to show progress and for aligners to keep
what they know of the sources until the last output has met them."""


@dataclass(frozen=True)
class ScorerOptions:
    """What decides a scorer's numbers, beyond its metrics; plain data, so that worker processes can be told."""

    lang: str
    level: Level = "sentence"
    segment: bool = True
    extractor: str | None = None
    aligner: str | None = None
    run: RunOptions = field(default_factory=RunOptions)


class Scorer:
    """Scores simplifications in one language.

    Models are loaded when first needed and kept; sources, segmentations and parses are cached, so score many outputs
    with one scorer. Metrics names are those that ``sema metrics`` lists.

    Args:
        lang: a language code (``sema languages`` lists them).
        metrics: names, in the order in which results show them.
        level: ``sentence``: the Scenes of the whole source against all output sentences in one go; ``passage``: those
            of each source sentence, and the mean over the source sentences.
        segment: with ``False`` a passage is scored in one go as well.
        extractor, aligner: names of the language's alternatives to its defaults.
        run: thread count, precision, model paths.
        metric_options: tokenizer, case and models for metrics that take them.
        workers: processes that analyse in parallel; worth it for thousands of items.

    Raises:
        UnknownNameError: a language, metric, extractor or aligner that is not installed.
    """

    def __init__(
        self,
        lang: str = "en",
        metrics: Sequence[str] = DEFAULT_METRICS,
        *,
        level: Level = "sentence",
        segment: bool = True,
        extractor: str | None = None,
        aligner: str | None = None,
        run: RunOptions | None = None,
        metric_options: MetricOptions | None = None,
        workers: int = 1,
    ) -> None:
        if level not in ("sentence", "passage"):
            raise InputError(f"unknown level {level!r}; use 'sentence' or 'passage'")
        if workers < 1:
            raise InputError(f"workers must be at least 1, not {workers}")
        self.language: Language = find_language(lang)
        self.options = ScorerOptions(lang, level, segment, extractor, aligner, run or RunOptions())
        given = metric_options or MetricOptions()
        metric_options = replace(
            given,
            lang=lang,
            segmenter=given.segmenter or (lambda: self.segmenter),
            lexicon=given.lexicon or self.language.lexicon,
        )
        self.metrics: tuple[Metric, ...] = tuple(REGISTRY.create(name, metric_options) for name in metrics)
        self.workers = workers

    @property
    def needs_scenes(self) -> bool:
        """Whether some metric asks for scenes and alignment."""
        return any(metric.needs_scenes for metric in self.metrics)

    @cached_property
    def _text_analyser(self) -> Analyser:
        return Analyser(self.language.segmenter(self.options.run), None, None)

    @cached_property
    def analyser(self) -> Analyser:
        """The language's parts at work; the models load when first used."""
        return build_analyser(self.options, self.language, self._text_analyser)

    @property
    def segmenter(self) -> Segmenter:
        """The language's segmenter."""
        return self._text_analyser.segmenter

    @property
    def signature(self) -> str:
        """Everything that decides the numbers, in sacreBLEU's ``key:value|…`` form."""
        return self._signature(None)

    def _signature(self, scenes: str | None) -> str:
        from sema import __version__

        parts = {"lang": self.language.code, "level": self.options.level}
        if self.options.level == "passage":
            parts["segment"] = "yes" if self.options.segment else "no"
        parts["text"] = self._text_analyser.segmenter.signature
        if self.needs_scenes:
            extractor: SceneExtractor | None = self.analyser.extractor
            parts["scenes"] = scenes or (extractor.signature if extractor else "")
            parts["align"] = self.analyser.aligner.signature if self.analyser.aligner else ""
        parts.update({metric.name: metric.signature for metric in self.metrics if metric.signature})
        parts["sema"] = __version__
        return "|".join(f"{key}:{value.replace('|', ';')}" for key, value in parts.items())

    def score(
        self,
        sources: Sequence[Readable],
        outputs: Sequence[Readable] | Mapping[str, Sequence[Readable]],
        references: Sequence[Sequence[str | InputError]] | None = None,
        *,
        scenes: Sequence[SourceAnalysis | SemaError] | None = None,
        collect_errors: bool = False,
        progress: ProgressCallback | None = None,
    ) -> Report:
        """Score the outputs of one system, or of several by name.

        Args:
            sources: one text an item: a string, the list of its sentences, or a segmented :class:`~sema.model.text.Text`.
                An :class:`~sema.errors.InputError` in its place marks an item that could not be read.
            outputs: likewise, one an item; a blank output is allowed and scores 0 in the scene metrics.
            references: ``references[i]`` are the references of item ``i``.
            scenes: analyses of the sources that were read from files instead of parsed.
            collect_errors: keep going past broken items and carry their errors in the report.
            progress: called with items done and total.

        Raises:
            InputError: lengths differ, a metric needs references and there are none, or an item is broken (a blank
                source, a NUL byte) and ``collect_errors`` is off; ``line`` is the 1-based number of the item.
        """
        systems = dict(outputs) if isinstance(outputs, Mapping) else {"output": outputs}
        self._check_lengths(sources, systems, references)
        checked = [check_text(source, "source", index + 1) for index, source in enumerate(sources)]
        columns = {
            name: [check_text(output, "output", index + 1) for index, output in enumerate(system)]
            for name, system in systems.items()
        }
        broken = [
            _first_error([source, *(references[index] if references is not None else ())])
            or self._missing_references(references, index)
            for index, source in enumerate(checked)
        ]
        prepared = self._prepare(checked, columns, broken, scenes, progress)
        reports = []
        for name, items in prepared.items():
            if references is not None:
                items = [
                    item if isinstance(item, SemaError) else replace(item, references=tuple(map(str, refs)))
                    for item, refs in zip(items, references, strict=True)
                ]
            if not collect_errors:
                for item in items:
                    if isinstance(item, SemaError):
                        raise item
            with _collector_at_rest():
                reports.append(self._measure(name, items))
        return Report(
            self._signature("file" if scenes is not None else None),
            self.language.code,
            self.options.level,
            tuple(metric.name for metric in self.metrics),
            tuple(reports),
            {metric.name: metric.higher_is_better for metric in self.metrics},
        )

    def _check_lengths(
        self,
        sources: Sequence[Readable],
        systems: Mapping[str, Sequence[Readable]],
        references: Sequence[Sequence[str | InputError]] | None,
    ) -> None:
        for name, system in systems.items():
            if isinstance(system, str) or isinstance(sources, str):
                raise InputError("give lists of texts; sema.score() takes single ones")
            if len(system) != len(sources):
                raise InputError(
                    f"{len(sources)} sources but {len(system)} outputs in {name!r}; give one output a source"
                )
        if references is not None and len(references) != len(sources):
            raise InputError(f"{len(sources)} sources but references for {len(references)}; give a list a source")
        needy = [metric.name for metric in self.metrics if metric.needs_references]
        if needy and (references is None or not any(references)):
            raise InputError(f"{', '.join(needy)} needs references; give some (-r FILE) or leave the metric out")

    def _missing_references(
        self, references: Sequence[Sequence[str | InputError]] | None, index: int
    ) -> InputError | None:
        """The error of an item whose references are all blank, if a metric needs one."""
        needy = [metric.name for metric in self.metrics if metric.needs_references]
        if not needy or references is None or any(str(reference).strip() for reference in references[index]):
            return None
        return InputError(f"{', '.join(needy)} needs a reference, and this item has none; give one", line=index + 1)

    def _prepare(
        self,
        sources: Sequence[Readable],
        systems: Mapping[str, Sequence[Readable]],
        broken: Sequence[SemaError | None],
        scenes: Sequence[SourceAnalysis | SemaError] | None,
        progress: ProgressCallback | None,
    ) -> dict[str, list[Item | SemaError]]:
        """Items or errors of every system; broken texts go in as blanks and come out as their errors."""
        clean = [BLANK if error else _usable(source) for source, error in zip(sources, broken, strict=True)]
        columns = [[_usable(text) for text in system] for system in systems.values()]
        size = CHUNK[self.options.level]
        chunks = [
            Chunk(
                clean[start : start + size],
                [column[start : start + size] for column in columns],
                None if scenes is None else scenes[start : start + size],
                self.options.segment and self.options.level == "passage",
            )
            for start in range(0, len(clean), size)
        ]
        rows: list[list[Item | SemaError]] = [[] for _ in columns]
        for part in self._run(chunks):
            for row, items in zip(rows, part, strict=True):
                row.extend(items)
            if progress is not None:
                progress(len(rows[0]), len(clean))
        return {
            name: [
                error or (text if isinstance(text, InputError) else item)
                for error, text, item in zip(broken, system, row, strict=True)
            ]
            for (name, system), row in zip(systems.items(), rows, strict=True)
        }

    def _run(self, chunks: Sequence[Chunk]) -> Iterator[list[list[Item | SemaError]]]:
        if self.workers == 1 or len(chunks) == 1 or not self.needs_scenes:
            analyser = self.analyser if self.needs_scenes else self._text_analyser
            for chunk in chunks:
                yield chunk.prepare(analyser)
            return
        # Models' own threads do not survive a fork, so workers start afresh, with one thread each.
        options = replace(self.options, run=replace(self.options.run, threads=1))
        with ProcessPoolExecutor(
            min(self.workers, len(chunks)), get_context("spawn"), initializer=_start_worker, initargs=(options,)
        ) as pool:
            yield from pool.map(_work, chunks)

    def _measure(self, name: str, items: Sequence[Item | SemaError]) -> SystemScore:
        """Score the usable items; the others keep their errors and are left out of the corpus scores."""
        usable = [item for item in items if not isinstance(item, SemaError)]
        results = [(metric.name, metric.score(usable)) for metric in self.metrics] if usable else []
        rows = iter(zip(*(scores.items for _, scores in results), strict=True))
        scored = []
        for index, item in enumerate(items):
            if isinstance(item, SemaError):
                scored.append(ItemScore(index, {}, None, str(item), item))
            else:
                values = dict(zip((metric for metric, _ in results), next(rows), strict=True))
                scored.append(ItemScore(index, values, item))
        corpus = {metric: scores.corpus for metric, scores in results} or {
            metric.name: float("nan") for metric in self.metrics
        }
        return SystemScore(name, corpus, tuple(scored), dict(results))


BLANK = Text("", (), ())


@dataclass(frozen=True)
class Chunk:
    """A stretch of items on their way to analysis, as worker processes get it."""

    sources: Sequence[RawText]
    outputs: Sequence[Sequence[RawText]]
    scenes: Sequence[SourceAnalysis | SemaError] | None
    segment: bool

    def prepare(self, analyser: Analyser) -> list[list[Item | SemaError]]:
        """Analyse the stretch (:meth:`sema.analysis.analyser.Analyser.prepare`)."""
        with _collector_at_rest():
            return analyser.prepare(self.sources, self.outputs, segment=self.segment, scenes=self.scenes)


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Let Python look for garbage after a stretch, not in its midst.

    Nearly all that is made on the way (graphs, Scenes, links) is kept, so looking again and again finds nothing and
    takes a sixth of the time.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


_worker: Analyser | None = None


def _start_worker(options: ScorerOptions) -> None:
    global _worker
    _worker = build_analyser(options, find_language(options.lang))


def _work(chunk: Chunk) -> list[list[Item | SemaError]]:
    assert _worker is not None
    return chunk.prepare(_worker)


def build_analyser(options: ScorerOptions, language: Language, texts: Analyser | None = None) -> Analyser:
    """Put a language's parts together; ``texts`` is an analyser whose segmenter is to be shared."""
    segmenter = texts.segmenter if texts is not None else language.segmenter(options.run)
    return Analyser(
        segmenter, language.extractor(options.extractor, options.run), language.aligner(options.aligner, options.run)
    )


def _usable(text: Readable) -> RawText:
    return BLANK if isinstance(text, InputError) else text


def _first_error(readables: Sequence[Readable]) -> SemaError | None:
    return next((text for text in readables if isinstance(text, InputError)), None)


def score(
    source: RawText | Sequence[RawText],
    output: RawText | Sequence[RawText],
    references: Sequence[str] | Sequence[Sequence[str]] | None = None,
    *,
    lang: str = "en",
    metrics: Sequence[str] = DEFAULT_METRICS,
    level: Level = "sentence",
) -> dict[str, float]:
    """Score one output, or lists of sources and outputs, in one call; the scorer is kept for the next.

    ``references`` are those of the one source, or a list of lists. Returns the (corpus) scores by metric.

    Raises:
        InputError: as :meth:`Scorer.score`.
    """
    single = isinstance(source, str | Text)
    sources = [source] if single else source
    outputs = [output] if isinstance(output, str | Text) else output
    lists = [references] if single and references is not None else references
    scorer = _kept_scorer(lang, tuple(metrics), level)
    report = scorer.score(sources, outputs, lists)  # type: ignore[arg-type]
    return report.systems[0].scores


@lru_cache(maxsize=4)
def _kept_scorer(lang: str, metrics: tuple[str, ...], level: Level) -> Scorer:
    return Scorer(lang, metrics, level=level)
