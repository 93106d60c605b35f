"""A Stanza installation made by Stanza's own trainers, in a few steps on a few sentences: it works, and knows little."""

import json
from importlib import import_module
from pathlib import Path

NAME = "tiny"
SENTENCES = (
    ("Ann sleeps .", "PROPN VERB PUNCT", "2 0 2", "nsubj root punct"),
    ("She likes the old dog .", "PRON VERB DET ADJ NOUN PUNCT", "2 0 5 5 2 2", "nsubj root det amod obj punct"),
)
COPIES = 8
COMMON = {"lang": "fr", "shorthand": "fr_tiny", "mode": "train", "device": "cpu", "seed": 1, "batch_size": 8}
SMALL = {"hidden_dim": 8, "num_layers": 1, "char_hidden_dim": 8, "char_emb_dim": 8, "word_emb_dim": 8, "tag_emb_dim": 8,
         "transformed_dim": 8, "no_pretrain": None, "max_steps": 2, "eval_interval": 1, "word_cutoff": 1}  # fmt: skip


def conllu() -> str:
    blocks = []
    for text, tags, heads, relations in SENTENCES * COPIES:
        columns = zip(text.split(), tags.split(), heads.split(), relations.split(), strict=True)
        rows = [f"{n}\t{w}\t{w}\t{t}\t{t}\t_\t{h}\t{r}\t_\t_" for n, (w, t, h, r) in enumerate(columns, 1)]
        blocks.append(f"# text = {text}\n" + "\n".join(rows) + "\n\n")
    return "".join(blocks)


def write_installation(folder: Path, language: str = "fr") -> None:
    """Write a folder as ``stanza.download`` leaves it (``STANZA_RESOURCES_DIR``)."""
    data = folder / "data"
    data.mkdir(parents=True)
    (data / "trees.conllu").write_text(conllu(), encoding="utf-8")
    texts = [text for text, *_ in SENTENCES * COPIES]
    marks = ["".join("2" if at == len(text) - 1 else "1" if text[at + 1] == " " else "0" for at in range(len(text)))
             for text in texts]  # fmt: skip
    (data / "text.txt").write_text("\n\n".join(texts) + "\n\n", encoding="utf-8")
    (data / "labels.txt").write_text("\n\n".join(marks) + "\n\n", encoding="utf-8")
    (data / "mwt.json").write_text("[]", encoding="utf-8")
    trees, text, labels = (str(data / name) for name in ("trees.conllu", "text.txt", "labels.txt"))
    both = {"train_file": trees, "eval_file": trees}
    train("tokenizer", folder / language / "tokenize", {
        "txt_file": text, "label_file": labels, "dev_txt_file": text, "dev_label_file": labels,
        "dev_conll_gold": trees, "mwt_json_file": str(data / "mwt.json"), "no_use_mwt": None, "max_seqlen": 100,
        "steps": 30, "eval_steps": 30, "hidden_dim": 8, "emb_dim": 8,
    })  # fmt: skip
    train("tagger", folder / language / "pos", both | SMALL)
    train("parser", folder / language / "depparse", both | SMALL | {"deep_biaff_hidden_dim": 8, "checkpoint_interval": 9})
    packages = {"tokenize": NAME, "pos": NAME, "lemma": "identity", "depparse": NAME}
    about = {"lang_name": language, "packages": {"default": packages}}
    about |= {processor: {NAME: {}} for processor in ("tokenize", "pos", "depparse")}
    (folder / "resources.json").write_text(json.dumps({language: about}), encoding="utf-8")


def train(module: str, folder: Path, options: dict[str, object]) -> None:
    arguments = []
    for name, value in (COMMON | options | {"save_dir": str(folder), "save_name": f"{NAME}.pt"}).items():
        arguments += [f"--{name}"] if value is None else [f"--{name}", str(value)]
    import_module(f"stanza.models.{module}").main(arguments)
