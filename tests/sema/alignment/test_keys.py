"""Packed sets of keys have the same intersections as the sets."""

from hypothesis import given
from hypothesis import strategies as st

from sema.alignment.keys import sharing
from sema.alignment.relations import packed

KEYS = st.sets(
    st.one_of(st.integers(-9, 9), st.sampled_from("abc"), st.tuples(st.integers(0, 2), st.sampled_from("ab")))
)


@given(st.lists(KEYS, max_size=6), st.lists(KEYS, max_size=6))
def test_what_shares_a_key_is_found(asking: list[set[object]], waiting: list[set[object]]) -> None:
    found = sharing(list(map(packed, asking)), list(map(packed, waiting)))
    hashes = [set(map(hash, keys)) for keys in waiting]  # -1 and -2 have one hash
    assert found == [[n for n, own in enumerate(hashes) if own & set(map(hash, keys))] for keys in asking]


def test_of_many_keys_with_the_same_last_bits_the_same_are_found() -> None:
    step = 1 << 18
    asking = [packed(range(n * step * 50, (n + 1) * step * 50, step)) for n in range(4)]
    assert sharing(asking, asking[::-1]) == [[3], [2], [1], [0]]
