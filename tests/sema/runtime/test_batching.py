from hypothesis import given
from hypothesis import strategies as st

from sema.runtime.batching import batches

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
