"""The parser without gold tokens: ``python -m benchmarks.sema_ucca.raw_text [--sets dev test 20k]``.

The same gold sentences as ``parsing.py``, given to the shipped parser in other spellings:

* ``gold tokens``; ``gold tokens, lower case``; ``gold tokens, PTB signs``: brackets as ``-LRB-``, quotes as two signs;
  ``gold tokens, Moses signs``: ``&apos;s``, ``&quot;`` and the other entities that Moses's tokenizer writes;
* ``text``: UD EWT's ``# text`` through the shipped tokenizer; ``text, lower case``; ``passages``: whole reviews through
  the tokenizer and the sentence splitter;
* ``detokenised``: the gold tokens joined by Moses's detokenizer (as TurkCorpus' files were), then tokenized again;
* ``PTB tokens``: the text cut by NLTK's Penn Treebank tokenizer (``well-known`` is one token, brackets and quotes are
  escaped), given as tokens; ``PTB text``: the same as a line of raw text through the shipped tokenizer.

20K has no raw text: the detokenised text stands for it, and ``text`` and ``passages`` are left out.

Units are compared by the characters that they cover: gold tokens and found tokens are both cut wherever either ends,
both graphs are moved to these smallest parts (``retokenized``), and UCCA's evaluator reads both. So no unit is excluded
because of its tokens: a unit inside a token that the other side does not cut is an error. A found sentence boundary
inside a gold sentence splits the units that cross it; units across a gold boundary are cut there.

``kept`` is the evaluator's score for the gold graphs themselves, moved to the tokens of the row: an upper bound for any
parser that returns a graph over those tokens. For passages it uses the gold sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, groupby, pairwise
from typing import Any

from nltk.tokenize import TreebankWordTokenizer
from sacremoses import MosesDetokenizer, MosesTokenizer
from sema_english.segmentation import EnglishSegmenter
from sema_ucca.encoder import UccaEncoder
from sema_ucca.parser import UccaParser
from sema_ucca.retokenization import retokenized
from sema_ucca.ucca_xml import read_passage, write_passage
from ucca import evaluation

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sema_ucca.parsing import load, passage, scene_f1
from sema.model.scene_graph import SceneGraph
from training.english.boundaries import ud_documents
from training.ucca.corpus import PREFIX
from training.ucca.data import ud_files
from training.ucca.passages import split_passage

PTB_SIGNS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}


@dataclass(frozen=True)
class Source:
    """A gold sentence, and the text it was written as: with the white space after it, and its paragraph's number."""

    gold: SceneGraph
    raw: str
    paragraph: int

    @property
    def passage(self) -> str:
        """The passage's name."""
        return str(self.gold.graph.graph["passage_id"]).rpartition("-")[0]


@dataclass(frozen=True)
class Line:
    """A spelling of a sentence: ``raw``, and for each of its characters how many of the sentence's characters precede.

    White space does not count as a character of the sentence; ``at`` has one more entry, for the end.
    """

    raw: str
    at: list[int]

    @classmethod
    def of_pieces(cls, pieces: Sequence[tuple[str, int]]) -> Line:
        """Pieces joined by spaces, each with how many of the sentence's characters it stands for."""
        at: list[int] = []
        position = 0
        for text, width in pieces:
            steps = range(len(text)) if len(text) == width else [0] + [width] * (len(text) - 1)
            at += [*(position + step for step in steps), position + width]
            position += width
        return cls(" ".join(text for text, _ in pieces), at if at else [0])

    @classmethod
    def of_text(cls, raw: str) -> Line:
        """A text of the same characters."""
        return cls(raw, [0, *accumulate(not char.isspace() for char in raw)])


@dataclass(frozen=True)
class Tokens:
    """Tokens as the parser reads them, and where each ends among the sentence's characters."""

    words: list[str]
    ends: list[int]


def visible(text: str) -> str:
    """A text without its white space."""
    return "".join(text.split())


def lowered(text: str) -> str:
    """A text in lower case, character by character."""
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def sources(name: str, most: int | None = None) -> list[Source]:
    """The gold sentences of a set, or of its first ``most`` passages, with their texts."""
    written: dict[str, tuple[str, int]] = {}
    if name != "20k":
        for path in ud_files():
            ids = iter(re.findall(r"^# sent_id = (\S+)", path.read_text(encoding="utf-8"), re.MULTILINE))
            for number, paragraph in enumerate(ud_documents(path)):
                written.update({next(ids).removeprefix(PREFIX): (text, number) for text, _ in paragraph})
    lines = []
    for graph in map(read_passage, load(name, most)):
        identifier = str(graph.graph.graph["passage_id"])
        raw, number = written.get(identifier) or (detokenised(graph.tokens), 0)
        lines.append(Source(graph, raw, number))
    return lines


def signs(tokens: Sequence[str]) -> list[str]:
    """Tokens with brackets and quotes as the Penn Treebank writes them."""
    words: list[str] = []
    opened = False
    for token in tokens:
        if token == '"':
            words.append("''" if opened else "``")
            opened = not opened
        else:
            words.append(PTB_SIGNS.get(token, token))
    return words


def ptb(source: Source) -> list[tuple[str, int]]:
    """The Penn Treebank's tokens of a sentence, each with how many of its characters it stands for."""
    characters = visible(source.raw)
    pieces: list[tuple[str, int]] = []
    position = 0
    for token in TreebankWordTokenizer().tokenize(source.raw, convert_parentheses=True):
        width = len(token) if characters.startswith(token, position) else 1  # an escape or a quote
        pieces.append((token, width))
        position += width
    return pieces


def gold_tokens(source: Source) -> Tokens:
    """The gold tokens."""
    words = list(source.gold.tokens)
    return Tokens(words, list(accumulate(len(visible(word)) for word in words)))


def detokenised(tokens: Sequence[str]) -> str:
    """Tokens joined by Moses's detokenizer."""
    return str(MosesDetokenizer("en").detokenize(list(tokens), unescape=False))


def tokenized(line: Line, segmenter: EnglishSegmenter) -> Tokens:
    """A line through the shipped tokenizer."""
    tokens = segmenter.segment([line.raw])[0].tokens
    return Tokens([token.text for token in tokens], [*(line.at[token.end] for token in tokens[:-1]), line.at[-1]])


def respelt(words: Iterable[str], source: Source) -> Tokens:
    """The gold tokens in another spelling."""
    return Tokens(list(words), gold_tokens(source).ends)


def spellings(segmenter: EnglishSegmenter, raw: bool) -> dict[str, Callable[[Source], Tokens]]:
    """The spellings of single sentences, by name; ``raw`` says whether the true text is known."""
    moses = MosesTokenizer("en")
    rows: dict[str, Callable[[Source], Tokens]] = {
        "gold tokens": gold_tokens,
        "gold tokens, lower case": lambda source: respelt([lowered(word) for word in source.gold.tokens], source),
        "gold tokens, PTB signs": lambda source: respelt(signs(source.gold.tokens), source),
        "gold tokens, Moses signs": lambda source: respelt(map(moses.escape_xml, source.gold.tokens), source),
        "text": lambda source: tokenized(Line.of_text(source.raw), segmenter),
        "text, lower case": lambda source: tokenized(Line.of_text(lowered(source.raw)), segmenter),
        "detokenised": lambda source: tokenized(Line.of_text(detokenised(source.gold.tokens)), segmenter),
        "PTB tokens": ptb_tokens,
        "PTB text": lambda source: tokenized(Line.of_pieces(ptb(source)), segmenter),
    }
    if not raw:
        del rows["text"]
    return rows


def ptb_tokens(source: Source) -> Tokens:
    """The Penn Treebank's tokens, as they are."""
    pieces = ptb(source)
    return Tokens([text for text, _ in pieces], list(accumulate(width for _, width in pieces)))


def comparable(group: Sequence[Source], ends: Sequence[int]) -> bool:
    """Whether tokens with these ends cover the characters of some sentences, and each token at least one of them."""
    width = sum(len(visible("".join(source.gold.tokens))) for source in group)
    marks = (0, *ends)
    return marks[-1] == width and all(start < end for start, end in pairwise(marks))


def parts(text: str, ends: Sequence[int]) -> list[str]:
    """A text without white space, cut at ``ends``."""
    return [text[start:end] for start, end in pairwise((0, *ends))]


def named(graph: SceneGraph, words: Sequence[str]) -> SceneGraph:
    """A graph whose tokens are spelt as the gold text has them."""
    other = SceneGraph(words, {i for i in range(len(words)) if graph.graph.nodes[i]["punctuation"]}, root=graph.root)
    other.graph.add_nodes_from((unit, graph.graph.nodes[unit]) for unit in graph.units())
    other.graph.add_edges_from(graph.graph.edges(data=True))
    return other


@dataclass(frozen=True)
class Pair:
    """A found and a gold graph over the same parts of tokens, and the gold graph moved to the found tokens."""

    predicted: SceneGraph
    gold: SceneGraph
    kept: SceneGraph
    ends: tuple[list[int], list[int]]

    @property
    def shared_tokens(self) -> int:
        """Tokens of the same characters in both."""
        one, other = (set(pairwise((0, *ends))) for ends in self.ends)
        return len(one & other)


def pair(source: Source, tokens: Tokens, graph: SceneGraph) -> Pair:
    """A sentence's found and gold graph over the parts that both tokenizations have in common."""
    text, gold_ends = visible("".join(source.gold.tokens)), gold_tokens(source).ends
    atoms = parts(text, sorted({*gold_ends, *tokens.ends}))
    words = parts(text, tokens.ends)
    return Pair(
        retokenized(named(graph, words), atoms),
        retokenized(source.gold, atoms),
        retokenized(retokenized(source.gold, words), atoms),
        (tokens.ends, gold_ends),
    )


def joined(graphs: Sequence[SceneGraph]) -> SceneGraph:
    """The graphs of a passage's sentences under one root."""
    tokens = [token for graph in graphs for token in graph.tokens]
    whole = SceneGraph(tokens, root="root")
    offset = 0
    for number, graph in enumerate(graphs):
        names = {unit: "root" if unit == graph.root else f"{number}.{unit}" for unit in graph.units()}
        whole.graph.add_nodes_from((names[unit], graph.graph.nodes[unit]) for unit in names)
        for unit, name in names.items():
            for child, data in graph.graph.adj[unit].items():
                whole.graph.add_edge(name, child + offset if isinstance(child, int) else names[child], **data)
        offset += len(graph.tokens)
    return whole


def passage_pairs(items: Sequence[Source], segmenter: EnglishSegmenter, parser: UccaParser) -> Iterator[Pair]:
    """The sentences of whole passages, segmented and parsed as texts, then cut where the gold sentences end."""
    for _, group in groupby(items, key=lambda source: source.passage):
        review = list(group)
        paragraphs = groupby(review, key=lambda source: source.paragraph)
        line = Line.of_text("\n\n".join("".join(source.raw for source in part).strip() for _, part in paragraphs))
        text = segmenter.segment([line.raw])[0]
        ends = [*(line.at[token.end] for token in text.tokens[:-1]), line.at[-1]]
        if not comparable(review, ends):
            continue
        predicted = named(joined(parser.extract(text.sentence_words)), parts(visible(line.raw), ends))
        gold_ends: set[int] = set()
        sentence_ends: list[int] = []
        offset = 0
        for source in review:
            gold_ends.update(offset + end for end in gold_tokens(source).ends)
            offset += gold_tokens(source).ends[-1]
            sentence_ends.append(offset)
        cuts = sorted(gold_ends.union(ends))
        place = {0: 0, **{cut: number for number, cut in enumerate(cuts, 1)}}
        spans = list(pairwise((0, *(place[end] for end in sentence_ends))))
        sentences = split_passage(retokenized(predicted, parts(visible(line.raw), cuts)), spans)
        begins = (0, *sentence_ends)
        for source, graph, (begin, end) in zip(review, sentences, pairwise(begins), strict=True):
            own_ends = [cut - begin for cut in ends if begin < cut < end] + [end - begin]
            single = pair(source, Tokens([], own_ends), SceneGraph(parts(visible(source.raw), own_ends)))
            yield Pair(graph, single.gold, single.kept, single.ends)


@cache
def evaluated(predicted: bytes, gold: bytes) -> Any:
    """UCCA's evaluator over one sentence; cached, because most sentences are the same in most rows."""
    return evaluation.evaluate(passage(predicted), passage(gold))


def labelled(graphs: Sequence[SceneGraph], gold: Sequence[bytes]) -> Any:
    """UCCA's evaluator over all sentences: labelled primary and remote figures."""
    documents = [write_passage(graph, implicit=False) for graph in graphs]
    return evaluation.Scores.aggregate(map(evaluated, documents, gold))["labeled"]


COLUMNS = ("primary F1", "lost", "remote F1", "Scenes F1", "tokens F1", "kept", "not compared")


def figures(pairs: Sequence[Pair], missing: int, best: float | None) -> dict[str, float | None]:
    """One row of the table; ``best`` is the primary F1 with gold tokens, if known."""
    gold = [write_passage(one.gold, implicit=True) for one in pairs]
    scores = labelled([one.predicted for one in pairs], gold)
    kept = labelled([one.kept for one in pairs], gold)["primary"].f1
    primary, remote = (100 * float(scores[kind].f1) for kind in ("primary", "remote"))
    scenes, _ = scene_f1([one.predicted for one in pairs], [one.gold for one in pairs])
    shared = sum(one.shared_tokens for one in pairs)
    tokens = 200 * shared / sum(len(ends) for one in pairs for ends in one.ends)
    lost = None if best is None else best - primary
    return dict(zip(COLUMNS, (primary, lost, remote, scenes, tokens, 100 * kept, missing), strict=True))


def table(name: str, parser: UccaParser, most: int | None) -> None:
    """Print the rows of one set."""
    segmenter = EnglishSegmenter()
    items = sources(name, most)
    print(f"\n**{name}** ({len(items)} sentences)\n")
    digits = dict.fromkeys(COLUMNS, 2) | {"not compared": 0}
    rows = Figures(f"raw_text.{name}", "input", digits=digits, lower=["lost"])
    best: float | None = None
    for label, spell in spellings(segmenter, name != "20k").items():
        spelt = [(source, spell(source)) for source in items]
        usable = [(source, tokens) for source, tokens in spelt if comparable([source], tokens.ends)]
        graphs = parser.extract([tokens.words for _, tokens in usable])
        pairs = [pair(source, tokens, graph) for (source, tokens), graph in zip(usable, graphs, strict=True)]
        row = figures(pairs, len(items) - len(usable), best)
        rows.row(label, row, n=len(items))
        best = row["primary F1"] if best is None else best
    if name != "20k":
        pairs = list(passage_pairs(items, segmenter, parser))
        rows.row("passages", figures(pairs, len(items) - len(pairs), best), n=len(items))


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables."""
    options = CommandLine(__doc__)
    options.add_argument("--sets", nargs="*", default=["dev", "test"], choices=("dev", "test", "20k"))
    options.add_argument("--weights", help="another folder of weights")
    options.add_argument("--precision", default="int8", choices=("int8", "fp32"))
    options.add_argument("--threads", type=int, default=2)
    given = options.parse(argv)
    parser = UccaParser(encoder=UccaEncoder(threads=given.threads, precision=given.precision, weights=given.weights))
    print(parser.signature)
    for name in given.sets[:1] if given.smoke else given.sets:
        table(name, parser, 2 if given.smoke else None)


if __name__ == "__main__":
    run(main)
