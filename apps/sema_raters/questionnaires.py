"""The questionnaires of the field's papers, the items shown to raters, and the pages that they fill in.

Answers become columns named after the questions; ``sema agreement`` and ``sema metaeval`` read them.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Literal

from sema.errors import InputError, counted

CONTROL_SHARE = 10
"""One control item of every kind per this many items, at least one of every kind."""


@dataclass(frozen=True)
class Question:
    """One question about every item.

    Attributes:
        name: the column of its answers.
        text: what is asked.
        kind: ``choice`` (a scale of numbers), ``slider``, ``count`` (how many) or ``text``.
        low, high: the ends of a scale.
        labels: what the numbers of a ``choice``, or the ends of a ``slider``, mean.
    """

    name: str
    text: str
    kind: Literal["choice", "slider", "count", "text"]
    low: int = 0
    high: int = 100
    labels: Sequence[str] = ()


@dataclass(frozen=True)
class Questionnaire:
    """Questions with their instructions; ``controls`` are kinds of items that test a rater's attention.

    Each of the ``scores`` is the mean of some answers or earlier scores. A minus sign inverts an answer on its scale:
    on a scale from 1 to 3, 1 counts as 3.
    """

    title: str
    instructions: str
    questions: Sequence[Question]
    controls: Sequence[Literal["repeat", "copy", "broken"]] = ()
    shows_outputs: bool = True
    scores: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def scored(self) -> Sequence[Question]:
        """The questions whose answers make scores."""
        names = {part.lstrip("-") for parts in self.scores.values() for part in parts}
        return [question for question in self.questions if question.name in names]

    def scores_of(self, answers: Mapping[str, float]) -> dict[str, float]:
        """One rater's scores of one item from the answers by question; NaN where an answer is.

        G, P, S and AvgHuman of Sulem, Abend and Rappoport (NAACL 2018), section 5.2, from the structural questions.
        """
        inverted = {f"-{one.name}": one.low + one.high - answers[one.name] for one in self.scored}
        known = {**answers, **inverted}
        for name, parts in self.scores.items():
            known[name] = fmean(known[part] for part in parts)
        return {name: known[name] for name in self.scores}


@dataclass(frozen=True)
class Entry:
    """One item as shown to a rater: the source and a system's output; ``control`` names a quality-control item."""

    item: str
    system: str
    source: str
    output: str
    control: str = ""


QUESTIONNAIRES: Mapping[str, Questionnaire] = {
    name: Questionnaire(**{**entry, "questions": [Question(**question) for question in entry["questions"]]})
    for name, entry in json.loads(Path(__file__).with_name("questionnaires.json").read_text(encoding="utf-8")).items()
}
"""By name: ``likert``, five-point statements; ``likert-0-4``, from 0 on with Simplicity+ (Xu et al. 2016);
``likert-plus-minus``, simplicity from -2 to +2; ``structural``, the four questions of Sulem, Abend and Rappoport (NAACL
2018, Table 1); ``structural-plus-minus``, the last of them from -2 to +2 (as Alva-Manchego, Scarton and Specia 2021,
section 2.1, have it); ``da``, direct assessment (the same, section 3.3); ``edits``, Simplicity+, and ``references`` (Xu
et al. 2016)."""


def make_entries(
    questionnaire: Questionnaire, sources: Sequence[str], systems: Mapping[str, Sequence[str]], *, seed: int = 12345
) -> list[Entry]:
    """Everything one rater is shown, in an order drawn from ``seed`` that hides systems and controls.

    Where references are collected there are no outputs, and the sources keep their order.

    Raises:
        InputError: a questionnaire about outputs without any, or numbers of texts that differ.
    """
    if not questionnaire.shows_outputs:
        return [Entry(str(index), "", source, "") for index, source in enumerate(sources)]
    if not systems:
        raise InputError(f"{questionnaire.title!r} asks about outputs; give those of one system at least")
    for name, outputs in systems.items():
        if len(outputs) != len(sources):
            sizes = f"{counted(len(sources), 'source')} but {counted(len(outputs), 'output')}"
            raise InputError(f"{sizes} of {name!r}; give one for each source")
    texts = list(enumerate(sources))
    entries = [Entry(str(at), name, source, outputs[at]) for name, outputs in systems.items() for at, source in texts]
    generator = random.Random(seed)
    count = min(len(entries), max(1, len(entries) // CONTROL_SHARE))
    drawn = ((kind, entry) for kind in questionnaire.controls for entry in generator.sample(entries, count))
    shown = entries + [_control(entry, kind, generator) for kind, entry in drawn]
    generator.shuffle(shown)
    return shown


def _control(entry: Entry, kind: str, generator: random.Random) -> Entry:
    """An item whose ratings are known: the same again; a copy (meaning is kept); a third of the words lost.

    A text of one or two words, such as one without spaces, loses a third of its characters instead.
    """
    if kind == "copy":
        entry = replace(entry, output=entry.source)
    elif kind == "broken":
        words = entry.output.split()
        between, pieces = (" ", words) if len(words) > 2 else ("", list(entry.output.strip()))
        lost = generator.sample(range(len(pieces)), max(1, len(pieces) // 3)) if len(pieces) > 1 else []
        entry = replace(entry, output=between.join(piece for place, piece in enumerate(pieces) if place not in lost))
    return replace(entry, control=kind)


def form_page(questionnaire: Questionnaire, entries: Sequence[Entry], *, lang: str = "en") -> str:
    """A self-contained page for entries in this order: nothing in it is loaded from elsewhere, no text becomes markup.

    ``lang`` is the language of the texts, for the browser.
    """
    from sema.display.pictures.pages import rendered

    shown = [asdict(entry) for entry in entries]
    questions = [question.name for question in questionnaire.questions]
    digest = hashlib.sha256(json.dumps([shown, questions]).encode()).hexdigest()[:16]
    columns = ("item", "system", "control", "source", "output")  # of the answers, beside the rater and the questions
    data = {"key": f"sema-{digest}", "entries": shown, "questions": questions, "columns": columns}
    return rendered("form.html", "sema_raters", entries=entries, data=data, questionnaire=questionnaire, lang=lang)
