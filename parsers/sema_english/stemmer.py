"""The English Snowball stemmer (Porter2), with the same results as NLTK's ``SnowballStemmer("english")``.

Importing NLTK takes a second where SciPy and scikit-learn are installed, which is more than everything else that
scoring a sentence loads. After M. F. Porter, The English (Porter2) stemming algorithm; where NLTK's regions R1 and R2
are not its, this follows NLTK.
"""

from __future__ import annotations

_VOWELS = frozenset("aeiouy")
_SPECIAL = {
    **{
        "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl",
        "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
    },
    **{word: word for word in ("sky", "news", "howe", "atlas", "cosmos", "bias", "andes")},
    **{form: word for word in ("inning", "outing", "canning", "herring", "earring") for form in (word, word + "s")},
    **{verb + end: verb for verb in ("proceed", "exceed", "succeed") for end in ("", "s", "ed", "ing")},
}  # fmt: skip
_LONG_STARTS = ("gener", "commun", "arsen")
"""Prefixes that R1 begins behind, whatever their letters."""
_APOSTROPHES = str.maketrans("\u2019\u2018\u201b", "'''")
_DOUBLES = frozenset(("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt"))
_DERIVED = {
    "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "izer": "ize",
    "ization": "ize", "ational": "ate", "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al", "alli": "al",
    "fulness": "ful", "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble",
    "bli": "ble", "ogi": "og", "fulli": "ful", "lessli": "less", "li": "",
}  # fmt: skip
_REPLACED = frozenset(("ize", "ate", "al", "ous", "ive", "ble"))
_BEFORE_LI = frozenset("cdeghkmnrt")
_ENDINGS = {
    "tional": "tion", "ational": "ate", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ful": "",
    "ness": "", "ative": "",
}  # fmt: skip
_LAST = frozenset(
    (
        "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion",
        "al", "er", "ic",
    )
)  # fmt: skip


def snowball_stem(word: str) -> str:
    """The stem of a word, in lower case."""
    word = word.lower()
    if len(word) <= 2:
        return word
    if word in _SPECIAL:
        return _SPECIAL[word]
    word = _marked(word.translate(_APOSTROPHES).removeprefix("'"))
    first, second = _regions(word)
    for end in ("'s'", "'s", "'"):
        if word.endswith(end):
            word = word[: -len(end)]
            break
    word, second = _without_past(_without_plural(word), first, second)
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    word, second = _without_derivation(word, first, second)
    word, second = _without_endings(word, first, second)
    return _without_last(word, first, second).replace("Y", "y")


def _marked(word: str) -> str:
    """The word with ``Y`` where *y* is a consonant: at its beginning and behind a vowel."""
    if "y" not in word:
        return word
    letters = list(word)
    for place, letter in enumerate(letters):
        if letter == "y" and (place == 0 or letters[place - 1] in _VOWELS):
            letters[place] = "Y"
    return "".join(letters)


def _regions(word: str) -> tuple[int, int]:
    """Where R1 and R2 begin: each behind the first consonant that follows a vowel (of R1, in R2's case)."""
    for prefix in _LONG_STARTS:
        if word.startswith(prefix):
            return len(prefix), _region(word, len(prefix))
    first = _region(word, 0)
    return first, _region(word, first)


def _region(word: str, start: int) -> int:
    for place in range(start + 1, len(word)):
        if word[place] not in _VOWELS and word[place - 1] in _VOWELS:
            return place + 1
    return len(word)


def _has_vowel(stem: str) -> bool:
    return not _VOWELS.isdisjoint(stem)


def _without_plural(word: str) -> str:
    """Step 1a."""
    if not word.endswith(("s", "ied")):
        return word
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if not word.endswith(("us", "ss")) and _has_vowel(word[:-2]):
        return word[:-1]
    return word


def _without_past(word: str, first: int, second: int) -> tuple[str, int]:
    """Step 1b; with where R2 begins: NLTK counts an added *e* of a long word in."""
    end = next((end for end in ("eedly", "ingly", "edly", "eed", "ing", "ed") if word.endswith(end)), None)
    if end is None:
        return word, second
    stem = word[: -len(end)]
    if end.startswith("ee"):
        return (stem + "ee" if len(stem) >= first else word), second
    if not _has_vowel(stem):
        return word, second
    if stem.endswith(("at", "bl", "iz")):
        long = len(stem) >= 5 or len(stem) + 1 - first >= 3
        return stem + "e", min(second, len(stem)) if long else second
    if stem[-2:] in _DOUBLES:
        return stem[:-1], second
    return (stem + "e" if first >= len(stem) and _ends_short(stem) else stem), second


def _ends_short(stem: str) -> bool:
    """Whether a stem ends in a short syllable."""
    if len(stem) == 2:
        return stem[0] in _VOWELS and stem[1] not in _VOWELS
    return (
        len(stem) > 2
        and stem[-1] not in _VOWELS
        and stem[-1] not in "wxY"
        and stem[-2] in _VOWELS
        and stem[-3] not in _VOWELS
    )


def _without_derivation(word: str, first: int, second: int) -> tuple[str, int]:
    """Step 2; with where R2 begins, which NLTK ends where it began within what is replaced."""
    for length in range(min(7, len(word)), 1, -1):
        end = word[-length:]
        if end in _DERIVED:
            stem, new = word[:-length], _DERIVED[end]
            before = stem[-1:]
            if len(stem) < first or (end == "ogi" and before != "l") or (end == "li" and before not in _BEFORE_LI):
                return word, second
            if new in _REPLACED and len(stem) < second:
                second = len(stem) + len(new) - (new in ("ate", "ive"))
            return stem + new, second
    return word, second


def _without_endings(word: str, first: int, second: int) -> tuple[str, int]:
    """Steps 3 and 4; with where R2 begins."""
    for length in range(min(7, len(word)), 2, -1):
        end = word[-length:]
        if end in _ENDINGS:
            stem = word[:-length]
            if len(stem) >= (second if end == "ative" else first):
                word = stem + _ENDINGS[end]
                if end == "ational" and len(stem) < second:
                    second = len(word)
            break
    for length in range(min(5, len(word)), 1, -1):
        end = word[-length:]
        if end in _LAST:
            stem = word[:-length]
            if len(stem) >= second and (end != "ion" or stem[-1:] in ("s", "t")):
                return stem, second
            break
    return word, second


def _without_last(word: str, first: int, second: int) -> str:
    """Step 5."""
    place = len(word) - 1
    if word.endswith("l"):
        return word[:-1] if place >= second and word[-2:] == "ll" else word
    if not word.endswith("e"):
        return word
    short = len(word) < 4 or _ends_short(word[:-1])
    return word[:-1] if place >= second or (place >= first and not short) else word
