"""Languages: unknown ones, default metrics, letters and figures that warn, and English and Chinese as they ship."""

import warnings
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import pytest

from sema import Scorer
from sema.errors import ResourceError, SemaWarning, UnknownNameError
from sema.metrics.registry import default_metrics
from sema.model.language import Language
from tests.cases import cases
from tests.commands import write
from tests.conftest import ROOT, Run
from tests.esperanto import esperanto
from tests.two_languages import own_output, own_source, pair

ENGLISH, CHINESE = "The old bridge was rusting.", "这座老桥正在生锈。"
SYSTEMS = {"en": ("split", "shortened", "changed"), "zh": ("simplified", "shortened", "changed")}


@cache
def scorer(lang: str) -> Scorer:
    return Scorer(lang, ["meaning", "sema", "sema_part", "sema_base", "samsa", "samsa_abl"])


@pytest.mark.parametrize("lang", SYSTEMS)
def test_the_bundled_systems_rank_as_they_were_written(lang: str) -> None:
    original, *outputs = (
        (ROOT / "examples" / lang / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        for name in ("original", *SYSTEMS[lang])
    )
    report = scorer(lang).score(original, dict(zip(SYSTEMS[lang], outputs, strict=True)))
    faithful, shortened, changed = (system.scores for system in report.systems)
    for metric in ("sema", "samsa"):
        assert faithful[metric] > max(shortened[metric], changed[metric])


@cases("odd_texts")
def test_odd_text_has_a_score_and_a_copy_is_never_worse_than_another_text(lang: str, text: str, times: int) -> None:
    odd, other = text * times, "月亮很圆。" if lang == "zh" else "The moon is round."
    foreign = lang == "zh" and text.startswith("The museum")
    warned = pytest.warns(SemaWarning, match="0 % of the letters fit Chinese") if foreign else nullcontext()
    with warned:
        copy, apart = scorer(lang).score([odd, odd], [odd, other]).systems[0].items
    assert all(0 <= score <= 100 for item in (copy, apart) for score in item.scores.values())
    assert copy.scores["sema"] > apart.scores["sema"]


@pytest.mark.parametrize(("code", "meant"), [("English", "en"), ("EN-us", "en"), ("xx:zh", "zh"), ("xx:en", "en")])
def test_an_unknown_language_is_offered_by_its_name_and_base_code(code: str, meant: str) -> None:
    with pytest.raises(UnknownNameError, match=f"unknown language '{code}'; did you mean '{meant}'.; see `sema lang"):
        Scorer(code)


def test_the_default_metrics_are_those_that_a_language_has() -> None:
    whole, without = esperanto(), replace(esperanto(), extractors={})
    for made, names in (
        (Scorer(whole), default_metrics()),
        (Scorer(without), ["meaning"]),
        (Scorer(without, extractor=whole.parts().extractor), default_metrics()),
        (Scorer(pair()), default_metrics()),
        (Scorer(pair(own_output(), own_source())), ["meaning"]),  # Scenes of the outputs are not used
    ):
        assert [metric.name for metric in made.metrics] == names


def warned(language: Language, sources: list[str], outputs: list[str]) -> list[str]:
    """The warnings of a scorer that scores texts twice."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        made = Scorer(language, ["meaning"])
        assert not made.score(sources, outputs).failed and not made.score(sources, outputs).failed
    return [str(one.message) for one in caught if issubclass(one.category, SemaWarning)]


@pytest.mark.parametrize(
    ("scripts", "sources", "outputs", "said"),
    [
        (["LATIN"], [ENGLISH, CHINESE, CHINESE], [ENGLISH] * 3, "item 1, source: 0 % of the letters fit Esperanto"),
        (["CJK"], [CHINESE] * 3, [CHINESE, CHINESE, ENGLISH], "item 2, output of 'output': 0 % of the letters"),
        (["CJK"], [CHINESE], ["老桥 IS OLD"], "item 0, output of 'output': 29 % of the letters"),
        (["CJK"], [CHINESE], ["老桥 IS OK"], ""),
        (["CJK"], [CHINESE, "ABC", "12 345 + ..."], ["", "IBM", CHINESE], ""),  # too few letters to tell
        ([], [CHINESE], [ENGLISH], ""),
    ],
)
def test_texts_in_other_letters_are_warned_of_by_item_and_share(
    scripts: list[str], sources: list[str], outputs: list[str], said: str
) -> None:
    found = warned(replace(esperanto(), scripts=tuple(scripts)), sources, outputs)
    assert len(found) == 2 * bool(said) and all(message.startswith(said) for message in found)


@pytest.mark.parametrize(
    ("command_line", "part", "text"),
    [
        ("score --lang en -s x -o x --metrics copied", "source", CHINESE),
        ("score --lang zh -s x -o x --metrics copied", "source", ENGLISH),
        ("features --lang en -s x -o x", "source", CHINESE),
        ("scenes --lang en x", "text", CHINESE),
    ],
)
def test_commands_warn_of_other_letters_unless_quiet(command: Run, command_line: str, part: str, text: str) -> None:
    write("x", f"{text}\n")
    done = command(*command_line.split())
    assert done.returncode == 0 and f"sema: warning: item 0, {part}: 0 % of the letters fit" in done.stderr
    assert command(*command_line.split(), "--quiet").stderr == ""


@pytest.mark.parametrize(
    ("language", "names"),
    [
        (esperanto(), ""),
        (replace(esperanto(), measured=False), "Esperanto;"),
        (pair(own_source(measured=True), own_output(measured=False)), "Slashes;"),
        (pair(own_source(measured=False), own_output(measured=False)), "Esperanto and Slashes;"),
    ],
)
def test_a_language_without_figures_says_so_once(language: Language, names: str) -> None:
    found = warned(language, ["Hundo kuras."] * 3, ["Hundo kuras."] * 3)
    expected = [f"no figure says how well sema reads {names}"] if names else []
    assert [message[: len(start)] for message, start in zip(found, expected, strict=True)] == expected
    assert not any("\n" in message for message in found)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"segmenter": object}, "'segmenter' of language 'eo' cannot be made .*signature.*; repair the package of"),
        ({"extractors": {"mine": object}}, "'mine' of language 'eo' cannot be made .*signature"),
        ({"aligners": {"mine": lambda: SimpleNamespace(signature="mine:1")}}, "'mine' of language 'eo' .*'align'"),
    ],
)
def test_a_part_without_its_method_or_signature_is_named_once(changes: dict[str, object], said: str) -> None:
    with pytest.raises(ResourceError, match=said):
        Scorer(replace(esperanto(), **changes), ["sema"]).score(["La kato dormas."], ["La kato dormas."])
