from pathlib import Path

import pytest
from sema_english import relations as english

from sema.alignment.simalign import METHODS, SimAlignAligner
from sema.errors import ResourceError, UnknownNameError
from sema.languages import find_language
from sema.model.links import Aligner, Link, LinkKind
from sema.options import Settings
from tests.networks import tiny_bert

pytest.importorskip("simalign", reason="the extra [simalign] is not installed")

WORDS = "the dog cat saw buy purchase ##s 13 30 a man river"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bert(tmp_path_factory.mktemp("bert"), WORDS.split())


@pytest.mark.parametrize("method", list(METHODS))
def test_identical_sentences(model: Path, method: str) -> None:
    aligner = SimAlignAligner(model, method, layer=1)
    assert isinstance(aligner, Aligner)
    words = ["the", "dog", "saw", "a", "cats"]
    assert aligner.align([(words, words)])[0] == [Link(i, i, LinkKind.EXACT) for i in range(5)]


def test_links_do_not_depend_on_the_batch(model: Path) -> None:
    aligner = SimAlignAligner(model, layer=2)
    texts = [("the dog saw a cats", "a man saw the river"), ("the man", "the dog saw a cat"), ("", "a"), ("a", "")]
    pairs = [(source.split(), output.split()) for source, output in texts]
    together = aligner.align(pairs * 30)
    assert together[: len(pairs)] == [aligner.align([pair])[0] for pair in pairs]
    assert together[-2:] == [[], []]
    assert all(len({link.source for link in links}) == len(links) for links in together)
    long = ["dog"] * 100
    assert all(link.source < 24 for link in aligner.align([(long, long)])[0]), "long sentences are cut"


def test_kinds_come_from_the_words(model: Path) -> None:
    aligner = SimAlignAligner(model, layer=0, relations=english.relations())
    links = aligner.align([(["buy"], ["purchase"]), (["dog"], ["river"]), (["13"], ["30"])])
    assert links == [[Link(0, 0, LinkKind.SYNONYM)], [Link(0, 0, LinkKind.CONTEXTUAL)], []]
    assert "layer:0" in aligner.signature and "inter" in aligner.signature


def test_errors_say_what_to_do(model: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="itermax"):
        SimAlignAligner(model, "intermax")
    for place, layer, said in (
        (model, 3, "layers 0 to 2"),
        (tmp_path, 0, "cannot load"),
        ("nobody/none", 0, "cannot load"),
    ):
        with pytest.raises(ResourceError, match=said):
            SimAlignAligner(place, layer=layer)


@pytest.mark.parametrize("code", ["en", "zh"])
def test_every_language_offers_it(model: Path, code: str) -> None:
    language = find_language(code)
    with pytest.raises(ResourceError, match="option model"):
        _ = language.parts(aligner="simalign").aligner
    for name, method in (("simalign", "inter"), ("simalign-itermax", "itermax"), ("simalign-mwmf", "mwmf")):
        settings = Settings({f"{name}.model": str(model), "layer": "1", "threads": 1})
        aligner = language.parts(aligner=name, settings=settings).aligner
        assert method in aligner.signature
        assert Link(0, 0, LinkKind.EXACT) in aligner.align([(["dog"], ["dog"])])[0]
