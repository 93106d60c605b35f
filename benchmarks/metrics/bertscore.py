"""BERTScore by the encoders that ship: how rescaling was chosen, and agreement with the published values.

    python -m benchmarks.metrics.bertscore [--parts layers published] [--smoke] [--record]

Exponents are compared on machine translation beside its post-edits (MLQE-PE dev): r with adequacy (English)
and with edit effort, means over the pairs of languages. The published values are EASSE's BERTScore of roberta-large for
Simplicity-DA, on which nothing was chosen; the ratings of Simplicity-DA stand beside both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.records import CommandLine, record, run
from benchmarks.sets import items, read_pairs
from sema.languages import find_language
from sema.metrics.registry import make_metric
from training.data.tables import table

Numbers = NDArray[np.float64]

PARTS = {"bertscore_p": "P", "bertscore_r": "R", "bertscore_f1": "F1"}
ASPECTS = ("meaning_zscore", "fluency_zscore", "simplicity_zscore")
PAIRS = {"en": ("ro-en", "et-en", "ne-en", "si-en"), "zh": ("en-zh",)}
EXPONENTS = (1, 2, 3, 4, 6)
SMOKE, AIM = 6, 0.93


def correlation(first: Sequence[float] | Numbers, second: Sequence[float] | Numbers) -> float:
    """Pearson's r."""
    return float(np.corrcoef(first, second)[0, 1])


def edited(pair: str, *, smoke: bool) -> list[dict[str, str]]:
    """Machine translations beside their post-edits."""
    return list(table("translation", f"{pair}.dev.tsv.gz"))[: SMOKE if smoke else None]


def f1s(cosines: Sequence[Numbers], exponent: int) -> Numbers:
    """F1 of greedy matching, for each pair's cosines of pieces."""
    values = []
    for similarities in cosines:
        similar = np.maximum(similarities, 0) ** exponent
        precision, recall = similar.max(1).mean(), similar.max(0).mean()
        values.append(2 * precision * recall / max(precision + recall, 1e-9))
    return np.array(values)


def layers(*, smoke: bool) -> None:
    """The layer in use under several exponents."""
    for lang, pairs in PAIRS.items():
        encoder = find_language(lang).parts().token_encoder
        assert encoder is not None
        print(f"{lang}: {encoder.signature}")
        rows = {pair: edited(pair, smoke=smoke) for pair in pairs}
        tables: dict[str, list[Numbers]] = {}
        for pair, texts in rows.items():
            tokens = [row[side].split() for row in texts for side in ("mt", "post_edit")]
            vectors = encoder.vectors(tokens)
            tables[pair] = [first @ second.T for first, second in zip(vectors[::2], vectors[1::2], strict=True)]
        for exponent in EXPONENTS:
            by_pair = {pair: f1s(table, exponent) for pair, table in tables.items()}
            effort = [-correlation(by_pair[pair], [float(row["hter"]) for row in rows[pair]]) for pair in pairs]
            figures = {"edit effort": float(np.mean(effort))}
            if lang == "en":
                rated = [correlation(by_pair[pair], [float(row["da_mean"]) for row in rows[pair]]) for pair in pairs]
                figures["adequacy"] = float(np.mean(rated))
            for name, value in figures.items():
                print(f"{lang}, cosine^{exponent}: r with {name} {value:.3f}")
                n = sum(map(len, rows.values()))
                record(
                    "metrics.bertscore_rescaling",
                    f"{lang}, {name}",
                    f"exponent {exponent}",
                    value,
                    data="MLQE-PE dev",
                    n=n,
                )


def published(*, smoke: bool) -> None:
    """Agreement with roberta-large's values and with raters, by set of references."""
    pairs = read_pairs()[: SMOKE if smoke else None]
    parts = find_language("en").parts()
    for name in ("asset", "turk", "hsplit"):
        given = list(items(pairs, name))
        for metric, column in PARTS.items():
            ours = list(_scores(metric, parts, given))
            theirs = [float(pair.published[name][f"bertscore_{column}"]) for pair in pairs]
            r = correlation(ours, theirs)
            print(f"{name}, {metric}: r with roberta-large {r:.3f}")
            record(
                "metrics.bertscore_published",
                f"{metric}, {name}",
                "r with roberta-large",
                r,
                data="Simplicity-DA",
                n=len(pairs),
                aim=AIM,
            )
            for aspect in ASPECTS:
                rated = [float(pair.row[aspect]) for pair in pairs]
                label = aspect.removesuffix("_zscore")
                own, peer = correlation(ours, rated), correlation(theirs, rated)
                print(f"  {label}: {own:.3f}; roberta-large {peer:.3f}")
                record(
                    "metrics.bertscore_published",
                    f"{metric}, {name}",
                    f"r, {label}",
                    own,
                    data="Simplicity-DA",
                    n=len(pairs),
                    peer=peer,
                    peer_source="roberta-large, as EASSE published it",
                )


def _scores(name: str, parts: object, given: Sequence[object]) -> Iterator[float]:
    metric = make_metric(name).bind(parts)  # type: ignore[arg-type]
    for row in metric.rows(given):  # type: ignore[arg-type]
        yield metric.item_value(row)


def main(argv: Sequence[str] | None = None) -> None:
    parts = {"layers": layers, "published": published}
    command = CommandLine(__doc__)
    command.add_argument("--parts", nargs="+", choices=parts, default=list(parts))
    arguments = command.parse(argv)
    for part in arguments.parts:
        parts[part](smoke=arguments.smoke)


if __name__ == "__main__":
    run(main)
