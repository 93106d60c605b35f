"""The words that the English segmenter knows: abbreviations, contractions, prefixes, closed-class words."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


TITLES = _words(
    """mr mrs ms mx dr prof rev fr sr sra st ste gen col lt maj capt cpt cmdr adm sgt cpl pvt gov sen rep reps pres hon
    messrs mme mlle mlles drs mt ft supt insp det asst amb atty"""
)
"""Abbreviations that stand before a name and so hardly ever end a sentence (lower case, without the full stop)."""

ABBREVIATIONS = TITLES | _words(
    """jr sr esq inc ltd corp co bros cos llc dept univ assn assoc dist div est etc vs v cf al ca approx ed eds trans
    ext tel fax attn blvd ave rd hwy bldg apt jan feb apr jun jul aug sept sep oct nov dec mon tue tues wed thu thur
    thurs fri esp incl excl viz resp ie eg p.m a.m i.e e.g ph.d ph.ds m.sc b.sc ed.d d.phil no nos vol vols fig figs
    pp ch sec para art op cit ibid lb lbs oz yr yrs hr hrs min mins sq cu mph conf spec temp max orig repr rpm ala
    ariz ark calif colo conn del fla ga ill ind kan ky la md mich minn miss mont neb nev okla ore pa penn tenn tex
    va vt wash wis wyo lit fem masc pl sing b d r c n pop elev dba aka arrv dep mob rec lat long lang eng ger gk fr
    seq abbr alt var subsp ssp spp sp bc b.c a.d o.k attys"""
)
"""Words that keep their full stop wherever they stand (lower case, without it)."""

ABBREVIATIONS_WHEN_CAPITALISED = _words(
    """ala ariz ark calif colo conn del fla ga ill ind kan ky la md mich minn miss mont neb nev okla ore pa penn tenn
    tex va vt wash wis wyo jan feb apr jun jul aug sep oct nov dec mon tue wed thu fri"""
)
"""Of these, those that are ordinary words or fragments unless written with a capital."""

ABBREVIATIONS_BEFORE_NUMBER = _words("""no nos art fig figs ch sec para max min pop long lat mar sat sun op est""")
"""Ordinary words that are abbreviations only before a number (``No. 5``), and keep their full stop only there."""

JOINED_PREFIXES = (
    "anti|arch|bi|co|counter|cross|de|e|ex|extra|hyper|inter|intra|macro|mega|meta|micro|mid|mini|mis|multi|neo|non"
    "|over|post|pre|pro|pseudo|psycho|quasi|re|semi|socio|sub|super|trans|tri|ultra|un|uni|vice"
)
"""Prefixes that stay joined to the word after their hyphen; every other hyphen is a token of its own."""

SPLIT_WORDS: dict[str, tuple[int, ...]] = {
    "cannot": (3,),
    "gonna": (3,),
    "wanna": (3,),
    "gotta": (3,),
    "lemme": (3,),
    "gimme": (3,),
    "dunno": (2, 3),
    "dont": (2,),
    "didnt": (3,),
    "doesnt": (4,),
    "isnt": (2,),
    "wasnt": (3,),
    "arent": (3,),
    "werent": (4,),
    "hasnt": (3,),
    "havent": (4,),
    "hadnt": (3,),
    "couldnt": (5,),
    "wouldnt": (5,),
    "shouldnt": (6,),
    "aint": (2,),
    "cant": (2,),
    "wont": (2,),
    "im": (1,),
    "ive": (1,),
    "youre": (3,),
    "youve": (3,),
    "youll": (3,),
    "theyre": (4,),
    "theyve": (4,),
    "theyll": (4,),
    "thats": (4,),
    "theres": (5,),
    "whats": (4,),
    "heres": (4,),
    "hes": (2,),
    "shes": (3,),
}
"""Contractions without an apostrophe, and where they split."""

CLOSED_CLASS = _words(
    """a about after all also although an and another any as at because before besides between both but by despite due
    during each either even every few finally first for from furthermore had has he her here hers his how however i
    if in indeed instead is it its later like many meanwhile moreover most my nevertheless nor not now of on once
    one only or other others our out over please several she since so some soon still such that the their them then
    there these they this those though thus to today together two under unlike until upon was we were what when
    where whether which while who why with within without yet you your"""
)
"""Words that begin sentences and are seldom part of a name: a capital on one of them after an abbreviation tells."""

SPEECH_VERBS = _words(
    """said says say asked asks replied answered shouted cried added wrote exclaimed called whispered thought explained
    told yelled screamed continued declared remarked insisted"""
)
"""Verbs that go with a quotation: a quotation's own final sign before them does not end the sentence."""
