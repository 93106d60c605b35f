"""EASSE's published values for the first pairs of Simplicity-DA; ``benchmarks/parity`` has them all."""

import csv

import pytest

from sema.metrics.base import Item
from sema.model.text import Text
from tests.conftest import PublicData

PAIRS = 40


@pytest.fixture(scope="module")
def pairs(public_data: PublicData) -> list[tuple[Item, dict[str, str]]]:
    def read(name: str) -> list[dict[str, str]]:
        with public_data("ratings", "metaeval", name).open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))

    def lines(name: str) -> list[str]:
        return public_data("simplification", "asset", name).read_text(encoding="utf-8").split("\n")

    published = {
        (row["sent_id"], row["sys_name"]): row
        for row in read("metrics_simplicity_DA.csv")
        if row["test_set"] == "asset"
    }
    sources, columns = lines("asset.test.orig"), [lines(f"asset.test.simp.{number}") for number in range(10)]
    rated = []
    for row in read("simplicity_DA.csv")[:PAIRS]:
        line = int(row["sent_id"]) - 1
        references = tuple(column[line] for column in columns)
        item = Item(Text(sources[line], (), ()), Text(row["simp_sent"], (), ()), references)
        rated.append((item, published[row["sent_id"], row["sys_name"]]))
    return rated


SHARES = {
    "bleu": ("bleu", 0.99),
    "sari": ("sari", 0.99),
    "sari_add": ("sari_add", 0.99),
    "sari_keep": ("sari_keep", 0.99),
    "sari_del": ("sari_del", 0.99),
    "ibleu": ("ibleu", 0.99),
    "fkgl": ("fkgl", 0.95),
    "fkbleu": ("fkbleu", 0.95),
    "mean:bleu,sari": ("amean_bleu_sari", 0.99),
    "gmean:bleu,sari": ("gmean_bleu_sari", 0.99),
}
"""By metric: the column of the published values, and the share of them that must come out."""


def test_share_of_published_values(pairs: list[tuple[Item, dict[str, str]]], results) -> None:
    for name, (column, share) in SHARES.items():
        ours = results(name, [item for item, _ in pairs], tokenizer="moses").items
        agreed = [abs(score - float(row[column])) <= 1e-4 for score, (_, row) in zip(ours, pairs, strict=True)]
        assert sum(agreed) >= share * len(agreed), name
