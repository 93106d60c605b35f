"""The version that signatures state."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from sema import __version__
from sema.runtime.checksums import DIGITS

_DISTRIBUTION = "sema-metrics"


@cache
def signed_version() -> str:
    """The version; between two releases with a digest of all code, ``0.3.0.dev0+8f3c2a91bd07``, so that two states
    of a checkout never sign alike."""
    if ".dev" not in __version__:
        return __version__
    return f"{__version__}+{_code_digest()}"


def _code_digest() -> str:
    try:
        names = (distribution(_DISTRIBUTION).read_text("top_level.txt") or "sema").split()
    except PackageNotFoundError:
        names = ["sema"]
    digest = sha256()
    for name in sorted(names):
        spec = find_spec(name)
        for folder in map(Path, spec.submodule_search_locations or ()) if spec else ():
            for file in sorted(folder.rglob("*.py")):
                digest.update(f"{name}/{file.relative_to(folder).as_posix()}\0".encode() + file.read_bytes())
    return digest.hexdigest()[:DIGITS]
