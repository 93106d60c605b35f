from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from sema_ud.trees import ROOT, DependencyTree

from benchmarks.parsing.__main__ import measure
from benchmarks.parsing.parts import Part, Passage, passages
from sema.model.text import Text, Token

SENTENCE = """# sent_id = {number}
1	Ana	_	PROPN	_	_	2	nsubj	_	_
2	sale	_	VERB	_	_	0	root	_	_
3-4	del	_	_	_	_	_	_	_	_
3	de	_	ADP	_	_	5	case	_	_
4	el	_	DET	_	_	5	det	_	_
5	parque	_	NOUN	_	_	2	obl	_	_
6	y	_	CCONJ	_	_	7	cc	_	_
7	canta	_	VERB	_	_	2	conj	_	SpaceAfter=No
8	.	_	PUNCT	_	_	2	punct	_	_

"""


@dataclass
class Gold:
    """Segments and parses as annotated; with ``chain`` everything hangs on the first word."""

    passages: Sequence[Passage]
    chain: bool = False
    signature: str = "gold"

    def segment(self, texts: Sequence[str]) -> list[Text]:
        by_raw = {one.raw: one.gold for one in self.passages}
        found = []
        for raw in texts:
            tokens: list[Token] = []
            sentences = []
            for tree, places in zip(by_raw[raw].trees, by_raw[raw].places, strict=True):
                sentences.append((len(tokens), len(tokens) + len(tree)))
                tokens += [Token(word, a, b) for word, (a, b) in zip(tree.words, places, strict=True)]
            found.append(Text(raw, tuple(tokens), tuple(sentences)))
        return found

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[DependencyTree]:
        by_words = {tree.words: tree for one in self.passages for tree in one.gold.trees}
        trees = [by_words[tuple(words)] for words in sentences]
        if not self.chain:
            return trees
        return [
            DependencyTree(tree.words, tree.upos, (ROOT, *[0] * (len(tree) - 1)), ("root", *["dep"] * (len(tree) - 1)))
            for tree in trees
        ]


def test_gold_trees_are_right_but_for_the_words_of_multiword_tokens(tmp_path: Path) -> None:
    file = tmp_path / "es_some-test.conllu"
    file.write_text("".join(SENTENCE.format(number=number) for number in range(12)), encoding="utf-8")
    some = Part("es_some", file, False)
    gold = Gold(passages(some.sentences()))
    found = measure(some, gold, gold)
    assert found.sentences == 12
    official = {name: figure for name, figure in found.trees.items() if name.startswith("official")}
    others = [*found.scenes.values(), *found.gold_words.values()]
    assert {*others, *(figure for name, figure in found.trees.items() if name not in official)} == {100}
    # 8 gold words, 7 predicted ones, 6 of them shared: neither "de" nor "el" is found, and nothing depends on them
    assert list(official.values()) == [pytest.approx(100 * 2 * 6 / (8 + 7))] * 4
    found = measure(some, *[Gold(gold.passages, chain=True)] * 2)
    assert (found.trees["words"], found.trees["UPOS"], found.trees["sentences"]) == (100, 100, 100)
    assert found.trees["UAS"] == found.trees["LAS"] == found.trees["root right"] == 0
    assert found.gold_words["LAS"] == found.scenes["gold root is the predicted root"] == 0
