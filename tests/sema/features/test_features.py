"""Feature groups on items made by hand: every value below is worked out on paper."""

import math
import pickle
from copy import copy
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from sema.analysis.source import SourceAnalysis
from sema.errors import UnknownNameError
from sema.features.base import FeatureSet, TextGroup, feature_groups
from sema.meaning.evidence import find
from sema.model.item import Item
from sema.model.links import Link, LinkGrid, LinkKind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from tests.sema.worked_cases import BOOK, book, links


class Parts:
    """A language's parts without models: a code, and no lexicon."""

    def __init__(self, code="en", lexicon=None):
        self.code = code
        self.lexicon = lexicon
        self.wording = None
        self.function_words = ()


def grid(source, words, links):
    """Links as sure as can be."""
    found = np.zeros((len(source.words), len(words)), np.float32)
    for link in links:
        found[link.source, link.output] = 1
    return found


def make(source, sentences, graph=None, output_graphs=(), linked=None):
    text = Text.from_tokenized(source)
    output = Text.from_sentences([sentence.split() for sentence in sentences])
    linked = links(source, *sentences) if linked is None else linked
    found = tuple(tuple(sentence) for sentence in linked)
    weights = tuple(grid(text, words, sentence) for words, sentence in zip(output.sentence_words, found, strict=True))
    if graph is None:
        return with_findings(Item(text, output, links=found, link_weights=tuple(map(LinkGrid.whole, weights))))
    analysis = SourceAnalysis.from_graphs(text, [graph])
    item = Item(
        text,
        output,
        links=found,
        link_weights=tuple(map(LinkGrid.whole, weights)),
        graphs=analysis.graphs,
        scenes=analysis.scenes,
        evidence=analysis.evidence(found, segment=False),
        output_graphs=tuple(output_graphs),
    )
    return with_findings(item)


def with_findings(item):
    """The item with what links and no fact say."""
    return replace(item, findings_by_links=find([item], ((), ()))[0])


def features(item, *groups, code="en", lexicon=None):
    groups_read = FeatureSet(Parts(code, lexicon), groups)
    return dict(zip(groups_read.names, groups_read.table([item])[0].tolist(), strict=True))


def small_graph(words, relation, *participants):
    graph = SceneGraph(words.split())
    scene = graph.add_child(graph.root, "H")
    graph.add_child(scene, "P", tokens=[relation])
    for tokens in participants:
        graph.add_child(scene, "A", tokens=tokens)
    return graph


def default_groups(code):
    return [group.name for group in FeatureSet(Parts(code)).groups]


@pytest.fixture
def split():
    outputs = [
        small_graph("John wrote a book .", 1, [0], [3]),
        small_graph("I read that book .", 1, [0], [2, 3]),
    ]
    return make(BOOK, ["John wrote a book .", "I read that book ."], book(), outputs)


def test_every_group_gives_as_many_finite_numbers_as_it_names(split):
    for name in default_groups("en"):
        values = features(split, name)
        assert values, name
        assert all(math.isfinite(value) for value in values.values()), name


def test_every_feature_is_documented():
    for name, group in {**feature_groups("en"), **feature_groups("zh")}.items():
        assert group.description
        assert all(what for what in group.features.values()), name


def test_an_empty_output_has_features_too():
    item = make(BOOK, [], book())
    for name in default_groups("en"):
        assert all(math.isfinite(value) for value in features(item, name).values()), name


def test_lengths_are_counted(split):
    values = features(split, "lengths")
    assert values["lengths.words"] == 8
    assert values["lengths.source_words"] == 7
    assert values["lengths.sentences"] == 2
    assert values["lengths.words_per_sentence"] == 4
    assert values["lengths.words_per_sentence_change"] == -3
    assert values["lengths.copied"] == 6 / 8  # "a" and the second "book" are not in the source
    assert values["lengths.kept"] == 6 / 7  # "the" is not in the output
    assert values["lengths.identical"] == 0
    assert features(make(BOOK, [BOOK]), "lengths")["lengths.identical"] == 1


def test_the_features_of_the_qats_paper(split):
    values = features(split, "qats", "language_model")
    assert [values[f"qats.{kind}"] for kind in ("main", "relative", "appositive")] == [2, 0, 0]
    assert values["qats.complexity"] == pytest.approx(2 + values["language_model.complexity"])
    assert values["qats.meteor"] == 0  # without a lexicon there is no METEOR


def test_form_finds_what_is_broken():
    broken = features(make("The cat sat on the mat .", ["the cat cat sat on ( of"]), "form")
    assert broken["form.no_capital"] == 1
    assert broken["form.no_stop"] == 1
    assert broken["form.dangling"] == 1
    assert broken["form.brackets"] == 1
    assert broken["form.repeated_word"] == 1 / 5
    whole = features(make("The cat sat on the mat .", ["The cat sat on the mat ."]), "form")
    assert not any(whole[f"form.{name}"] for name in ("no_capital", "no_stop", "dangling", "brackets", "repeated_word"))


def test_readability_formulas():
    values = features(make("The cat sat .", ["The cat sat ."]), "readability")
    # three words of one syllable, nine letters, one sentence
    assert values["readability.flesch"] == pytest.approx(206.835 - 1.015 * 3 - 84.6)
    assert values["readability.fkgl"] == pytest.approx(0.39 * 3 + 11.8 - 15.59)
    assert values["readability.fog"] == pytest.approx(0.4 * 3)
    assert values["readability.ari"] == pytest.approx(4.71 * 3 + 0.5 * 3 - 21.43)
    assert values["readability.coleman_liau"] == pytest.approx(5.89 * 3 - 29.6 / 3 - 15.8)
    assert values["readability.flesch_change"] == 0


def test_easier_words_show():
    values = features(make("He abhors felines .", ["He hates cats ."]), "lexical", "substitutions")
    assert values["lexical.content_zipf_change"] > 1
    assert values["lexical.syllables_change"] < 0
    assert values["substitutions.zipf_gain"] > 1
    assert values["substitutions.replaced"] == 0  # nothing is linked to another form
    one = [[Link(0, 0, LinkKind.EXACT), Link(1, 1, LinkKind.SYNONYM), Link(2, 2, LinkKind.SYNONYM)]]
    assert (
        features(make("He abhors felines .", ["He hates cats ."], linked=one), "substitutions")[
            "substitutions.replaced_better"
        ]
        == 1
    )


def test_language_models_prefer_english():
    order = ["He was born in the city of London .", "Born London of was the in city he ."]
    good, bad = (features(make("London .", [text]), "language_model") for text in order)
    for model in ("simple", "original"):
        assert good[f"language_model.{model}_logprob_per_word"] > bad[f"language_model.{model}_logprob_per_word"] + 0.5
        assert good[f"language_model.{model}_ppl"] < bad[f"language_model.{model}_ppl"]


def test_joints_count_what_the_source_has_not():
    source = "He lives in a small old house ."
    assert features(make(source, [source]), "joints")["joints.new"] == 0
    values = features(make(source, ["He lives in a house ."]), "joints")
    assert values["joints.new"] == 1 / 7  # a house, of seven pairs with both ends of the sentence


def test_meteor_by_its_formula():
    same = features(make(BOOK, [BOOK]), "meteor")
    assert same["meteor.score"] == 1
    values = features(make("the old cat sat", ["the cats sat"]), "meteor")
    # content words count 0.75, function words 0.25; "cats" matches by stem (0.6)
    precision = (0.25 + 0.75 * 0.6 + 0.75) / (0.25 + 0.75 + 0.75)
    recall = (0.25 + 0.75 * 0.6 + 0.75) / (0.25 + 0.75 * 3)
    mean = precision * recall / (0.85 * precision + 0.15 * recall)
    assert values["meteor.f_mean"] == pytest.approx(mean)
    assert values["meteor.score"] == pytest.approx(mean * (1 - 0.6 * (2 / 3) ** 0.2))
    assert values["meteor.stem"] == pytest.approx(1 / 3)


def test_structure_of_the_worked_case(split):
    values = features(split, "structure", code="xx")
    assert values["structure.scenes"] == 2
    assert values["structure.scenes_per_sentence"] == 1
    assert values["structure.scenes_per_sentence_change"] == -1  # read with wrote inside it
    assert values["structure.nested"] == 0
    assert values["structure.nested_change"] == -0.5
    assert values["structure.remote_change"] == -0.5
    assert values["structure.relative_scenes_change"] == -1
    assert values["structure.participants"] == 2


def test_passives_insertions_and_subordinators_are_counted():
    values = features(make("A .", ["The book , written by John , was read because it is good ."]), "clauses")
    assert values["clauses.passives"] == 1
    assert values["clauses.insertions"] == 1
    assert values["clauses.subordinators"] == 1


def test_alignment_without_word_frequencies(split):
    values = features(split, "alignment", code="xx")
    assert values["alignment.recall"] == 6 / 7
    assert values["alignment.precision"] == 7 / 8
    assert values["alignment.exact"] == 1
    assert values["alignment.soft_recall"] == 6 / 7
    assert values["alignment.least_support"] == 0  # the fifth of nine words: "a" alone
    assert values["alignment.repeated"] == 1 / 6  # I, read, book, that, John, wrote: book is in both sentences


def test_scene_features_fall_with_lost_scenes(split):
    values = features(split, "scenes", code="xx")
    assert values["scenes.samsa"] == 1
    assert values["scenes.whole_scenes"] == 1
    assert values["scenes.together"] == 1
    assert values["scenes.scene_ratio"] == 1
    lost = make(BOOK, ["I read ."], book(), [small_graph("I read .", 1, [0])])
    assert features(lost, "scenes", code="xx")["scenes.relations_kept"] == 0.5


def test_chinese_needs_no_training():
    text = "我 喜欢 喝 咖啡 。"
    values = features(make(text, [text]), "characters", code="zh")
    assert values["characters.word_length"] == 1.5
    assert values["characters.word_zipf"] > 4
    assert "characters" in default_groups("zh")
    assert "readability" not in default_groups("zh")
    assert "hsk" in feature_groups("zh")
    assert "hsk" not in default_groups("zh")


def test_a_language_by_its_trees_has_the_groups_of_its_home():
    assert default_groups("ud:en") == default_groups("en")
    assert "readability" not in default_groups("ud:fr")


def test_hsk_features_read_the_users_vocabulary(tmp_path):
    path = tmp_path / "hsk.csv"
    path.write_text("HSK 1,HSK 7\n我/喝,蹉跎\n", encoding="utf-8")
    group = feature_groups("zh")["hsk"](vocabulary=str(path))
    values = group.values(make("我 喝 。", ["我 蹉跎 咖啡 。"]))
    assert values["level"] == pytest.approx((1 + 7 + 10) / 3)
    assert values["low"] == pytest.approx(1 / 3)
    shipped = feature_groups("zh")["hsk"]()
    values = shipped.values(make("我 喝 。", ["我 举措 。"]))
    assert (values["level"], values["low"], values["unlisted"]) == ((1 + 7) / 2, 1 / 2, 0)


def test_wrong_groups_are_refused():
    with pytest.raises(UnknownNameError, match="lexical"):
        FeatureSet(Parts(), ["lexicall"])
    with pytest.raises(UnknownNameError, match="'en' 'characters'"):
        FeatureSet(Parts(), ["characters"])


def test_a_group_of_ones_own():
    class Shouting(TextGroup):
        name = "shouting"
        description = "exclamation marks"
        measures: ClassVar = {"marks": "exclamation marks"}

        def measure(self, text, graphs):
            return {"marks": text.words.count("!")}

    assert features(make("Go !", ["Go ! !"]), Shouting()) == {"shouting.marks": 2, "shouting.marks_change": 1}


def test_a_group_that_gives_other_features_than_it_declares_is_refused():
    class Misnamed(TextGroup):
        name = "misnamed"
        description = "exclamation marks"
        measures: ClassVar = {"marks": "exclamation marks"}

        def measure(self, text, graphs):
            return {"mark": text.words.count("!")}

    with pytest.raises(TypeError, match="misnamed declares other features than it gives: mark, mark_change, marks"):
        features(make("Go !", ["Go ! !"]), Misnamed())


def test_a_group_of_texts_pickles_after_it_has_measured_some():
    group = feature_groups("en")["structure"]()
    values = features(make(BOOK, [BOOK], book(), [book()]), group)
    again = pickle.loads(pickle.dumps(group))
    assert features(make(BOOK, [BOOK], book(), [book()]), again) == values


def test_a_copy_of_a_group_measures_by_itself():
    class Counted(TextGroup):
        name = "counted"
        mark = "!"
        measures: ClassVar = {"marks": "marks"}

        def measure(self, text, graphs):
            return {"marks": text.words.count(self.mark)}

    other = copy(Counted())
    other.mark = "?"
    assert features(make("Go !", ["Go ? ?"]), other) == {"counted.marks": 2, "counted.marks_change": 2}


def test_meaning_features_are_one_for_a_copy(split):
    values = features(split, "meaning", code="xx")
    assert 0.8 < values["meaning.recall"] < 1
    copied = make(BOOK, [BOOK], book(), [book()])
    assert features(copied, "meaning", code="xx")["meaning.recall"] == pytest.approx(1)
    lost = make(BOOK, ["I read ."], book(), [small_graph("I read .", 1, [0])])
    assert features(lost, "meaning", code="xx")["meaning.recall"] < values["meaning.recall"]
