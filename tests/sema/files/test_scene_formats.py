"""Which scene file belongs to which item."""

from pathlib import Path

import pytest

from sema.errors import InputError
from sema.files.scene_formats import SceneFormat, read_scenes, scene_files
from sema.model.scene_graph import SceneGraph


def names(folder: Path, items: int) -> list[str | None]:
    return [None if file is None else file[0].name for file in scene_files(folder, items)]


def fill(folder: Path, *files: str) -> Path:
    for file in files:
        (folder / file).write_bytes(b"")
    return folder


def test_numbers_are_in_the_order_of_numbers_past_99999(tmp_path: Path) -> None:
    fill(tmp_path, "99999.xml", "100000.xml", "00007.xml")
    assert names(tmp_path, 3) == ["00007.xml", "99999.xml", "100000.xml"]


def test_other_names_are_in_their_order(tmp_path: Path) -> None:
    fill(tmp_path, "b.xml", "a10.xml", "a9.conllu")
    assert names(tmp_path, 3) == ["a10.xml", "a9.conllu", "b.xml"]


def test_an_item_that_could_not_be_parsed_leaves_its_number_out(tmp_path: Path) -> None:
    fill(tmp_path, "00000.xml", "00002.xml")
    assert names(tmp_path, 4) == ["00000.xml", None, "00002.xml", None]


@pytest.mark.parametrize(
    ("files", "items"), [(["00000.xml"], 0), (["a.xml"], 2), (["5.xml", "7.xml"], 3), (["1.xml", "01.xml"], 3)]
)
def test_files_that_do_not_go_with_the_items_are_refused(tmp_path: Path, files: list[str], items: int) -> None:
    with pytest.raises(InputError, match=rf"has {len(files)} scene files? for {items} items"):
        scene_files(fill(tmp_path, *files), items)


def test_a_file_that_is_nested_too_deeply_is_one_line(tmp_path: Path) -> None:
    def read(path: Path) -> list[SceneGraph]:
        raise RecursionError

    with pytest.raises(InputError, match=r"x\.xml: is nested too deeply"):
        read_scenes(tmp_path / "x.xml", SceneFormat(".xml", "test", read))
