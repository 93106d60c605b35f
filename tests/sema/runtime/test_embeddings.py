import numpy as np
from numpy.typing import NDArray

from sema.runtime.embeddings import Table, blocks, to_blocks, to_finer

WIDTH = 64


def numbers() -> NDArray[np.float32]:
    found = np.random.default_rng(2).normal(size=(20, WIDTH)).astype(np.float32)
    found[3] = 0
    return found


def test_two_more_bits_quarter_the_error_of_the_first_pieces() -> None:
    exact = numbers()
    rows = to_blocks(exact)
    finer = to_finer(exact[:10], rows[:10])
    assert finer.shape == (10, WIDTH // 4)
    found = Table(rows, finer)[np.arange(20)]
    rough, fine = np.abs(blocks(rows) - exact), np.abs(found - exact)
    assert fine[:10].mean() < 0.3 * rough[:10].mean()
    np.testing.assert_array_equal(found[10:], blocks(rows)[10:])
    assert not found[3].any()


def test_ids_of_any_shape_have_their_own_embeddings() -> None:
    rows = to_blocks(numbers())
    table = Table(rows, to_finer(numbers()[:10], rows[:10]))
    ids = np.array([[12, 3, 12], [0, 19, 9]])
    found = table[ids]
    assert found.shape == (2, 3, WIDTH) and found.dtype == np.float32
    for place in np.ndindex(ids.shape):
        np.testing.assert_array_equal(found[place], table[ids[place][None]][0])
    assert table[np.zeros((0, 4), np.int64)].shape == (0, 4, WIDTH)
    late = np.array([15, 11])  # none of them has more bits
    np.testing.assert_array_equal(table[late], blocks(rows[late]))
