"""The TUPA extractor against programs that stand in for TUPA: they read and write what TUPA reads and writes."""

import shlex
import sys
from pathlib import Path

import pytest
from sema_ucca.tupa import VARIABLE, TupaExtractor

from sema.errors import InputError, ResourceError
from sema.model.scene_graph import SceneExtractor

FAKE = '''
import argparse, pathlib, sys
import xml.etree.ElementTree as ET
from sema.model.scene_graph import SceneGraph
from sema_ucca.ucca_xml import write_passage

options = argparse.ArgumentParser()
options.add_argument("passages", nargs="*")
options.add_argument("-m", "--model")
options.add_argument("-o", "--outdir", default=".")
options = options.parse_args()

def parse(words, passage):
    """One Scene: the first word a Participant, the second the relation, the rest a Participant that is there twice."""
    graph = SceneGraph(words)
    scene = graph.add_child(graph.root, "H")
    first = graph.add_child(scene, "A", tokens=[0])
    graph.add_child(scene, "P", tokens=[1])
    graph.add_child(scene, "A", tokens=range(2, len(words)))
    graph.add_edge(graph.root, first, "A", remote=True)
    return write_passage(graph, passage)

for folder in options.passages:
    for file in sorted(pathlib.Path(folder).iterdir()):
        passage = ET.parse(file).getroot()
        words = [node.find("attributes").get("text") for node in passage.find("layer[@layerID='0']")[1:]]
        assert len(passage.findall("layer[@layerID='1']/node/edge")) == 0, "the input is parsed already"
        print(f"Writing passage {file.name}")
        HOOK
        pathlib.Path(options.outdir, passage.get("passageID") + ".xml").write_bytes(parse(words, file.stem))
'''


@pytest.fixture
def fake(tmp_path: Path) -> str:
    return tupa(tmp_path, "pass")


def tupa(folder: Path, hook: str) -> str:
    """A command that does something else to a passage first."""
    script = folder / "fake tupa.py"
    script.write_text(FAKE.replace("HOOK", hook), encoding="utf-8")
    return shlex.join([sys.executable, str(script), "-m", "models/ucca-bilstm"])


def test_sentences_come_back_as_graphs_over_their_own_tokens(fake: str) -> None:
    extractor = TupaExtractor(command=fake)
    assert isinstance(extractor, SceneExtractor)
    assert extractor.signature.startswith(f"tupa({Path(sys.executable).name} fake tupa.py -m ucca-bilstm)+")
    sentences = [["She", "likes", "green", "tea"], [], ["他", "来", "<&>\u0301"]]
    graphs = extractor.extract(sentences)
    assert [graph.tokens for graph in graphs] == [tuple(words) for words in sentences]
    assert [[scene.to_dict() for scene in graph.scenes()] for graph in graphs] == [
        [{"main_relation": [[1]], "participants": [[[0]], [[2, 3]]], "leaves": [0, 1, 2, 3]}],
        [],
        [{"main_relation": [[1]], "participants": [[[0]], [[2]]], "leaves": [0, 1, 2]}],
    ]
    assert [remote for *_, remote in graphs[0].edges(graphs[0].root)] == [False, True]


def test_signatures_tell_models_of_one_name_apart(tmp_path: Path) -> None:
    def signature(folder: str) -> str:
        return TupaExtractor(command=f"tupa -m {shlex.quote(str(tmp_path / folder / 'ucca'))}").signature

    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "ucca.json").write_text("{}")
    first = signature("a")
    assert signature("a") == first != signature("b")
    (tmp_path / "a" / "ucca.data").write_text("1")
    assert signature("a") != first


def test_the_command_comes_from_the_environment(fake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, fake)
    assert TupaExtractor().extract([["Birds", "sing", "songs"]])[0].scenes()
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(ResourceError, match=f"set {VARIABLE} to a TUPA command"):
        TupaExtractor()
    with pytest.raises(ResourceError, match="cannot be read"):
        TupaExtractor(command='tupa -m "models')


@pytest.mark.parametrize(
    ("hook", "message"),
    [
        ("sys.exit('Traceback:\\n  KeyError: no model\\n')", "ended with status 1: KeyError: no model"),
        ("sys.exit(3)", "ended with status 3: Writing passage 00000.xml"),
        ("continue", "wrote nothing for sentence 1"),
        ("words[0] = 'He'", "sentence 1 is unusable: its tokens are 'He sings loud', not those of the sentence"),
        ("parse = lambda *_: b'<root>\\n<broken'", r"sentence 1 is unusable \(line 2\): not well-formed XML"),
    ],
)
def test_failures_are_one_clear_line(hook: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ResourceError, match=message) as caught:
        TupaExtractor(command=tupa(tmp_path, hook)).extract([["She", "sings", "loud"]])
    assert "\n" not in str(caught.value)


def test_unusable_programs_and_words_are_named_unless_there_is_nothing_to_parse(fake: str, tmp_path: Path) -> None:
    assert [len(TupaExtractor(command="/no/such/program").extract(given)) for given in ([], [[]])] == [0, 1]
    for program in (tmp_path / "none", tmp_path):
        with pytest.raises(ResourceError, match=f"TUPA cannot be started.*{program}"):
            TupaExtractor(command=shlex.quote(str(program))).extract([["a"]])
    with pytest.raises(InputError, match=r"U\+0000"):
        TupaExtractor(command=fake).extract([["a\0b"]])
