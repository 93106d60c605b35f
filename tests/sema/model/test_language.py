from dataclasses import replace

import pytest

import sema
from tests.esperanto import esperanto


@pytest.mark.parametrize(("place", "reason"), [("nomodule.x:y", "No module named"), ("nomodule", "write module:name")])
def test_a_part_that_cannot_be_imported_is_told_in_one_line_where_it_is_needed(place: str, reason: str) -> None:
    language = replace(esperanto(), lexicon=place)
    sema.Scorer(language, ["bleu"], options={"bleu.smoothing": "exp"})
    with pytest.raises(sema.ResourceError, match=f"'lexicon' of language 'eo' cannot be made .*{reason}"):
        sema.Scorer(language, ["bleu"], options={"lexicon.size": "4"})
