from hypothesis import given
from hypothesis import strategies as st

from sema.runtime.batching import batches, equal_batches, padded

SIZES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=40)


def fits(count: int, size: tuple[int, ...]) -> bool:
    return count * size[0] * size[1] <= 200


@given(SIZES)
def test_every_entry_is_in_one_batch_and_every_batch_fits(sizes: list[tuple[int, int]]) -> None:
    grouped = batches(sizes, fits)
    assert sorted(index for batch in grouped for index in batch) == list(range(len(sizes)))
    for batch in grouped:
        widest = tuple(max(sizes[index][side] for index in batch) for side in (0, 1))
        assert len(batch) == 1 or fits(len(batch), widest)
    assert [sizes[index] for batch in grouped for index in batch] == sorted(sizes)


def test_equals_follow_each_other_in_the_order_given() -> None:
    assert batches([(2,), (1,), (2,), (1,)], lambda count, size: count <= 2, order=[3, 2, 1, 0]) == [[3, 1], [2, 0]]
    assert batches([(2,), (1,)], lambda count, size: True, key=lambda index: -index) == [[1, 0]]
    assert batches([], lambda count, size: True) == []


@given(st.lists(st.integers(1, 50), max_size=30))
def test_a_batch_has_entries_of_one_padded_size(sizes: list[int]) -> None:
    grouped = equal_batches(sizes, 100)
    assert sorted(index for group in grouped for index in group) == list(range(len(sizes)))
    for group in grouped:
        (size,) = {padded(sizes[index]) for index in group}
        assert len(group) == 1 or len(group) * size <= 100
