"""What English words stand for, and how the aligner's word relations see them."""

from __future__ import annotations

import pytest
from sema_english import relations


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("thirteen", 13.0),
        ("13", 13.0),
        ("1,000", 1000.0),
        ("3rd", ("nth", 3.0)),
        ("third", ("nth", 3.0)),
        ("Mon.", ("calendar", "monday")),
        ("may", None),
        ("x2", None),
        ("dog", None),
        ("zero", 0.0),
        ("٣", 3.0),
    ],
)
def test_number_values(word: str, value: object) -> None:
    assert relations.number_value(word) == value
