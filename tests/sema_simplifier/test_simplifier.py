from pathlib import Path

import numpy as np
import pytest
from sema_rerank.simplifiers import Simplifier, find_simplifier
from sema_simplifier import accepting
from sema_simplifier.decoding import Option
from sema_simplifier.extraction import Example, learn_rules
from sema_simplifier.features import FEATURES
from sema_simplifier.rank import main as rank
from sema_simplifier.rules import RuleTable
from sema_simplifier.simplifier import PhraseSimplifier
from sema_simplifier.splitting import Split, constituents, splits
from sema_simplifier.wording import reworded
from sema_wordnet import WordNetLexicon

from benchmarks.papers.printed import graph
from sema.alignment.exact import ExactAligner
from sema.errors import InputError, ResourceError
from sema.languages import find_language
from sema.model.text import Text
from sema.options import Settings
from tests.cases import cases
from tests.commands import one_line
from tests.conftest import ROOT, Run
from tests.scene_graphs import scene_graph


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


EXAMPLES = [
    Example(words(f"in {year} he resided in the region ."), (words(f"in {year} he lived in the region ."),) * 2)
    for year in ("1990", "1991", "1992")
] + [Example(words("they resided there ."), (words("they resided there ."), words("they stayed there .")))]


def test_rules_are_counted_and_a_sentence_is_served_without_its_own(tmp_path: Path) -> None:
    table = learn_rules(EXAMPLES, ExactAligner())
    assert table.occurrences["resided",] == 4
    assert table.words["resided"] == (1, 8)
    (known,) = table.known(("resided",))
    assert (known.rule.target, known.uses, known.sentences, known.occurrences) == (("lived",), 6, 3, 4)
    own = table.contribution(words("IN 1990 he resided in the region ."))
    (known,) = table.known(("resided",), own)
    assert (known.uses, known.sentences, known.occurrences) == (4, 2, 3)
    assert (known.share, known.reverse) == (4 / (2 * 3), 1)
    assert table.kept("resided", own) == (1, 6)
    path = tmp_path / "rules.json.gz"
    table.save(path)
    again = RuleTable.load(path)
    assert again.rules == table.rules and again.signature == table.signature
    assert again.contribution(EXAMPLES[0].source) == table.contribution(EXAMPLES[0].source)
    path.write_bytes(b"no table")
    with pytest.raises(ResourceError, match="not a readable rule table"):
        RuleTable.load(path)


def test_a_rule_that_costs_much_is_not_applied() -> None:
    assert isinstance(PhraseSimplifier(), Simplifier)
    with pytest.raises(InputError, match="no feature 'nonsense'"):
        PhraseSimplifier().weighted({"nonsense": 1.0})
    assert PhraseSimplifier().weighted({"rules": -9.0}).signature != PhraseSimplifier().signature
    text = Text.from_tokenized("the municipality subsequently purchased 10\u00a0000 .")
    (copied,) = PhraseSimplifier().weighted({"rules": -9.0}).candidates([text], 1)[0]
    assert copied.text == text.raw and copied.score == 0 and not copied.steps
    assert set(copied.features) == set(FEATURES) and not any(copied.features.values())
    best = PhraseSimplifier(check=False).weighted({"common": 2.0, "rules": 0.1}).candidates([text], 5)[0]
    assert len({candidate.text for candidate in best}) == 5
    assert "bought" in best[0].text and "purchased -> bought" in best[0].steps


def test_the_samples_are_simplified_without_nonsense(command: Run) -> None:
    """Without the check a harvest becomes *the collection*, and blankets are *released*."""
    path = ROOT / "examples" / "en" / "original.txt"
    before = path.read_text("utf-8").splitlines()
    done = command("simplify", str(path), "--lang", "en")
    after = done.stdout.splitlines()
    assert done.returncode == 0 and len(after) == len(before)
    assert after[1] == before[1] and after[5] == before[5]
    assert "Scientists found that the glacier" in after[7]
    unchecked = command("simplify", str(path), "--lang", "en", "--set", "ppdb.check=no").stdout
    assert "the collection had failed" in unchecked and "released blankets" in unchecked


@cases("en/replacements")
def test_replacements_are_checked_in_their_sentence(
    sentence: str, options: tuple[tuple[int, int, str], ...], accepted: str
) -> None:
    found = accepting.accepted(
        words(sentence), [option(*one) for one in options], find_language("en").parts(), WordNetLexicon.english()
    )
    assert [" ".join(one.target) for one in found] == [accepted]


def test_constituents_are_units_and_neighbours_below_one() -> None:
    # He | met | [a [famous painter] , [who died]]
    painter = ("A", ("E", 2), ("C", ("E", 3), ("C", 4)), ("U", 5), ("E", ("A", 6), ("P", 7)))
    graph = scene_graph("He met a famous painter , who died", ("H", ("A", 0), ("P", 1), painter))
    spans = constituents(graph)
    assert {(0, 1), (0, 2), (2, 5), (3, 5), (2, 8), (6, 8), (1, 8), (0, 8)} <= spans
    assert spans.isdisjoint({(1, 3), (1, 5), (2, 4), (4, 6), (5, 7), (7, 9)})


def test_rules_of_several_words_apply_to_constituents_alone() -> None:
    text = cut("He left due to a rise in taxes that is likely to last.")
    free = PhraseSimplifier(check=False, syntax=False).weighted({"phrase": 1.0})
    bound = PhraseSimplifier(check=False).weighted({"phrase": 1.0})
    spans = constituents(find_language("en").parts().extractor.extract([text.words])[0])
    one_by_one = [simplifier.candidates([text], 1)[0][0] for simplifier in (free, bound)]
    assert one_by_one[0].features["phrase"] > 0
    applied = [step.split(" -> ")[0].split() for step in one_by_one[1].steps]
    places = [text.words.index(words[0]) for words in applied]
    ranges = [(start, start + len(words)) for words, start in zip(applied, places, strict=True) if len(words) > 1]
    assert set(ranges) <= spans


def test_candidates_are_ranked_by_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    """Xu et al. (2016), Table 3: the phrase itself is among them, and has 0."""
    simplifier = PhraseSimplifier(check=False).weighted({"common": 1.0})
    ranked = simplifier.ranked(["purchased"])
    assert dict(ranked)["purchased"] == 0 and dict(ranked)["bought"] > 0
    assert [score for _, score in ranked] == sorted((score for _, score in ranked), reverse=True)
    assert "because of" in dict(simplifier.ranked(["due", "to"]))
    assert rank(["principal", "due to"]) == 0
    printed = capsys.readouterr().out
    assert "principal -> main\t" in printed and "due to -> because of\t" in printed
    assert rank(["principal", "--rules", "nowhere.gz"]) == 1


def test_it_simplifies_english_alone(command: Run) -> None:
    done = command("simplify", str(ROOT / "examples" / "zh" / "original.txt"), "--lang", "zh")
    one_line(done, 2, "'ppdb' is for language 'en', not 'zh'")


def cut(text: str) -> Text:
    return find_language("en").parts().segmenter.segment([text])[0]


def option(start: int, length: int, target: str) -> Option:
    return Option(start, length, words(target), np.zeros(len(FEATURES)))


@cases("en/reworded")
def test_a_text_is_written_as_people_write(text: str, start: int, length: int, target: str, expected: str) -> None:
    assert reworded(cut(text), [option(start, length, target)]) == expected


@cases("en/split_scenes")
def test_scenes_become_sentences(structure: str, split: tuple[int, int, tuple[str, ...]]) -> None:
    assert splits(graph(structure)) == [Split(*split)]


def test_the_registry_finds_it_and_reads_its_options(tmp_path: Path) -> None:
    path, table = tmp_path / "rules.json.gz", learn_rules(EXAMPLES, ExactAligner())
    table.save(path)
    made = find_simplifier("ppdb", Settings({"ppdb.rules": str(path), "ppdb.split": "yes"}))
    assert f"+{table.signature}" in made.signature and "split" in made.signature
    with pytest.raises(InputError, match="did you mean 'ppdb'"):
        find_simplifier("ppbd")
    with pytest.raises(InputError, match="unknown option"):
        find_simplifier("ppdb", Settings({"ppdb.rulez": "x"}))
