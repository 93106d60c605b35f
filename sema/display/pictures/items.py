"""The view of an item's evidence: words kept, lost and added, and the sentence of each Scene."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple

from sema.display.pictures.rows import rows_of, similarities
from sema.display.pictures.svg import is_square
from sema.model.links import LinkKind
from sema.model.text import is_punctuation

KEPT, PARTLY, CHANGED, LOST, ADDED, WRONG = "kept", "partly", "changed", "lost", "added", "wrong"
STATES = {"missing": LOST, "added": ADDED, "wrong": WRONG}  # the state of a word by the kind of its finding
FATES = (*LinkKind, KEPT, WRONG, LOST)  # of a source word, the best first (`kept`: by a model without links)
_BLANK = re.compile(r"\s*")

Scene = Mapping[str, Any]
LinksByToken = Sequence[Mapping[int, Sequence[Any]]]
"""For each output sentence the link of each source token: source index, index in the sentence, kind."""


@dataclass(frozen=True)
class WordView:
    """One word: the space before it, its state, and the words of the other side that it is linked to.

    Output words are numbered through all sentences. ``links`` has the number of each linked word and the kind of the
    link, ``kind`` the surest of these kinds. ``level`` is the name of its level, ``above`` whether that is above the
    target. ``finding`` is the number of the word's finding, from 1, and ``opens`` whether a run of that finding's words
    begins here.
    """

    number: int
    text: str
    gap: str
    state: str = ""
    kind: str = ""
    links: Sequence[tuple[int, str]] = ()
    level: str = ""
    above: bool = False
    finding: int | None = None
    opens: bool = False


class RowView(NamedTuple):
    """Sentences that stand side by side, one side may be empty: the source's words, and the numbers of the output's."""

    source: Sequence[WordView]
    output: Sequence[int]


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


class ShownScene(NamedTuple):
    """A Scene: where it is, and what became of the centers of its units."""

    sentence: int | None  # the output sentence (from 0) that has its words: :func:`_place_of`
    counted: int | None  # the sentence that the published scores looked in
    state: str  # by the findings; without them, whether all of its centers are linked, some, or none
    units: Sequence[tuple[str, Sequence[Sequence[CenterWord]]]]  # roles with their centers, each as its words
    because: Sequence[Mapping[str, str]]  # the findings that touch it, in words


@dataclass(frozen=True)
class ItemView:
    """Everything shown of one output; without links or findings no word counts as lost or added."""

    source: Sequence[WordView]
    output: Sequence[Sequence[WordView]]  # sentence by sentence
    rows: Sequence[RowView]
    scenes: Sequence[ShownScene]  # the source's
    counts: Mapping[str, int]  # the words linked by each kind, lost, wrong and added, without punctuation


def view_item(evidence: Mapping[str, Any], *, source_text: str = "", output_text: str = "") -> ItemView:
    """The view of an item's evidence (:func:`sema.scoring.item_scores.evidence_of`).

    Args:
        evidence: ``source`` and ``sentences`` (words), perhaps ``scenes``, ``links``, ``levels``, and a meaning
            metric's ``findings`` and ``source_scenes``.
        source_text, output_text: the texts as they were given, for the blanks between words.
    """
    source, sentences, scenes = evidence["source"], evidence["sentences"], evidence.get("scenes", ())
    starts = [0, *accumulate(map(len, sentences))]
    forward, backward = defaultdict(list), defaultdict(list)
    for start, links in zip(starts, evidence.get("links", ()), strict=False):
        for source_index, output_index, kind, *_ in links:
            forward[source_index].append((start + output_index, kind))
            backward[start + output_index].append((source_index, kind))
    shown = _words(evidence, "source", source, source_text, forward)
    output = _words(evidence, "output", [*chain.from_iterable(sentences)], output_text, backward)
    links_of = _links_by_token(evidence)
    spans = evidence.get("source_sentences") or [[0, len(source)]]
    rows = rows_of(similarities(evidence, spans), len(sentences))
    return ItemView(
        shown,
        [output[start:end] for start, end in pairwise(starts)],
        [RowView([word for number in row.source for word in shown[slice(*spans[number])]], row.output) for row in rows],
        [_scene(scene, _place_of(scene, scenes, links_of), links_of, evidence, shown) for scene in scenes],
        _counts(shown, output) if "links" in evidence else {},
    )


def _words(
    evidence: Mapping[str, Any],
    side: str,
    words: Sequence[str],
    text: str,
    links: Mapping[int, Sequence[tuple[int, str]]],
) -> list[WordView]:
    """The words of one side; their states come from the findings if there are any, otherwise from the links."""
    findings = evidence.get("findings")
    fates = {token: number for number, found in enumerate(findings or ()) for token in found[f"{side}_tokens"]}
    levels = (evidence.get("levels") or {}).get(side) or {"words": [None] * len(words), "above": ()}
    views = []
    for number, (word, gap, level) in enumerate(zip(words, gaps(words, text), levels["words"], strict=True)):
        linked, finding, state = tuple(links.get(number, ())), fates.get(number), ""
        if findings is not None and finding is not None:
            state = STATES[findings[finding]["kind"]]
        elif not is_punctuation(word):
            unlinked = LOST if side == "source" else ADDED
            state = KEPT if findings is not None else "" if "links" not in evidence else KEPT if linked else unlinked
        kinds = {kind for _, kind in linked}
        kind = next((kind for kind in LinkKind if kind in kinds), "")  # the surest first
        opens = finding is not None and finding != fates.get(number - 1)
        number_of_finding = None if finding is None else finding + 1
        above = number in levels["above"]
        views.append(WordView(number, word, gap, state, kind, linked, level or "", above, number_of_finding, opens))
    return views


def _scene(
    scene: Scene, sentence: int | None, links: LinksByToken, evidence: Mapping[str, Any], words: Sequence[WordView]
) -> ShownScene:
    """A Scene of the source; where there are findings, they decide the states of Scenes and words, as in the texts."""

    def center(tokens: Sequence[int]) -> list[CenterWord]:
        shown = []
        for word in (words[token] for token in tokens):
            link = None if sentence is None else links[sentence].get(word.number)
            state = word.state if "findings" in evidence else LOST if link is None else KEPT
            linked = () if link is None else (link[2], evidence["sentences"][sentence][link[1]], link[1])
            shown.append(CenterWord(word.number, word.gap, word.text, state, *linked))
        return shown

    roles = [("main relation", scene["main_relation"]), *(("Participant", unit) for unit in scene["participants"])]
    units = [(role, [center(given["tokens"]) for given in centers]) for role, centers in roles]
    judged = {tuple(one["tokens"]): one for one in evidence.get("source_scenes", ())}.get(tuple(_leaves_of(scene)))
    if judged is not None:
        return ShownScene(sentence, scene["sentence"], judged["state"], units, judged.get("because", ()))
    kept = [all(word.kind for word in words) for _, centers in units for words in centers]
    state = KEPT if all(kept) else PARTLY if any(kept) else LOST
    return ShownScene(sentence, scene["sentence"], state, units, ())


def _links_by_token(evidence: Mapping[str, Any]) -> LinksByToken:
    """Of several links of a token into a sentence the first that is not hyponymy, if there is one."""
    return [
        {link[0]: link for link in sorted(reversed(links), key=lambda link: link[2] != LinkKind.HYPONYMY)}
        for links in evidence.get("links", ())
    ]


def _leaves_of(scene: Scene) -> Sequence[int]:
    """The tokens of a Scene."""
    return scene.get("leaves") or [*_tokens(*scene["main_relation"], *chain(*scene["participants"]))]


def _tokens(*centers: Mapping[str, Any]) -> dict[int, None]:
    return dict.fromkeys(token for center in centers for token in center["tokens"])


def _place_of(scene: Scene, scenes: Sequence[Scene], links: LinksByToken) -> int | None:
    """The output sentence (from 0) that has most of a Scene's own words; ``None`` if no sentence has any.

    ``scenes`` are all of the source's. The published scores match a Scene by all of its leaves, nested Scenes included,
    and assign each sentence at most once (SAMSA, section 4.1), so they may look in another sentence.
    """
    whole, main = set(_leaves_of(scene)), _tokens(*scene["main_relation"]).keys()
    nested = {token for other in scenes if set(_leaves_of(other)) < whole for token in _leaves_of(other)}
    shown = (whole - nested) | main | _tokens(*chain(*scene["participants"])).keys()
    ranks = []
    for sentence, found in enumerate(links):
        own = {token for token, link in found.items() if link[2] != LinkKind.HYPONYMY} & shown
        ranks.append((len(own), len(own & main), sentence == scene["sentence"], -sentence))
    best = max(ranks, default=(0, 0, False, 0))
    return -best[-1] if best[0] else None


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


def usual_gaps(words: Sequence[str]) -> list[str]:
    """The space before each word: none beside East Asian characters, before closing or after opening marks."""
    return ["" if _is_tight(before, word) else " " for before, word in zip(["", *words], words, strict=False)]


def _is_tight(before: str, word: str) -> bool:
    closing = word in (".", ",", ";", ":", "!", "?", ")", "]", "”", "%", "''", "n't") or word[:1] in ("'", "’")
    opening = before in ("", "(", "[", "“", "$", "``")
    return closing or opening or is_square(before[-1:]) or is_square(word[:1])
