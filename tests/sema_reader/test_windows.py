from zlib import crc32

from hypothesis import given
from hypothesis import strategies as st
from sema_reader.pieces import Pieces
from sema_reader.windows import COMMON, ROOM, Pass, plan

from sema.model.text import Text

LONGEST = 320
sentences = st.lists(st.lists(st.sampled_from("abcdefghijklmnop"), min_size=1, max_size=150), min_size=1, max_size=40)


def pieces(text: Text) -> tuple[Pieces, Text]:
    """A text in pieces of one word."""
    return Pieces(tuple(crc32(word.encode()) for word in text.words), tuple(range(len(text.words)))), text


def passes(source: list[list[str]], output: list[list[str]]) -> list[Pass]:
    return plan(pieces(Text.from_sentences(source)), pieces(Text.from_sentences(output)), LONGEST)


def story(length: int) -> list[list[str]]:
    """Sentences with words of their own and words that all of them have."""
    return [[f"name{n}", "built", f"house{n}", "in", f"year{n}", *["a", "small", "town"] * 3] for n in range(length)]


@given(sentences, sentences)
def test_every_word_is_decided_about_once(source: list[list[str]], output: list[list[str]]) -> None:
    windows = passes(source, output)
    for text, decided in (
        (source, [token for one in windows if one.about_source for token in one.source.words]),
        (output, [token for one in windows if one.about_output for token in one.output.words]),
    ):
        assert sorted(decided) == list(range(sum(map(len, text))))
    assert all(one.source.ids and one.output.ids for one in windows)
    assert all(len(one.source.ids) + len(one.output.ids) + 3 <= LONGEST for one in windows)


def test_a_sentence_is_read_with_its_twin_wherever_that_stands() -> None:
    source = story(60)
    for one in passes(source, source[::-1]):
        assert one.about_source and one.about_output
        assert {59 - token // 14 for token in one.output.words} == {token // 14 for token in one.source.words}


def test_the_work_grows_with_the_length_alone() -> None:
    def read(length: int) -> int:
        return sum(len(one.source.ids) + len(one.output.ids) for one in passes(story(length), story(length)))

    words = {length: sum(map(len, story(length))) for length in (60, 400)}
    assert words[400] * 2 <= read(400) <= 1.2 * 2 * words[400] and read(400) <= 4.2 * read(100)
    assert COMMON < 400  # so that words that all sentences share do not pair any
    assert len(passes(story(60), story(60))) <= 2 * 2 * words[60] / ROOM, "groups share a pass while there is room"
    (one,) = passes(story(2), story(4))
    assert one.about_source and one.about_output


def test_the_work_grows_with_the_length_of_a_word_alone() -> None:
    class Counted(tuple[int, ...]):
        looks = 0

        def __getitem__(self, place):  # type: ignore[no-untyped-def, override]
            Counted.looks += isinstance(place, int)
            return super().__getitem__(place)

    text = Text.from_sentences([["word"]])
    one = Pieces(tuple(range(50_000)), Counted([0] * 50_000)), text
    assert len({id(each) for each in plan(one, pieces(text), LONGEST)}) and Counted.looks <= 3 * 50_000


def test_sentences_of_passages_are_read_alone_too() -> None:
    whole, *alone = passes(story(3), story(4))
    assert whole.about_source and whole.about_output and not whole.alone
    assert [one.output.words for one in alone] == [tuple(range(start, start + 14)) for start in range(0, 56, 14)]
    assert all(one.alone for one in alone)
    sentences = [{word // 14 for word in one.source.words} for one in alone]
    assert sentences == [{0, 1}, {0, 1, 2}, {1, 2}, {1, 2}], "the nearest sentence and those around it"
