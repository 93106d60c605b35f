"""Chinese: the five human references of MCTS dev scored against their originals, and what it costs beside Stanza.

    python benchmarks/scoring/mcts.py

The SEMA paper reports 0.804 for professionally adapted news with words aligned by hand. Stanza's own time is its plain
pipeline on the same texts: words, tags and trees of the originals, words of the references.
"""

from __future__ import annotations

import time
from statistics import fmean

import stanza
from sema_ud.models import find_models

import sema
from sema.datasets.folder import data_path

DATA = data_path()
METRICS = ("sema_base", "sema_part", "sema", "samsa", "samsa_abl")


def plain_pipeline(processors: str) -> stanza.Pipeline:
    """Stanza as it comes, on the models that ship here."""
    folder = find_models("zh-hans", prefer_shipped=True).folder
    paths = {f"{name}_model_path": str(folder / f"{name}.pt") for name in processors.split(",") if name != "lemma"}
    pretrained = {f"{name}_pretrain_path": str(folder / "dictionary.pt") for name in ("pos", "depparse")}
    return stanza.Pipeline(
        "zh-hans", dir=str(folder.parent), processors=processors, package=None, allow_unknown_language=True,
        download_method=None, use_gpu=False, lemma_use_identity=True, logging_level="ERROR", **paths, **pretrained,
    )  # fmt: skip


def main() -> None:
    folder = DATA / "simplification/mcts/dataset"
    originals = folder.joinpath("mcts.dev.orig").read_text(encoding="utf-8").splitlines()
    references = [folder.joinpath(f"mcts.dev.simp.{n}").read_text(encoding="utf-8").splitlines() for n in range(5)]
    scorer = sema.Scorer("zh", METRICS)
    scorer.score(originals[:2], references[0][:2])
    start = time.perf_counter()
    scorer.score(originals, references[0])
    ours = time.perf_counter() - start
    report = scorer.score(originals, {f"reference {n}": column for n, column in enumerate(references)})
    print(f"signature: {report.signature}\n")
    print("| | " + " | ".join(METRICS) + " |\n|---|" + "---:|" * len(METRICS))
    for system in report.systems:
        print(f"| {system.name} | " + " | ".join(f"{system.scores[name]:.2f}" for name in METRICS) + " |")
    means = [fmean(system.scores[name] for system in report.systems) for name in METRICS]
    print("| mean | " + " | ".join(f"{value:.2f}" for value in means) + " |\n")

    full, words = plain_pipeline("tokenize,pos,lemma,depparse"), plain_pipeline("tokenize")
    full(originals[0]), words(originals[0])
    start = time.perf_counter()
    full.bulk_process(originals)
    words.bulk_process(references[0])
    stanzas = time.perf_counter() - start
    print(f"{len(originals)} pairs: {ours:.2f} s, {len(originals) / ours:.0f} pairs/s; Stanza alone {stanzas:.2f} s;")
    print(f"ratio {ours / stanzas:.2f}")


if __name__ == "__main__":
    main()
