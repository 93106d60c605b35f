"""Are the kinds of links correct? The learned aligner's kinds against a second judgement, on 200 links of MTRef dev.

    python -m benchmarks.alignment.kinds

Up to fifty links of each of four groups (exact and form; synonym and paraphrase; hyponymy; contextual), sampled with
a fixed seed from the last quarter of MTRef dev, on which the aligner was not trained. The judge uses other sources
than the aligner: Porter's stems instead of Snowball's, every sense of WordNet instead of the common ones, and PPDB's
own file.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache

from nltk.stem.porter import PorterStemmer
from sema_english.aligner import learned_aligner
from sema_english.relations import number_value
from sema_wordnet.lexicon import DATA as WORDNET
from sema_wordnet.lexicon import WordNetLexicon

from benchmarks.records import CommandLine, Figures, run
from sema.datasets.folder import data_folder
from sema.model.links import LinkKind

GROUPS = (
    {LinkKind.EXACT, LinkKind.FORM},
    {LinkKind.SYNONYM, LinkKind.PARAPHRASE},
    {LinkKind.HYPONYMY},
    {LinkKind.CONTEXTUAL},
)
GROUP = 50
_WORDNET = WordNetLexicon(WORDNET / "english.npz", senses=99, common=99)
_STEM = PorterStemmer().stem


@cache
def ppdb() -> set[tuple[str, str]]:
    file = data_folder("lexicons", "ppdb", "ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs")
    pairs = set()
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            first, _, second = line.rstrip("\n").partition("\t")
            pairs.add((first, second))
    return pairs


def judge(source: str, output: str) -> LinkKind:
    if source == output:
        return LinkKind.EXACT
    first, second = source.lower(), output.lower()
    value = number_value(source)
    if first == second or _STEM(first) == _STEM(second) or (value is not None and value == number_value(output)):
        return LinkKind.FORM
    lemmas = _WORDNET.lemmas(first), _WORDNET.lemmas(second)
    if lemmas[0] & lemmas[1]:
        return LinkKind.FORM
    if _WORDNET.are_synonyms(first, second):
        return LinkKind.SYNONYM
    forms = {first, *lemmas[0]}, {second, *lemmas[1]}
    if any((a, b) in ppdb() or (b, a) in ppdb() for a in forms[0] for b in forms[1]):
        return LinkKind.PARAPHRASE
    if _WORDNET.is_hyponym(first, second, depth=3):
        return LinkKind.HYPONYMY
    return LinkKind.CONTEXTUAL


def main(argv: Sequence[str] | None = None) -> None:
    last = 610 if CommandLine(__doc__).parse(argv).smoke else 800
    lines = data_folder("alignment", "mtref-dev.tsv").read_text(encoding="utf-8").split("\n")[600:last]
    columns = [line.split("\t") for line in lines]
    pairs = [(row[1].split(), row[3].split()) for row in columns]
    predicted = learned_aligner().all_links(pairs)
    links = [
        (source[link.source], output[link.output], link.kind)
        for (source, output), some in zip(pairs, predicted, strict=True)
        for link in some
    ]
    rng = random.Random(5)
    chosen = []
    for group in GROUPS:
        members = [link for link in links if link[2] in group]
        chosen += rng.sample(members, min(GROUP, len(members)))
    rest = [link for link in links if link[2] in GROUPS[3] | GROUPS[1] and link not in chosen]
    chosen += rng.sample(rest, min(4 * GROUP - len(chosen), len(rest)))
    table = Counter((kind, judge(source, output)) for source, output, kind in chosen)
    print(f"{len(chosen)} links; rows: the aligner's kind, columns: the judge's\n")
    figures = Figures("alignment.kinds", "the aligner's kind", digits=0, data="MultiMWA mtref-dev")
    for kind in LinkKind:
        figures.row(str(kind), {str(other): table[kind, other] or None for other in LinkKind})
    agreed = sum(table[kind, kind] for kind in LinkKind)
    print()
    share = Figures("alignment.kinds_agreed", "", digits=1, data="MultiMWA mtref-dev")
    share.row("kinds", {"agreement, %": 100 * agreed / len(chosen)}, n=len(chosen))
    differing = sorted({(s, o, str(k), str(judge(s, o))) for s, o, k in chosen if judge(s, o) is not k})
    print("differing: " + "; ".join(f"{s} -> {o} ({k}, judged {j})" for s, o, k, j in differing[:25]))


if __name__ == "__main__":
    run(main)
