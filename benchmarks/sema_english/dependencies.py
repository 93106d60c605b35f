"""English by dependencies: UCCA's Scenes compared with Scenes of dependency trees on the same pairs.

    python -m benchmarks.sema_english.dependencies train [--steps TAGGER PARSER]
    STANZA_RESOURCES_DIR=runs/english_ud python -m benchmarks.sema_english.dependencies compare

No English Stanza models ship with this project, so ``train`` makes a tagger and a parser without pretrained vectors
from UD English EWT, in a folder like ``stanza.download``'s. ``compare`` works with the official models, too.

Three tables: the trees against UD EWT test; main relations against UCCA EWT test, where one is right if it shares a
token with the gold one, or is exactly its tokens (``tokens alike``), one to one; correlations with people's ratings.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from scipy.stats import pearsonr
from sema_ucca.encoder import UccaEncoder
from sema_ucca.parser import UccaParser
from sema_ud.conllu import read_trees
from sema_ud.extraction import ExtractionOptions, Heads, extract_scenes
from sema_ud.stanza_provider import StanzaProvider
from sema_ud.trees import DependencyTree

import sema
from benchmarks.records import CommandLine, Figures, run
from benchmarks.scoring.ratings import data_sets, targets
from benchmarks.sema_chinese.parsing import F1, match
from sema.datasets.folder import data_folder
from sema.model.scene_graph import SceneGraph
from training.ucca.corpus import ewt_graphs
from training.ud.stanza_trainers import SMALL_DATA, Options, run_stanza

log = logging.getLogger(__name__)

SEED = 20

FOLDER = Path("runs/english_ud")
EVALUATED = 500
"""The number of development sentences that choose a checkpoint."""
COMMON: Options = {"lang": "en", "shorthand": "en_ewt", "device": "cpu", "seed": SEED, "no_pretrain": None}
TAGGER: Options = SMALL_DATA | {
    "char_hidden_dim": 100,
    "share_hid": None,
    "batch_size": 50,
    "fix_eval_interval": None,
    "eval_interval": 250,
    "max_steps_before_stop": 3000,
}
PARSER: Options = SMALL_DATA | {
    "no_ufeats": None,
    "no_xpos": None,
    "char_hidden_dim": 100,
    "hidden_dim": 200,
    "num_layers": 2,
    "deep_biaff_hidden_dim": 120,
    "batch_size": 1200,
    "optim": "adam",
    "lr": 0.003,
    "beta2": 0.95,
    "weight_decay": 0,
    "plateau_steps": 5000,
    "eval_interval": 100,
    "checkpoint_interval": 5000,
    "second_optim": "adam",
    "second_lr": 0.0008,
    "second_warmup_steps": 20,
    "max_steps_before_stop": 5000,
}
STEPS = (750, 1000)
"""Of the tagger (50 sentences each) and of the parser (1,200 words each), whose last quarter is at the lower rate."""
PACKAGE = "ewt"
RESOURCES = {
    "en": {
        "lang_name": "English",
        "packages": {"default": {"tokenize": PACKAGE, "pos": PACKAGE, "lemma": "identity", "depparse": PACKAGE}},
        "tokenize": {PACKAGE: {}},
        "pos": {PACKAGE: {}},
        "depparse": {PACKAGE: {}},
    }
}
"""Stanza's index of models; the tokenizer is never loaded, because sentences are already tokenized."""
TARGETS = ("DA meaning z", "structural: meaning", "EASSE SAMSA (DA)")
METRICS = ("sema", "samsa")


def treebank(part: str) -> Path:
    return data_folder("ud", "en_ewt", f"en_ewt-ud-{part}.conllu")


def train(folder: Path, tagger_steps: int, parser_steps: int) -> None:
    """Train the tagger, tag the treebank with it, and train the parser on these tags; existing models are kept."""
    work = folder / "training"
    work.mkdir(parents=True, exist_ok=True)
    for part, count in (("train", None), ("dev", EVALUATED)):
        blocks = treebank(part).read_text("utf-8").strip().split("\n\n")[:count]
        (work / f"{part}.conllu").write_text("\n\n".join(blocks) + "\n\n", encoding="utf-8")
    tagger: Options = {"save_dir": str(folder / "en" / "pos"), "save_name": f"{PACKAGE}.pt"}
    if not (folder / "en" / "pos" / f"{PACKAGE}.pt").is_file():
        log.info("tagger")
        files: Options = {"train_file": str(work / "train.conllu"), "eval_file": str(work / "dev.conllu")}
        options = COMMON | TAGGER | files | tagger | {"mode": "train", "max_steps": tagger_steps}
        run_stanza("tagger", options, work / "tagger.log")
    if not (folder / "en" / "depparse" / f"{PACKAGE}.pt").is_file():
        # After so few steps the tagger errs on its training data about as often as on other text, so the parser
        # learns from tags like those it will see.
        for part in ("train", "dev"):
            log.info("tags of %s", part)
            files = {"eval_file": str(work / f"{part}.conllu"), "output_file": str(work / f"{part}.tagged.conllu")}
            run_stanza("tagger", COMMON | files | tagger | {"mode": "predict"}, work / "retag.log")
        log.info("parser")
        save: Options = {"save_dir": str(folder / "en" / "depparse"), "save_name": f"{PACKAGE}.pt"}
        files = {"train_file": str(work / "train.tagged.conllu"), "eval_file": str(work / "dev.tagged.conllu")}
        steps: Options = {"max_steps": parser_steps, "second_optim_start_step": parser_steps * 3 // 4}
        run_stanza("parser", COMMON | PARSER | files | save | steps | {"mode": "train"}, work / "parser.log")
    (folder / "en" / "depparse" / f"{PACKAGE}_checkpoint.pt").unlink(missing_ok=True)
    (folder / "resources.json").write_text(json.dumps(RESOURCES, indent=1), encoding="utf-8")


def trees_table(provider: StanzaProvider) -> None:
    """UPOS, UAS and LAS (relations without subtypes) with gold words, punctuation included."""
    gold = read_trees(treebank("test"))
    pairs = list(zip(gold, provider.parse([tree.words for tree in gold]), strict=True))
    total = sum(len(tree) for tree in gold)
    upos = uas = las = 0
    for one, other in pairs:
        for index in range(len(one)):
            attached = one.heads[index] == other.heads[index]
            upos += one.upos[index] == other.upos[index]
            uas += attached
            las += attached and one.relations[index].split(":")[0] == other.relations[index].split(":")[0]
    print(f"{provider.signature}, gold words\n")
    figures = {name: 100 * right / total for name, right in (("UPOS", upos), ("UAS", uas), ("LAS", las))}
    table = Figures("english_dependencies.trees", "models", digits=1, data="UD English EWT test")
    table.row("made for this comparison", figures, n=len(gold))


def relations(graph: SceneGraph) -> list[frozenset[int]]:
    """The tokens of each Scene's main relation."""
    return [frozenset(token for center in scene.main_relation for token in center) for scene in graph.scenes()]


def scenes_row(table: Figures, name: str, gold: Sequence[SceneGraph], parsed: Sequence[SceneGraph]) -> None:
    overlapping, alike = F1(), F1()
    counts = []
    for one, other in zip(gold, parsed, strict=True):
        truths, guesses = relations(one), relations(other)
        overlapping.add(len(match(truths, guesses)), len(truths), len(guesses))
        alike.add(len(set(truths) & set(guesses)), len(set(truths)), len(set(guesses)))
        counts.append((len(truths), len(guesses)))
    precision, recall = overlapping.right / overlapping.predicted, overlapping.right / overlapping.gold
    same = fmean(a == b for a, b in counts)
    shares = (precision, recall, overlapping.percent / 100, alike.percent / 100, same)
    figures = [fmean(b for _, b in counts), *(100 * share for share in shares)]
    table.row(name, dict(zip(SCENE_DIGITS, figures, strict=True)), n=len(gold))


SCENE_DIGITS = {"Scenes a sentence": 2} | dict.fromkeys(("P", "R", "F1", "F1, tokens alike", "as many as gold, %"), 1)


def scenes_table(provider: StanzaProvider | None, most: int | None = None) -> None:
    by_words = {tree.words: tree for tree in read_trees(treebank("test"))}
    graphs = ewt_graphs("test", limit=most)
    gold = [graph for graph in graphs if graph.tokens in by_words]
    words = [graph.tokens for graph in gold]
    print(f"UCCA EWT test, {len(gold)} of {len(graphs)} sentences (those that UD cuts into the same words)\n")
    table = Figures("english_dependencies.scenes", "Scenes of", digits=SCENE_DIGITS, data="UCCA EWT test")
    scenes_row(table, "gold UCCA", gold, gold)
    scenes_row(table, "the UCCA parser", gold, UccaParser(encoder=UccaEncoder(threads=1)).extract(words))
    sets = {"predicted": provider.parse(words)} if provider else {}
    sets["gold"] = [by_words[sentence] for sentence in words]
    for heads in ("clauses", "root"):
        for origin, trees in sets.items():
            scenes_row(table, f"{origin} trees, heads={heads}", gold, extracted(trees, heads))


def extracted(trees: Sequence[DependencyTree], heads: Heads) -> list[SceneGraph]:
    return [extract_scenes(tree, ExtractionOptions(heads=heads)) for tree in trees]


def ratings_table() -> None:
    wanted = {name: target for name, target in targets().items() if name in TARGETS}
    texts = {key: pair for key, pair in data_sets().items() if key in {key for key, _ in wanted.values()}}
    table = Figures("english_dependencies.ratings", "metric, Scenes", digits={"Scenes a source": 2})
    for extractor, heads in (("ucca", "clauses"), ("ud", "clauses"), ("ud", "root")):
        options = {"threads": 1} if extractor == "ucca" else {"threads": 1, "ud.heads": heads}
        scorer = sema.Scorer("en", METRICS, extractor=extractor, options=options)
        items = {key: scorer.score(*pair).systems[0].items for key, pair in texts.items()}
        counts = {
            item.item.source.raw: sum(len(one.scenes) for one in item.item.evidence if one.has_scenes)
            for column in items.values()
            for item in column
            if item.item is not None
        }
        label = extractor if extractor == "ucca" else f"{extractor}, heads={heads}"
        for metric in METRICS:
            figures = {
                name: pearsonr([item.scores[metric] for item in items[key]], target).statistic
                for name, (key, target) in wanted.items()
            }
            table.row(f"{metric}, {label}", {**figures, "Scenes a source": fmean(counts.values())})


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("step", nargs="?", choices=("train", "compare"), default="compare")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="folder of the models to train")
    parser.add_argument("--steps", type=int, nargs=2, default=STEPS, metavar=("TAGGER", "PARSER"))
    arguments = parser.parse(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    if arguments.smoke:  # needs no models: Scenes of gold trees
        scenes_table(None, 10)
        return
    if arguments.step == "train":
        train(arguments.folder, *arguments.steps)
        return
    provider = StanzaProvider("en", threads=1)
    trees_table(provider)
    scenes_table(provider)
    ratings_table()


if __name__ == "__main__":
    run(main)
