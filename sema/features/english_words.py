"""Closed classes of English words that features ask for, lower-cased."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PRONOUNS = _words(
    "i you he she it we they me him her us them mine yours hers ours theirs myself yourself himself herself itself "
    "ourselves themselves who whom which what this that these those"
)
PERSONAL = _words("i you he she it we they me him her us them")
RELATIVE = _words("who whom whose which that where when why")
CONNECTIVES = _words(
    "and but or nor so yet because since although though while whereas if unless until after before when whenever once "
    "however therefore thus moreover furthermore meanwhile nevertheless nonetheless otherwise hence also then as "
    "whether despite"
)
SUBORDINATORS = _words(
    "because since although though while whereas if unless until after before when whenever once whether as despite "
    "who whom whose which that where"
)
BE = _words("be am is are was were been being 's 're 'm")
AUXILIARIES = BE | _words(
    "have has had having do does did will would shall should can could may might must 'll 've 'd wo ca"
)
PREPOSITIONS = _words(
    "of in on at by for with from to into onto over under about against between among through during within without "
    "across along around behind below beneath beside besides beyond near off out past toward towards upon via per "
    "than"
)
DETERMINERS = _words(
    "the a an some any no every each either neither both all half several many much few most more less least other "
    "another such my your his its our their"
)
NEGATIONS = _words("not n't no never nothing nobody none neither nor without hardly")
FUNCTION_WORDS = PRONOUNS | RELATIVE | CONNECTIVES | AUXILIARIES | PREPOSITIONS | DETERMINERS | NEGATIONS | {"there"}
DANGLING = DETERMINERS - {"all", "both", "some", "more", "less", "most", "least", "few", "many", "much", "none"} | (
    _words("and or but nor of because although whose which the a an than into from with at")
)
"""Words after which a sentence cannot end."""
IRREGULAR_PARTICIPLES = _words(
    "born built bought brought caught cut done drawn driven eaten fallen fed felt fought found forgotten given gone "
    "grown heard held hidden hit hung hurt kept known laid led left lent let lost made meant met paid put read ridden "
    "run said seen sent set shot shown shut sold spent spoken spread struck stolen taken taught thought thrown told "
    "torn understood woken won worn written become begun bound chosen flown frozen proven sung sunk sworn"
)
ABBREVIATED = _words("mr mrs ms dr st jr sr vs etc inc ltd co no")
