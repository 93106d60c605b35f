import json

import pytest
from sema_english.levels.cefr import EnglishLevels, listed_level, listed_levels
from sema_english.levels.features import find

from sema import Scorer
from sema.languages import find_language
from sema.model.forms import segmented
from sema.model.levels import cefr_label
from tests.cases import cases
from tests.commands import one_line, printed, write
from tests.conftest import Run

EASY = "I like cats."
MIDDLE = "The city will build a new tram line next spring."
HARD = "Municipal authorities postponed the construction of the tramway, notwithstanding public indignation."


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer("en", ["cefr", "cefr_source", "cefr_drop", "cefr_hit"], options={"cefr.target": "A2"})


def test_harder_texts_have_higher_levels(scorer: Scorer) -> None:
    report = scorer.score([HARD] * 3, [EASY, MIDDLE, HARD])
    easy, middle, hard = (item.scores for item in report.systems[0].items)
    assert easy["cefr"] < middle["cefr"] < hard["cefr"] == hard["cefr_source"]
    assert easy["cefr_drop"] == pytest.approx(easy["cefr_source"] - easy["cefr"])
    assert (easy["cefr_hit"], hard["cefr_hit"], hard["cefr_drop"]) == (100, 0, 0)


def test_a_passage_of_easier_words_is_easier_than_its_sentences(scorer: Scorer) -> None:
    easy, rare = " ".join(["The cat is in the house."] * 2), " ".join(["The lynx is in the attic."] * 2)
    texts = [text for two in (easy, rare) for text in (two, two.partition(".")[0] + ".")]
    levels = [item.scores["cefr"] for item in scorer.score(texts, texts).systems[0].items]
    assert levels[0] < levels[1] and levels[2] - levels[0] > levels[3] - levels[1]


def test_texts_without_words_have_no_level_and_meet_no_target(scorer: Scorer) -> None:
    report = scorer.score([HARD] * 2, ["", "…"])
    found = [item.to_dict()["scores"] for item in report.systems[0].items]
    assert [(scores["cefr"], scores["cefr_hit"]) for scores in found] == [(None, 0)] * 2


def test_the_evidence_names_hard_words_and_constructions(scorer: Scorer) -> None:
    outputs = ["The incumbent was vilified, undermining his credibility.", "He was eloquent about the zyzzyva."]
    report = scorer.score([EASY] * 2, outputs)
    levels, other = (item.evidence()["levels"] for item in report.systems[0].items)
    said = {part["text"]: part["what"] for part in levels["output"]["hard"]}
    assert (said["vilified"], said[", undermining"]) == ("word", "participle clause")
    assert levels["output"]["words"][-1] is None and levels["source"]["words"][0] == "A1"
    ranked = [part["level"] for part in levels["output"]["hard"]]
    assert ranked == sorted(ranked, reverse=True)
    assert (other["output"]["words"][0], other["output"]["words"][2]) == ("A1", "B2")
    assert ("eloquent", "B2") in [(part["text"], part["label"]) for part in other["output"]["hard"]]
    assert other["output"]["words"][5] is not None  # in no list: by its form and frequency


@cases("en/constructions")
def test_constructions_are_found_with_their_words(sentence: str, construction: str, words: str) -> None:
    tokens = sentence.split()
    assert (construction, words) in [(name, " ".join(tokens[at] for at in found)) for name, found in find(tokens)]
    assert find(["The", "need", "for", "red", "tables", "is", "great", "."]) == []


def test_a_level_is_shown_so_that_its_name_and_its_number_agree(command: Run) -> None:
    write("x.txt", f"{MIDDLE}\n")
    files = ("--lang", "en", "-s", "x.txt", "-o", "x.txt", "--metrics", "cefr")
    level = printed(command("score", *files, "--json"))["systems"][0]["scores"]["cefr"]
    shown = f"{cefr_label(level)} ({level:.2f})"
    assert f"output {shown}, source {shown}" in command("explain", *files, "--item", "0").stdout


def test_a_column_of_targets(command: Run) -> None:
    rows = [{"source": HARD, "output": MIDDLE, "target_cefr": level} for level in ("C2", "A1", "X9")]
    write("x.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    arguments = ("score", "--lang", "en", "-s", "x.jsonl", "-o", "x.jsonl", "--metrics", "cefr_hit", "--json")
    done = command(*arguments)
    assert done.returncode == 1
    assert "x.jsonl:3: the target 'X9' is not a level; write A1 to C2" in done.stderr
    assert printed(done)["systems"][0]["scores"]["cefr_hit"] == 50
    one_line(command(*arguments, "--set", "cefr.target=Z"), 2, "cefr.target cannot be 'Z'; write A1 to C2")


def test_every_word_of_the_cefr_lists_can_be_reached() -> None:
    parts, known = find_language("en").parts(), listed_levels()
    texts = segmented(parts.segmenter, list(known))
    whole = [text.raw for text in texts if text.words == (text.raw,)]
    assert [word for word in whole if listed_level(word, parts.lexicon) != known[word]] == []
    assert [listed_level(word, parts.lexicon) for word in ("Houses", "zyzzyva")] == [1.0, None]
    cut = [text for text in texts if len(text.words) > 1]
    assert len(whole) + len(cut) == len(known)
    assert parts.encoder is not None
    read = EnglishLevels(parts.lexicon).read(zip(cut, parts.encoder.states([text.words for text in cut]), strict=True))
    levels = [[level for level in one.words if level is not None] for one in read]
    assert levels == [[known[text.raw]] for text in cut]
