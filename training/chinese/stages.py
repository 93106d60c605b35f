"""The stages of training, in order; each runs one of Stanza's own trainers or prepares what they read.

A stage that has run leaves a mark and is not run again. The parser, when cut short, goes on from Stanza's checkpoint;
the others, which take minutes, begin anew. Seeds are fixed and everything runs on one thread.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from sema_chinese import MODELS

from sema.runtime.checksums import write_sums
from training.chinese import data, dictionary
from training.ud.packing import pack
from training.ud.retag import retag
from training.ud.stanza_trainers import SMALL_DATA, Options, run_stanza

log = logging.getLogger(__name__)

COMMON: Options = {"lang": "zh-hans", "shorthand": "zh-hans_sema", "mode": "train", "device": "cpu", "seed": data.SEED}
VECTORS = "dictionary.pt"
NAMES = {"tokenize": "tokenizer", "pos": "tagger", "depparse": "parser"}
TAGGER: Options = SMALL_DATA | {
    "char_hidden_dim": 200, "share_hid": None, "batch_size": 50, "fix_eval_interval": None, "eval_interval": 100,
    "max_steps_before_stop": 3000,
}  # fmt: skip
TAGGER_FILES = {
    "train_file": "tagged.conllu;untagged.conllu", "eval_file": "dev.conllu", "wordvec_pretrain_file": VECTORS,
}  # fmt: skip
TRAINED: Mapping[str, tuple[str, Mapping[str, str], Options]] = {
    "tokenizer": (
        "tokenizer",
        {
            "txt_file": "train.txt", "label_file": "train.labels", "dev_txt_file": "dev.txt",
            "dev_label_file": "dev.labels", "dev_conll_gold": "dev.conllu", "mwt_json_file": "mwt.json",
            "external_dict": "words.txt",
        },
        {
            "skip_newline": None, "use_dictionary": None, "no_use_mwt": None, "max_seqlen": 300, "batch_size": 32,
            "steps": 1600, "eval_steps": 200, "dropout": 0.2, "unit_dropout": 0.1, "feat_dropout": 0.05,
            "feat_unit_dropout": 0.1,
        },
    ),
    "early-tagger": ("tagger", TAGGER_FILES, TAGGER | {"max_steps": 500}),
    "tagger": ("tagger", TAGGER_FILES, TAGGER | {"max_steps": 1400}),
    "parser": (
        "parser",
        {
            "train_file": "all.retagged.conllu", "eval_file": "dev.retagged.conllu", "wordvec_pretrain_file": VECTORS,
        },
        SMALL_DATA | {
            "no_ufeats": None, "char_hidden_dim": 150, "hidden_dim": 250, "num_layers": 2, "deep_biaff_hidden_dim": 160,
            "batch_size": 1000, "optim": "adam", "lr": 0.002, "beta2": 0.95, "weight_decay": 0, "plateau_steps": 450,
            "eval_interval": 150, "checkpoint_interval": 600, "second_optim": "adam", "second_lr": 0.0006,
            "second_optim_start_step": 2100, "second_warmup_steps": 50, "max_steps_before_stop": 1500,
            "max_steps": 3000,
        },
    ),
}  # fmt: skip
"""The stages that one of Stanza's trainers runs: its name, its files in the data folder, its options. The parser is
trained on the tags of the early tagger."""
STAGES = ("prepare", "tokenizer", "early-tagger", "retag", "tagger", "parser", "pack")


class Training:
    """One run of the stages in a folder (``runs/zh-hans`` by default)."""

    def __init__(self, folder: Path) -> None:
        """Use ``folder`` for data, logs, checkpoints and markers of finished stages."""
        self.folder = folder
        self.data = folder / "data"
        self.models = folder / "models"

    def run(self, names: list[str]) -> None:
        """Run stages by name, ``all`` for all of them, leaving out those that are done."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in STAGES if names == ["all"] else names:
            mark = self.folder / f"{name}.done"
            if mark.exists():
                log.info("%s: done already (remove %s to run it again)", name, mark)
                continue
            log.info("%s: begins", name)
            self._train(name) if name in TRAINED else getattr(self, name)()
            mark.touch()

    def prepare(self) -> None:
        """Convert treebanks and dictionaries to the files that Stanza's trainers read."""
        data.prepare(self.data)
        dictionary.write_word_list(self.data / "words.txt")
        dictionary.write_vectors(self.data / VECTORS)

    def retag(self) -> None:
        """Write the parser's files, with the early tagger's tags."""
        both = (self.data / "tagged.conllu").read_text("utf-8") + (self.data / "untagged.conllu").read_text("utf-8")
        (self.data / "all.conllu").write_text(both, encoding="utf-8")
        for name in ("all", "dev"):
            files = (self.data / file for file in (VECTORS, f"{name}.conllu", f"{name}.retagged.conllu"))
            retag(self.models / "early-tagger.pt", *files)

    def pack(self) -> None:
        """Write the models to the package in the form in which they ship, with checksums."""
        MODELS.mkdir(parents=True, exist_ok=True)
        trained = {processor: self.models / f"{name}.pt" for processor, name in NAMES.items()}
        write_sums(MODELS, pack(self.data / VECTORS, trained, MODELS))

    def _train(self, name: str) -> None:
        """Run one of Stanza's trainers with a log of its own."""
        module, files, options = TRAINED[name]
        paths: Options = {
            option: ";".join(str(self.data / file) for file in listed.split(";")) for option, listed in files.items()
        }
        save: Options = {"save_dir": str(self.models), "save_name": f"{name}.pt"}
        run_stanza(module, COMMON | paths | options | save, self.folder / f"{name}.log")
