"""The phrase simplifier: rules, a linear model and a beam search behind one object (``sema.simplifiers``: ``ppdb``)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Self

from sema_english.ngrams import ngram_model
from sema_rerank.nbest import Candidate
from sema_rerank.simplifiers import read_weights
from sema_wordnet import WordNetLexicon

from sema import InputError, SceneGraph, Text
from sema.languages import find_language
from sema.model.language import Parts
from sema.model.lexicon import Lexicon
from sema.runtime.forks import cached_property
from sema_simplifier.accepting import accepted
from sema_simplifier.decoding import BEAM, CHANGED, OPTIONS, BeamDecoder, Derivation, Option, weight_vector
from sema_simplifier.features import FEATURES, RuleFeatures
from sema_simplifier.rules import EMPTY, LONGEST, NOTHING, Contribution, Phrase, RuleTable, simpler_words
from sema_simplifier.splitting import constituents, splits
from sema_simplifier.wording import folded, reworded

TABLES = Path(__file__).parent / "tables"
WEIGHTS, LEARNED_WEIGHTS = TABLES / "weights.json", TABLES / "weights_learned.json"
"""Tuned to SARI on the tune part of TurkCorpus: with the rules that ship, and with those of that corpus too."""
PHRASES = TABLES / "phrases.json.gz"
"""Rules of several words, learned from OneStopEnglish and SWiPE (``training.english.phrases``)."""
MOST_RULES = 10
"""The number of learned rules that are tried for one phrase: those that references applied most."""
LEAST_SHARE = 0.03
"""The least share of references that applied a learned rule that is tried."""


class PhraseSimplifier:
    """Simplifies English sentence by sentence.

    Args:
        rules: more rules learned from people's simplifications (:mod:`sema_simplifier.learn`), beside PPDB's words and
            the rules that ship.
        weights: a file of weights, as ``sema tune`` writes it; by default the shipped ones.
        split: also split sentences by their Scenes.
        syntax: apply rules of several words only to constituents: units of the scene graph, or neighbours below one
            unit. Both options parse every text.
        check: rewrite only where the encoder accepts it (:mod:`sema_simplifier.accepting`). Without it the simplifier
            is that of the paper, for tuning to a metric.
    """

    features: Mapping[str, str] = FEATURES
    lang = "en"

    def __init__(
        self,
        *,
        rules: Annotated[Path | None, "a table of more learned rules; none: those that ship"] = None,
        weights: Annotated[Path | None, "weights as `sema tune` writes them; none: those that ship"] = None,
        split: Annotated[bool, "split sentences by their Scenes too"] = False,
        syntax: Annotated[bool, "apply rules of several words to constituents alone"] = True,
        check: Annotated[bool, "rewrite only where the encoder accepts it"] = True,
    ) -> None:
        self._table = EMPTY if rules is None else RuleTable.load(rules)
        self._shipped = RuleTable.load(PHRASES)
        self._split, self._syntax, self._check = split, syntax, check
        shipped = WEIGHTS if rules is None else LEARNED_WEIGHTS
        self.weights: Mapping[str, float] = _checked(read_weights(shipped if weights is None else weights))

    def weighted(self, weights: Mapping[str, float]) -> Self:
        """The same simplifier with other weights.

        Raises:
            InputError: a weight names an unknown feature.
        """
        other = copy(self)
        other.weights = _checked(weights)
        return other

    @property
    def signature(self) -> str:
        """Rules, weights and size of the search."""
        digest = sha256(json.dumps(sorted(self.weights.items())).encode()).hexdigest()[:8]
        rules = "+".join(table.signature for table in (self._shipped, self._table) if table is not EMPTY)
        switches = {",split": self._split, ",syntax": self._syntax, ",checked": self._check}
        size = f"{BEAM}/{OPTIONS}" + "".join(name for name, on in switches.items() if on)
        return f"ppdb-simplifier:2,rules={rules},weights={digest},beam={size}"

    def candidates(self, texts: Sequence[Text], count: int) -> list[tuple[Candidate, ...]]:
        """For each text at most ``count`` candidates, the best first.

        Each sentence is simplified on its own; the text's n-th candidate joins the n-th candidates of its sentences.
        """
        graphs: dict[Phrase, SceneGraph] = {}
        if self._split or self._syntax:
            sentences = list(dict.fromkeys(words for text in texts for words in text.sentence_words))
            graphs = dict(zip(sentences, self._parts.extractor.extract(sentences), strict=True))
        return [self._text(text, graphs, count) for text in texts]

    def _text(self, text: Text, graphs: Mapping[Phrase, SceneGraph], count: int) -> tuple[Candidate, ...]:
        if not text.tokens:
            return (Candidate(text.raw, 0.0, dict.fromkeys(FEATURES, 0.0)),)
        starts = [start for start, _ in text.sentences]
        decoded = [self._sentence(words, graphs.get(words), count) for words in text.sentence_words]
        made: dict[str, Candidate] = {}
        for rank in range(max(map(len, decoded))):
            best = [derivations[min(rank, len(derivations) - 1)] for derivations in decoded]
            candidate = _candidate(text, list(zip(starts, best, strict=True)))
            made.setdefault(candidate.text, candidate)
        return tuple(sorted(made.values(), key=lambda candidate: -(candidate.score or 0.0)))

    def _sentence(self, words: Phrase, graph: SceneGraph | None, count: int) -> list[Derivation]:
        plain = folded(words)
        options = list(self._rewrites(plain))
        if self._syntax and graph is not None:
            allowed = constituents(graph)
            options = [one for one in options if one.length == 1 or (one.start, one.start + one.length) in allowed]
        if self._check:
            options = accepted(words, options, self._parts, self._lexicon)
        for split in splits(graph) if self._split and graph is not None else ():
            source = plain[split.start : split.start + split.length]
            options.append(Option(*split, self._features.change(source, split.target, splits=1)))
        return self._decoder.decode(plain, options, weight_vector(self.weights), count)

    def _rewrites(self, words: Sequence[str]) -> Iterator[Option]:
        own = self._table.contribution(words)
        for start, word in enumerate(words):
            learned = list(self._learned(words, start, own))
            yield from learned
            known = {option.target for option in learned if option.length == 1}
            for simpler in simpler_words().get(word, ()):
                if (simpler,) not in known:
                    synonym = self._lexicon.are_synonyms(word, simpler)
                    vector = self._features.change((word,), (simpler,), own, word=1, synonym=synonym)
                    yield Option(start, 1, (simpler,), vector)

    def _learned(self, words: Sequence[str], start: int, own: Contribution) -> Iterator[Option]:
        for length in range(1, min(LONGEST, len(words) - start) + 1):
            phrase = tuple(words[start : start + length])
            seen: set[Phrase] = set()
            for table, counted in ((self._table, own), (self._shipped, NOTHING)):
                for rule in sorted(table.known(phrase, counted), key=lambda rule: -rule.uses)[:MOST_RULES]:
                    if rule.share >= LEAST_SHARE and rule.rule.target not in seen:
                        seen.add(rule.rule.target)
                        vector = self._features.learned(rule, own, shipped=table is self._shipped)
                        yield Option(start, length, rule.rule.target, vector)

    def ranked(self, phrase: Sequence[str]) -> list[tuple[str, float]]:
        """A phrase's candidates with their scores as a sentence's only change, the best first.

        The score of the phrase itself is 0; the language models are left out (Xu et al. 2016, section 4.1, Table 3).
        """
        plain, weights = folded(phrase), weight_vector(self.weights)
        whole = [option for option in self._rewrites(plain) if option.length == len(plain)]
        scored = {" ".join(option.target): float(option.vector @ weights + weights[CHANGED]) for option in whole}
        return sorted({**scored, " ".join(plain): 0.0}.items(), key=lambda entry: (-entry[1], entry[0]))

    @cached_property
    def _parts(self) -> Parts:
        return find_language("en").parts()

    @cached_property
    def _lexicon(self) -> Lexicon:
        return WordNetLexicon.english()

    @cached_property
    def _features(self) -> RuleFeatures:
        return RuleFeatures(self._table)

    @cached_property
    def _decoder(self) -> BeamDecoder:
        return BeamDecoder(ngram_model("original"), ngram_model("simple"))


def _checked(weights: Mapping[str, float]) -> dict[str, float]:
    unknown = sorted(weights.keys() - FEATURES.keys())
    if unknown:
        raise InputError(f"the simplifier has no feature {unknown[0]!r}; it has {', '.join(FEATURES)}")
    return dict(weights)


def _candidate(text: Text, chosen: Sequence[tuple[int, Derivation]]) -> Candidate:
    """The candidate from one derivation for each sentence; ``chosen`` also has each sentence's first token."""
    moved = [replace(one, start=one.start + start) for start, derivation in chosen for one in derivation.applied]
    vector = sum(derivation.vector for _, derivation in chosen)
    replaced = [" ".join(text.words[option.start : option.start + option.length]) for option in moved]
    return Candidate(
        reworded(text, moved),
        sum(derivation.score for _, derivation in chosen),
        dict(zip(FEATURES, vector.tolist(), strict=True)),  # type: ignore[union-attr]
        tuple(f"{old} -> {' '.join(option.target)}" for old, option in zip(replaced, moved, strict=True)),
    )
