"""A language without measured figures scores with one warning that says so."""

import warnings
from dataclasses import replace

import pytest

from sema import Scorer
from sema.errors import SemaWarning
from tests.esperanto import esperanto
from tests.two_languages import own_output, own_source, pair

TEXTS = ["Hundo kuras."] * 3


def said(language) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = Scorer(language, ["meaning"])
        made.score(TEXTS, TEXTS)
        made.score(TEXTS, TEXTS)
    return [str(one.message) for one in caught if issubclass(one.category, SemaWarning)]


def test_a_measured_language_says_nothing() -> None:
    assert said(esperanto()) == []


def test_a_language_without_figures_says_so_once() -> None:
    (message,) = said(replace(esperanto(), measured=False))
    assert message.startswith("no figure says how well sema reads Esperanto") and "\n" not in message


@pytest.mark.parametrize(
    ("source", "output", "names"),
    [(False, True, "Esperanto;"), (True, False, "Slashes;"), (False, False, "Esperanto and Slashes;")],
)
def test_a_pair_names_the_languages_that_have_none(source: bool, output: bool, names: str) -> None:
    (message,) = said(pair(own_source(measured=source), own_output(measured=output)))
    assert names in message
