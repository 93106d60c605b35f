"""The folder of the public data, named by the environment variable ``SEMA_DATA``, and its sets of references."""

from __future__ import annotations

import os
from pathlib import Path

from sema.errors import ResourceError

VARIABLE = "SEMA_DATA"
_DEFAULT = Path(__file__).resolve().parents[3] / "shared" / "data"


def data_path(*parts: str) -> Path:
    """A file or folder of the public data, by default in ``../shared/data`` beside the project; it may be absent."""
    return Path(os.environ.get(VARIABLE) or _DEFAULT).joinpath(*parts)


def data_folder(*parts: str) -> Path:
    """A file or folder of the public data that must be there.

    Raises:
        ResourceError: it is not; the message names the variable.
    """
    path = data_path(*parts)
    if not path.exists():
        raise ResourceError(f"{path} is absent; set {VARIABLE} to the folder of the public data")
    return path


REFERENCE_SETS = {
    "hsplit": "hsplit/hsplit.tok.[1-4]",
    "turk": "turkcorpus/test.truecase.detok.simp.[0-7]",
    "asset": "asset/asset.test.simp.[0-9]",
}
"""Where the references of each set lie: four that only split (Sulem, Abend and Rappoport 2018), eight that only reword
(Xu et al. 2016), ten that do anything (Alva-Manchego et al. 2020)."""


def reference_files(name: str) -> list[Path]:
    """The files of a set, one for each reference, a line for each source.

    Raises:
        ResourceError: the public data is absent.
    """
    folder, _, pattern = REFERENCE_SETS[name].partition("/")
    return sorted(data_folder("simplification", folder).glob(pattern))
