"""What the page reads off texts: their language, sentences or passages, and the metrics that fit."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sema.errors import InputError
from sema.languages import find_language, ready_languages
from sema.web import understanding
from sema.web.understanding import detect, fitting
from tests.esperanto import esperanto
from tests.sema.web.servers import files, finished, send

SENTENCES = "La kato dormas. La hundo manĝas."
ONE = "La kato dormas kaj la hundo manĝas."
GERMAN = "Die Schule war im März wegen starker Regenfälle zwei Tage geschlossen."


def detected(text: str, *codes: str) -> tuple[str, bool] | None:
    """The language of a text among English, Chinese, and members of families."""
    members = [replace(esperanto(), code=code) for code in codes]
    return detect(text, [find_language("en"), find_language("zh"), *members])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The school closed for two days in March because of heavy rain.", "en"),
        ("学校停课两天，学生们在家里上网课。", "zh"),
        (GERMAN, "de"),
        ("猫が寝ているので、静かにしてください。", "ja"),
        ("La escuela cerró dos días en marzo por las fuertes lluvias.", "es"),
    ],
)
def test_a_language_is_detected_among_those_offered(text: str, code: str) -> None:
    pytest.importorskip("py3langid")
    assert detected(text, "de", "es", "ja") == (code, True)


def test_too_little_text_is_of_a_language_with_a_package_of_its_own_and_not_sure() -> None:
    assert detected("Ok", "de", "ja") == ("en", False)
    assert detected("好", "de", "ja") in (("zh", False), ("zh", True))


def test_a_text_in_a_language_that_is_not_offered_is_not_sure() -> None:
    pytest.importorskip("py3langid")
    assert detected(GERMAN) == ("en", False)


@pytest.fixture
def letters_alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Without py3langid."""
    monkeypatch.setitem(__import__("sys").modules, "py3langid.langid", None)
    monkeypatch.setattr(understanding, "_identifier", understanding._identifier.__wrapped__)
    yield


def test_letters_alone_decide_without_the_package(letters_alone: None) -> None:
    assert detected("学校停课两天。") == ("zh", True)
    assert detected("The school closed.", "de") == ("en", False)


@pytest.mark.parametrize("text", ["", "  \n", "12 + 3 = 15!"])
def test_what_has_no_letters_has_no_language(text: str) -> None:
    assert detected(text, "de") is None


def test_members_of_families_are_ready_where_their_models_are(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = [language.code for language in ready_languages()]
    assert codes[:2] == ["en", "zh"] and len(codes) == len(set(codes)) and not any(":" in code for code in codes)
    monkeypatch.setattr("sema_reader.e5.is_installed", lambda: False)
    assert [language.code for language in ready_languages()] == ["en", "zh"]


@pytest.mark.parametrize(
    ("source", "outputs", "level"),
    [
        (SENTENCES, [SENTENCES], "passage"),
        (ONE, [SENTENCES], "sentence"),
        (SENTENCES, [ONE], "sentence"),
        (SENTENCES, [ONE, SENTENCES], "passage"),
        (SENTENCES, [], "sentence"),
    ],
)
def test_more_than_one_sentence_on_both_sides_is_a_passage(
    web: TestClient, source: str, outputs: list[str], level: str
) -> None:
    asked = {"lang": "eo", "source": source, "outputs": outputs}
    answer = web.post("/detect", json=asked).json()
    assert answer == {"lang": "eo", "name": "Esperanto", "sure": True, "level": level}
    assert web.post("/detect", json={**asked, "level": "passage"}).json()["level"] == "passage"


def test_what_is_detected_is_scored_and_named(web: TestClient) -> None:
    pytest.importorskip("py3langid")
    asked = {"outputs": [SENTENCES], "metrics": ["sema", "samsa"]}
    shown = web.post("/show", json={"source": SENTENCES, **asked}).text
    assert "Read as Esperanto, sentence by sentence of a passage." in re.sub("<[^>]*>", "", shown)
    assert "samsa is left out: it is about single sentences" in shown
    one = web.post("/show", json={"source": ONE, **asked}).text
    assert "as one sentence." in one and "left out" not in one
    assert web.post("/show", json={"source": "12", "outputs": ["12"]}).json()["detail"] == (
        "the language cannot be told from the original; choose it"
    )


def test_a_file_is_detected_by_most_of_its_items(web: TestClient) -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("py3langid")
    text = f"{SENTENCES}\n{SENTENCES}\n{ONE}"
    job = finished(web, send(web, files(text, text), lang="", level="detect", metrics="sema,samsa"))
    assert (job["state"], job["lang"], job["level"]) == ("done", "eo", "passage")
    assert list(job["systems"][0]["scores"]) == ["sema"]
    assert job["warnings"] == ["samsa is left out: it is about single sentences, and these are passages."]


@pytest.mark.parametrize(
    ("names", "level", "left", "notes"),
    [
        (["meaning", "sema", "samsa"], "sentence", ["meaning", "sema", "samsa"], 0),
        (["meaning", "sema", "samsa"], "passage", ["meaning", "sema"], 1),
        (None, "sentence", None, 0),
        (None, "passage", None, 1),
    ],
)
def test_metrics_that_do_not_fit_are_left_out_and_said(names: Any, level: Any, left: Any, notes: int) -> None:
    kept, said = fitting(names, esperanto(), level)
    assert (kept, len(said)) == (left, notes)


def test_without_scenes_metrics_of_scenes_are_left_out() -> None:
    language = replace(esperanto(), extractors={})
    assert fitting(None, language, "sentence") == (None, [])
    kept, said = fitting(["meaning", "sema"], language, "sentence")
    assert kept == ["meaning"] and said == ["sema is left out: nothing finds Scenes in Esperanto."]
    with pytest.raises(InputError, match=r"sema is left out.* Choose another metric"):
        fitting(["sema"], language, "sentence")
