"""The worked cases of the papers: scene graphs written by hand, links between equal words."""

from sema.model.links import Link, LinkKind
from sema.model.scene_graph import SceneGraph
from tests.scene_graphs import scene_graph


def links(source: str, *sentences: str) -> list[list[Link]]:
    """Each source word linked to an equal word of every output sentence; each output word once."""
    result = []
    for sentence in sentences:
        free = list(enumerate(sentence.split()))
        own = []
        for position, word in enumerate(source.split()):
            if found := next((entry for entry in free if entry[1] == word), None):
                free.remove(found)
                own.append(Link(position, found[0], LinkKind.EXACT))
        result.append(own)
    return result


BOOK = "I read the book that John wrote ."


def book() -> SceneGraph:
    """One Scene (wrote) elaborates the Participant of another (read), which is its own Participant by a remote edge."""
    writing = ("E", ("F", 4), ("A", 5), ("P", 6), ("A", "book"))
    return scene_graph(BOOK, ("H", ("A", 0), ("P", 1), ("A", ("F", 2), ("C:book", 3), writing)), ("U", 7))


CALL = "John got home and gave Mary a call ."


def call() -> SceneGraph:
    """Two parallel Scenes; John is a remote Participant of the second; *gave a call* is its Process."""
    coming = ("H", ("A:john", 0), ("P", 1), ("A", 2))
    calling = ("H", ("A", 5), ("A", "john"), ("P", ("F", 4, 6), ("C", 7)))
    return scene_graph(CALL, coming, ("L", 3), calling, ("U", 8))


SYRIANS = "About 13 million Syrians had to leave their homes because of danger ."


def syrians() -> SceneGraph:
    leaving = ("H", ("A", 0, 1, 2), ("A", 3), ("D", 4, 5), ("P", 6), ("A", ("E", 7), ("C", 8)))
    return scene_graph(SYRIANS, leaving)


FRUIT = "I like banana , apple and orange ."


def fruit() -> SceneGraph:
    return scene_graph(FRUIT, ("H", ("A", 0), ("S", 1), ("A", ("C", 2), ("C", 4), ("C", 6), ("N", 5))))


TOWER = "Central Park Tower has just become the tallest residential building in the world"
TOWER_OUTPUT = (
    "Central Park Tower is a building in New York .",
    "There are only apartments in this building .",
    "There are no offices in this building .",
    "Now , it is the tallest building with apartments in the world .",
)


def tower() -> SceneGraph:
    building = ("A", ("E", 6, 7), ("E", 8), ("C", 9), ("E", ("R", 10), ("F", 11), ("C", 12)))
    return scene_graph(TOWER, ("H", ("A", 0, 1, 2), ("F", 3), ("T", 4), ("P", 5), building))


DAY = "The day Tom arrived in Beijing was Friday ."


def day() -> SceneGraph:
    """The Scene *the day was Friday*, with *Tom arrived in Beijing* inside its Participant (SEMA, section 2.1)."""
    arriving = ("E", ("A", 2), ("P", 3), ("A", ("R", 4), ("C", 5)), ("T", "day"))
    return scene_graph(DAY, ("H", ("A", ("F", 0), ("C:day", 1), arriving), ("F", 6), ("S", 7)), ("U", 8))
