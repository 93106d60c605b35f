"""The models that a package ships in Stanza's own format, for the time in which Stanza loads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from sema_ud.models import DICTIONARY, file_of
from sema_ud.numpy_inference.files import read_model
from sema_ud.numpy_inference.words import dictionary


@contextmanager
def stanza_files(shipped: Path, processors: Iterable[str]) -> Iterator[Path]:
    """A folder with ``PROCESSOR.pt`` for each of some processors, ``dictionary.pt``, and the list that Stanza expects.

    It is removed at the end.
    """
    with TemporaryDirectory(prefix="sema-stanza-") as folder:
        target = Path(folder)
        for name in processors:
            write_processor(shipped, name, target / f"{name}.pt")
        write_dictionary(shipped, target / f"{DICTIONARY}.pt")
        (target / "resources.json").write_text("{}\n", encoding="utf-8")
        yield target


def write_processor(shipped: Path, name: str, target: Path) -> None:
    """Write a shipped model as Stanza's trainers do; the words that a tokenizer knows are those of the dictionary."""
    import torch

    model = read_model(file_of(shipped, name))
    weights = {name: torch.from_numpy(value) for name, value in model.weights.items()}
    content = {**model.rest, "model": weights, "vocab": dict(model.vocab), "config": dict(model.config)}
    if name == "tokenize":
        words = dictionary(file_of(shipped, DICTIONARY)).words if model.config["use_dictionary"] else None
        content["lexicon"] = words and [word for word in words if len(word) > 1]
    torch.save(content, target)


def write_dictionary(shipped: Path, target: Path) -> None:
    """Write a shipped dictionary as "pretrained vectors" of Stanza's."""
    import torch

    model = read_model(file_of(shipped, DICTIONARY))
    torch.save({"vocab": dict(model.vocab), "emb": torch.from_numpy(model.weights["emb"])}, target)
