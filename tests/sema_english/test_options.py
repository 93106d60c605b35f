"""Which options of English parts decide scores."""

import pytest

from sema.scoring.scorer import Scorer


@pytest.mark.parametrize(
    ("metric", "extractor", "aligner", "option", "read"),
    [
        ("sema", None, None, "ud.heads", False),  # the Scenes are those of another extractor
        ("sema", "ud", None, "ud.heads", True),
        ("fkgl", "ud", None, "ud.heads", False),
        ("sema", None, None, "rules.hyponymy_depth", True),
        ("sema", None, "exact", "rules.hyponymy_depth", False),
        ("fkgl", None, None, "rules.hyponymy_depth", False),
        ("meaning", None, None, "cross_encoder.threads", True),
    ],
)
def test_options_of_parts_that_are_not_used_are_known(
    metric: str, extractor: str | None, aligner: str | None, option: str, read: bool
) -> None:
    value = {"ud.heads": "root"}.get(option, 1)
    engine = Scorer("en", [metric], extractor=extractor, aligner=aligner, options={option: value}).engine
    assert engine.unread_options == ([] if read else [option])
