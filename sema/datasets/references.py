"""The public sets of references for the test sentences of TurkCorpus."""

from __future__ import annotations

from pathlib import Path

from sema.datasets.folder import data_folder

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
