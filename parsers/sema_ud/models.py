"""The location of a language's Stanza models in the user's installation."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from sema.errors import ResourceError, described, missing_package
from sema.languages import check_code
from sema.runtime.checksums import digest_of

PROCESSORS = ("tokenize", "pos", "depparse")


@dataclass(frozen=True)
class ModelSet:
    """The installed models of one language: their folder, and a short hash that names their content."""

    language: str
    folder: Path
    fingerprint: str


def resources_folder() -> Path:
    """Where Stanza keeps downloaded models: ``STANZA_RESOURCES_DIR``, by default ``~/stanza_resources``."""
    return Path(os.environ.get("STANZA_RESOURCES_DIR") or os.path.expanduser("~/stanza_resources"))


def find_models(language: str, *, processors: Sequence[str] = PROCESSORS) -> ModelSet:
    """The models for one of Stanza's language codes; if there are none, ``ResourceError`` says how to get them.

    An installation counts when it has models for all of ``processors``.
    """
    check_code(language)
    installed = resources_folder() / language
    if _is_installed(installed, processors):
        return ModelSet(language, installed, _fingerprint(installed))
    try:
        import stanza  # noqa: F401 - without it nothing installs models, so that comes first
    except ImportError as error:
        raise missing_package("stanza") from error
    raise ResourceError(
        f"Stanza has no models for {language!r} in {resources_folder()}; "
        f"run 'sema models install {language}' while online"
    )


def is_available(language: str) -> bool:
    """Whether there are models for a language."""
    check_code(language)
    return _is_installed(resources_folder() / language)


def install(language: str) -> str:
    """Download Stanza's default models for a language into ``resources_folder()``; returns a sentence for the user."""
    check_code(language)
    try:
        import stanza
    except ImportError as error:
        raise missing_package("stanza") from error
    folder = resources_folder()
    try:
        stanza.download(language, model_dir=str(folder), verbose=False)
    except Exception as error:  # any network error becomes one sentence for the user
        raise ResourceError(
            f"Stanza's models for {language!r} could not be downloaded ({described(error)}); "
            "check the language code and the connection"
        ) from error
    if not _is_installed(folder / language):
        raise ResourceError(f"Stanza offers no tokenizer, tagger and parser for {language!r}")
    return f"Stanza's models for {language!r} are in {folder / language}"


def _is_installed(folder: Path, processors: Sequence[str] = PROCESSORS) -> bool:
    return (folder.parent / "resources.json").is_file() and all(
        any((folder / processor).glob("*.pt")) for processor in processors
    )


@lru_cache(maxsize=8)
def _fingerprint(folder: Path) -> str:
    return digest_of(*sorted(folder.glob("*/*.pt")))
