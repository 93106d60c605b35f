"""What commands print: comparisons, passages, features, judges, levels, languages, the doctor."""

import csv
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

from sema.errors import missing_package
from sema.plugins import Plugin
from tests.commands import printed, write
from tests.conftest import Run, install
from tests.esperanto import esperanto

# Comparisons

SOURCE = ["The committee deliberated at length.", "It was, however, adjourned.", "Nobody objected to it."]
FIRST = ["The group talked for long.", "But it was put off.", "Nobody was against it."]
SECOND = ["The committee deliberated.", "It was, however, adjourned.", "Nobody objected."]
REFERENCE = ["The group talked for a long time.", "But it was put off.", "No one was against it."]
COMPARE = ["--lang", "en", "-s", "source", "-o", "a.txt", "-o", "b.txt", "-r", "reference", "--samples", "20"]


@pytest.fixture
def compare(sema: Run) -> Run:
    for name, lines in {"source": SOURCE, "a.txt": FIRST, "b.txt": SECOND, "reference": REFERENCE}.items():
        write(name, "\n".join(lines) + "\n")
    return lambda *more: sema("compare", *COMPARE, *more)


def test_json_has_scores_intervals_significance_and_wins(compare: Run) -> None:
    result = printed(compare("--metrics", "bleu,sari", "--json"))
    assert [system["name"] for system in result["systems"]] == ["a.txt", "b.txt"]
    bleu = result["systems"][0]["scores"]["bleu"]
    assert bleu["value"] == pytest.approx(sacrebleu.corpus_bleu(FIRST, [REFERENCE]).score, abs=1e-10)
    assert bleu["low"] <= bleu["value"] <= bleu["high"]
    pair = result["pairs"][0]
    assert pair["metric"] == "bleu" and sorted(pair["first_wins"]) == [0, 1, 2]
    assert 0 < pair["difference"]["p_randomization"] <= 1


def test_many_systems_are_summed_up_and_shown_in_full_on_demand(sema: Run) -> None:
    names = [f"{letter}.txt" for letter in "abcdef"]
    for number, name in enumerate(names):
        write(name, "Mi vidas domon.\n" * number + "La kato dormas.\n" * (20 - number))
    write("many.txt", "La kato dormas.\n" * 20)
    arguments = ["compare", "--lang", "eo", "-s", "many.txt", "-o", *names, "--metrics", "sema", "--samples", "20"]
    short = sema(*arguments, "--per-item", "rows.csv").stdout
    assert "a.txt - b.txt" not in short and "all 15 differences, with their items: --full" in short
    assert "share a letter" in short and short.count("\n") < 20
    full = sema(*arguments, "--full").stdout
    assert full.count(" - ") >= 15 and "Items (numbered from 0)" in full
    assert len(Path("rows.csv").read_text(encoding="utf-8").splitlines()) == 1 + 6 * 20


# Passages

SWAPPED = "Mi vidas domon . La kato dormas ."


@pytest.fixture
def passage(sema: Run) -> Any:
    """Score a passage of which the output swaps the sentences: the JSON that is printed."""
    write("source.txt", "La kato dormas . Mi vidas domon .\n")
    write("output.txt", f"{SWAPPED}\n")
    common = ["score", "--lang", "eo", "-s", "source.txt", "-o", "output.txt", "--level", "passage", "--json"]
    return lambda arguments: printed(sema(*common, *arguments.split()))


def test_the_sentences_of_a_tokenized_passage_are_found(passage: Any) -> None:
    """As one sentence the output would hold both Scenes: SAMSA 50."""
    (whole,) = passage("--tokenized --no-segment --metrics samsa,sema")["systems"]
    assert whole["scores"] == {"samsa": 100, "sema": 100}
    assert passage("--metrics sema")["systems"] == passage("--tokenized --metrics sema")["systems"]
    write("output.jsonl", json.dumps({"text": [SWAPPED]}) + "\n")  # strings of a list stay the sentences
    systems = passage("--tokenized --no-segment --metrics samsa -o output.jsonl")["systems"]
    assert {system["name"]: system["scores"]["samsa"] for system in systems} == {"output.txt": 100, "output.jsonl": 50}


def test_a_source_passage_can_be_parsed_as_one_sentence(passage: Any) -> None:
    """The parser makes one Scene of both verbs, both of which then want one sentence."""
    whole, segmented = (passage(f"{how} --metrics sema_base") for how in ("--parse-whole", "--no-segment"))
    assert whole["systems"][0]["scores"]["sema_base"] < segmented["systems"][0]["scores"]["sema_base"] == 100
    assert "|segment:no,parse=whole|" in whole["signature"]


# Features and judges

SENTENCES = [f"La {color} kato dormas kaj mi vidas domon." for color in "abcdefghijkl"]
PAIR = ("--lang", "eo", "-s", "source.txt", "-o", "good.txt", "bad.txt")


@pytest.fixture
def judged(sema: Run) -> Run:
    good = [sentence.replace(" kaj mi", ". Mi") for sentence in SENTENCES]
    for name, lines in {"source.txt": SENTENCES, "good.txt": good, "bad.txt": ["Domo."] * 12}.items():
        write(name, "\n".join(lines) + "\n")
    rows = [f"{source},{output},good\n{source},Domo.,bad\n" for source, output in zip(SENTENCES, good, strict=True)]
    write("ratings.csv", "source,output,meaning\n" + "".join(rows))
    return sema


def test_features_of_items_are_written_and_summed_up(judged: Run) -> None:
    assert judged("features", *PAIR, "--groups", "lengths,scenes", "--to", "features.csv").returncode == 0
    rows = list(csv.DictReader(Path("features.csv").read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 24 and float(rows[0]["lengths.sentences"]) == 2
    assert float(rows[12]["scenes.matched"]) < float(rows[0]["scenes.matched"])
    table = judged("features", *PAIR, "--workers", "2").stdout
    assert re.search(r"^lengths\.sentences +2\.000 +1\.000 +1\.000 +2\.000 ", table, re.M)
    assert "readability.fkgl" not in table, "it is for English"
    assert "alignment.rare_recall" in judged("features", "--lang", "eo", "--list").stdout


def test_a_judge_is_trained_and_used(judged: Run) -> None:
    pytest.importorskip("sklearn")
    arguments = ("ratings.csv", "--lang", "eo", "--aspect", "meaning", "--to", "my_judge", "--groups", "lengths,scenes")
    learned = judged("judge", "train", *arguments)
    assert learned.returncode == 0 and "24 rated pairs" in learned.stdout, learned.stderr
    assert Path("my_judge/report.md").read_text(encoding="utf-8") == learned.stdout
    reported = judged("judge", *PAIR, "--judge", "my_judge", "--json")
    assert reported.returncode == 0, reported.stderr
    rows = [json.loads(line) for line in reported.stdout.splitlines()]
    aspects = {(row["system"], row["item"]): row["aspects"]["meaning"] for row in rows}
    assert all(aspect["label"] == system.partition(".")[0] for (system, _), aspect in aspects.items())
    assert len(aspects) == 24 and all(aspect["drivers"] for aspect in aspects.values())
    assert re.search(
        r"^good.txt +meaning +[\d.]+ +100 % +0 % +0 %", judged("judge", *PAIR, "--judge", "my_judge").stdout, re.M
    )


# Levels and languages


def test_words_are_listed_and_drawn_by_level(sema: Run) -> None:
    write("en.txt", "The novelist slept.\nThe dog slept in 1923.\n")
    told = printed(sema("levels", "--lang", "en", "en.txt", "--json"))
    assert (told["metric"], told["items"], told["words"]) == ("cefr", 2, 7)
    levels = {row["level"]: row["list"] for row in told["profile"]}
    assert levels["A1"]["the"] == 2 and sum(row["words"] for row in told["profile"]) == 7
    assert sum(row["share"] for row in told["profile"]) == pytest.approx(1)
    assert next(level for level, words in levels.items() if "novelist" in words) > "A2"
    pytest.importorskip("matplotlib")
    assert sema("levels", "--lang", "en", "en.txt", "--figure", "profile.svg").returncode == 0
    assert "novelist" in Path("profile.svg").read_text(encoding="utf-8")


def test_every_installed_language_is_shown_as_a_block(sema: Run) -> None:
    shown = sema("languages").stdout
    assert max(map(len, shown.splitlines())) <= 100
    blocks = {block.split("  ")[0]: block for block in shown.split("\n\n")}
    assert "\n  levels     CEFR\n" in blocks["en"] and "-\n" not in blocks["en"]
    (scenes,) = [row for row in blocks["zh"].splitlines() if "Scenes" in row]
    assert "the parser of all languages" in scenes and "sema-eo 0.1" in blocks["eo"]
    assert "zh: Chinese, the parser of all languages" in sema("languages", "zh").stdout


# What is installed


def test_doctor_names_what_is_there_and_what_is_broken(
    command: Run, outside_package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = "[sema.languages]\nqq = no_such_module:make\n[sema.commands]\nrun = no_such_command:run\n"
    install(tmp_path / "site", "sema-bad", "1", {}, points)
    monkeypatch.syspath_prepend(str(outside_package))
    done = command("doctor", site=tmp_path / "site")
    assert done.returncode == 1
    for name in ("sema-eo 0.1", "matplotlib", "qq", "no_such_module", "no_such_command"):
        assert name in done.stdout


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make one language the only one that is installed."""
    from sema.languages import GROUP

    return lambda made: monkeypatch.setattr(GROUP, "all", lambda: [Plugin("eo", "sema-eo 0.1", lambda: made)])


def test_doctor_scores_a_pair(command: Run, only: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    from sema.metrics.scene_metrics import Samsa

    only(esperanto())
    done = command("doctor", "--full")
    assert done.returncode == 0 and re.search(r"^language +eo +works +sema-eo", done.stdout, re.M)
    monkeypatch.setattr(Samsa, "rows", lambda *given: 1 / 0)
    done = command("doctor", "--full")
    assert done.returncode == 1 and re.search(r"^language +eo +does not work .*division by zero", done.stdout, re.M)


def test_an_extra_that_was_left_out_is_no_fault(command: Run, only: Callable[..., None]) -> None:
    def segmenter() -> None:
        raise missing_package("stanza") from ImportError("stanza")

    only(replace(esperanto(), segmenter=segmenter))
    done = command("doctor")
    assert done.returncode == 0
    assert re.search(r"^language +eo +needs something +sema-eo 0.1 +.*pip install stanza", done.stdout, re.M)
