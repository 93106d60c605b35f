"""Tables 1 to 3 of the SEMA paper, on public texts in place of its own.

    python -m benchmarks.papers.sema_tables sentences|passages|hyponymy|chinese [ITEMS]

Its English texts (News in Levels) are not public. OneStopEnglish, also news at three levels, replaces them:
elementary for level 1, intermediate for level 2, advanced for the original. The Chinese texts are not public either;
MCTS dev replaces them. The order of metrics and levels can be compared, the values cannot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from sema_english.relations import relations, rule_aligner
from sema_ppdb import ParaphraseLexicon
from sema_wordnet import WordNetLexicon
from sema_wordnet.lexicon import DATA

from benchmarks.papers import TABLES
from benchmarks.records import CommandLine, Figures, cells, recording, run
from benchmarks.sets import mcts
from sema import Scorer
from sema.alignment.rules import RuleAligner
from sema.model.lexicon import IndexedLexicon
from training.data.onestopenglish import aligned, articles

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
    measured = []
    for name in ("ADV-ELE", "ADV-INT"):
        sources, outputs = (column[:limit] for column in aligned(name))
        measured.append((scorer.score(sources, outputs, keep_items=False).systems[0].scores, len(sources)))
    table = figures("sema_sentences", "metric", SENTENCES)
    sizes = {level: count for level, (_, count) in zip(LEVELS, measured, strict=True)}
    for name in SENTENCES:
        table.row(name, {level: scores[name] for level, (scores, _) in zip(LEVELS, measured, strict=True)}, n=sizes)
    for level, (scores, count), paper in zip(LEVELS, measured, SENTENCES["sema"], strict=True):
        retained(level, "sentences", scores["sema"], paper, n=count)
    print(f"signature: {scorer.signature}")


EVERY_ARTICLE, WORKERS = 3, 2
"""63 of 189 articles, in two processes: two and a half minutes of processor time."""


def passages(limit: int | None) -> None:
    """Table 2: every third article, segmented, unsegmented, and parsed as one sentence.

    Recorded figures come from one process, so that the weights it read are known.
    """
    texts = {level: column[::EVERY_ARTICLE][:limit] for level, column in articles().items()}
    simple = {"ele": texts["ele"], "int": texts["int"]}
    paper = {f"{name}, segmented": values for name, values in PASSAGES.items()}
    table = figures("sema_passages", "metric", {**paper, "sema_base, parsed as one sentence": UNSEGMENTED})

    def add(label: str, scorer: Scorer) -> dict[str, float]:
        systems = scorer.score(texts["adv"], simple, keep_items=False).systems
        for metric in scorer.metrics:
            values = [system.scores[metric.name] for system in systems]
            table.row(f"{metric.name}, {label}", dict(zip(LEVELS, values, strict=True)), n=len(texts["adv"]))
        return dict(zip(LEVELS, (system.scores.get("sema", 0.0) for system in systems), strict=True))

    scorer = partial(Scorer, "en", level="passage", workers=1 if limit or recording() else WORKERS)
    segmented = add("segmented", scorer(tuple(PASSAGES)))
    add("in one go", scorer(tuple(SENTENCES), segment=False))
    parsed_whole = scorer(("sema_base",), segment=False, parse_whole=True)
    add("parsed as one sentence", parsed_whole)
    for level, paper in zip(LEVELS, PASSAGES["sema"], strict=True):
        retained(level, "articles", segmented[level], paper, n=len(texts["adv"]))
    print(f"signature, parsed as one sentence: {parsed_whole.signature}")


HYPONYMY: dict[str, dict[str, int]] = {
    "as shipped": {},
    "3 steps, 4 senses": {"depth": 3},
    "6 steps, 8 senses": {"depth": 6, "common": 8},
    "all steps, all senses": {"depth": 20, "common": 99},
    "all steps, all senses, no floor": {"depth": 20, "common": 99, "floor": 0},
    "the same, without synonyms and paraphrases": {"depth": 20, "common": 99, "floor": 0, "senses": 0},
}
"""The limits of hyponymy: steps, senses, distance from the root; as shipped each class has its own.

The last row adds only equal words and stems.
"""


def hyponymy(limit: int | None) -> None:
    """The points that hyponymy adds at passage level (8 and 5 in Table 2), for related and for unrelated texts."""
    texts = {level: column[:limit] for level, column in articles().items()}
    added = {level: 100 * (PASSAGES["sema"][k] - PASSAGES["sema_part"][k]) for k, level in enumerate(LEVELS)}
    table = Figures(
        "papers.sema_hyponymy", "hyponymy", digits=1, data="OneStopEnglish",
        peers={("as shipped", f"adds, {level}"): value for level, value in added.items()},
        peer_source=f"{PAPER}, Table 2",
    )  # fmt: skip
    unrelated = [*texts["int"][1:], *texts["int"][:1]]
    for title, allowed in HYPONYMY.items():
        scorer = Scorer("en", ("sema_part", "sema"), level="passage", aligner=_rules(allowed))
        systems = scorer.score(texts["adv"], {"ele": texts["ele"], "int": texts["int"], "unrelated": unrelated}).systems
        gains = {system.name: system.scores["sema"] - system.scores["sema_part"] for system in systems}
        cells = {f"adds, {level}": gains[short] for level, short in zip(LEVELS, ("ele", "int"), strict=True)}
        table.row(title, {**cells, "adds, another article": gains["unrelated"]}, n=len(texts["adv"]))


def _rules(allowed: Mapping[str, int]) -> RuleAligner:
    if not allowed:
        return rule_aligner()
    limits = dict(allowed)
    depth = limits.pop("depth", 3)
    lexicon: IndexedLexicon = WordNetLexicon(DATA / "english.npz", name="wordnet-3.0", names=True, **limits)
    if "senses" not in limits:
        lexicon = ParaphraseLexicon(lexicon)
    return RuleAligner(relations(lexicon, main_verbs=True, hyponymy_depth=depth))


def chinese(limit: int | None) -> None:
    """Table 3: Scenes of the root alone, as in the paper, and of all clauses."""
    originals, *columns = (column[:limit] for column in mcts())
    references = {f"reference {number}": column for number, column in enumerate(columns)}
    table = Figures(
        "papers.sema_chinese", "heads", digits=1, peers={("root", "mean"): 100 * CHINESE},
        peer_source=f"{PAPER}, words linked by hand", data="MCTS dev",
    )  # fmt: skip
    for heads in ("root", "clauses"):
        scorer = Scorer("zh", ("sema",), options={"ud.heads": heads})
        systems = scorer.score(originals, references, keep_items=False).systems
        values = {system.name: system.scores["sema"] for system in systems}
        mean = sum(values.values()) / len(values)
        table.row(heads, {**values, "mean": mean}, n=len(originals))
        if heads == "root":
            at_root = mean
    retained("Chinese", "sentences", at_root, CHINESE, n=len(originals), data="MCTS dev")
    print(f"signature: {scorer.signature}")


TABLES = {"sentences": sentences, "passages": passages, "hyponymy": hyponymy, "chinese": chinese}


def main(argv: Sequence[str] | None = None) -> None:
    """Print one of the tables; with ``--smoke`` the beginning of each."""
    parser = CommandLine(__doc__)
    parser.add_argument("table", nargs="?", choices=TABLES, default="sentences")
    parser.add_argument("items", nargs="?", type=int, help="the number of items, from the first")
    arguments = parser.parse(argv)
    if arguments.smoke:
        for table in TABLES.values():
            table(1)
    else:
        TABLES[arguments.table](arguments.items)


if __name__ == "__main__":
    run(main)
