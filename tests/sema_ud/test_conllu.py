from pathlib import Path

import pytest
from sema_ud.conllu import read_sentences, read_trees

from sema.errors import InputError
from tests.commands import one_line, write
from tests.conftest import Run


def rows(*lines: tuple[object, ...]) -> str:
    return "\n".join("\t".join(str(column) for column in line) for line in lines) + "\n\n"


def word(number: int, form: str, head: object, relation: str, misc: str = "_") -> tuple[object, ...]:
    return number, form, "_", "X", "_", "_", head, relation, "_", misc


SIMPLE = "1\tAnn\t_\tPROPN\t_\tNumber=Sing|Case=Nom\t2\tnsubj\t_\t_\n" + rows(
    word(2, "sang", 0, "root", "SpaceAfter=No"), word(3, ".", 2, "punct")
)
FRENCH = "# text = Il vient du parc.\n" + rows(
    word(1, "Il", 2, "nsubj"),
    word(2, "vient", 0, "root"),
    ("3-4", "du", "_", "_", "_", "_", "_", "_", "_", "_"),
    word(3, "de", 5, "case"),
    word(4, "le", 5, "det"),
    word(5, "parc", 2, "obl", "SpaceAfter=No"),
    ("5.1", "parc", "parc", "NOUN", "_", "_", "_", "_", "2:conj", "_"),
    word(6, ".", 2, "punct"),
)


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "a.conllu"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_a_file_has_a_tree_for_each_sentence(tmp_path: Path) -> None:
    first, second = read_sentences(written(tmp_path, SIMPLE + SIMPLE))
    assert first.text == second.text == "Ann sang."
    assert tuple(first.text[start:end] for start, end in first.offsets) == first.tree.words
    assert first.tree.heads == second.tree.heads == (1, -1, 1)
    assert first.tree.upos == ("PROPN", "X", "X")
    assert first.tree.has_feature(0, "Case=Nom") and not first.tree.has_feature(0, "Case=Acc")


def test_multiword_tokens_and_empty_nodes(tmp_path: Path) -> None:
    (sentence,) = read_sentences(written(tmp_path, FRENCH))
    assert sentence.tree.words == ("Il", "vient", "de", "le", "parc", ".")
    assert sentence.text == "Il vient du parc."
    assert sentence.offsets[2:5] == [(9, 11), (9, 11), (12, 16)]


@pytest.mark.parametrize(
    "content",
    ["# text = Something else\n" + SIMPLE, b"\xef\xbb\xbf" + SIMPLE.strip().replace("\n", "\r\n").encode()],
    ids=["a comment that does not match", "a byte order mark, carriage returns and no last line end"],
)
def test_other_forms_of_a_file_are_read(tmp_path: Path, content: str | bytes) -> None:
    (sentence,) = read_sentences(written(tmp_path, content))
    assert sentence.text == "Ann sang." and sentence.tree.words == ("Ann", "sang", ".")


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("# a\n1\tx\t_\tX\t_\t_\t0\troot\t_\n\n", 2, "9 columns"),
        ("1 x _ X _ _ 0 root _ _\n\n", 1, "separate the columns by tabs"),
        (rows(word(1, "x", "_", "_")), 1, "no head"),
        (rows(word(1, "x", 7, "dep"), word(2, "y", 0, "root")), 1, "head 7"),
        (SIMPLE + rows(word(1, "x", 0, "root"), word(2, "y", 0, "root")), 5, "both roots"),
        (rows(word(1, "x", 2, "dep"), word(2, "y", 1, "dep")), 1, "no root"),
        (rows(word(1, "x", 0, "root"), word(2, "y", 3, "dep"), word(3, "z", 2, "dep")), 1, "own ancestor"),
        (rows(word(1, "x", 0, "root"), word(3, "y", 1, "dep")), 2, "word 2 is due"),
        (rows(word(1, "x", "a", "dep")), 1, "not CoNLL-U"),
        (rows(word(1, "x", 0, "root"), word(2, "y", 1, "dobj")), 2, r"a label of UD 1 \(now obj\)"),
        (rows(word(1, "x", 0, "root"), word(2, "y", 1, "ART")), 2, "'ART' is not a relation of UD 2"),
        ("\n# newdoc\n\n", None, "no sentence"),
        (b"1\t\xff\xfe", None, "not UTF-8"),
        (None, None, "cannot be read"),
    ],
)
def test_bad_files_are_named_with_their_line(
    content: str | bytes | None, line: int | None, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "none.conllu" if content is None else written(tmp_path, content)
    with pytest.raises(InputError, match=message) as error:
        read_trees(path)
    assert error.value.line == line and str(path) in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(("depth", "scored"), [(50, True), (3000, False)])
def test_nested_clauses_are_scored_or_one_line(command: Run, depth: int, scored: bool) -> None:
    """Beside a sound item, which is scored whatever becomes of the other."""
    rows = [f"{n}\tsaid\t_\tVERB\t_\t_\t{n - 1}\t{'ccomp' if n > 1 else 'root'}\t_\t_\n" for n in range(1, depth + 1)]
    Path("scenes").mkdir()
    write("scenes/0.conllu", "".join(rows))
    write("scenes/1.conllu", rows[0])
    write("s.txt", "said " * depth + "\nsaid\n")
    texts = ("--tokenized", "-s", "s.txt", "-o", "s.txt", "--scenes", "scenes")
    done = command("score", "--lang", "en", *texts, "--metrics", "sema")
    assert ("75.00" in done.stdout) is not scored  # only a main relation: its Participants count a half
    if scored:
        assert (done.returncode, done.stderr) == (0, "")
    else:
        one_line(done, 1, "nested too deeply")
