import json
from pathlib import Path

import pytest

from benchmarks.alignment import chinese as benchmark
from tests.conftest import PublicData

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks/alignment/chinese.py"
FILES = ("chinese_links.jsonl", "chinese_links_second.jsonl")


def test_precision_and_recall_equal_numbers_by_hand() -> None:
    span = benchmark.Span
    gold = benchmark.Gold("他购买书本", "他买书", [span(0, 1, 0, 1), span(1, 3, 1, 2), span(3, 5, 2, 3)])
    predicted = [[span(0, 1, 0, 1), span(2, 3, 1, 2), span(1, 2, 2, 3)]]
    assert benchmark.scores(predicted, [gold]) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert benchmark.scores(predicted, [gold], others=True) == pytest.approx((0.0, 1 / 2, 0.0))
    assert benchmark.scores([[]], [gold]) == (0.0, 0.0, 0.0)
    width = benchmark.Gold("２７日", "27号", [span(0, 2, 0, 2), span(2, 3, 2, 3)])
    assert benchmark.other_words(width, width.links) == [span(2, 3, 2, 3)], "width is no difference"


def test_files_of_links_are_sorted_and_inside_their_texts() -> None:
    keys = []
    for name in FILES:
        entries = [json.loads(line) for line in BENCHMARK.with_name(name).read_text(encoding="utf-8").splitlines()]
        for entry in entries:
            length, output_length = entry["lengths"]
            assert entry["links"] == sorted(entry["links"])
            assert len({tuple(link) for link in entry["links"]}) == len(entry["links"]) > 0
            assert all(0 <= a < b <= length and 0 <= c < d <= output_length for a, b, c, d in entry["links"])
        keys.append([(entry["item"], entry["reference"]) for entry in entries])
    assert len(set(keys[0])) == len(keys[0]) == 160
    assert len(keys[1]) == 20 and set(keys[1]) <= set(keys[0])


@pytest.mark.parametrize("name", FILES)
def test_links_by_hand_begin_and_end_at_words(name: str, public_data: PublicData) -> None:
    for pair in benchmark.load(BENCHMARK.with_name(name), public_data("simplification", "mcts", "dataset")):
        for link in pair.links:
            pieces = pair.source[link.start : link.end], pair.output[link.output_start : link.output_end]
            assert all(piece[0].isalnum() and piece == piece.strip() for piece in pieces), pieces
