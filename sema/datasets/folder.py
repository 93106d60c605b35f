"""The folder of the public data, named by the environment variable ``SEMA_DATA``."""

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
