from sema_english import relations
from sema_english.features.statements import statements

from benchmarks.papers.printed import graph
from sema.model.links import LinkKind
from tests.cases import cases


@cases("en/number_values")
def test_numerals_have_their_values(word: str, value: object) -> None:
    assert relations.number_value(word) == value


@cases("en/main_verbs")
def test_function_words_that_are_main_verbs(source: str, output: str, pair: tuple[str, str]) -> None:
    texts = source.split(), output.split()
    (links,) = relations.rule_aligner().align([texts])
    place = texts[0].index(pair[0]), texts[1].index(pair[1])
    assert any((link.source, link.output) == place for link in links)


@cases("en/auxiliaries")
def test_auxiliaries_and_prepositions_stay_what_they_are(source: str, output: str) -> None:
    texts = source.split(), output.split()
    (links,) = relations.rule_aligner().align([texts])
    between = {(texts[0][link.source], texts[1][link.output]) for link in links if link.kind is not LinkKind.EXACT}
    assert between <= {("gone", "went")}


@cases("en/names")
def test_names_are_no_common_nouns(source: str, output: str, kind: str | None) -> None:
    linked = relations.rule_aligner().align([((source,), (output,))])[0]
    assert [link.kind for link in linked] == ([] if kind is None else [kind])


@cases("en/statements")
def test_statements_by_their_construction(structure: str, expected: dict[str, int]) -> None:
    assert +statements(graph(structure)) == expected
