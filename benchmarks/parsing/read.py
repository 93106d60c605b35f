"""Scenes and links of five texts in five languages against those of a reader who had not seen them.

    python -m benchmarks.parsing.read [--record]

``read.jsonl`` has, for a text of ``probes/hands`` in each language, what a large language model read in it by
guideline: the main relation of every Scene of the source with its Participants' heads, and the content words of both
texts that say the same. A Scene is found if its word is among those of a main relation of ours; its Participants are
counted only then. Links are compared word by word, those of function words and punctuation left out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sema_ud.lemmas import Lemmas, plain

from benchmarks.records import CommandLine, Figures, run
from sema import Scorer
from sema.model.text import is_punctuation
from training.reader.choose import hands

READ = Path(__file__).with_suffix(".jsonl")


def main(argv: Sequence[str] | None = None) -> None:
    given = CommandLine(__doc__).parse(argv)
    table = Figures("parsing.read", "language", digits=0, data="probes/hands")
    rows = [json.loads(line) for line in READ.read_text(encoding="utf-8").splitlines()]
    for row in rows[: 1 if given.smoke else None]:
        texts = next(one for one in hands(row["lang"]) if one["id"] == row["id"])
        scorer = Scorer(row["lang"], ["sema"])
        evidence = scorer.score([texts["source"]], [texts["good"]]).evidence(0)["output"]
        table.row(row["lang"], counts(row, evidence))


def counts(row: Mapping[str, Any], evidence: Mapping[str, Any]) -> dict[str, float]:
    """How many Scenes, Participants and links were read, how many of them are found, and how many we have."""
    words, functional = evidence["source"], Lemmas.of(row["lang"]).function_words
    scenes = [
        (_words(words, [scene["main_relation"]]), [_words(words, parts) for parts in scene["participants"]])
        for scene in evidence["scenes"]
    ]
    matched = [(one, next((scene for scene in scenes if one["main"] in scene[0]), None)) for one in row["scenes"]]
    shared = [(one["participants"], scene[1]) for one, scene in matched if scene]
    read = Counter((source.lower(), output.lower()) for source, output in row["links"])
    ours = Counter(
        (words[source].lower(), sentence[output].lower())
        for sentence, links in zip(evidence["sentences"], evidence["links"], strict=True)
        for source, output, _ in links
        if not is_punctuation(words[source]) and plain(words[source]) not in functional
    )
    return {
        "Scenes read": len(row["scenes"]), "found": len([scene for _, scene in matched if scene]), "ours": len(scenes),
        "Participants read": sum(len(heads) for heads, _ in shared),
        "Participants found": sum(any(head in part for part in parts) for heads, parts in shared for head in heads),
        "our Participants": sum(len(parts) for _, parts in shared),
        "links read": read.total(), "links found": sum(pair in ours for pair in read.elements()),
        "our links": ours.total(), "of them read": sum(pair in read for pair in ours.elements()),
    }  # fmt: skip


def _words(words: Sequence[str], parts: Sequence[Any]) -> set[str]:
    """The words of minimal centers, in lists of any depth."""
    found: set[str] = set()
    for part in parts:
        one = isinstance(part, Mapping)
        found |= {words[token] for token in part["tokens"]} if one else _words(words, part)
    return found


if __name__ == "__main__":
    run(main)
