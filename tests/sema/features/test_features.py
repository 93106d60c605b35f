"""Feature groups on items made by hand: every value below is worked out on paper."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sema.analysis.source import SourceAnalysis
from sema.features.base import FeatureSet, TextGroup, feature_groups
from sema.meaning.evidence import find
from sema.model.item import Item
from sema.model.links import Link, LinkGrid, LinkKind
from sema.model.text import Text
from tests.scene_graphs import scene_graph
from tests.sema.worked_cases import BOOK, book, links


def parts(code="en", lexicon=None):
    """A language's parts without models: a code, and no lexicon."""
    return SimpleNamespace(code=code, lexicon=lexicon, wording=None, function_words=())


def make(source, sentences, graph=None, output_graphs=(), linked=None):
    """An item with links as sure as can be, and what these say of its meaning."""
    text = Text.from_tokenized(source)
    output = Text.from_sentences([sentence.split() for sentence in sentences])
    found = tuple(map(tuple, links(source, *sentences) if linked is None else linked))
    grids = []
    for words, sentence in zip(output.sentence_words, found, strict=True):
        grids.append(np.zeros((len(text.words), len(words)), np.float32))
        for link in sentence:
            grids[-1][link.source, link.output] = 1
    analysed = {}
    if graph is not None:
        analysis = SourceAnalysis.from_graphs(text, [graph])
        evidence = analysis.evidence(found, segment=False)
        analysed = {"graphs": analysis.graphs, "scenes": analysis.scenes, "evidence": evidence}
    weights = tuple(map(LinkGrid.whole, grids))
    item = Item(text, output, links=found, link_weights=weights, output_graphs=tuple(output_graphs), **analysed)
    return replace(item, findings_by_links=find([item], ((), ()))[0])


def features(item, *groups, code="en", lexicon=None):
    groups_read = FeatureSet(parts(code, lexicon), groups)
    return dict(zip(groups_read.names, groups_read.table([item])[0].tolist(), strict=True))


def expect(item, group, code="en", **expected):
    """Some features of a group have these values."""
    values = features(item, group, code=code)
    assert {name: values[f"{group}.{name}"] for name in expected} == pytest.approx(expected)


def small_graph(words, relation, *participants):
    return scene_graph(words, ("H", ("P", relation), *(("A", *tokens) for tokens in participants)))


def default_groups(code):
    return [group.name for group in FeatureSet(parts(code)).groups]


@pytest.fixture
def split():
    outputs = [small_graph("John wrote a book .", 1, [0], [3]), small_graph("I read that book .", 1, [0], [2, 3])]
    return make(BOOK, ["John wrote a book .", "I read that book ."], book(), outputs)


def test_every_group_gives_as_many_finite_numbers_as_it_names_and_documents(split):
    for item in (split, make(BOOK, [], book())):
        for name in default_groups("en"):
            values = features(item, name)
            assert values and all(math.isfinite(value) for value in values.values()), name
    for name, group in {**feature_groups("en"), **feature_groups("zh")}.items():
        assert group.description and all(what for what in group.features.values()), name


def test_lengths_are_counted(split):
    # "a" and the second "book" are not in the source, "the" is not in the output
    counted = {"words": 8, "source_words": 7, "sentences": 2, "words_per_sentence": 4, "words_per_sentence_change": -3}
    expect(split, "lengths", **counted, copied=6 / 8, kept=6 / 7, identical=0)
    expect(make(BOOK, [BOOK]), "lengths", identical=1)


def test_the_features_of_the_qats_paper(split):
    values = features(split, "qats", "language_model")
    assert [values[f"qats.{kind}"] for kind in ("main", "relative", "appositive")] == [2, 0, 0]
    assert values["qats.complexity"] == pytest.approx(2 + values["language_model.complexity"])
    assert values["qats.meteor"] == 0  # without a lexicon there is no METEOR


def test_form_finds_what_is_broken():
    broken = {"no_capital": 1, "no_stop": 1, "dangling": 1, "brackets": 1, "repeated_word": 1 / 5}
    expect(make("The cat sat on the mat .", ["the cat cat sat on ( of"]), "form", **broken)
    expect(make("The cat sat on the mat .", ["The cat sat on the mat ."]), "form", **dict.fromkeys(broken, 0))


def test_readability_formulas():
    # three words of one syllable, nine letters, one sentence
    expected = {
        "flesch": 206.835 - 1.015 * 3 - 84.6, "fkgl": 0.39 * 3 + 11.8 - 15.59, "fog": 0.4 * 3,
        "ari": 4.71 * 3 + 0.5 * 3 - 21.43, "coleman_liau": 5.89 * 3 - 29.6 / 3 - 15.8, "flesch_change": 0,
    }  # fmt: skip
    expect(make("The cat sat .", ["The cat sat ."]), "readability", **expected)


def test_easier_words_show():
    values = features(make("He abhors felines .", ["He hates cats ."]), "lexical", "substitutions")
    assert values["lexical.content_zipf_change"] > 1 and values["substitutions.zipf_gain"] > 1
    assert values["lexical.syllables_change"] < 0
    assert values["substitutions.replaced"] == 0  # nothing is linked to another form
    one = [[Link(0, 0, LinkKind.EXACT), Link(1, 1, LinkKind.SYNONYM), Link(2, 2, LinkKind.SYNONYM)]]
    expect(make("He abhors felines .", ["He hates cats ."], linked=one), "substitutions", replaced_better=1)


def test_language_models_prefer_english():
    order = ["He was born in the city of London .", "Born London of was the in city he ."]
    good, bad = (features(make("London .", [text]), "language_model") for text in order)
    for model in ("simple", "original"):
        assert good[f"language_model.{model}_logprob_per_word"] > bad[f"language_model.{model}_logprob_per_word"] + 0.5
        assert good[f"language_model.{model}_ppl"] < bad[f"language_model.{model}_ppl"]


def test_structure_of_the_worked_case(split):
    expect(split, "structure", "xx", scenes=2, scenes_per_sentence=1, nested=0, participants=2)
    # in the source, wrote is inside read
    changes = {"scenes_per_sentence": -1, "nested": -0.5, "remote": -0.5, "relative_scenes": -1}
    expect(split, "structure", "xx", **{f"{name}_change": value for name, value in changes.items()})


def test_joints_passives_insertions_and_subordinators_are_counted():
    source = "He lives in a small old house ."
    expect(make(source, [source]), "joints", new=0)
    expect(make(source, ["He lives in a house ."]), "joints", new=1 / 7)  # a house, of seven pairs with both ends
    item = make("A .", ["The book , written by John , was read because it is good ."])
    expect(item, "clauses", passives=1, insertions=1, subordinators=1)


def test_alignment_without_word_frequencies(split):
    # least_support: the fifth of nine words, "a" alone; of I, read, book, that, John, wrote: book is in both sentences
    expected = {"recall": 6 / 7, "precision": 7 / 8, "exact": 1, "soft_recall": 6 / 7, "least_support": 0}
    expect(split, "alignment", "xx", **expected, repeated=1 / 6)


def test_scene_and_meaning_features_fall_with_lost_scenes(split):
    lost = make(BOOK, ["I read ."], book(), [small_graph("I read .", 1, [0])])
    expect(split, "scenes", "xx", samsa=1, whole_scenes=1, together=1, scene_ratio=1)
    expect(lost, "scenes", "xx", relations_kept=0.5)
    expect(make(BOOK, [BOOK], book(), [book()]), "meaning", "xx", recall=1)
    of_lost, recall = (features(item, "meaning", code="xx")["meaning.recall"] for item in (lost, split))
    assert of_lost < recall and 0.8 < recall < 1


def test_a_language_has_the_groups_of_its_home_also_by_its_trees():
    assert default_groups("ud:en") == default_groups("en")
    assert "readability" not in default_groups("ud:fr") and "readability" not in default_groups("zh")
    assert "characters" in default_groups("zh")


def test_traditional_words_have_the_features_of_simplified_ones():
    values = feature_groups("zh")["characters"]().values
    assert values(make("我 学习 。", ["我们 学习 。"])) == values(make("我 學習 。", ["我們 學習 。"]))


class Marks(TextGroup, name="marks"):
    """Exclamation marks.

    Features:
        marks: exclamation marks
    """

    counted = "marks"

    def measure(self, text, graphs):
        return {self.counted: text.words.count("!")}


def test_a_group_of_ones_own_measures_what_it_declares():
    assert features(make("Go !", ["Go ! !"]), Marks()) == {"marks.marks": 2, "marks.marks_change": 1}
    wrong = Marks()
    wrong.counted = "mark"
    with pytest.raises(TypeError, match="marks declares other features than it gives: mark, mark_change, marks"):
        features(make("Go !", ["Go ! !"]), wrong)
