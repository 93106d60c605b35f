"""The questionnaires that the field's papers put to raters, and what to show them.

Answers become columns named after the questions; ``sema agreement`` and ``sema metaeval`` read them.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from sema.errors import InputError

CONTROL_SHARE = 10
"""One control item of every kind for so many items, and one of every kind at least."""


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
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Questionnaire:
    """Questions with their instructions; ``controls`` are kinds of items that show whether a rater pays attention."""

    title: str
    instructions: str
    questions: tuple[Question, ...]
    controls: tuple[Literal["repeat", "copy", "broken"], ...] = ()
    shows_outputs: bool = True


@dataclass(frozen=True)
class Entry:
    """What a rater sees of one item: the source and a system's output; ``control`` names an item of quality control."""

    item: str
    system: str
    source: str
    output: str
    control: str = ""


def _agree(name: str, text: str, low: int = 1) -> Question:
    labels = ("not at all", "hardly", "partly", "mostly", "fully")
    return Question(name, text, "choice", low, low + 4, labels)


def _compare(name: str, text: str) -> Question:
    labels = ("much harder", "harder", "the same", "simpler", "much simpler")
    return Question(name, text, "choice", -2, 2, labels)


def _answer(name: str, text: str) -> Question:
    return Question(name, text, "choice", 1, 3, ("no", "maybe", "yes"))


def _assess(name: str, text: str) -> Question:
    return Question(name, text, "slider", 0, 100, ("disagree", "agree"))


GRAMMAR = "The simplified text is fluent and has no grammatical errors."
MEANING = "The simplified text says what the original says."
SIMPLICITY = "The simplified text is easier to understand than the original."

QUESTIONNAIRES: Mapping[str, Questionnaire] = MappingProxyType(
    {
        "likert": Questionnaire(
            "Grammar, meaning, simplicity",
            "Say how far you agree with each statement.",
            (_agree("grammaticality", GRAMMAR), _agree("meaning", MEANING), _agree("simplicity", SIMPLICITY)),
        ),
        "likert-0-4": Questionnaire(
            "Grammar, meaning (0 to 4), Simplicity+",
            "Say how far you agree with each statement, and count the paraphrases that made the text simpler.",
            (
                _agree("grammaticality", GRAMMAR, 0),
                _agree("meaning", MEANING, 0),
                Question(
                    "simplicity_plus", "How many successful paraphrases are there, of words or structure?", "count"
                ),
            ),
        ),
        "likert-plus-minus": Questionnaire(
            "Grammar, meaning, simplicity (simplicity from -2 to +2)",
            "Say how far you agree with each statement, and compare the two texts.",
            (
                _agree("grammaticality", GRAMMAR),
                _agree("meaning", MEANING),
                _compare("simplicity", "Is the simplified text simpler than the original?"),
            ),
        ),
        "structural": Questionnaire(
            "Grammar, meaning, structure",
            "The input is the original, the output the simplified text. For the last question the words do not count: "
            "where 'The feline slept.' became 'The cat slept.', only a word is simpler, and the answer is no.",
            (
                _answer("grammaticality", "Is the output grammatical?"),
                _answer("addition", "Does the output add information, compared to the input?"),
                _answer("removal", "Does the output remove important information, compared to the input?"),
                _answer(
                    "structural_simplicity",
                    "Is the output simpler than the input, ignoring the complexity of the words?",
                ),
            ),
        ),
        "da": Questionnaire(
            "Direct assessment",
            "Move each slider to say how far you agree with the statement. Every item needs all three.",
            (_assess("fluency", GRAMMAR), _assess("meaning", MEANING), _assess("simplicity", SIMPLICITY)),
            ("repeat", "copy", "broken"),
        ),
        "edits": Questionnaire(
            "Simplicity+",
            "Compare the two texts and count. A change is a word, phrase or structure put in another's place.",
            (
                Question("changes", "How many changes were made?", "count"),
                Question("simplicity_plus", "How many of them made it simpler and kept meaning and grammar?", "count"),
            ),
        ),
        "references": Questionnaire(
            "Write a simplification",
            "Rewrite each text in simpler words. Keep its meaning; leave nothing out and do not split sentences.",
            (Question("reference", "Your simpler text:", "text"),),
            shows_outputs=False,
        ),
    }
)
"""By name: five-point statements from 1 on; from 0 on with Simplicity+ (Xu et al. 2016); with simplicity from -2 to +2;
the four questions of Sulem, Abend and Rappoport (NAACL 2018, Table 1); direct assessment (Alva-Manchego, Scarton and
Specia 2021, section 3.3); Simplicity+ and references (Xu et al. 2016)."""


def make_entries(
    questionnaire: Questionnaire, sources: Sequence[str], systems: Mapping[str, Sequence[str]], *, seed: int = 12345
) -> list[Entry]:
    """Everything one rater is shown, in an order drawn by ``seed``, so that systems and controls cannot be guessed.

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
            raise InputError(f"{len(sources)} sources but {len(outputs)} outputs of {name!r}; give one for each source")
    entries = [
        Entry(str(index), name, source, outputs[index])
        for name, outputs in systems.items()
        for index, source in enumerate(sources)
    ]
    generator = random.Random(seed)
    count = max(1, len(entries) // CONTROL_SHARE)
    controls = [
        _control(entry, kind, generator)
        for kind in questionnaire.controls
        for entry in generator.sample(entries, min(count, len(entries)))
    ]
    entries += controls
    generator.shuffle(entries)
    return entries


def _control(entry: Entry, kind: str, generator: random.Random) -> Entry:
    """An item whose ratings are known: the same again; a copy (meaning is kept); a third of the words lost."""
    words = entry.output.split()
    if kind == "copy":
        entry = replace(entry, output=entry.source)
    elif kind == "broken":
        lost = set(generator.sample(range(len(words)), max(1, len(words) // 3))) if words else set()
        entry = replace(entry, output=" ".join(word for place, word in enumerate(words) if place not in lost))
    return replace(entry, control=kind)
