"""Letters of significance: two systems share a letter if they do not differ, and only then."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from sema.evaluation.letters import compact_letters


def test_groups_that_overlap_share_their_letters_in_the_order_of_the_names() -> None:
    differing = [("T1", "T4"), ("T1", "T5"), ("T2", "T5")]
    assert compact_letters(["T1", "T2", "T3", "T4", "T5"], differing) == {
        "T1": "a", "T2": "ab", "T3": "abc", "T4": "bc", "T5": "c",
    }  # fmt: skip
    assert compact_letters(["x", "y"], []) == {"x": "a", "y": "a"}
    assert compact_letters(["x"], []) == {"x": "a"}


@given(st.integers(1, 7).flatmap(lambda size: st.lists(st.booleans(), min_size=size * (size - 1) // 2, max_size=21)))
def test_two_systems_share_a_letter_if_and_only_if_they_do_not_differ(draws: list[bool]) -> None:
    size = max(size for size in range(1, 8) if size * (size - 1) // 2 <= len(draws))
    names = [f"s{number}" for number in range(size)]
    pairs = list(combinations(names, 2))
    differing = {pair for pair, differs in zip(pairs, draws, strict=False) if differs}
    letters = compact_letters(names, differing)
    assert all(letters.values()) and letters[names[0]][0] == "a"
    for pair in pairs:
        assert bool(set(letters[pair[0]]) & set(letters[pair[1]])) == (pair not in differing)
