"""Where a language's Stanza models come from: the user's own installation, else the files that ship here."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from sema.errors import ResourceError

SHIPPED = Path(__file__).with_name("models")
"""Folders of shipped models, one a language."""
CHECKSUMS = "SHA256SUMS"
PROCESSORS = ("tokenize", "pos", "depparse")
DICTIONARY = "dictionary.pt"


@dataclass(frozen=True)
class ModelSet:
    """The models of one language: their folder, whether they ship here, and a short hash that names their content."""

    language: str
    folder: Path
    shipped: bool
    fingerprint: str


def resources_folder() -> Path:
    """Where Stanza keeps downloaded models: ``STANZA_RESOURCES_DIR``, by default ``~/stanza_resources``."""
    return Path(os.environ.get("STANZA_RESOURCES_DIR") or Path.home() / "stanza_resources")


def find_models(language: str, *, prefer_shipped: bool = False, processors: Sequence[str] = PROCESSORS) -> ModelSet:
    """The models for one of Stanza's language codes; ``ResourceError`` says how to get them where there are none.

    An installation counts when it has models for all of ``processors``.
    """
    installed, shipped = resources_folder() / language, SHIPPED / language
    candidates = [shipped, installed] if prefer_shipped else [installed, shipped]
    for folder in candidates:
        if folder == shipped and (folder / CHECKSUMS).is_file():
            return ModelSet(language, folder, True, _checked(folder))
        if folder == installed and _is_installed(folder, processors):
            return ModelSet(language, folder, False, _fingerprint(folder))
    raise ResourceError(
        f"Stanza has no models for {language!r} in {resources_folder()}; "
        f"run 'sema models install {language}' while online"
    )


def is_available(language: str) -> bool:
    """Whether there are models for a language, the user's or shipped ones."""
    return _is_installed(resources_folder() / language) or (SHIPPED / language / CHECKSUMS).is_file()


def install(language: str) -> str:
    """Download Stanza's default models for a language into ``resources_folder()``; returns a sentence for the user."""
    import stanza

    folder = resources_folder()
    try:
        stanza.download(language, model_dir=str(folder), verbose=False)
    except Exception as error:  # whatever the network layer raises, the user needs one sentence
        raise ResourceError(
            f"Stanza's models for {language!r} could not be downloaded ({type(error).__name__}: {_first_line(error)}); "
            "check the language code and the connection"
        ) from error
    if not _is_installed(folder / language):
        raise ResourceError(f"Stanza offers no tokenizer, tagger and parser for {language!r}")
    return f"Stanza's models for {language!r} are in {folder / language}"


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [""])[0]


def _is_installed(folder: Path, processors: Sequence[str] = PROCESSORS) -> bool:
    return (folder.parent / "resources.json").is_file() and all(
        any((folder / processor).glob("*.pt")) for processor in processors
    )


@lru_cache(maxsize=8)
def _checked(folder: Path) -> str:
    """Compare shipped files with their recorded SHA-256 and return a short hash of them all."""
    record = (folder / CHECKSUMS).read_text(encoding="utf-8")
    for line in record.splitlines():
        expected, name = line.split()
        path = folder / name
        if not path.is_file():
            raise ResourceError(f"{path} is missing; reinstall sema")
        with path.open("rb") as handle:
            found = hashlib.file_digest(handle, "sha256").hexdigest()
        if found != expected:
            raise ResourceError(f"{path} is damaged: its SHA-256 is not the recorded one; reinstall sema")
    return hashlib.sha256(record.encode()).hexdigest()[:8]


@lru_cache(maxsize=8)
def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*/*.pt")):
        digest.update(f"{path.relative_to(folder)} {path.stat().st_size}\n".encode())
    return digest.hexdigest()[:8]
