"""Contradictions that Scenes show: a statement turned into its opposite, Participants exchanged, order reversed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sema.meaning.views import SceneView, Unit
from sema.metrics.meaning.contradictions import Contradiction
from sema.metrics.meaning.facts import innermost
from sema.metrics.meaning.opposites import TIED
from sema.metrics.meaning.places import ALMOST, VERBATIM, how_alike
from sema.metrics.meaning.words import Side
from sema.model.meaning import WordFacts

ONLY = "only"
PHRASE = 5
"""Words before a head in which the word that marks the agent may stand."""
REACH = 4
"""Words behind a word of denial in which it says what it denies."""
TIMES = frozenset(["before", "after"])
"""The ways of joining that are ways of ordering in time."""
MOSTLY = 0.6
"""The share of a clause's linked words that must have gone to the other clause."""

Sentences = Sequence[tuple[int, int]]
Views = Sequence[SceneView]


def turned(
    source: Side,
    output: Side,
    views: Views,
    others: Views,
    facts: WordFacts,
    sentences: tuple[Sentences, Sentences],
) -> Iterator[Contradiction]:
    """Statements whose negation is gone or new; a negation that another way of denying replaces is neither."""
    alike = how_alike(source, output)
    strictly = facts if alike >= ALMOST else None
    lost = _unpaired([t for t in _denials(source, facts) if not _kept(source, t, output, strictly)], sentences[0])
    new = _unpaired([t for t in _denials(output, facts) if not _kept(output, t, source, strictly)], sentences[1])
    spared = min(len(lost), len(new))
    free = len(lost) != len(new) and alike < VERBATIM
    for tokens, used, side, other, own, why in (
        (lost[spared:], new, source, output, views, "no longer negated"),
        (new[spared:], lost, output, source, others, "negated"),
    ):
        implied = _implied(other, used, side, facts, strictly is not None)
        for token in tokens[implied:]:
            if free and not facts.negates(side.words[token]):
                continue  # in a sentence written anew *failing to give* may be *did not give*
            stated = [t for t in _stated(own, side, token, facts) if _says_the_same(side, t, other, facts)]
            if not stated or _set_right(side, other, facts):
                continue
            here, there = (token, *stated), tuple({int(side.partners[t]) for t in stated})
            reason = f"polarity: {why} ({side.words[token]!r})"
            yield Contradiction(reason, *((here, there) if side is source else (there, here)))


def _implied(side: Side, used: Sequence[int], other: Side, facts: WordFacts, copied: bool) -> int:
    """How many words of a text can be the other's negations in other words (*the only*: *no other*).

    They are words that the other text does not have; ``used`` are those that stand for a negation already. Where nearly
    all words are the same they have to set one thing against another (*rather than*: *not*).
    """
    new = [t for t in range(len(side.words)) if t not in used and side.lower[t] not in other.counts]
    if copied:
        return sum(facts.contrasts(side.words[t]) for t in new)
    return sum(
        facts.implies_negation(side.words[t]) or facts.negates(side.words[t]) or facts.denies(side.words[t])
        for t in new
    )


def _unpaired(tokens: list[int], sentences: Sentences) -> list[int]:
    """Denials but those that come in twos: *cannot be used without changes* denies nothing."""
    return [t for start, end in sentences if len(inside := [t for t in tokens if start <= t < end]) % 2 for t in inside]


def _says_the_same(side: Side, token: int, other: Side, facts: WordFacts) -> bool:
    """Whether a word is linked to one that says the same by itself, not by what stands around it."""
    partner = int(side.partners[token])
    return partner >= 0 and side.linked(token) and facts.likeness(side.words[token], other.words[partner]) >= TIED


def _denials(side: Side, facts: WordFacts) -> list[int]:
    """The words that deny: of negation (but *not only*), and those that say it by their sense (*fail*, *refuse*)."""
    following = [*side.words[1:], ""][: len(side.words)]
    return [
        t
        for t, (word, after) in enumerate(zip(side.words, following, strict=True))
        if (facts.negates(word) and facts.force(after) != ONLY) or facts.denies(word)
    ]


def _kept(side: Side, token: int, other: Side, strictly: WordFacts | None) -> bool:
    """Whether the other text has the word too, or another for it; *no A and no B* is *no A or B*.

    Linked has to be mutual: in *found no evidence*, *found evidence* an aligner may link *no* to *evidence*.
    ``strictly``, where nearly all words are the same, the word for it has to be negative.
    """
    partner = int(side.partners[token])
    mutual = partner >= 0 and int(other.partners[partner]) == token
    word = side.lower[token]
    if other.counts[word] >= side.counts[word]:
        return True
    if word in other.counts:  # one of two is gone: that which stands for no other
        return mutual and other.lower[partner] == word
    return mutual and side.linked(token) and (strictly is None or _negative(other.words[partner], strictly))


def _negative(word: str, facts: WordFacts) -> bool:
    """Whether a word can stand for a negation: one itself, one of denial, or one that is made with *un-*."""
    return facts.negates(word) or facts.denies(word) or facts.bears_negation(word)


def _stated(views: Views, side: Side, token: int, facts: WordFacts) -> list[int]:
    """What is denied: the next word of content of the phrase, else the main relation around a word of denial.

    A word in a Participant that denies by its sense denies no more than its phrase: *at risk of heart failure*.
    """
    following: list[int] = []
    for t in range(token + 1, min(token + 1 + REACH, len(side.words))):
        if side.punctuation[t]:
            break
        if not side.weak[t]:
            following.append(t)
    if following:
        return following[:1]
    number = innermost(views, token)
    if number is None:
        return []
    inside = any(token in unit.tokens for unit in views[number].participants)
    if inside and not facts.negates(side.words[token]):
        return []
    return [t for t in views[number].relation if not side.weak[t] and t != token]


def _set_right(side: Side, other: Side, facts: WordFacts) -> bool:
    """Whether an opposite makes the same statement without the negation (*not open*, *closed*)."""
    gone = side.counts.keys() - other.counts.keys()
    new = other.counts.keys() - side.counts.keys()
    return any(
        facts.opposed(a, b) for a in gone if not facts.negates(a) for b in new if not facts.negates(b)
    )  # *without*, *with* is the negation itself


def exchanged(source: Side, output: Side, views: Views, others: Views, facts: WordFacts) -> Iterator[Contradiction]:
    """Participants of one Scene that have changed sides, voice taken into account, or subjects of two Scenes."""
    relations = _relation_words(views)
    pairs = list(_same_relations(views, others, source, output, facts))
    for view, other, pivot in pairs:
        yield from _changed_sides(view, other, pivot, source, output, relations, facts)
    yield from _changed_scenes(pairs, (relations, _relation_words(others)), source, output)


Pair = tuple[SceneView, SceneView, tuple[int, int]]
"""Two Scenes that say the same, and the word of their main relation in either text."""


def _same_relations(views: Views, others: Views, source: Side, output: Side, facts: WordFacts) -> Iterator[Pair]:
    homes: dict[int, list[SceneView]] = {}
    for other in others:
        for token in other.relation:
            homes.setdefault(token, []).append(other)
    for view in views:
        for token in view.relation:
            partner = int(source.partners[token])
            if partner in homes and not source.weak[token] and _says_the_same(source, token, output, facts):
                yield from ((view, other, (token, partner)) for other in homes[partner])
                break


def _head(unit: Unit, view: SceneView, side: Side) -> int | None:
    """The last word of content of a unit that is linked; those of the main relation are none."""
    for tokens in (unit.centers, unit.tokens):
        chosen = [t for t in tokens if t not in view.relation and not side.weak[t] and side.partners[t] >= 0]
        linked = [t for t in chosen if side.linked(t)]
        if linked:
            return linked[-1]
    return None


def _relation_words(views: Views) -> frozenset[int]:
    return frozenset(t for view in views for t in view.relation)


def _simple(view: SceneView, relations: frozenset[int]) -> list[Unit]:
    """The Participants that are no Scenes themselves: a clause may stand on either side of who says it."""
    return [unit for unit in view.participants if all(t in view.relation or t not in relations for t in unit.tokens)]


def _changed_sides(
    view: SceneView,
    other: SceneView,
    pivot: tuple[int, int],
    source: Side,
    output: Side,
    relations: frozenset[int],
    facts: WordFacts,
) -> Iterator[Contradiction]:
    simple = _simple(view, relations)
    units = [(unit, head) for unit in view.participants if (head := _head(unit, view, source)) is not None]
    for first, head in units:
        for second, tail in units:
            told = first not in simple or second not in simple
            if not head < pivot[0] < tail or (told and not _by(second, tail, pivot[0], source, facts)):
                continue
            here, there = int(source.partners[head]), int(source.partners[tail])
            homes = [_home(other, here), _home(other, there)]
            if here == there or None in homes or homes[0] is homes[1] or source.lower[head] == source.lower[tail]:
                continue
            before = here < pivot[1] < there
            after = there < pivot[1] < here
            behind = homes[1] if before else homes[0]
            if behind is None or _relators(second, source, facts) != _relators(behind, output, facts):
                continue  # *announced on its website*, *its website announced*: as good as the same
            passive = _by(second, tail, pivot[0], source, facts) is not _by(
                behind, max(here, there), pivot[1], output, facts
            )
            if (before and passive) or (after and not passive):
                said = f"role: {source.said([head])} and {source.said([tail])} are exchanged"
                yield Contradiction(said, (head, tail), (here, there))


def _home(view: SceneView, token: int) -> Unit | None:
    return next((unit for unit in view.participants if token in unit.tokens), None)


def _relators(unit: Unit, side: Side, facts: WordFacts) -> set[str]:
    """The words that relate a Participant to its Scene (*to*, *on*), but the one that marks the agent."""
    return {side.lower[t] for t in unit.relators if not facts.marks_agent(side.words[t])}


def _by(unit: Unit, head: int, pivot: int, side: Side, facts: WordFacts) -> bool:
    """Whether a Participant behind a main relation is marked as a passive's agent, where it begins or at its head."""
    begin = min((t for t in unit.tokens if t > pivot), default=pivot)
    near = {*range(begin - 2, begin + 2), *range(head - PHRASE, head)}
    return any(facts.marks_agent(side.words[t]) for t in near if pivot < t < len(side.words))


def _changed_scenes(
    pairs: Sequence[Pair], relations: tuple[frozenset[int], frozenset[int]], source: Side, output: Side
) -> Iterator[Contradiction]:
    """Two Scenes of which each now has the other's subject."""
    found: list[tuple[str, str, int, int]] = []
    for view, other, pivot in pairs:
        first, second = (
            _subject(scene, token, known, side)
            for scene, token, known, side in zip((view, other), pivot, relations, (source, output), strict=True)
        )
        if first is not None and second is not None:
            found.append((source.lower[first], output.lower[second], first, second))
    for number, (said, says, first, second) in enumerate(found):
        for was, now, third, fourth in found[number + 1 :]:
            if said == now != says == was:
                reason = f"role: {source.said([first])} and {source.said([third])} are exchanged"
                yield Contradiction(reason, (first, third), (second, fourth))


def _subject(view: SceneView, pivot: int, relations: frozenset[int], side: Side) -> int | None:
    before = [unit for unit in _simple(view, relations) if unit.tokens[-1] < pivot]
    heads = [t for unit in before[-1:] for t in unit.tokens if not side.weak[t]]
    return heads[-1] if heads else None


def reversed_order(
    source: Side, output: Side, sentences: tuple[Sentences, Sentences], facts: WordFacts
) -> Iterator[Contradiction]:
    """Clauses that a word of time or cause joins the other way round (*after* for *before*, effect for cause)."""
    here = list(_joined(source, sentences[0], facts))
    there = list(_joined(output, sentences[1], facts))
    for token, governed, rest, direction in here:
        for other, says, remains, now in there:
            same = source.lower[token] == output.lower[other]
            if not same and _both_said(token, other, source, output):
                continue
            crossed = _gone(source, governed, remains) and _gone(source, rest, says)
            straight = _gone(source, governed, says) and _gone(source, rest, remains)
            if (direction == now and crossed) or (direction != now and straight):
                said = f"order: {source.said([token])} became {output.said([other])}, or joins them the other way round"
                yield Contradiction(said, (token,), (other,))


def _both_said(token: int, other: int, source: Side, output: Side) -> bool:
    """Whether one of two words that join is in both texts, so that the other does not stand for it."""
    return source.lower[token] in output.counts or output.lower[other] in source.counts


def _joined(side: Side, sentences: Sentences, facts: WordFacts) -> Iterator[tuple[int, list[int], list[int], int]]:
    """Words that join clauses in an order: the word, the clause it governs, the rest of the sentence, its direction.

    Where the clause is said before and pointed back at (*before that*, *then*), it is what stands in front.
    """
    for start, end in sentences:
        for token in range(start, end):
            direction = facts.order(side.words[token]) or facts.sequel(side.words[token])
            if not direction or (
                token > start and facts.sequel(side.words[token]) and facts.joins(side.words[token - 1])
            ):
                continue  # *until then*
            back = _points_back(side, token, end, facts)
            stop = next((t for t in range(token + 2 + back, end) if side.punctuation[t]), end)
            if back:
                begin = start if token > start + 1 else max((s for s, _ in sentences if s < start), default=start)
                tokens = [*range(begin, token)], [*range(token + 1, stop)]
            else:
                before = [*range(start, token)]
                said = any(not side.weak[t] for t in before)
                tokens = [*range(token + 1, stop)], before if said else [*range(stop, end)]
            governed, rest = ([t for t in part if not side.weak[t]] for part in tokens)
            if governed and rest:
                yield token, governed, rest, direction


def _points_back(side: Side, token: int, end: int, facts: WordFacts) -> bool:
    """Whether a word of order stands for a clause by itself (*then*), or with one that points back (*after that*)."""
    if facts.sequel(side.words[token]):
        return True
    first, second = [*side.words[token + 1 : min(token + 3, end)], "", ""][:2]
    return not facts.joins(side.words[token]).isdisjoint(TIMES) and facts.points_back(first, second)


def _gone(side: Side, tokens: Sequence[int], where: Sequence[int]) -> bool:
    """Whether half of a clause's words are linked, most of them to some words of the other text."""
    partners = [int(side.partners[t]) for t in tokens if side.linked(t)]
    told = partners and 2 * len(partners) >= len(tokens)
    return bool(told) and sum(partner in where for partner in partners) >= MOSTLY * len(partners)
