"""Chinese under ``en`` and English under ``zh`` are warned of by item and share; nothing is an error."""

import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from sema import Scorer
from sema.cli.main import main
from sema.errors import SemaWarning
from sema.scoring.letters import share_of
from tests.esperanto import WordCount, esperanto

ENGLISH, CHINESE = "The old bridge was rusting.", "这座老桥正在生锈。"


@pytest.mark.parametrize(
    ("text", "scripts", "share"),
    [
        (ENGLISH, ("LATIN",), 1),
        (ENGLISH, ("CJK",), 0),
        (CHINESE, ("CJK",), 1),
        (CHINESE, ("LATIN",), 0),
        ("老桥 IS OK", ("CJK",), 2 / 6),
        ("ABC", ("CJK",), None),
        ("12 345 + ...", ("CJK",), None),
    ],
)
def test_the_share_of_letters_that_fit(text: str, scripts: tuple[str, ...], share: float | None) -> None:
    assert share_of(text, scripts) == share


@pytest.mark.parametrize(
    ("scripts", "sources", "outputs", "said"),
    [
        (("LATIN",), [ENGLISH, CHINESE, CHINESE], [ENGLISH] * 3, "item 1, source: 0 % of the letters fit Esperanto"),
        (("CJK",), [CHINESE] * 3, [CHINESE, CHINESE, ENGLISH], "item 2, output of 'output': 0 % of the letters"),
    ],
)
def test_a_warning_names_item_and_share(
    scripts: tuple[str, ...], sources: list[str], outputs: list[str], said: str
) -> None:
    scorer = Scorer(replace(esperanto(), scripts=scripts), [WordCount()])
    with pytest.warns(SemaWarning) as caught:
        report = scorer.score(sources, outputs)
    assert [str(warning.message).startswith(said) for warning in caught] == [True]
    assert not report.failed


def test_texts_that_fit_and_languages_that_name_no_script_are_not_warned_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Scorer(replace(esperanto(), scripts=("LATIN",)), [WordCount()]).score([ENGLISH, "3 + 4"], ["", "IBM"])
        Scorer(esperanto(), [WordCount()]).score([CHINESE], [ENGLISH])


COMMANDS = {
    "score": "score --lang {lang} -s {path} -o {path} --metrics copied",
    "scenes": "scenes --lang {lang} {path}",
    "align": "align --lang {lang} -s {path} -o {path}",
    "parse": "parse --lang {lang} {path} --to {folder}",
    "features": "features --lang {lang} -s {path} -o {path}",
}


@pytest.mark.parametrize(
    ("name", "lang", "text"), [*((name, "en", CHINESE) for name in COMMANDS), ("score", "zh", ENGLISH)]
)
def test_the_command_line_warns(
    name: str, lang: str, text: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "texts.txt"
    path.write_text(f"{text}\n", encoding="utf-8")
    arguments = COMMANDS[name].format(lang=lang, path=path, folder=tmp_path / "folder").split()
    code, said = main(arguments), capsys.readouterr().err
    assert code == 0, said
    part = "text" if name in ("scenes", "parse") else "source"
    assert f"sema: warning: item 0, {part}: 0 % of the letters fit" in said
    if name in ("score", "scenes"):
        assert main([*arguments, "--quiet"]) == 0
        assert capsys.readouterr().err == ""
