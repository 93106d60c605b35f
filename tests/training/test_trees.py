"""The training data of the parser and the cutter of all languages, and that both learn."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from sema_reader.pieces import Cutter
from sema_ud.conllu import read_sentences
from sema_ud.networks import CUTTER as CUTTING
from sema_ud.networks import LABELS, PARSER, WEIGHTS, names
from sema_ud.trees import DependencyTree

from tests.conftest import EXCERPTS

torch = pytest.importorskip("torch")

from training.encoder import Shape  # noqa: E402
from training.graphs import begin_as_graph  # noqa: E402
from training.trees import cutting, parsing, treebanks  # noqa: E402
from training.trees.batches import IGNORED, Inventory, learn, mean_loss  # noqa: E402
from training.trees.export import conventions  # noqa: E402
from training.trees.treebanks import Example, contracted  # noqa: E402

WIDTH = 32
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁a", "▁b", "▁c", "▁d", ".", "a", "b"]
CUTTER = Cutter(PIECES, [-1.0] * len(PIECES))
TABLE = torch.randn(len(PIECES), WIDTH, generator=torch.Generator().manual_seed(1))
FRENCH = """# text = Il vient du parc
1\tIl\til\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tvient\tvenir\tVERB\t_\t_\t0\troot\t_\t_
3-4\tdu\t_\t_\t_\t_\t_\t_\t_\t_
3\tde\tde\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\t_\t5\tdet\t_\t_
5\tparc\tparc\tNOUN\t_\t_\t2\tobl\t_\t_

"""
SPANISH = """# text = dámelo
1-3\tdámelo\t_\t_\t_\t_\t_\t_\t_\t_
1\tda\tdar\tVERB\t_\t_\t0\troot\t_\t_
2\tme\tyo\tPRON\t_\t_\t1\tiobj\t_\t_
3\tlo\tél\tPRON\t_\t_\t1\tobj\t_\t_

"""
ARABIC = """1\tل\tل\tADP\t_\t_\t2\tcase\t_\tSpaceAfter=No
2\tأوباما\tأوباما\tPROPN\t_\t_\t0\troot\t_\t_

"""
VIETNAMESE = """1\tThành phố\tthành phố\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tlớn\tlớn\tADJ\t_\t_\t0\troot\t_\t_

"""


def read(tmp_path: Path, text: str) -> Example:
    (tmp_path / "a.conllu").write_text(text, encoding="utf-8")
    (sentence,) = read_sentences(tmp_path / "a.conllu")
    return contracted(sentence)


def test_a_token_of_several_words_has_the_head_of_the_highest(tmp_path: Path) -> None:
    tree = read(tmp_path, FRENCH).tree
    assert tree.words == ("Il", "vient", "du", "parc")
    assert tree.heads == (1, -1, 3, 1) and tree.relations == ("nsubj", "root", "case", "obl")
    assert read(tmp_path, SPANISH).tree == DependencyTree(("dámelo",), ("VERB",), (-1,), ("root",), ("",))


def test_words_that_nothing_separates_are_one_and_no_word_has_a_space(tmp_path: Path) -> None:
    arabic = read(tmp_path, ARABIC)
    assert arabic.tree.words == ("لأوباما",) and arabic.tree.upos == ("PROPN",)
    vietnamese = read(tmp_path, VIETNAMESE)
    assert vietnamese.tree.words == ("Thành", "phố", "lớn")
    assert vietnamese.tree.heads == (2, 0, -1) and vietnamese.tree.relations == ("nsubj", "goeswith", "root")
    assert vietnamese.spaces == (True, True, True)


def test_chinese_is_learned_from_five_treebanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(treebanks, "files_of", lambda part: [])
    monkeypatch.setattr(treebanks, "data_folder", lambda *at: EXCERPTS.joinpath(*at[:2], f"{at[1]}-ud-dev.conllu"))
    monkeypatch.setattr(treebanks, "CHINESE_HELD_OUT", 20)
    learned, held_out = (Counter(one.treebank for one in part) for part in treebanks.learning())
    del learned["en_ewt"], held_out["en_ewt"]
    assert learned == {"zh_gsd": 3997, "zh_hk": 1004, "zh_cfl": 451, "zh_pud": 500, "zh_gsdsimp": 40 * 3}
    assert held_out == {"zh_gsdsimp": 20}


EXAMPLES = [
    Example("xx_one", DependencyTree(("a", "b", "."), ("X", "VERB", "PUNCT"), (1, -1, 1), ("nsubj", "root", "punct")),
            (True, False, True)),
    Example("xx_one", DependencyTree(("c", "d", "."), ("VERB", "X", "PUNCT"), (-1, 0, 0), ("root", "obj", "punct")),
            (True, False, True)),
]  # fmt: skip


@pytest.mark.parametrize("what", ["parser", "cutter"])
def test_a_network_learns_its_sentences(what: str, tmp_path: Path) -> None:
    inventory, task = Inventory.of(EXAMPLES), {"parser": parsing, "cutter": cutting}[what]
    given = task.lessons(EXAMPLES * 6, inventory, CUTTER, np.random.default_rng(1))
    torch.manual_seed(1)
    network = task.network(Shape(WIDTH, 4, 64, 1, 64, kinds=2), inventory)
    before = mean_loss(task, network, TABLE, CUTTER, given)
    learned = learn(task, network, TABLE, CUTTER, given, task.PLAN(240, 3e-3), tmp_path / "a.pt")
    assert mean_loss(task, learned, TABLE, CUTTER, given) < 0.7 * before


def test_padding_of_a_batch_is_ignored() -> None:
    short = Example("xx_one", DependencyTree(("a",), ("X",), (-1,), ("root",)), (True,))
    given = parsing.lessons([EXAMPLES[0], short], Inventory.of(EXAMPLES), CUTTER, np.random.default_rng(1))
    _, _, pool, (heads, *_) = parsing.padded(given, CUTTER)
    assert heads.tolist() == [[2, 0, 2], [0, IGNORED, IGNORED]]
    assert pool.sum(2).tolist() == [[1, 1, 1], [1, 0, 0]]


def test_the_shipped_networks_are_read_back_whole() -> None:
    """Every number of the graphs has its parameter, and every parameter but those of one more treebank its number."""
    known = names(WEIGHTS)
    inventory = Inventory((*known.treebanks, "xx_one"), tuple(known.tags), tuple(known.relations))
    assert conventions(known.treebanks[1:]) == known.languages
    for task, files in ((parsing, (WEIGHTS / PARSER, WEIGHTS / LABELS)), (cutting, (WEIGHTS / CUTTING,))):
        network = task.network(Shape(layers=task.LAYERS, kinds=len(inventory.treebanks)), inventory)
        for parameter in network.parameters():
            torch.nn.init.constant_(parameter, 7.0)
        read = begin_as_graph(network, *files).state_dict()
        untouched = {name for name, value in read.items() if bool((value == 7.0).all())}
        assert untouched <= {"encoder.overlap.weight"}, untouched
