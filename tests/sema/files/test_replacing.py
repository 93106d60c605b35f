"""A file is replaced whole or left alone, whoever else writes it at the same time."""

import os
from pathlib import Path
from threading import Event, Thread

from sema.files.replacing import replacing


def test_two_writers_of_one_target_do_not_meet(tmp_path: Path) -> None:
    path, inside, gate = tmp_path / "target", Event(), Event()
    failed: list[BaseException] = []

    def write() -> None:
        try:
            with replacing(path) as file:
                file.write(b"first")
                inside.set()
                assert gate.wait(60)
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=write)
    thread.start()
    assert inside.wait(60)
    with replacing(path) as file:
        file.write(b"second")
    assert path.read_bytes() == b"second"
    gate.set()
    thread.join()
    assert failed == [] and path.read_bytes() == b"first"
    assert os.listdir(tmp_path) == ["target"]


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 255)
    with replacing(path) as file:
        file.write(b"x")
    assert path.read_bytes() == b"x"
