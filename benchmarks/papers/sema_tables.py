"""Tables 1 to 3 of the SEMA paper, on public texts in place of its own.

    python -m benchmarks.papers.sema_tables sentences|passages|chinese [ITEMS]

Its English texts (News in Levels) are not public. OneStopEnglish, also news at three levels, replaces them:
elementary for level 1, intermediate for level 2, advanced for the original. The Chinese texts are not public either;
MCTS dev replaces them. The order of metrics and levels can be compared, the values cannot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import fmean

from benchmarks.papers import TABLES
from benchmarks.records import CommandLine, Figures, cells, recording, run
from benchmarks.sets import mcts
from sema import Scorer
from training.data.corpora import aligned, articles

SENTENCES, PASSAGES = (TABLES["sema"][name] for name in ("sentences", "passages"))
UNSEGMENTED = (0.38, 0.52)
CHINESE = 0.804
RETAINED = {"elementary": 50, "intermediate": 70, "Chinese": 80}
"""The share of the meaning that is kept by the authors' estimate (section 4.1), %: level 1, level 2, Chinese texts."""
PAPER = "Zhang, Zhao, Zhang and Zhang, SEMA"
LEVELS = ("elementary", "intermediate")


def figures(table: str, label: str, paper: Mapping[str, tuple[float, float]]) -> Figures:
    """A table of both levels beside the paper's levels 1 and 2."""
    peers = cells({row: [100 * value for value in own] for row, own in paper.items()}, LEVELS)
    return Figures(f"papers.{table}", label, digits=1, peers=peers, peer_source=PAPER, data="OneStopEnglish")


def retained(level: str, of: str, sema: float, paper: float, *, n: int, data: str = "OneStopEnglish") -> None:
    """A row of the table that compares `sema` with the authors' estimate of the meaning kept (section 4.1)."""
    peers = {"sema": 100 * paper, "sema less estimate": 100 * paper - RETAINED[level]}
    table = Figures("papers.sema_retention", "texts", digits=1, peers=peers, peer_source=PAPER, data=data)
    figures = {"authors' estimate, %": RETAINED[level], "sema": sema, "sema less estimate": sema - RETAINED[level]}
    table.row(f"{level}, {of}", figures, n=n)


def sentences(limit: int | None) -> None:
    """Table 1: all sentence pairs."""
    scorer = Scorer("en", list(SENTENCES))
    texts = {level: [column[:limit] for column in aligned(f"ADV-{level[:3].upper()}")] for level in LEVELS}
    sizes = {level: len(sources) for level, (sources, _) in texts.items()}
    scores = {level: scorer.score(*pairs, keep_items=False).systems[0].scores for level, pairs in texts.items()}
    table = figures("sema_sentences", "metric", SENTENCES)
    for name in SENTENCES:
        table.row(name, {level: own[name] for level, own in scores.items()}, n=sizes)
    for level, paper in zip(LEVELS, SENTENCES["sema"], strict=True):
        retained(level, "sentences", scores[level]["sema"], paper, n=sizes[level])
    print(f"signature: {scorer.signature}")


EVERY_ARTICLE, WORKERS = 3, 2
"""63 of 189 articles, in two processes: two and a half minutes of processor time."""


def passages(limit: int | None) -> None:
    """Table 2: every third article, segmented, unsegmented, and parsed as one sentence.

    Recorded figures come from one process, so that the weights it read are known.
    """
    texts = {level: column[::EVERY_ARTICLE][:limit] for level, column in articles().items()}
    simple, count = {level: texts[level[:3]] for level in LEVELS}, len(texts["adv"])
    paper = {f"{name}, segmented": values for name, values in PASSAGES.items()}
    table = figures("sema_passages", "metric", {**paper, "sema_base, parsed as one sentence": UNSEGMENTED})
    scorer = partial(Scorer, "en", level="passage", workers=1 if limit or recording() else WORKERS)
    scorers = {
        "segmented": scorer(tuple(PASSAGES)),
        "in one go": scorer(tuple(SENTENCES), segment=False),
        "parsed as one sentence": scorer(("sema_base",), segment=False, parse_whole=True),
    }
    found = {label: one.score(texts["adv"], simple, keep_items=False).systems for label, one in scorers.items()}
    for label, systems in found.items():
        for metric in scorers[label].metrics:
            row = {system.name: system.scores[metric.name] for system in systems}
            table.row(f"{metric.name}, {label}", row, n=count)
    for system, kept in zip(found["segmented"], PASSAGES["sema"], strict=True):
        retained(system.name, "articles", system.scores["sema"], kept, n=count)
    print(f"signature, parsed as one sentence: {scorers['parsed as one sentence'].signature}")


def chinese(limit: int | None) -> None:
    """Table 3: Scenes of the root alone, as in the paper, and of all clauses."""
    originals, *columns = (column[:limit] for column in mcts())
    references = {f"reference {number}": column for number, column in enumerate(columns)}
    table = Figures("papers.sema_chinese", "heads", digits=1, peers={("root", "mean"): 100 * CHINESE},
                    peer_source=f"{PAPER}, words linked by hand", data="MCTS dev")  # fmt: skip
    means: dict[str, float] = {}
    for heads in ("root", "clauses"):
        scorer = Scorer("zh", ("sema",), options={"ud.heads": heads})
        systems = scorer.score(originals, references, keep_items=False).systems
        values = {system.name: system.scores["sema"] for system in systems}
        means[heads] = fmean(values.values())
        table.row(heads, {**values, "mean": means[heads]}, n=len(originals))
    retained("Chinese", "sentences", means["root"], CHINESE, n=len(originals), data="MCTS dev")
    print(f"signature: {scorer.signature}")


PARTS = {part.__name__: part for part in (sentences, passages, chinese)}


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("table", nargs="?", choices=PARTS, default="sentences")
    parser.add_argument("items", nargs="?", type=int, help="the number of items, from the first")
    arguments = parser.parse(argv)
    for name in PARTS if arguments.smoke else [arguments.table]:
        PARTS[name](1 if arguments.smoke else arguments.items)


if __name__ == "__main__":
    run(main)
