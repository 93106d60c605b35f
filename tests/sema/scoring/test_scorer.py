"""The scorer: batches, caches, evidence, given links and errors, with parts whose answers can be worked out by hand."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

import sema
from sema import Scorer
from sema.alignment.exact import ExactAligner
from sema.analysis.source import SourceAnalysis
from sema.errors import InputError
from sema.model.item import Need
from sema.model.language import Language
from sema.model.links import Alignment, Link, LinkKind, Pair
from sema.model.scene_graph import SceneGraph
from sema.scoring.item_scores import ItemScore
from tests.esperanto import Extractor, Segmenter, WordCount, esperanto


class Parser(Extractor):
    """Notes which sentences it is given."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        self.calls.append([" ".join(sentence) for sentence in sentences])
        return super().extract(sentences)


class Aligner(ExactAligner):
    """Notes how many pairs it is given at a time."""

    signature = "equal words"

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[int] = []

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        self.calls.append(len(pairs))
        return super().align(pairs)


@pytest.fixture
def language() -> Language:
    """Its parts note what they are given."""
    parser, aligner = Parser(), Aligner()
    return replace(esperanto(), extractors={"noting": lambda: parser}, aligners={"equal": lambda: aligner})


def calls(language: Language) -> tuple[list[list[str]], list[int]]:
    """The sentences that were parsed, and how many pairs were aligned at a time."""
    return language.extractors["noting"]().calls, language.aligners["equal"]().calls


@pytest.fixture
def scorer(language: Language) -> sema.Scorer:
    return sema.Scorer(language, level="passage")


TWO = "Ano kantas kaj bobo kuras."


@pytest.mark.parametrize(
    ("source", "output", "score"),
    [
        # the first sentence keeps both units, the second only its Participant
        ("Ano kantas. Bobo kuras.", "Ano kantas. Bobo iras.", (100 + 50) / 2),
        (TWO, TWO, 100),
        (TWO, f"{TWO} X.", 100),  # a sentence added raises no score
        ("Ano kantas.", " ", 0),
    ],
)
def test_a_passage_is_the_mean_over_its_source_sentences(
    scorer: sema.Scorer, source: str, output: str, score: float
) -> None:
    (system,) = scorer.score([source], [output])
    assert system["sema"] == score and (score or set(system.scores.values()) == {0})
    assert not {"samsa", "samsa_abl"} & system.scores.keys()


def test_a_source_without_a_scene(language: Language) -> None:
    scores = sema.Scorer(language).score(["La titolo"], ["La titolo"]).systems[0].scores
    assert (scores["samsa"], scores["sema"]) == (0, 75)


@pytest.mark.parametrize("metric", ["samsa", "gmean:sema,samsa"])
def test_samsa_of_a_passage_matches_all_scenes_in_one_go_or_is_refused(language: Language, metric: str) -> None:
    with pytest.raises(InputError, match=f"^{metric} cannot be scored .* segment=False$"):
        sema.Scorer(language, ["sema", metric], level="passage")
    whole = sema.Scorer(language, [metric], level="passage", segment=False)
    assert whole.score(["Ano kantas. Bobo kuras."], ["Ano kantas. Bobo kuras."])["output"][metric] == 100
    assert "segment:no" in whole.signature and "match:v2" in whole.signature


def test_a_repeated_source_is_parsed_once_and_a_repeated_pair_aligned_once(language: Language) -> None:
    scorer = sema.Scorer(language, ["sema"], level="passage")
    sources = ["Ano kantas.", "Ano kantas.", "Bobo kuras."]
    scorer.score(sources, {"a": sources, "b": list(reversed(sources))})
    scorer.score(sources, ["x", "y", "z"])
    assert calls(language) == ([["Ano kantas .", "Bobo kuras ."]], [2, 3, 3])


def test_evidence_says_where_a_scene_went_and_what_was_lost(scorer: sema.Scorer) -> None:
    evidence = scorer.score(["Bobo kuras. Ano kantas kantojn."], ["Bobo kuras. Ano kantas."]).evidence(0)["output"]
    assert evidence["source"] == ["Bobo", "kuras", ".", "Ano", "kantas", "kantojn", "."]
    first, second = evidence["scenes"]
    assert (first["sentence"], second["sentence"]) == (0, 1)
    assert second["main_relation"] == [{"tokens": [4], "links": [[4, 1, "exact"]]}]
    assert second["participants"][1] == [{"tokens": [5], "links": [None]}]


def test_sentences_given_as_such_keep_their_boundaries_and_are_joined_by_spaces(scorer: sema.Scorer) -> None:
    item = scorer.score([["Ano kantas", "", "Bobo kuras"]], [["Ano kantas. Bobo kuras"]]).systems[0].items[0].item
    assert item is not None
    assert item.source.sentences == ((0, 2), (2, 4)) and len(item.output.sentences) == 1
    places = [item.source.raw[token.start : token.end] for token in item.source.tokens]
    assert places == ["Ano", "kantas", "Bobo", "kuras"]


class Linked(WordCount):
    requires = frozenset({Need.LINKS})


@pytest.mark.parametrize(("metric", "pairs"), [(WordCount(), []), (Linked(), [1])])
def test_a_metric_that_needs_no_scenes_or_links_loads_no_parser_or_aligner(
    language: Language, metric: WordCount, pairs: list[int]
) -> None:
    scorer = sema.Scorer(language, [metric])
    scorer.score(["Ano kantas."], ["Ano"])
    assert calls(language) == ([], pairs)
    assert "scenes" not in scorer.signature and ("align:equal words" in scorer.signature) == bool(pairs)


def test_references_are_selected_from_complete_sets_alone(language: Language) -> None:
    given = ["Ano kantas."], ["Ano kantas."]
    with pytest.raises(InputError, match=r"item 0: has 2 references, but the sets have 1 \+ 2 \+ 1"):
        sema.Scorer(language, ["bleu"], select_references=(1, 2, 1)).score(*given, [["a", "b"]])
    scorer = sema.Scorer(language, ["bleu", "compression"], select_references=(1, 1, 1))
    report = scorer.score(given[0] * 2, given[1] * 2, [["a", "b", "c"], ["a", None, "c"]], collect_errors=True)
    (failed,) = report.summary.failed
    assert (failed.metric, failed.error) == ("bleu", "item 1: has 2 references, but the sets have 1 + 1 + 1")
    with pytest.raises(InputError, match="no references to select from"):
        sema.Scorer(language, ["sema"], select_references=(1, 1, 1)).score(*given)


# Links that are given instead of found

SOURCE, OUTPUT = "La kato vidas domon.", "Besto dormas. Ĝi rigardas domon."
SOURCE_WORDS = ("La", "kato", "vidas", "domon", ".")
SENTENCES = (("Besto", "dormas", "."), ("Ĝi", "rigardas", "domon", "."))
"""The Scene of SOURCE has the main relation *vidas* and the Participants *kato* and *domon*."""


def alignment(*links: tuple[int, int, LinkKind], sentence: int = 1) -> Alignment:
    by_sentence: list[tuple[Link, ...]] = [(), ()]
    by_sentence[sentence] = tuple(Link(*link) for link in links)
    return Alignment(SOURCE_WORDS, SENTENCES, tuple(by_sentence))


class NoAligner:
    """An aligner that must not be asked."""

    signature = "none"

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        raise AssertionError("links were given")


def score(links: object, metrics: Sequence[str] = ("sema", "sema_base")) -> dict[str, float]:
    language = Language("eo", "Esperanto", Segmenter, {"endings": Extractor}, {"none": NoAligner})
    return Scorer(language, list(metrics)).score([SOURCE], [OUTPUT], links=[links]).systems[0].scores


@pytest.mark.parametrize(
    ("links", "sema", "base"),
    [
        # rigardas for vidas, domon kept, kato lost: (1 + 1/2) / 2
        (alignment((2, 1, LinkKind.CONTEXTUAL), (3, 2, LinkKind.EXACT)), 75, 75),
        # besto for kato counts only for sema
        (alignment((1, 0, LinkKind.HYPONYMY), (2, 1, LinkKind.CONTEXTUAL), (3, 2, LinkKind.EXACT)), 100, 75),
        # of several links of a word the surest counts
        (alignment((1, 0, LinkKind.HYPONYMY), (1, 2, LinkKind.SYNONYM), (2, 1, LinkKind.CONTEXTUAL)), 75, 75),
        # pairs count the tokens of the whole output
        ([(2, 4), (3, 5)], 75, 75),
        ([[2, 4], [3, 5]], 75, 75),  # as JSON has them
        ([], 0, 0),
    ],
)
def test_the_given_links_alone_decide_the_score(links: object, sema: float, base: float) -> None:
    assert score(links) == {"sema": sema, "sema_base": base}


@pytest.mark.parametrize(
    ("links", "said"),
    [
        ([(9, 0)], "token 9 is linked, but the source has tokens 0 to 4"),
        *((wrong, "the links must be pairs of token numbers") for wrong in (None, [(0, "1")], [(0, 1, 2)])),
        ([(0, 7)], "token 7 is linked, but the output has tokens 0 to 6"),
        (alignment((0, 4, LinkKind.EXACT)), "token 4 is linked, but the output sentence has tokens 0 to 3"),
        (Alignment(SOURCE_WORDS, SENTENCES[:1], ((),)), "of 1 output sentences, but the output has 2"),
        (Alignment(SOURCE_WORDS, (SENTENCES[0], ("Ĝi",)), ((), ())), "token 1 is nothing here and 'rigardas' there"),
    ],
)
def test_links_of_other_tokens_are_refused(links: object, said: str) -> None:
    with pytest.raises(InputError, match="item 0: .*" + said):
        score(links)


class NoLi(Extractor):
    """An extractor that cannot parse some sentences."""

    def extract(self, sentences: Iterable[Sequence[str]]) -> list[SceneGraph]:
        given = list(sentences)
        if any("Li" in words for words in given):
            raise InputError("it has no tree")
        return super().extract(given)


@pytest.mark.parametrize(
    ("wrong", "lost"),
    [
        ({"links": [[(0, 0)], [(99, 0)]]}, ["sema", "deletions"]),
        ({"links": [[(0, 0)], None]}, ["sema", "deletions"]),
        ({"scenes": [None, InputError("no tree")]}, ["sema"]),
        ({"sources": [SOURCE, "Li vidas domon."]}, ["sema"]),  # cannot be parsed
        ({"links": [[], [(99, 0)]], "references": [["x", "y", "z"]] * 2}, ["sema", "bleu", "deletions"]),
    ],
)
def test_what_is_wrong_costs_only_the_scores_that_need_it(wrong: dict[str, Any], lost: list[str]) -> None:
    given = {"sources": [SOURCE] * 2, "outputs": [OUTPUT] * 2, **wrong}
    names = ["sema", "compression", "deletions", *(["bleu"] if "references" in given else [])]
    if "scenes" in given:
        parsed = Scorer(esperanto(), ["sema"]).score([SOURCE], [OUTPUT]).systems[0].items[0].item
        given["scenes"] = [SourceAnalysis.from_graphs(parsed.source, parsed.graphs), given["scenes"][1]]
    options: dict[str, Any] = {"extractor": NoLi()}
    if "references" in given:  # which are selected by links
        options["select_references"] = 1, 1, 1

    def second(names: Sequence[str]) -> ItemScore:
        return Scorer(esperanto(), list(names), **options).score(**given, collect_errors=True).systems[0].items[1]

    item = second(names)
    assert sorted(item.errors) == sorted(lost) and len(set(item.errors.values())) == 1
    assert item.kept is not None and item.kept["scenes"] == []
    assert ("links" in item.kept) == ("links" not in wrong)
    for name in names:
        alone = second([name])
        assert alone.scores == pytest.approx({name: item.scores[name]}, nan_ok=True)
        assert alone.errors.get(name) == item.errors.get(name)


def test_every_system_needs_its_links() -> None:
    scorer = Scorer(esperanto(), ["sema"])
    with pytest.raises(InputError, match="no links for 'b'"):
        scorer.score([SOURCE], {"a": [OUTPUT], "b": [OUTPUT]}, links={"a": [[]]})
    with pytest.raises(InputError, match="1 outputs but 2 sets of links"):
        scorer.score([SOURCE], [OUTPUT], links=[[], []])


def test_the_signature_tells_links_apart_and_workers_score_alike() -> None:
    scorer, spread = (Scorer(esperanto(), ["sema"], workers=workers) for workers in (1, 2))
    many, links = ([SOURCE] * 300, [OUTPUT] * 300), [[(2, 4)], [(3, 5)]] * 150
    first, second = scorer.score(*many, links=links), scorer.score(*many, links=links[::-1])
    assert "align:given,sha256=" in first.signature
    assert len({first.signature, second.signature, scorer.signature}) == 3
    assert spread.score(*many, links=links) == first


def test_the_signature_tells_given_tokens() -> None:
    scorer, text = Scorer(esperanto(), ["sema"]), sema.Text.from_tokenized("La kato dormas.")
    found, given, outputs = (
        scorer.score([source], [output]).signature
        for source, output in ((SOURCE, OUTPUT), (text, text), (SOURCE, text))
    )
    assert found == scorer.signature and given == outputs
    assert given == found.replace("|text:esperanto:1|", "|text:esperanto:1,tokens=given|") != found
