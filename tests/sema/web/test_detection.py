"""What the page reads off texts: their language, sentences or passages, and the metrics that fit."""

import re
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the server needs fastapi (the extra `web`)")
pytest.importorskip("httpx", reason="the test client needs httpx")

from sema.errors import InputError
from sema.languages import find_language, ready_languages
from sema.model.language import Language
from sema.web.detection import Detector, Guess
from sema.web.understanding import fitting
from tests.esperanto import esperanto
from tests.sema.web.servers import OWN, client, finished

SENTENCES = "La kato dormas. La hundo manĝas."
ONE = "La kato dormas kaj la hundo manĝas."


def offered(*codes: str) -> Detector:
    """A detector for English, Chinese, and members of families."""
    return Detector([find_language("en"), find_language("zh"), *(replace(esperanto(), code=code) for code in codes)])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The school closed for two days in March because of heavy rain.", "en"),
        ("学校停课两天，学生们在家里上网课。", "zh"),
        ("Die Schule war im März wegen starker Regenfälle zwei Tage geschlossen.", "de"),
        ("猫が寝ているので、静かにしてください。", "ja"),
        ("La escuela cerró dos días en marzo por las fuertes lluvias.", "es"),
    ],
)
def test_a_language_is_detected_among_those_offered(text: str, code: str) -> None:
    pytest.importorskip("py3langid")
    assert offered("de", "es", "ja").detect(text) == Guess(code, True)


def test_too_little_text_is_of_a_language_with_a_package_of_its_own_and_not_sure() -> None:
    assert offered("de", "ja").detect("Ok") == Guess("en", False)
    assert offered("de", "ja").detect("好") in (Guess("zh", False), Guess("zh", True))


def test_a_text_in_a_language_that_is_not_offered_is_not_sure() -> None:
    pytest.importorskip("py3langid")
    german = "Die Schule war im März wegen starker Regenfälle zwei Tage geschlossen."
    assert offered().detect(german) == Guess("en", False)


def test_letters_alone_decide_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "py3langid.langid", None)
    assert offered().detect("学校停课两天。") == Guess("zh", True)
    assert offered("de").detect("The school closed.") == Guess("en", False)


@pytest.mark.parametrize("text", ["", "  \n", "12 + 3 = 15!"])
def test_what_has_no_letters_has_no_language(text: str) -> None:
    assert offered("de").detect(text) is None


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
def test_more_than_one_sentence_on_both_sides_is_a_passage(source: str, outputs: list[str], level: str) -> None:
    with client() as web:
        answer = web.post("/detect", json={"lang": "eo", "source": source, "outputs": outputs})
        assert answer.json() == {"lang": "eo", "name": "Esperanto", "sure": True, "level": level}
        given = web.post("/detect", json={"lang": "eo", "source": source, "outputs": outputs, "level": "passage"})
        assert given.json()["level"] == "passage"


def test_what_is_detected_is_scored_and_named() -> None:
    pytest.importorskip("py3langid")
    with client() as web:
        shown = web.post("/show", json={"source": SENTENCES, "outputs": [SENTENCES], "metrics": ["sema", "samsa"]})
        assert "Read as Esperanto, sentence by sentence of a passage." in re.sub("<[^>]*>", "", shown.text)
        assert "samsa is left out: it is about single sentences" in shown.text
        one = web.post("/show", json={"source": ONE, "outputs": [SENTENCES], "metrics": ["sema", "samsa"]})
        assert "as one sentence." in one.text and "left out" not in one.text
        assert web.post("/show", json={"source": "12", "outputs": ["12"]}).json()["detail"] == (
            "the language cannot be told from the original; choose it"
        )


def test_a_file_is_detected_by_most_of_its_items() -> None:
    pytest.importorskip("matplotlib")
    pytest.importorskip("py3langid")
    text = "\n".join([SENTENCES, SENTENCES, ONE]).encode()
    sent = [("source", ("a.txt", text)), ("outputs", ("b.txt", text))]
    with client() as web:
        data = {"lang": "", "level": "detect", "metrics": "sema,samsa"}
        job = finished(web, web.post("/jobs", data=data, files=sent, headers=OWN).json())
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
    language: Language = replace(esperanto(), extractors={})
    assert fitting(None, language, "sentence") == (None, [])
    kept, said = fitting(["meaning", "sema"], language, "sentence")
    assert kept == ["meaning"] and said == ["sema is left out: nothing finds Scenes in Esperanto."]
    with pytest.raises(InputError, match=r"sema is left out.* Choose another metric"):
        fitting(["sema"], language, "sentence")
