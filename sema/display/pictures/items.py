"""The view of an item's evidence: words kept, lost and added, and the sentence of each Scene."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, groupby
from typing import Any, NamedTuple

from sema.display.pictures.rows import likeness, rows_of
from sema.model.links import LinkKind
from sema.model.text import is_punctuation

KEPT, PARTLY, CHANGED, LOST, ADDED, WRONG = "kept", "partly", "changed", "lost", "added", "wrong"
STATES = {"missing": LOST, "added": ADDED, "wrong": WRONG}  # the state of a word by the kind of its finding
FATES = (*LinkKind, KEPT, WRONG, LOST)  # of a source word, the best first (`kept`: by a model without links)
RANKS: Mapping[str, int] = {kind: place for place, kind in enumerate(LinkKind)}  # the surest kind first

Links = Sequence[tuple[int, str]]
"""For one word, each word of the other side that it is linked to, by number, and the kind of the link."""
Scene = Mapping[str, Any]
LinksByToken = Sequence[Mapping[int, Sequence[Any]]]
"""For each output sentence the link of each source token: source index, index in the sentence, kind."""


@dataclass(frozen=True)
class WordView:
    """One word: the space before it, its state, the surest kind of its links, and the links.

    Output words are numbered through all sentences. ``finding`` is the number of the word's finding, from 1, and
    ``opens`` whether a run of that finding's words begins here. ``level`` is the name of its level, ``above`` whether
    that is above the target.
    """

    number: int
    text: str
    gap: str
    state: str = ""
    kind: str = ""
    links: Links = ()
    probability: float | None = None
    level: str = ""
    above: bool = False
    finding: int | None = None
    opens: bool = False


@dataclass(frozen=True)
class RunView:
    """Adjacent words that belong to one output sentence (from 0; ``None``: to none).

    ``named`` says whether the sentence's number is shown; a number is not shown twice in succession.
    """

    sentence: int | None
    words: Sequence[WordView]
    named: bool = True


class RowView(NamedTuple):
    """Sentences of the source and of the output that stand side by side, as runs; one side may be empty."""

    source: Sequence[RunView]
    output: Sequence[RunView]


class CenterWord(NamedTuple):
    """A word of a minimal center, with the blank before it and its state; of its link the kind and the output word.

    ``place`` is the output word's number in its sentence, ``None`` without a link.
    """

    token: int
    gap: str
    text: str
    state: str
    kind: str = ""
    target: str = ""
    place: int | None = None

    @property
    def fate(self) -> str:
        """The kind of its link; without one, whether it is lost."""
        return self.kind or (LOST if self.state in (LOST, WRONG) else "no link")


@dataclass(frozen=True)
class ShownScene:
    """A Scene: where it is, and what became of the centers of its units."""

    sentence: int | None  # the output sentence (from 0) that has its words: :func:`_place_of`
    counted: int | None  # the sentence that the published scores looked in
    state: str  # by the findings; without them, whether all of its centers are linked, some, or none
    units: Sequence[tuple[str, Sequence[Sequence[CenterWord]]]]  # roles with their centers, each as its words
    because: Sequence[Mapping[str, str]] = ()  # the findings that touch it, in words


@dataclass(frozen=True)
class ItemView:
    """Everything shown of one output; without links or findings no word counts as lost or added."""

    source: Sequence[RunView]
    output: Sequence[RunView]  # a run for each sentence
    rows: Sequence[RowView]  # both, sentence by sentence
    scenes: Sequence[ShownScene]  # the source's
    meaning: Mapping[str, Sequence[Scene]]  # a model's verdicts on the Scenes of each side, with their `text`
    counts: Mapping[str, int]  # the words linked by each kind, lost, wrong and added, without punctuation


def view_item(evidence: Mapping[str, Any], *, source_text: str = "", output_text: str = "") -> ItemView:
    """The view of an item's evidence (:func:`sema.scoring.item_scores.evidence_of`).

    Args:
        evidence: ``source`` and ``sentences`` (words), perhaps ``scenes``, ``links`` and the fields of a meaning
            metric: ``findings``, ``source_words``, ``output_words``, ``source_scenes`` and ``output_scenes``.
        source_text, output_text: the texts as they were given, for the blanks between words.
    """
    source, sentences, scenes = evidence["source"], evidence["sentences"], evidence.get("scenes", ())
    links_of = _links_by_token(evidence)
    places = [_place_of(scene, scenes, links_of) for scene in scenes]
    words = {"source": source, "output": list(chain.from_iterable(sentences))}
    starts = [0, *accumulate(map(len, sentences))]
    forward, backward = defaultdict(list), defaultdict(list)
    for start, links in zip(starts, evidence.get("links", ()), strict=False):
        for source_index, output_index, kind, *_ in links:
            forward[source_index].append((start + output_index, kind))
            backward[start + output_index].append((source_index, kind))
    shown = _words(evidence, "source", source, source_text, forward)
    output = _words(evidence, "output", words["output"], output_text, backward)
    said = [RunView(number, output[starts[number] : starts[number + 1]]) for number in range(len(sentences))]
    rows = _rows(evidence, shown, said, _scene_sentences(scenes, places, source))
    return ItemView(
        [run for row in rows for run in row.source],
        said,
        rows,
        [_scene(scene, place, links_of, evidence, shown) for scene, place in zip(scenes, places, strict=True)],
        {
            side: [
                {"because": (), **scene, "text": joined([own[token] for token in scene["tokens"] if token < len(own)])}
                for scene in evidence.get(f"{side}_scenes", ())
            ]
            for side, own in words.items()
        },
        _counts(shown, output) if "links" in evidence else {},
    )


def _words(
    evidence: Mapping[str, Any], side: str, words: Sequence[str], text: str, links: Mapping[int, Links]
) -> list[WordView]:
    """The words of one side; their states come from the findings if there are any, otherwise from the links."""
    findings = evidence.get("findings")
    fates = {token: number for number, found in enumerate(findings or ()) for token in found[f"{side}_tokens"]}
    probabilities = evidence.get(f"{side}_words") or ()
    levels = evidence["levels"][side] if evidence.get("levels") is not None else {"words": (), "above": ()}
    views = []
    for number, (word, gap) in enumerate(zip(words, gaps(words, text), strict=True)):
        sure = probabilities[number] if number < len(probabilities) else None
        linked = tuple(links.get(number, ()))
        state = ""
        if findings is not None:
            state = STATES[findings[fates[number]]["kind"]] if number in fates else "" if is_punctuation(word) else KEPT
        elif not is_punctuation(word) and "links" in evidence:
            state = KEPT if linked else LOST if side == "source" else ADDED
        kind = min((kind for _, kind in linked), key=lambda kind: RANKS.get(kind, len(RANKS)), default="")
        level = levels["words"][number] if levels["words"] else None
        finding = fates.get(number)
        opens = finding is not None and finding != fates.get(number - 1)
        shown = (level or "", number in levels["above"], None if finding is None else finding + 1, opens)
        views.append(WordView(number, word, gap, state, kind, linked, sure, *shown))
    return views


def _rows(
    evidence: Mapping[str, Any], words: Sequence[WordView], said: Sequence[RunView], sentence_of: Sequence[int | None]
) -> list[RowView]:
    """The source's words in runs, beside the output sentences that they resemble."""
    spans = evidence.get("source_sentences") or [[0, len(words)]]
    marks = set(filter(is_punctuation, (*evidence["source"], *(word.text for run in said for word in run.words))))
    rows: list[RowView] = []
    shown: int | None = None
    for row in rows_of(likeness(evidence, marks), len(said)):
        own = [word for number in row.source for word in words[slice(*spans[number])]]
        runs: list[RunView] = []
        for sentence, group in groupby(own, key=lambda word: sentence_of[word.number]):
            runs.append(RunView(sentence, list(group), sentence is not None and sentence != shown))
            shown = shown if sentence is None else sentence
        rows.append(RowView(runs, [said[number] for number in row.output]))
    return rows


def _scene_sentences(
    scenes: Sequence[Scene], sentences: Sequence[int | None], words: Sequence[str]
) -> list[int | None]:
    """For each source word the output sentence of its innermost Scene; punctuation follows agreeing neighbours."""
    places: list[int | None] = [None] * len(words)
    found = [(_leaves_of(scene), at) for scene, at in zip(scenes, sentences, strict=True) if at is not None]
    for tokens, sentence in sorted(found, key=lambda entry: -len(entry[0])):
        for token in tokens:
            if token < len(words):
                places[token] = sentence
    for at in range(1, len(words) - 1):
        if is_punctuation(words[at]) and places[at - 1] == places[at + 1]:
            places[at] = places[at - 1]
    return places


def _scene(
    scene: Scene, sentence: int | None, links: LinksByToken, evidence: Mapping[str, Any], words: Sequence[WordView]
) -> ShownScene:
    """A Scene of the source; where there are findings, they decide the states of Scenes and words, as in the texts."""
    counted = scene["sentence"]
    into = {} if sentence is None or not links else links[sentence]

    def center(given: Mapping[str, Any]) -> list[CenterWord]:
        tokens, shown = given["tokens"], []
        own = given["links"] if sentence == counted else map(into.get, tokens)
        for token, link, gap in zip(tokens, own, usual_gaps([words[token].text for token in tokens]), strict=True):
            state = words[token].state if "findings" in evidence else LOST if link is None else KEPT
            linked = () if link is None else (link[2], evidence["sentences"][sentence][link[1]], link[1])
            shown.append(CenterWord(token, gap, words[token].text, state, *linked))
        return shown

    roles = [("main relation", scene["main_relation"]), *(("Participant", unit) for unit in scene["participants"])]
    units = [(role, [center(given) for given in centers]) for role, centers in roles]
    judged = {tuple(one["tokens"]): one for one in evidence.get("source_scenes", ())}.get(tuple(_leaves_of(scene)))
    if judged is not None:
        return ShownScene(sentence, counted, judged["state"], units, judged.get("because", ()))
    kept = [all(word.kind for word in words) for _, centers in units for words in centers]
    return ShownScene(sentence, counted, KEPT if all(kept) else PARTLY if any(kept) else LOST, units)


def _links_by_token(evidence: Mapping[str, Any]) -> LinksByToken:
    """Of several links of a token into a sentence one that is not hyponymy if possible; empty without links."""
    found: list[dict[int, Sequence[Any]]] = []
    for links in evidence.get("links", ()):
        found.append({})
        for link in links:
            if link[0] not in found[-1] or found[-1][link[0]][2] == LinkKind.HYPONYMY:
                found[-1][link[0]] = link
    return found


def _leaves_of(scene: Scene) -> Sequence[int]:
    """The tokens of a Scene."""
    return scene.get("leaves") or [*_tokens(*scene["main_relation"], *chain(*scene["participants"]))]


def _tokens(*centers: Mapping[str, Any]) -> dict[int, None]:
    return dict.fromkeys(token for center in centers for token in center["tokens"])


def _place_of(scene: Scene, scenes: Sequence[Scene], links: LinksByToken) -> int | None:
    """The output sentence (from 0) that has most of a Scene's own words; without links, where it was counted.

    ``None`` if no sentence has any. ``scenes`` are all of the source's. The published scores match a Scene by all of
    its leaves, nested Scenes included, and assign each sentence at most once (SAMSA, section 4.1), so they may look in
    another sentence.
    """
    whole, counted = set(_leaves_of(scene)), scene["sentence"]
    nested = {token for other in scenes if set(_leaves_of(other)) < whole for token in _leaves_of(other)}
    main = _tokens(*scene["main_relation"]).keys()
    shown = (whole - nested) | main | _tokens(*chain(*scene["participants"])).keys()
    found = [{token for token, link in own.items() if link[2] != LinkKind.HYPONYMY} for own in links]

    def rank(sentence: int) -> tuple[int, int, bool, int]:
        own = found[sentence] & shown
        return len(own), len(own & main), sentence == counted, -sentence

    best: int | None = max(range(len(links)), key=rank, default=counted)
    return None if best is None or (links and not rank(best)[0]) else best


def _counts(source: Sequence[WordView], output: Sequence[WordView]) -> dict[str, int]:
    words = (word for word in source if word.state and not is_punctuation(word.text))
    counts = Counter(word.state if word.state in (LOST, WRONG) else word.kind or KEPT for word in words)
    return {**counts, ADDED: sum(word.state == ADDED and not is_punctuation(word.text) for word in output)}


def gaps(words: Sequence[str], text: str) -> list[str]:
    """The whitespace before each word in ``text``; if a word is not found there, :func:`usual_gaps`.

    Whitespace with a line break becomes one line break, or two where a line is empty; any other becomes one space.
    """
    blanks: list[str] = []
    position = 0
    for word in words:
        start = position + len(_BLANK.match(text, position)[0])  # type: ignore[index]  # it matches anywhere
        at = text.find(word, start, start + len(word) + 12)
        if at < 0:
            return usual_gaps(words)
        ends = min(2, text.count("\n", position, at))
        blanks.append("" if not position or at == position else "\n" * ends or " ")
        position = at + len(word)
    return blanks


_BLANK = re.compile(r"\s*")


def usual_gaps(words: Sequence[str]) -> list[str]:
    """The space before each word: none beside East Asian characters, before closing or after opening marks."""
    return ["" if _is_tight(before, word) else " " for before, word in zip(["", *words], words, strict=False)]


def joined(words: Sequence[str]) -> str:
    """The words joined with the usual spaces."""
    return "".join(gap + word for gap, word in zip(usual_gaps(words), words, strict=True))


def _is_tight(before: str, word: str) -> bool:
    closing = word in (".", ",", ";", ":", "!", "?", ")", "]", "”", "%", "''", "n't") or word[:1] in ("'", "’")
    opening = before in ("", "(", "[", "“", "$", "``")
    return closing or opening or _is_square(before[-1:]) or _is_square(word[:1])


def _is_square(char: str) -> bool:
    return unicodedata.east_asian_width(char or " ") in "WF"
