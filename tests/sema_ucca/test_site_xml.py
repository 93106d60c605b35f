"""UCCA site XML: the annotation application's older format, read as UCCA's toolkit reads it."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from sema_ucca.formats import ucca_xml
from sema_ucca.ucca_xml import read_passage, write_passage

from sema.errors import InputError
from tests.conftest import ROOT

# "John got home and gave Mary a call": an implicit unit, a remote one, a linkage and the chunks of "gave … a call".
SITE = (ROOT / "tests" / "data" / "ucca" / "site.xml").read_text(encoding="utf-8")


def test_reads_units_chunks_remotes_implicit_units_and_linkages() -> None:
    graph = read_passage(SITE.encode())
    assert graph.tokens == ("John", "got", "home", "and", "gave", "Mary", "a", "call", '"')
    assert graph.graph.nodes[8]["punctuation"]
    assert (graph.graph.graph["passage_id"], graph.graph.graph["attributes"]) == ("7", {"lang": "en"})
    assert [scene.to_dict() for scene in graph.scenes()] == [
        {"main_relation": [[1, 2]], "participants": [[], [[0]]], "leaves": [0, 1, 2]},
        {"main_relation": [[7]], "participants": [[[5]], [[0]]], "leaves": [0, 4, 5, 6, 7]},
    ]
    ((_, arguments),) = graph.graph.graph["linkages"]
    assert [role for _, role in arguments] == ["LR", "LA", "LA"]


def test_implicit_units_are_kept_when_it_is_written_again(tmp_path: Path) -> None:
    file = tmp_path / "7.xml"
    scenes = ucca_xml()
    file.write_text(SITE, encoding="utf-8")
    (graph,) = scenes.read(file)
    assert scenes.write is not None
    scenes.write([graph], file)
    (again,) = scenes.read(file)
    assert again.scenes() == graph.scenes()
    assert again.scenes()[0].participants[0] == ()


def test_ucca_s_toolkit_reads_the_same() -> None:
    convert = pytest.importorskip("ucca.convert", reason="needs UCCA's toolkit")
    theirs = convert.from_site(ElementTree.fromstring(SITE))
    ours = convert.from_standard(ElementTree.fromstring(write_passage(read_passage(SITE.encode()))))
    assert ours.equals(theirs)


def test_annotated_passages_come_back_from_the_toolkit_s_site_xml(ucca_files: list[Path]) -> None:
    convert = pytest.importorskip("ucca.convert", reason="needs UCCA's toolkit")
    compared = 0
    for file in ucca_files:
        passage = convert.from_standard(ElementTree.parse(file).getroot())
        try:
            site = ElementTree.tostring(convert.to_site(passage))
        except (KeyError, IndexError):  # categories that the older format has no name for
            continue
        theirs = convert.from_site(ElementTree.fromstring(site))
        ours = convert.from_standard(ElementTree.fromstring(write_passage(read_passage(site))))
        assert ours.equals(theirs), file.name
        compared += 1
    assert compared >= len(ucca_files) // 2 > 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('type="Linker"', 'type="Glue"', r"^line 9: unit '20' is of type 'Glue'"),
        ('type="Participant" id="11"/>', 'type="Participant" id="99"/>', r"^line 10: no unit has the id '99'"),
        ('args="10,30"', 'args="10,"', r"^line 9: no unit has the id ''"),
        ('unitGroupID="90">', 'unitGroupID="91">', r"^line 11: no unit group has the id '91'"),
        ("<implicitUnit", "<unknownUnit", r"^line 5: an element 'unknownUnit'"),
        ('<word id="51">&amp;quot;</word>', '<word id="51"/>', r"has no text"),
        ("<root ", "<!DOCTYPE root [<!ENTITY a 'b'>]><root ", r"document type declaration"),
        ("<units ", "<units/><other ", r"has no units|not well-formed"),
    ],
)
def test_errors_name_their_line(old: str, new: str, message: str) -> None:
    assert old in SITE
    with pytest.raises(InputError, match=message):
        read_passage(SITE.replace(old, new, 1).encode())


def test_deep_nesting_ends_in_an_error() -> None:
    depth = 2000
    units = '<unit type="Center" id="1">' * depth + "</unit>" * depth
    with pytest.raises(InputError, match="nested more than"):
        read_passage(f"<root><units passageID='1'>{units}</units></root>".encode())
