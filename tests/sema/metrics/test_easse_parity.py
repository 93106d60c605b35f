"""EASSE's published values for the first pairs of Simplicity-DA; ``benchmarks/parity`` has them all."""

from benchmarks.parity.easse import COLUMNS, TOLERANCE
from benchmarks.sets import items, read_pairs
from tests.conftest import PublicData

PAIRS = 40


def test_share_of_published_values(public_data: PublicData, results) -> None:
    public_data("ratings", "metaeval")
    pairs = read_pairs()[:PAIRS]
    rated = list(items(pairs, "asset"))
    for column, (name, share) in COLUMNS.items():
        ours = results(name, rated, tokenizer="moses").items
        theirs = [float(pair.published["asset"][column]) for pair in pairs]
        agreed = [abs(one - other) <= TOLERANCE for one, other in zip(ours, theirs, strict=True)]
        assert sum(agreed) >= share * len(agreed), name
