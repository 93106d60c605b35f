"""The examples that the five papers print, with the structures that the papers give them.

A structure is written in brackets: ``[A:1 the [C book]]`` is a Participant with the name 1, ``[A^1]`` a remote edge to
it, and a second ``[A:1 …]`` continues a unit that other words interrupt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sema.model.scene_graph import SceneGraph

_PART = re.compile(r"\[(?P<category>[A-Z])(?P<remote>\^)?:?(?P<name>\d+)?|(?P<end>\])|(?P<word>[^\s\]]+)")


def graph(structure: str) -> SceneGraph:
    """The scene graph of a structure in brackets."""
    parts = list(_PART.finditer(structure))
    drawn = SceneGraph([part["word"] for part in parts if part["word"]])
    named: dict[str, str] = {}
    remote: list[tuple[str, str, str]] = []
    open_units, token = [drawn.root], 0
    for part in parts:
        if part["word"]:
            drawn.add_edge(open_units[-1], token)
            token += 1
        elif part["end"]:
            open_units.pop()
        elif part["remote"]:
            remote.append((open_units[-1], part["name"], part["category"]))
            open_units.append(open_units[-1])
        else:
            unit = named.get(part["name"] or "") or drawn.add_child(open_units[-1], part["category"])
            if part["name"]:
                named[part["name"]] = unit
            open_units.append(unit)
    for unit, name, category in remote:
        drawn.add_edge(unit, named[name], category, remote=True)
    return drawn


@dataclass(frozen=True)
class Example:
    """A source and its simplification; ``printed`` is the paper's score, if it prints one, 0-100."""

    paper: str
    source: str
    output: str
    metric: str
    printed: float | None = None
    structure: str = ""
    says: str = ""
    """What the paper says where it prints no number."""
    references: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The row in the table of examples."""
        said = f" ({self.says})" if self.says else ""
        return f"{self.paper}: {self.metric} of “{self.source}” → “{self.output}”{said}"


SAMSA, SEMA, SARI = "SAMSA", "SEMA", "SARI"
META, QATS = "Meta-evaluation", "Mathias and Bhattacharyya"
BOOK = "[H [A I] [P read] [A [F the] [C:1 book] [E [F that] [A John] [P wrote] [A^1]]]] [U .]"
CALL = "[H [A:1 John] [P got] [A home]] [L and] [H [P:2 [F gave]] [A Mary] [P:2 [F a] [C call]] [A^1]] [U .]"
LEFT = (
    "[H [A About 13 million] [A Syrians] [D had to] [P leave] [A [E their] [C homes]] "
    "[D because [F of] [C danger]]] [U .]"
)
FRUIT = "[H [A I] [S like] [A [C banana] [U ,] [C apple] [N and] [C orange]]] [U .]"
TOWER = (
    "[H [A Central Park Tower] [F has] [T just] [P become] [A [F the] [E tallest] [E residential] [C building] "
    "[E [R in] [F the] [C world]]]] [U .]"
)
TOWER_OUTPUT = (
    "Central Park Tower is a building in New York. There are only apartments in this building. There are no offices in "
    "this building. Now, it is the tallest building with apartments in the world."
)
CHIVALRY = (
    "[H [A [F The] [C combination] [E [R of] [C [E new] [C weapons]] [N and] [C tactics]]] [P marks] "
    "[A [E this] [C battle]] [A [R as] [F the] [C end] [E [R of] [C chivalry]]]] [U .]"
)
ORTON = (
    "[H [A [C Orton] [N and] [C [E his] [C wife]]] [P welcomed] [A Alanna Marie Orton] "
    "[T [R on] [C July 12 2008]]] [U .]"
)
KICK = (
    "[H [A [A John 's] [D unexpected] [P kick] [A [R towards] [F the] [C gate]]] [P saved] [A [F the] [C game]]] [U .]"
)
LATE = "[H [A He] [P said] [A [A he] [F will be] [S late]]] [U .]"
MAN = "[H [A [F The] [C:1 man] [E [F who] [P entered] [A [F the] [C house]] [A^1]]] [S is] [A John]] [U .]"
WHEN = "[L When] [H [A he] [F will] [P arrive] [A [R at] [C home]]] [U ,] [H [A he] [F will] [P call] [A them]] [U .]"
REPORT = (
    "[H [A [F The] [C report]] [P says] [A [R that] [A [F the] [C USA]] [F can be] [S [E war] [C criminals]]]] [U .]"
)
DAY = "[H [A [F The] [C day] [E [A Tom] [P arrived] [A [R in] [C Beijing]]]] [F was] [S Friday]] [U .]"
GRAHAM = (
    "[H [A:1 Graham] [P attended] [A Wheaton College] [T [R from] [C 1939] [R to] [C 1943]]] [U ,] [L when] "
    "[H [A he] [P graduated] [A [R with] [F a] [C BA] [E [R in] [C anthropology]]]] [U .]"
)
JEDDAH = (
    "Jeddah is the principal gateway to Mecca, Islam's holiest city, which able-bodied Muslims are required to visit "
    "at least once in their lifetime."
)
BOOK_TEXT = "I read the book that John wrote."
CALL_TEXT = "John got home and gave Mary a call."
TOWER_TEXT = "Central Park Tower has just become the tallest residential building in the world."
WARSAW = "Warsaw lies on the Vistula River, about 240 miles southeast of the Baltic coast city of Gdansk."
SPECIES = "About 95 species are currently accepted ."
SPECIES_REFERENCES = (
    "About 95 species are currently known .",
    "About 95 species are now accepted .",
    "95 species are now accepted .",
)
SCORED = (
    Example(SAMSA, BOOK_TEXT, "John wrote a book. I read that book.", "samsa", 100, BOOK),
    Example(SAMSA, BOOK_TEXT, "John wrote. I read the book.", "samsa", None, BOOK, "below 100"),
    Example(
        SAMSA,
        "The combination of new weapons and tactics marks this battle as the end of chivalry.",
        "The combination of new weapons and tactics. It is the end of chivalry.",
        "samsa",
        0,
        CHIVALRY,
    ),
    Example(
        SAMSA,
        "John's unexpected kick towards the gate saved the game.",
        "John kicked the ball towards the gate. It saved the game.",
        "samsa",
        None,
        KICK,
        "a conversion",
    ),
    Example(SAMSA, CALL_TEXT, "John got home. John gave Mary a call.", "samsa", 100, CALL),
    Example(SAMSA, CALL_TEXT, "John got home and gave. Mary called.", "samsa", None, CALL, "below 100"),
    Example(
        SEMA,
        "About 13 million Syrians had to leave their homes because of danger.",
        "About 13 million had to leave their homes.",
        "samsa_abl",
        250 / 3,
        LEFT,
    ),
    Example(SEMA, TOWER_TEXT, TOWER_OUTPUT, "samsa", 0, TOWER),
    Example(SEMA, TOWER_TEXT, TOWER_OUTPUT, "sema_base", None, TOWER, "above 0"),
    Example(SEMA, "I like banana, apple and orange.", "I love apple.", "sema_base", None, FRUIT, "the fruit counts 0"),
    Example(SEMA, "I like banana, apple and orange.", "I love apple.", "sema_part", None, FRUIT, "the fruit counts ⅓"),
    Example(
        META,
        "Orton and his wife welcomed Alanna Marie Orton on July 12 2008.",
        "Orton and his wife welcomed Alanna Marie Orton on July 12 2008.",
        "samsa",
        100,
        ORTON,
    ),
    Example(
        META,
        "Graham attended Wheaton College from 1939 to 1943, when he graduated with a BA in anthropology.",
        "Graham attended Wheaton College from 1939 to 1943. He graduated with a BA in anthropology.",
        "samsa",
        100,
        GRAHAM,
    ),
    Example(META, JEDDAH, "Jeddah is the principal gateway to Mecca.", "samsa", 14),
    *(
        Example(SARI, SPECIES, output, metric, value, "", says, SPECIES_REFERENCES)
        for metric, rows in {
            "sari_authors": (
                ("About 95 you now get in .", 26.83, ""),
                ("About 95 species are now agreed .", 75.94, "misprint: the value of “… are now accepted .”"),
                ("About 95 species are currently agreed .", 58.90, "misprint: the value of “… are now agreed .”"),
                ("About 95 species are now accepted .", 75.94, "printed for output 2"),
                ("About 95 species are now agreed .", 58.90, "printed for output 3"),
            ),
            "bleu": (
                ("About 95 you now get in .", 15.62, ""),
                ("About 95 species are now agreed .", 64.35, ""),
                ("About 95 species are currently agreed .", 64.35, ""),
            ),
        }.items()
        for output, value, says in rows
    ),
    *(
        Example(QATS, WARSAW, output, "meteor_qats", None, "", says)
        for output, says in (
            (
                "Warsaw is on the Vistula River, about 240 miles southeast of Gdansk. Gdansk is a Baltic coast city.",
                "a good preservation of meaning",
            ),
            (
                "Vistula is on the Warsaw River, about 240 miles southeast of the Baltic coast city of Gdansk.",
                "a bad preservation of meaning",
            ),
        )
    ),
    Example(QATS, "live", "lives", "meteor_qats", None, "", "some value"),
    Example(QATS, "jail", "prison", "meteor_qats", None, "", "some value"),
    Example(QATS, "kicked the bucket", "died", "meteor_qats", None, "", "some value"),
)
"""The examples with a score."""

READ = {
    SAMSA: (
        "[H [A He] [P ran] [A [R into] [F the] [C park]]] [U .]",
        MAN,
        LATE,
        WHEN,
        "[H [A [P Traveling]] [F is] [S fun]] [U .]",
        KICK,
        BOOK,
        CALL,
    ),
    SEMA: (
        "[H [A John] [P kicked] [A [E his] [C ball]]] [U .]",
        "[H [A John] [P:1 [F took]] [P:1 [F a] [C shower]]] [U .]",
        "[H [A John] [P showered]] [U .]",
        "[H [A [F The] [C dog]] [P runs] [A [R into] [F the] [C house]]] [U .]",
        REPORT,
        DAY,
        "[H [A They] [P based] [A [F the] [C report]] [A [R on] [Q hundreds of] [C interviews] [N and] [C [C analyses] "
        "[E [R of] [C photos] [U ,] [C videos] [U ,] [N and] [C [E satellite] [C images]]]]]] [U .]",
        "[H [F There] [F has been] [S conflict] [A [R in] [C Syria]] "
        "[T [R for] [F the] [E last nine] [C years]]] [U .]",
        LEFT,
        FRUIT,
        TOWER,
    ),
    META: (ORTON, GRAHAM),
}
"""The examples whose structure the papers describe, in brackets."""

SEMINAR = (
    "[H [T 2004年3月26日] [A [E 全法] [E 汉语] [E 教学] [C 研讨会]] "
    "[A 在 巴黎] [E [E 国际] [C 大学生城]] [P 举行]] [U 。]"
)
"""SEMA, section 4.3: the core word is the relation, 研讨会 and 在巴黎 are the Participants."""

CENTERS = (
    (SAMSA, "He saw [C [E big] [E brown] [C dogs]] .", "dogs"),
    (SAMSA, "He put it [C [R in] [F the] [C box]] .", "box"),
    (
        SAMSA,
        "They met [C [F The] [E previous] [C [C president] [E [R of] [F the] [C commission]]]] .",
        "president",
    ),
    (
        SEMA,
        "They saw [C [C [F the] [E tallest] [C building]] [E [R in] [F the] [C world]]] .",
        "building",
    ),
)
"""Units whose minimal center the papers name; the words around a unit are ours, because a parser reads sentences."""

LINKS = (
    (SAMSA, "commence", "start", "a substitution", ("synonym", "paraphrase")),
    (SEMA, "start", "begin", "a synonym", ("synonym",)),
    (SEMA, "run", "ran", "stemming", ("form",)),
    (SEMA, "beer", "drinks", "hyponymy", ("hyponymy",)),
    (SEMA, "kiwi", "fruit", "hyponymy", ("hyponymy",)),
    (SARI, "solely", "only", "Table 1", ("synonym", "paraphrase")),
    (SARI, "objective", "goal", "Table 1", ("synonym", "paraphrase")),
    (SARI, "undue", "unnecessary", "Table 1", ("synonym", "paraphrase")),
    (SARI, "principal", "main", "Table 3", ("synonym", "paraphrase")),
    (SARI, "principal", "key", "Table 3", ("synonym", "paraphrase")),
    (SARI, "able-bodied", "sound", "Table 3", ("synonym", "paraphrase")),
    (SARI, "able-bodied", "healthy", "Table 3", ("synonym", "paraphrase")),
    (QATS, "live", "lives", "stem", ("form",)),
    (QATS, "jail", "prison", "synonym", ("synonym",)),
)
"""Words that the papers align: paper, word of the source and of the output, what the paper calls it, the kinds of link
that say the same."""

SPLITS = (
    (BOOK, "John wrote a book. I read that book."),
    (CALL, "John got home. John gave Mary a call."),
    (MAN, "The man is John. The man entered the house."),
    (WHEN, "He will arrive at home. Then he will call them."),
    (DAY, "Tom arrived in Beijing. That day was Friday."),
    (GRAHAM, "Graham attended Wheaton College from 1939 to 1943. He graduated with a BA in anthropology."),
    (KICK, "John kicked the ball towards the gate. It saved the game."),
    (LATE, "He said something. He will be late."),
    (REPORT, "The report says something. The USA can be war criminals."),
)
"""The papers' sentences with two Scenes, each Scene in a sentence of its own; where the paper has no split, ours."""
