from typing import Any

import pytest
from sema_english.segmentation import EnglishSegmenter
from sema_ucca.encoder import UccaEncoder
from sema_ucca.network import MAX_WORDS
from sema_ucca.parser import UccaParser
from sema_ucca.pieces import MAX_PIECES

from sema.model.scene_graph import SceneGraph

WRITTEN = "He didn't say \"hello\" to John's friends (in [May] 1923), but Mary did."
TOKENS = "He did n't say \" hello \" to John 's friends ( in [ May ] 1923 ) , but Mary did ."
PENN = "He did n't say `` hello '' to John 's friends -LRB- in -LSB- May -RSB- 1923 -RRB- , but Mary did ."
MOSES = "He did n&apos;t say &quot; hello &quot; to John &apos;s friends ( in &#91; May &#93; 1923 ) , but Mary did ."


@pytest.fixture(scope="module")
def parser() -> UccaParser:
    return UccaParser(encoder=UccaEncoder(threads=1))


def edges(graph: SceneGraph) -> list[Any]:
    return sorted(graph.graph.edges(data=True), key=str)


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("raw", [WRITTEN, TOKENS, PENN, PENN.replace("-LRB-", "-lrb-"), MOSES])
def test_raw_text_of_any_spelling_has_one_graph(parser: UccaParser, raw: str, lower: bool) -> None:
    text = EnglishSegmenter().segment([raw.lower() if lower else raw])[0]
    assert [word.lower() for word in text.words] == TOKENS.lower().split()
    assert len(text.sentences) == 1
    parsed, gold = parser.extract([text.words, TOKENS.split()])
    assert len(gold.scenes()) >= 2
    assert edges(parsed) == edges(gold)


@pytest.mark.parametrize("tokens", [PENN, PENN.lower(), MOSES, MOSES.lower()])
def test_escaped_tokens_are_read_as_what_they_stand_for(parser: UccaParser, tokens: str) -> None:
    parsed, gold = parser.extract([tokens.split(), TOKENS.split()])
    assert parsed.tokens == tuple(tokens.split())
    assert edges(parsed) == edges(gold)


CLAUSES = [
    "the old man , who had seen the war , gave his dog a bone ,",
    "his wife -LRB- she was ill -RRB- stayed at home and read a book ;",
    "nobody believed that the train would arrive before dawn ,",
    "incomprehensibly misunderstood ethnomusicologists counterdemonstrated ,",
]


@pytest.mark.parametrize(
    ("clauses", "ending"),
    [(CLAUSES * 12, "so it ended ."), ((CLAUSES[2:3] + CLAUSES[3:] * 3) * 9, "and it ended .")],
    ids=["too many words", "too many pieces"],
)
def test_long_sentences_are_parsed_to_their_end(
    parser: UccaParser, monkeypatch: pytest.MonkeyPatch, clauses: list[str], ending: str
) -> None:
    tokens = " ".join((*clauses, ending)).split()
    pieces = len(parser.encoder.network.tokenizer.sentence(tokens).ids)
    assert (len(tokens) > MAX_WORDS, pieces > MAX_PIECES) in ((True, True), (False, True))
    (graph,) = parser.extract([tokens])
    words = [index for index, token in enumerate(tokens) if token not in (",", ";", ".", "-LRB-", "-RRB-")]
    assert graph.tokens_below(graph.root, remote=False) == tuple(words)
    assert graph.scenes()[-1].leaves[-1] > len(tokens) - 4
    # What the network read: of a wrong main relation over 100 words that no verb fits, a valid graph has no Scenes.
    monkeypatch.setattr("sema_ucca.trees.make_valid", lambda _: None)
    (graph,) = parser.extract([tokens])
    starts = sorted(scene.leaves[0] for scene in graph.scenes())
    gaps = [later - earlier for earlier, later in zip(starts, [*starts[1:], len(tokens)], strict=True)]
    assert starts[0] < 20 and max(gaps) < 80, "Scenes from the beginning to the end"
