"""A script for ``gdb``: runs a program in which ONNX Runtime finds a processor with AVX2 and nothing newer.

Each ``cpuid`` instruction of the library is followed by a breakpoint that clears bits in what the processor answered
(leaf 7 of the manual's table: AVX-512, VNNI, bfloat16, AMX). They are reached only while the library starts.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

LIBRARY = "onnxruntime_pybind11_state"
CPUID = b"\x0f\xa2"
FEATURES = 7
"""The leaf that names instructions."""


def bits(*places: int) -> int:
    """The number with these bits set."""
    return sum(1 << place for place in places)


NEWER = {
    0: {
        "rbx": bits(16, 17, 21, 26, 27, 28, 30, 31),
        "rcx": bits(1, 6, 11, 12, 14),
        "rdx": bits(2, 3, 8, 22, 23, 24, 25),
    },
    1: {"rax": bits(4, 5)},
}
"""By subleaf, the bits of each register that are cleared."""


def install(gdb: Any) -> None:
    """Have the running gdb clear the bits wherever the library asks."""
    asked: dict[int, tuple[int, int]] = {}

    def register(name: str) -> int:
        return int(gdb.parse_and_eval(f"${name}")) & 0xFFFFFFFF

    class Question(gdb.Breakpoint):  # type: ignore[misc]
        """At the instruction: keeps what the thread asks for."""

        def stop(self) -> bool:
            asked[gdb.selected_thread().num] = register("rax"), register("rcx")
            return False

    class Answer(gdb.Breakpoint):  # type: ignore[misc]
        """Behind the instruction: changes the answer."""

        def stop(self) -> bool:
            leaf, part = asked[gdb.selected_thread().num]
            for name, newer in NEWER.get(part, {}).items() if leaf == FEATURES else ():
                gdb.execute(f"set ${name} = {register(name) & ~newer}")
            return False

    def loaded(event: Any) -> None:
        file = event.new_objfile.filename
        if file is None or LIBRARY not in file:
            return
        maps = Path(f"/proc/{gdb.selected_inferior().pid}/maps").read_text(encoding="utf-8").splitlines()
        base = next(int(line.partition("-")[0], 16) for line in maps if LIBRARY in line)
        listing = subprocess.run(
            ["objdump", "-d", "--no-show-raw-insn", file], capture_output=True, text=True, check=True
        )
        for line in listing.stdout.splitlines():
            if line.rstrip().endswith("cpuid"):
                place = base + int(line.partition(":")[0], 16)
                Question(f"*{place:#x}", internal=True)
                Answer(f"*{place + len(CPUID):#x}", internal=True)

    gdb.events.new_objfile.connect(loaded)
    for setting in ("confirm off", "print thread-events off"):
        gdb.execute(f"set {setting}")
    gdb.execute("run")
    gdb.execute("quit $_exitcode")


if __name__ == "__main__":
    import gdb  # type: ignore[import-not-found]  # only gdb has it

    install(gdb)
