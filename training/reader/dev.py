"""What weights reach before they are exported: ``python -m training.reader.dev NETWORK WEIGHTS.pt``.

Stories that were held out and graded probes: the share of pairs in the right order, %, by ``same`` and by the log-odds
of entailment. MultiNLI: accuracy, %. PAWS, OCNLI: area under the curve. STS: Pearson's r.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from sema_reader.windows import LOGITS, OUTPUT_JUDGED, SAME, SIMILAR
from sklearn.metrics import roc_auc_score

from sema.datasets.folder import data_folder
from training.reader.bases import BASES, Base
from training.reader.batches import encode
from training.reader.chinese import bilingual
from training.reader.english.examples import PAWS_HELD_OUT, detokenized, rows
from training.reader.example import JUDGEMENTS
from training.reader.fit import held_out
from training.reader.inference import answers
from training.reader.network import PairNetwork
from training.reader.stories import read_stories
from training.reader.words import CUTS

Floats = NDArray[np.float32]
Pairs = Sequence[tuple[str, str]]
ORDERS = (("good", "free"), ("good", "near"), ("main", "free"), ("good", "main"), ("good", "extra"), ("free", "mostly"))
LONGEST, BATCH = 420, 4_000


class Judge:
    """A network and how it reads pairs of a language."""

    def __init__(self, base: Base, network: PairNetwork, lang: str) -> None:
        self._base, self._network, self._cut = base, network, CUTS[lang]
        self._table = base.table()

    def read(self, pairs: Pairs) -> Floats:
        """The logits of pairs (pairs, 14); not a number for those that are too long."""
        words = [[" ".join(self._cut(text)) for text in pair] for pair in pairs]
        pack = encode(self._base.cutter(), [{"s": s, "o": o, "k": ""} for s, o in words], {}, LONGEST)
        logits = np.full((len(pairs), LOGITS), np.nan, np.float32)
        for batch, pair, _ in answers(self._network, self._table, pack, BATCH):
            logits[[pack.rows[one] for one in batch]] = pair.numpy()
        return logits


def signals(logits: Floats) -> dict[str, Floats]:
    """``same`` and the log-odds that the output is entailed."""
    odds = logits[:, 0] - np.logaddexp(logits[:, 1], logits[:, 2])
    return {"same": logits[:, SAME], "entailed": odds}


def ordered(judge: Judge, name: str, told: Sequence[Mapping[str, str]], orders: Sequence[tuple[str, str]]) -> None:
    """Print how often the better version of a source is above the worse one."""
    for better, worse in orders:
        some = [one for one in told if better in one and worse in one]
        if some:
            high, low = (signals(judge.read([(one["source"], one[key]) for one in some])) for key in (better, worse))
            shares = "  ".join(f"{key} {100 * np.mean(high[key] > low[key]):3.0f}" for key in high)
            print(f"{name:12} {better:>6} above {worse:8} {shares}  n {len(some)}", flush=True)


def report(judge: Judge, lang: str, limit: int) -> None:
    """Read every set of a language, at most ``limit`` pairs of each, and print."""
    ordered(judge, "stories", held_out(lang), ORDERS)
    probes = read_stories(data_folder("probes", f"graded_{lang}.jsonl"))
    ordered(judge, "graded", probes, [("good", "bad"), ("minor", "bad"), ("good", "minor")])
    if lang == "en":
        pairs = list(rows("dev", "mnli_matched.tsv.gz"))[:limit]
        logits = judge.read([(row["premise"], row["hypothesis"]) for row in pairs])
        right = logits[:, OUTPUT_JUDGED].argmax(1) == [JUDGEMENTS[row["label"]] for row in pairs]
        print(f"MultiNLI {100 * right[~np.isnan(logits[:, 0])].mean():.1f}")
        paws = [
            (detokenized(row["premise"]), detokenized(row["hypothesis"]), row["label"] == "1")
            for row in list(rows("train", "paws.tsv.gz"))[-PAWS_HELD_OUT:][:limit]
        ]
    else:
        pairs = list(rows("zh", "dev", "ocnli.tsv.gz"))[:limit]
        odds = signals(judge.read([(row["premise"], row["hypothesis"]) for row in pairs]))["entailed"]
        print(f"OCNLI {roc_auc_score([row['label'] == 'entailment' for row in pairs], odds):.3f}")
        pairs = list(rows("zh", "dev", "sts.tsv.gz"))[:limit]
        similar = judge.read([(row["premise"], row["hypothesis"]) for row in pairs])[:, SIMILAR]
        print(f"STS {np.corrcoef(similar, [float(row['label']) for row in pairs])[0, 1]:.3f}")
        left_out = list(rows("zh", "train", "paws.tsv.gz"))[-bilingual.PAWS_HELD_OUT :][:limit]
        paws = [(row["premise"], row["hypothesis"], row["label"] == "1") for row in left_out]
    same = signals(judge.read([(source, output) for source, output, _ in paws]))["same"]
    print(f"PAWS {roc_auc_score([good for _, _, good in paws], same):.3f}")


def main() -> None:
    """Read every set and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=BASES)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--lang", choices=("en", "zh"), default="en")
    parser.add_argument("--limit", type=int, default=700, help="pairs of each set")
    given = parser.parse_args()
    base = BASES[given.network]
    network = base.network()
    network.load_state_dict(torch.load(given.weights, weights_only=True))
    report(Judge(base, network, given.lang), given.lang, given.limit)


if __name__ == "__main__":
    main()
