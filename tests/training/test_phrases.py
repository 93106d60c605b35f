"""What the simplifier's shipped rules are learned from, and which of them ship."""

import pytest
from sema_simplifier.extraction import Example, learn_rules
from sema_simplifier.rules import Rule, RuleTable
from sema_simplifier.simplifier import PHRASES

from sema.alignment.exact import ExactAligner
from sema.datasets.folder import data_path
from tests.conftest import PublicData
from training.english.phrases import SWIPE_DEV, kept, matched, pages


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def test_sentences_of_two_pages_are_matched_by_their_words() -> None:
    page = [words("it rained due to a storm ."), words("nobody came .")]
    simple = [words("all went home"), words("it rained because of a storm .")]
    assert list(matched(page, simple)) == [Example(page[0], (simple[1],))]
    assert list(matched(page, [])) == []


def test_a_rule_is_learned_from_two_sentences() -> None:
    pairs = [
        Example(words(f"{a} was late due to {b} ."), (words(f"{a} was late because of {b} ."),))
        for a, b in ("xy", "zw")
    ]
    (rule,) = (rule for rule in learn_rules(pairs, ExactAligner()).rules if kept(rule, set()) and len(rule.source) == 2)
    assert (rule.source, rule.target, rule.sentences) == (words("due to"), words("because of"), 2)


@pytest.mark.parametrize(
    ("source", "target", "sentences", "ships"),
    [
        ("due to", "because of", 2, True),
        ("due to", "because of", 1, False),  # one sentence is too little evidence
        ("due to", "", 2, False),  # a deletion loses something
        ("car", "auto", 2, False),  # single words are PPDB's
        ("ten people", "10 people", 2, False),
        ("calais region", "calais area", 2, False),  # a name
        ("in the", "of the", 2, False),  # only function words
        ("region", "department in the north", 2, False),  # adds what only its page says
    ],
)  # fmt: skip
def test_rules_that_ship_are_plain_paraphrases(source: str, target: str, sentences: int, ships: bool) -> None:
    assert kept(Rule(words(source), words(target), sentences, sentences), {"calais"}) is ships


def test_the_shipped_table_has_counts_and_no_sentence() -> None:
    table = RuleTable.load(PHRASES)
    assert len(table.rules) > 100 and not table.sources and not table.words
    assert all(kept(rule, set()) and rule.sentences <= table.occurrences[rule.source] for rule in table.rules)
    assert (("due", "to"), ("because", "of")) in {(rule.source, rule.target) for rule in table.rules}


def test_the_last_pages_are_left_out(public_data: PublicData) -> None:
    public_data("swipe", "documents.tsv.gz")
    import gzip

    with gzip.open(data_path("swipe", "documents.tsv.gz"), "rt", encoding="utf-8") as file:
        titles = sum(1 for _ in file) - 1
    assert len(pages()) == titles - SWIPE_DEV
