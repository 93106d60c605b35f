import time

import pytest
from sema_ud.segmenter import ADDRESSES


@pytest.mark.stress
def test_the_time_of_a_search_is_not_quadratic() -> None:
    start = time.process_time()
    assert [ADDRESSES.search(run * 100_000) for run in ("a", "a-", "a.", "a@")] == [None] * 4
    assert time.process_time() - start < 10  # linear: under a tenth of a second; quadratic: over a minute
