"""Plain text that an ensemble has parsed, for a single network to learn from.

The text is what people score most, Wikipedia: the originals of TurkCorpus' tune part and of WikiSplit's validation
part.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path

from sema_ucca.trees import RemoteEdge, Tree, UnitRef

from sema.languages import find_language
from sema.model.text import is_punctuation
from training.data.tables import read_lines
from training.ucca.batches import Batcher
from training.ucca.data import Example, SoftSpan
from training.ucca.ensemble import Ensemble

log = logging.getLogger("training.ucca")

SHORTEST, LONGEST = 4, 60
"""The range of lengths, in words, of training sentences; longer ones cost more time than they are worth."""
AT_A_TIME = 2000

Tokens = tuple[str, ...]


def raw_sentences() -> list[Tokens]:
    """The distinct sentences of the text, as the shipped segmenter cuts them, in a fixed order."""
    texts = read_lines("simplification", "turkcorpus", "tune.truecase.detok.orig")
    texts += read_lines("simplification", "wikisplit", "wikisplit.valid.untok.orig")
    segmenter = find_language("en").parts().segmenter
    sentences = dict.fromkeys(words for text in segmenter.segment(texts) for words in text.sentence_words)
    return [tokens for tokens in sentences if SHORTEST <= len(words_of(tokens)) <= LONGEST]


def words_of(tokens: Tokens) -> tuple[int, ...]:
    """The tokens that are parsed: all but punctuation."""
    return tuple(index for index, token in enumerate(tokens) if not is_punctuation(token))


def write_silver(file: Path, sentences: Sequence[Tokens], ensemble: Ensemble, like: Sequence[Batcher]) -> None:
    """Parse the sentences and write them, one JSON object a line; resumes after the last line of an interrupted run.

    ``like`` makes the batches, one batcher a convention, with the ensemble's inventories.
    """
    done = sum(1 for _ in file.open(encoding="utf-8")) if file.exists() else 0
    with file.open("a", encoding="utf-8") as out:
        for begin in range(done, len(sentences), AT_A_TIME):
            group = sentences[begin : begin + AT_A_TIME]
            examples = [Example(tokens, words_of(tokens), {}) for tokens in group]
            distilled = ensemble.distil([batcher.over(examples) for batcher in like])
            for tokens, by_task in zip(group, distilled, strict=True):
                record = {"tokens": tokens, **{task: _record(*parsed) for task, parsed in by_task.items()}}
                out.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
            out.flush()
            log.info("silver: %d of %d sentences", begin + len(group), len(sentences))


def _record(tree: Tree, soft: Sequence[SoftSpan]) -> dict[str, object]:
    return {
        "spans": [[*span, label] for span, label in tree.spans.items()],
        "remotes": [[*edge.parent, *edge.child, edge.label] for edge in tree.remotes],
        "soft": soft,
    }


def read_silver(file: Path, task: str) -> list[Example]:
    """What :func:`write_silver` wrote of one convention, as examples to learn from."""
    examples = []
    for line in file.open(encoding="utf-8"):
        sentence = json.loads(line)
        tokens, record = tuple(sentence["tokens"]), sentence[task]
        spans = {(start, end): label for start, end, label in record["spans"]}
        remotes = tuple(RemoteEdge(UnitRef(*r[:3]), UnitRef(*r[3:6]), r[6]) for r in record["remotes"])
        soft = tuple(SoftSpan(start, end, tuple(a), tuple(b)) for start, end, a, b in record["soft"])
        words = words_of(tokens)
        examples.append(Example(tokens, words, spans, Tree(words, spans, remotes), soft))
    return examples
