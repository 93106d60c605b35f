"""Train the sentence boundary classifier: ``python -m training.english.boundaries``.

Text: the documents of UD English EWT train, and one-sentence Wikipedia texts (TurkCorpus tune, the first half of
WikiSplit validation, PWKP validation) joined at random. Every text is used as written, tokenized, with lower-case
sentence starts, and in lower case throughout. Needs scikit-learn; takes a minute or two on one core.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from sema_english.segmentation.sentences import SPEECH_VERBS, WEIGHTS, Passage, boundary_features
from sema_english.segmentation.tokenizer import tokenize
from sema_ud.conllu import read_sentences

from sema.datasets.folder import data_folder
from training.command import command
from training.data.tables import read_lines

Document = list[tuple[str, list[str]]]
"""Sentences in order: each text with the white space after it, and the gold tokens (or none)."""

FINAL_ABBREVIATIONS = (
    *("U.S.", "U.S.", "U.S.", "U.K.", "Inc.", "Co.", "Ltd.", "Corp.", "Jr.", "Sr.", "D.C.", "F.C.", "A.D.", "B.C."),
    *("p.m.", "a.m.", "etc.", "Ph.D.", "L.A.", "N.Y.", "Dec.", "Ave.", "St."),
)
"""Abbreviations that end sentences: the Wikipedia texts have too few such ends."""

ABBREVIATED_ENDS = 0.05
"""The share of Wikipedia sentences whose last word is replaced by one of them."""

SPEAKERS = ("he", "she", "they", "I", "we", "the man", "her mother", "John", "Mary")
QUOTED_SPEECH = 0.03
"""The share of Wikipedia sentences that become direct speech, with a question mark inside the quotation."""

GLUED_ENDS = 0.03
"""The share of Wikipedia sentences that lose the space after them."""

STRENGTH, RARE = 0.5, 6
"""The inverse of the L2 penalty; features that are seen less often than this are left out."""


def ud_documents(path: Path) -> Iterator[Document]:
    """The paragraphs of a CoNLL-U file, with the white space as the file gives it."""
    document: Document = []
    for sentence in read_sentences(path):
        if document and sentence.starts_paragraph:
            yield document
            document = []
        document.append((sentence.text + (" " if sentence.space_after else ""), list(sentence.tree.words)))
    if document:
        yield document


def wikipedia_documents(seed: int = 1) -> Iterator[Document]:
    """Texts of one to four single sentences of Wikipedia each."""
    lines = [
        line.strip()
        for name, limit in (
            ("turkcorpus/tune.truecase.detok.orig", None), ("wikisplit/wikisplit.valid.untok.orig", 2500),
            ("pwkp/pwkp.valid.orig", 1500),
        )
        for line in read_lines("simplification", *name.split("/"))[:limit]
        if line.strip()[-1:] in tuple('.!?"')
    ]  # fmt: skip
    chance = random.Random(seed)
    chance.shuffle(lines)
    while lines:
        size = chance.randint(1, 4)
        document: Document = []
        for line in lines[:size]:
            if line[-1] == "." and chance.random() < ABBREVIATED_ENDS:
                line = line.rsplit(" ", 1)[0].rstrip(" ,") + " " + chance.choice(FINAL_ABBREVIATIONS)
            elif line[-1] == "." and '"' not in line and chance.random() < QUOTED_SPEECH:
                speech = f"{chance.choice(SPEAKERS)} {chance.choice(sorted(SPEECH_VERBS))}"
                line = f'"{line[:-1]}{chance.choice("?!")}" {speech}{chance.choice((".", " to them."))}'
            words = [token.text for token in tokenize(line)]
            glued = line[-2:-1].isalpha() and chance.random() < GLUED_ENDS
            document.append((line + ("" if glued else " "), words))
        yield document
        del lines[:size]


def versions(document: Document) -> Iterator[tuple[str, set[int]]]:
    """A document in up to five spellings, each with the character offsets at which its sentences end.

    A sentence that ends with an abbreviation is seen in its own case only: without capitals nothing shows that it ends.
    """
    written = [text for text, _ in document]
    tokenized = [" ".join(words) + " " for _, words in document]
    abbreviated = any(words[-1] in FINAL_ABBREVIATIONS for _, words in document)
    for sentences in (written, tokenized):
        yield _joined(sentences)
        if not abbreviated:
            yield _joined([text.lower() for text in sentences])
    if not abbreviated:
        yield _joined([text[:1].lower() + text[1:] for text in tokenized])


def _joined(sentences: Sequence[str]) -> tuple[str, set[int]]:
    ends: set[int] = set()
    position = 0
    for text in sentences:
        ends.add(position + len(text.rstrip()))
        position += len(text)
    return "".join(sentences), ends


def examples(documents: Iterable[Document]) -> Iterator[tuple[list[str], bool]]:
    """Features and gold decision of every place of every version of the documents."""
    for document in documents:
        for raw, ends in versions(document):
            tokens = tokenize(raw)
            passage = Passage(raw, tokens)
            first = 0
            for place in passage.places():
                gold = any(
                    tokens[index].end in ends or (index > place.final and tokens[index].start in ends)
                    for index in range(place.final, place.after)
                )
                yield boundary_features(passage, place, first), gold
                if gold:
                    first = place.after


def train() -> dict[str, float]:
    """Weights by feature, the bias under the empty name."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    ud = ud_documents(data_folder("ud", "en_ewt", "en_ewt-ud-train.conllu"))
    rows, gold = zip(*examples(chain(ud, wikipedia_documents())), strict=True)
    counts = Counter(name for features in rows for name in features)
    vectorizer = DictVectorizer()
    matrix = vectorizer.fit_transform([{name: 1.0 for name in features if counts[name] >= RARE} for features in rows])
    matrix.indices, matrix.indptr = matrix.indices.astype("int32"), matrix.indptr.astype("int32")  # liblinear's width
    model = LogisticRegression(C=STRENGTH, solver="liblinear")
    model.fit(matrix, gold)
    found = zip(vectorizer.get_feature_names_out(), model.coef_[0], strict=True)
    weights = {str(name): round(float(weight), 3) for name, weight in found if abs(weight) >= 0.02}
    return {"": round(float(model.intercept_[0]), 3), **weights}


@command
def main(to: Path = WEIGHTS) -> None:
    """Train and write the segmenter's weights."""
    about = "English sentence boundary classifier, trained on UD English EWT (CC BY-SA 4.0) and Wikipedia (CC BY-SA)"
    record = {"about": about, "weights": train()}
    to.write_text(json.dumps(record, ensure_ascii=False, indent=0, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
