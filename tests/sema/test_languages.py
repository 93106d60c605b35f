"""Languages by code: the error for an unknown code."""

from dataclasses import replace

import pytest

import sema
from sema import Scorer
from sema.errors import UnknownNameError
from sema.languages import find_language
from sema.metrics.registry import default_metrics
from tests.esperanto import esperanto


@pytest.mark.parametrize(
    ("code", "remedy"), [("tlh", "; write ud:tlh, if its models are installed"), ("xx:fr", ", zh")]
)
def test_an_unknown_language_is_offered_as_a_member_of_a_family(code: str, remedy: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        find_language(code)
    assert str(caught.value).startswith(f"unknown language {code!r}; known: en, ")
    assert str(caught.value).endswith(remedy)


def test_the_default_metrics_are_those_that_a_language_has() -> None:
    whole = esperanto()
    assert [metric.name for metric in Scorer(whole).metrics] == default_metrics()
    without = replace(whole, extractors={})
    assert [metric.name for metric in Scorer(without).metrics] == ["meaning"]
    given = Scorer(without, extractor=whole.parts().extractor)
    assert [metric.name for metric in given.metrics] == default_metrics()


def test_the_list_of_languages_names_their_models(capsys: pytest.CaptureFixture[str]) -> None:
    from sema.cli.main import main

    assert main(["languages"]) == 0
    blocks = [block.splitlines() for block in capsys.readouterr().out.split("\n\n")]
    (chinese,) = [block for block in blocks if block[0].startswith("zh  Chinese")]
    assert any("Scenes" in row and "the parser of all languages" in row for row in chinese)
    assert main(["languages", "zh"]) == 0
    assert "zh: Chinese, the parser of all languages" in capsys.readouterr().out


@pytest.mark.parametrize(("place", "reason"), [("nomodule.x:y", "No module named"), ("nomodule", "write module:name")])
def test_a_part_that_cannot_be_imported_is_told_in_one_line_where_it_is_needed(place: str, reason: str) -> None:
    language = replace(esperanto(), lexicon=place)
    sema.Scorer(language, ["bleu"], options={"bleu.smoothing": "exp"})
    with pytest.raises(sema.ResourceError, match=f"'lexicon' of language 'eo' cannot be made .*{reason}"):
        sema.Scorer(language, ["bleu"], options={"lexicon.size": "4"})
