"""Links that are given instead of found: the metrics use them, and links that do not fit the tokens are named."""

from collections.abc import Sequence

import pytest

from sema import Scorer
from sema.errors import InputError
from sema.model.language import Language
from sema.model.links import Alignment, Link, LinkKind, Pair
from tests.esperanto import Extractor, Segmenter, esperanto

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
        *((wrong, "the links are no pairs of token numbers") for wrong in (None, [(0, "1")], [(0, 1, 2)])),
        ([(0, 7)], "token 7 is linked, but the output has tokens 0 to 6"),
        (alignment((0, 4, LinkKind.EXACT)), "token 4 is linked, but the output sentence has tokens 0 to 3"),
        (Alignment(SOURCE_WORDS, SENTENCES[:1], ((),)), "of 1 output sentences, but the output has 2"),
        (Alignment(SOURCE_WORDS, (SENTENCES[0], ("Ĝi",)), ((), ())), "token 1 is nothing here and 'rigardas' there"),
    ],
)
def test_links_of_other_tokens_are_refused(links: object, said: str) -> None:
    with pytest.raises(InputError, match="item 0: .*" + said):
        score(links)


def test_an_item_with_bad_links_costs_no_other_item_its_score() -> None:
    links = [[(99, 0)], [(2, 4), (3, 5)]]
    report = Scorer(esperanto(), ["sema"]).score([SOURCE] * 2, [OUTPUT] * 2, links=links, collect_errors=True)
    broken, fine = report.systems[0].items
    assert broken.error is not None and "token 99" in broken.error
    assert fine.scores == {"sema": 75.0}


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
