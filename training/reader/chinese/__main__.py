"""Trains the Chinese reader of pairs and fits its scale: ``python -m training.reader.chinese --work FOLDER``.

It begins as the English reader with Chinese embeddings (:mod:`training.reader.chinese.begin`) and learns on from
translated pairs, broken texts, and English pairs in Chinese words. The mean of the weights before and after is kept.
"""

from __future__ import annotations

import argparse
import logging
from collections import Counter
from pathlib import Path
from random import Random

from sema_chinese.meaning.pieces import ChinesePieces
from sema_chinese.meaning.reader import VOCABULARY, WEIGHTS
from sema_english.meaning.reader import WEIGHTS as ENGLISH
from sema_reader.reader import GRAPH

from training.reader.chinese.bilingual import PARTS, ZH_SETS, bitext, chinese_words, zh_rows

PAIRS = 60_000
"""The number of training pairs."""
SENTENCES, STORIES, JUDGED, PAWS = 9_000, 4, 7_000, 2_500
"""Numbers of sentences to break, of stories in ten to translate, and of pairs of MultiNLI and others, and of PAWS, to
translate.
"""


def main() -> None:
    """Begin, learn, export, fit."""
    import torch

    from training.reader.chinese import examples
    from training.reader.chinese.begin import chinese_network, vocabulary
    from training.reader.chinese.fit import fit_scale
    from training.reader.chinese.learn import learn
    from training.reader.chinese.lent import Lender
    from training.reader.english.export import export_network
    from training.reader.english.learn import save_mean

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for checkpoints")
    parser.add_argument("--to", type=Path, default=WEIGHTS, help="folder of the weights (default: those that ship)")
    parser.add_argument("--english", type=Path, default=ENGLISH / GRAPH, help="the English reader's graph")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="pairs that are learned from")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    for folder in (arguments.work, arguments.to):
        folder.mkdir(parents=True, exist_ok=True)
    rng = Random(1)
    texts = bitext()
    sentences = [row[part] for row in zh_rows(*ZH_SETS) for part in PARTS]
    met = Counter(word.lower() for text in sorted(set(sentences)) for word in chinese_words(text))
    pieces = vocabulary(texts, met)
    (arguments.to / VOCABULARY).write_text("\n".join(pieces), encoding="utf-8")
    network = chinese_network(arguments.english, pieces, texts, met)
    lender = Lender(texts, met, pieces, rng)
    found = [
        *examples.judged(rng),
        *examples.on_purpose(rng, SENTENCES),
        *examples.borrowed(lender, rng, STORIES, JUDGED, PAWS),
    ]
    before, after, mean = (arguments.work / f"{name}.pt" for name in ("begun", "learned", "mean"))
    torch.save(network.state_dict(), before)
    learn(network, examples.encode(ChinesePieces(pieces), found), arguments.pairs, after)
    save_mean([before, after], mean)
    network.load_state_dict(torch.load(mean, weights_only=True))
    export_network(network, arguments.to / GRAPH)
    fit_scale(arguments.to)


if __name__ == "__main__":
    main()
