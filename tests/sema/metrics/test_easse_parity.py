"""EASSE's published values for the first pairs of Simplicity-DA; ``benchmarks/parity`` has them all."""

from benchmarks.parity.easse import TARGETS, TOLERANCE
from benchmarks.sheets import simplicity_da
from tests.conftest import PublicData

PAIRS = 40


def test_share_of_published_values(public_data: PublicData, results) -> None:
    public_data("ratings", "metaeval")
    sheet = simplicity_da()
    rated = sheet.items("asset")[:PAIRS]
    for name, share in TARGETS.items():
        ours, theirs = results(name, rated, tokenizer="moses").items, sheet.published["asset"][name][:PAIRS]
        agreed = [abs(one - other) <= TOLERANCE for one, other in zip(ours, theirs, strict=True)]
        assert sum(agreed) >= share * len(agreed), name
