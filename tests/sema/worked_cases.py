"""The worked cases of the papers: scene graphs written by hand, links between equal words."""

from __future__ import annotations

from sema.model.links import Link, LinkKind
from sema.model.scene_graph import SceneGraph


def graph(text: str) -> SceneGraph:
    return SceneGraph(text.split())


def links(source: str, *sentences: str, synonyms: dict[str, str] | None = None) -> list[list[Link]]:
    """Each source word linked to an equal word, or to its synonym, of every output sentence; each output word once."""
    result = []
    for sentence in sentences:
        words = sentence.split()
        free = set(range(len(words)))
        own = []
        for position, word in enumerate(source.split()):
            for wanted, kind in ((word, LinkKind.EXACT), ((synonyms or {}).get(word), LinkKind.SYNONYM)):
                target = next((index for index in sorted(free) if words[index] == wanted), None)
                if target is not None:
                    free.remove(target)
                    own.append(Link(position, target, kind))
                    break
        result.append(own)
    return result


BOOK = "I read the book that John wrote ."


def book() -> SceneGraph:
    """One Scene (wrote) elaborates the Participant of another (read), which is its own Participant by a remote edge."""
    scene = graph(BOOK)
    reading = scene.add_child(scene.root, "H")
    scene.add_child(reading, "A", tokens=[0])
    scene.add_child(reading, "P", tokens=[1])
    read_thing = scene.add_child(reading, "A")
    scene.add_child(read_thing, "F", tokens=[2])
    center = scene.add_child(read_thing, "C", tokens=[3])
    writing = scene.add_child(read_thing, "E")
    scene.add_child(writing, "F", tokens=[4])
    scene.add_child(writing, "A", tokens=[5])
    scene.add_child(writing, "P", tokens=[6])
    scene.add_edge(writing, center, "A", remote=True)
    scene.add_child(scene.root, "U", tokens=[7])
    return scene


CALL = "John got home and gave Mary a call ."


def call() -> SceneGraph:
    """Two parallel Scenes; John is a remote Participant of the second; *gave a call* is its Process."""
    scene = graph(CALL)
    coming = scene.add_child(scene.root, "H")
    john = scene.add_child(coming, "A", tokens=[0])
    scene.add_child(coming, "P", tokens=[1])
    scene.add_child(coming, "A", tokens=[2])
    scene.add_child(scene.root, "L", tokens=[3])
    calling = scene.add_child(scene.root, "H")
    scene.add_child(calling, "A", tokens=[5])
    scene.add_edge(calling, john, "A", remote=True)
    process = scene.add_child(calling, "P")
    scene.add_child(process, "F", tokens=[4, 6])
    scene.add_child(process, "C", tokens=[7])
    scene.add_child(scene.root, "U", tokens=[8])
    return scene


SYRIANS = "About 13 million Syrians had to leave their homes because of danger ."


def syrians() -> SceneGraph:
    scene = graph(SYRIANS)
    leaving = scene.add_child(scene.root, "H")
    scene.add_child(leaving, "A", tokens=[0, 1, 2])
    scene.add_child(leaving, "A", tokens=[3])
    scene.add_child(leaving, "D", tokens=[4, 5])
    scene.add_child(leaving, "P", tokens=[6])
    homes = scene.add_child(leaving, "A")
    scene.add_child(homes, "E", tokens=[7])
    scene.add_child(homes, "C", tokens=[8])
    return scene


FRUIT = "I like banana , apple and orange ."


def fruit() -> SceneGraph:
    scene = graph(FRUIT)
    liking = scene.add_child(scene.root, "H")
    scene.add_child(liking, "A", tokens=[0])
    scene.add_child(liking, "S", tokens=[1])
    fruits = scene.add_child(liking, "A")
    for token in (2, 4, 6):
        scene.add_child(fruits, "C", tokens=[token])
    scene.add_child(fruits, "N", tokens=[5])
    return scene


TOWER = "Central Park Tower has just become the tallest residential building in the world"
TOWER_OUTPUT = (
    "Central Park Tower is a building in New York .",
    "There are only apartments in this building .",
    "There are no offices in this building .",
    "Now , it is the tallest building with apartments in the world .",
)


def tower() -> SceneGraph:
    scene = graph(TOWER)
    becoming = scene.add_child(scene.root, "H")
    scene.add_child(becoming, "A", tokens=[0, 1, 2])
    scene.add_child(becoming, "F", tokens=[3])
    scene.add_child(becoming, "T", tokens=[4])
    scene.add_child(becoming, "P", tokens=[5])
    building = scene.add_child(becoming, "A")
    scene.add_child(building, "E", tokens=[6, 7])
    scene.add_child(building, "E", tokens=[8])
    scene.add_child(building, "C", tokens=[9])
    place = scene.add_child(building, "E")
    scene.add_child(place, "R", tokens=[10])
    scene.add_child(place, "F", tokens=[11])
    scene.add_child(place, "C", tokens=[12])
    return scene


DAY = "The day Tom arrived in Beijing was Friday ."


def day() -> SceneGraph:
    """The Scene *the day was Friday*, with *Tom arrived in Beijing* inside its Participant (SEMA, section 2.1)."""
    scene = graph(DAY)
    being = scene.add_child(scene.root, "H")
    participant = scene.add_child(being, "A")
    scene.add_child(participant, "F", tokens=[0])
    center = scene.add_child(participant, "C", tokens=[1])
    arriving = scene.add_child(participant, "E")
    scene.add_child(arriving, "A", tokens=[2])
    scene.add_child(arriving, "P", tokens=[3])
    place = scene.add_child(arriving, "A")
    scene.add_child(place, "R", tokens=[4])
    scene.add_child(place, "C", tokens=[5])
    scene.add_edge(arriving, center, "T", remote=True)
    scene.add_child(being, "F", tokens=[6])
    scene.add_child(being, "S", tokens=[7])
    scene.add_child(scene.root, "U", tokens=[8])
    return scene
