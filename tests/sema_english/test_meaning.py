"""The meaning metrics with the parts that ship for English."""

from __future__ import annotations

import pytest

from sema import Scorer
from sema.evaluation.significance import pearson
from sema.meaning import blocks
from tests.conftest import ROOT, PublicData

NAMES = ("meaning", "meaning_recall", "meaning_precision")
SOURCE = "The committee did not approve the budget of 13 million dollars in 2004."


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer("en", NAMES)


def score(scorer: Scorer, source: str, *outputs: str) -> list[dict[str, float]]:
    report = scorer.score([source] * len(outputs), list(outputs))
    return [item.scores for item in report.systems[0].items]


def test_a_copy_is_100(scorer: Scorer) -> None:
    assert score(scorer, SOURCE, SOURCE) == [dict.fromkeys(NAMES, 100.0)]


def test_a_long_passage_is_read_sentence_by_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    source, output = (
        " ".join((ROOT / "examples/en" / name).read_text("utf-8").split("\n")).strip()
        for name in ("original.txt", "reference.txt")
    )
    scorer = Scorer("en", NAMES, level="passage")
    whole = score(scorer, source, output, source)
    monkeypatch.setattr(blocks, "WHOLE", 0)
    parts = score(scorer, source, output, source)
    assert parts[0] == pytest.approx(whole[0], abs=0.1)
    assert parts[1] == whole[1] == dict.fromkeys(NAMES, 100.0)


def test_a_stranger_is_nearly_0(scorer: Scorer) -> None:
    (found,) = score(scorer, SOURCE, "Cats like to sleep on warm roofs.")
    assert found["meaning"] < 10


@pytest.mark.parametrize(
    ("output", "lower"),
    [
        ("The committee approved the budget of 13 million dollars in 2004.", "meaning"),
        ("The committee did not approve the budget of 15 million dollars in 2004.", "meaning"),
        ("The committee did not approve the budget of 13 million dollars.", "meaning_recall"),
        ("The committee did not approve the budget of 13 million dollars in 2004 with Mary.", "meaning_precision"),
        ("The budget did not approve the committee of 13 million dollars in 2004.", "meaning"),
    ],
)
def test_what_is_lost_changed_or_added_costs(scorer: Scorer, output: str, lower: str) -> None:
    (found,) = score(scorer, SOURCE, output)
    assert found[lower] < 97
    assert found["meaning"] < 99


def test_another_voice_or_order_costs_next_to_nothing(scorer: Scorer) -> None:
    source = "A local company built the bridge over the Drina between 1931 and 1934."
    passive, fronted = score(
        scorer,
        source,
        "The bridge over the Drina was built by a local company between 1931 and 1934.",
        "Between 1931 and 1934 a local company built the bridge over the Drina.",
    )
    assert passive["meaning"] > 95
    assert fronted["meaning"] > 95


@pytest.mark.parametrize("text", ["word " * 300, "the the the", "No, no, no!", "A"])
def test_a_copy_of_anything_is_whole(scorer: Scorer, text: str) -> None:
    (found,) = score(scorer, text, text)
    assert found["meaning"] == 100


def test_evidence_gives_every_word_a_probability(scorer: Scorer) -> None:
    report = scorer.score([SOURCE], ["The committee approved the budget."], keep_items=True)
    shown = report.evidence(0)["output"]
    assert len(shown["source_words"]) == len(shown["source"])
    assert len(shown["output_words"]) == len(shown["output"])
    assert {scene["state"] for scene in shown["source_scenes"]} <= {"kept", "partly", "changed", "lost"}
    assert any("polarity" in reason for scene in shown["source_scenes"] for reason in scene["because"])


def test_it_agrees_with_people(scorer: Scorer, public_data: PublicData) -> None:
    from sema_english.training.rated_meaning import qats

    public_data("ratings", "qats2016")
    pairs = qats("test")
    report = scorer.score([pair.source for pair in pairs], [pair.output for pair in pairs])
    found = [item.scores["meaning"] for item in report.systems[0].items]
    assert pearson([pair.rating for pair in pairs], found).value > 0.5


def changed(scorer: Scorer, source: str, output: str) -> list[str]:
    shown = scorer.score([source], [output], keep_items=True).evidence(0)["output"]
    reasons = [reason for scene in shown["source_scenes"] for reason in scene["because"]]
    reasons += [reason for scene in shown["output_scenes"] for reason in scene["because"]]
    kinds = ("opposite", "polarity", "role", "order", "number", "name", "certainty", "quantity", "frequency")
    kinds += ("added", "replaced", "reference", "joined otherwise", "evidence", "duty", "unit", "condition")
    return [reason for reason in reasons if reason.startswith(kinds)]


@pytest.mark.parametrize(
    ("source", "output"),
    [
        (  # *far* and *near* are said of different places
            "Some towns on the highway, between the border almost as far as Caiguna, do not follow official time.",
            "Some towns on the highway, near the border up to Caiguna, do not use the official time.",
        ),
        (  # a small number, large changes
            "Most wards kept their name, but a small number of wards had significant differences.",
            "Although most wards kept their names, a few wards experienced large changes.",
        ),
        ("He gave to charity, to name a few.", "He gave to many different charities."),
        (  # the agent's mark stands further from the last name in one text than in the other
            "Most of the songs were written by Richard M. Sherman and Robert B. Sherman.",
            "Most of the songs were written by Richard and Robert Sherman.",
        ),
        (  # where it is announced announces it
            "The official release date of the album was announced on the band's website.",
            "The band's website announced the official release date of the album.",
        ),
        (  # *before* and *after* are in both
            "The area was extended southwards as Jose intensified, before being canceled soon after landfall.",
            "The area was extended southwards as Jose increased, before being canceled soon after landfall.",
        ),
        (  # the same but for a space
            "Prospectors from California, Europe and China were also digging along the Peel River.",
            "Prospectors from California, Europe and China were also digging along the Peel River .",
        ),
        (  # a failure that denies nothing
            "People with cardiomyopathy are often at risk of arrhythmia or sudden cardiac death or both.",
            "People with cardiomyopathy are often at risk of cardiac arrhythmia, heart failure, or death.",
        ),
        ("The film was made by a well-known physician.", "The film was made by a well-known doctor."),
        ("Tickets are thought to be sold out.", "Tickets are believed to be sold out."),
        ("The firm will probably close the plant.", "The firm will likely close the plant."),
        ("About 612 people lived on the island.", "About 600 people lived on the island."),
        ("The stall sells figs, bread and cheese.", "The stall sells cheese, bread and figs."),
        ("Neither the nurse nor the porter saw him.", "Neither the porter nor the nurse saw him."),
        ("In the valley, frost can come before October.", "Before October, frost can come in the valley."),
        ("The attack was political rather than personal.", "The attack was political, not personal."),
        ("Forty-nine kinds of moth and nine of wasp live here.", "49 kinds of moth and nine of wasp live here."),
        ("Lead is the only metal that sinks here.", "Lead sinks here, and no other metal does."),  # *only*, *no other*
        ("Entry to the museum is free on Mondays.", "On Mondays you pay nothing to enter the museum."),
        ("Her debts were the lowest of all farmers.", "No farmer's debts were as low as hers."),
        ("The baker sold the shop to his niece.", "The baker's niece bought the shop from him."),
        ("The river has grown weaker since May.", "The river has been less strong since May."),
        ("The 40-year-old pilot signed a contract.", "The pilot, who is 40, signed a new contract."),
        ("The rule changes every few years.", "The rule changes every several years."),
        (
            "Heat the oil and add the onions, after which the rice goes in.",
            "Heat the oil. Add the onions. After that the rice goes in.",
        ),
        (
            "Until then, the ferry had crossed the bay twice a day.",
            "Before that, the ferry crossed the bay twice a day.",
        ),
        ("The court imprisoned the forger.", "The court put the forger in prison."),
        ("The cyclone wrecked a string of settlements.", "The cyclone wrecked a lot of towns."),  # a simpler word
        (
            "More people died of flu between 1918 and 1920 than before.",
            "More people died of flu in 1918-20 than before.",
        ),
        ("The wind reached 60 mph in the night.", "The wind reached 60 miles per hour in the night."),
        ("Half of the production was halted by the storm.", "Half of the production was stopped by the storm."),
    ],
)
def test_what_people_rate_as_kept_is_no_contradiction(scorer: Scorer, source: str, output: str) -> None:
    assert changed(scorer, source, output) == []


@pytest.mark.parametrize(
    ("source", "output", "kind"),
    [
        ("The water in the lake was hot all summer.", "The lake's water was cold all summer.", "opposite"),
        ("Sales increased after the war ended.", "Sales decreased after the war ended.", "opposite"),
        ("The council approved the plan last week.", "The council did not approve the plan last week.", "polarity"),
        ("The report found no evidence of fraud.", "The report found evidence of fraud.", "polarity"),
        ("The dog chased the man down the street.", "The man chased the dog down the street.", "role"),
        ("The door was locked by the guard.", "The guard was locked by the door.", "role"),
        ("The snow often falls along the coast.", "The snow rarely falls along the coast.", "opposite"),
        ("Some maps of the coast were drawn by sailors.", "None maps of the coast were drawn by sailors.", "polarity"),
        ("The bridge was opened in 1945.", "The bridge was opened in 1942.", "number"),
        ("The mayor praised the new library.", "The mayor, who owns the firm, praised the new library.", "added"),
        ("The old mill was turned into a hotel.", "The old mill was turned into a school.", "replaced"),
        ("Anna said that she had won the race.", "Anna said that he had won the race.", "reference"),
        ("The strike began when the owner left.", "The strike began before the owner left.", "joined otherwise"),
        ("Drivers are allowed to park in the yard.", "Drivers are required to park in the yard.", "duty"),
        ("Doctors believe that the tea helps.", "Doctors proved that the tea helps.", "evidence"),
        ("The trail is 30 kilometres long.", "You have to walk 30 miles on this trail.", "unit"),
        ("The insurer paid for the broken window.", "The neighbour paid for the broken window.", "replaced"),
        (
            "On Sundays the men of the village mended fishing nets in the old barn behind the church.",
            "On Sundays the men of the village mended steam engines in the old barn behind the church.",
            "replaced",
        ),
        (
            "The guide waited, but he had lost the key.",
            "The guide waited, but the hermit had lost the key.",
            "reference",
        ),
        ("You may keep the deposit if the tenant smashes a mirror.", "You may keep the deposit.", "condition gone"),
        ("Many of the wells were dug by monks.", "Two of the wells were dug by monks.", "quantity"),
        (
            "Stir the sauce. Then add the wine and the salt.",
            "Stir the sauce. Before that, add the wine and salt.",
            "order",
        ),
        (
            "The delay was caused by the search for a new captain.",
            "The search for a new captain was caused by the delay.",
            "role",
        ),
        (
            "Mazda makes the pump in the cellar of this house.",
            "Subaru makes the pump in the cellar of this house.",
            "name",
        ),
        ("The city granted the licence in May.", "The city revoked the licence in May.", "opposite"),
        ("The law allows firms to share the data.", "The law requires firms to share the data.", "duty"),
        ("The film fits on 5 gigabytes of memory.", "The film fits on 5 megabytes of memory.", "unit"),
        ("Guests refrained from smoking in the hall.", "Guests were smoking in the hall.", "polarity"),
    ],
)
def test_what_says_the_opposite_is_one(scorer: Scorer, source: str, output: str, kind: str) -> None:
    assert any(reason.startswith(kind) for reason in changed(scorer, source, output))


@pytest.mark.parametrize(
    ("source", "bad", "good", "reason"),
    [
        (
            "Oxygen passes from the air sacs into the blood, while carbon dioxide moves in the opposite direction.",
            "Oxygen passes from the blood into the air sacs, while carbon dioxide moves in the opposite direction.",
            "Oxygen moves from the air sacs into the blood, while carbon dioxide goes the opposite way.",
            "role",
        ),
        (
            "Sales of the Danish firm's hearing aids exceeded those of its Swiss rival for the first time last year.",
            "Sales of the Swiss firm's hearing aids exceeded those of its Danish rival for the first time last year.",
            "Last year the Danish firm's hearing aids sold better than those of its Swiss rival for the first time.",
            "role",
        ),
        (
            "The former treasurer allegedly transferred almost two million euros to an account in Cyprus.",
            "The former treasurer transferred almost two million euros to an account in Cyprus.",
            "People say the former treasurer moved almost two million euros to an account in Cyprus.",
            "certainty",
        ),
        (
            "When Omar died in 1652, the estate passed to Pedro's eldest son rather than to Omar's widow.",
            "When Omar died in 1652, the estate passed to Omar's eldest son rather than to Omar's widow.",
            "When Omar died in 1652, Pedro's oldest son got the estate, and not Omar's widow.",
            "name",
        ),
        (
            "When the abbot fell ill, the cellarer assumed his duties and sold the abbot's horse to buy a new roof.",
            "When the abbot fell ill, the cellarer assumed his duties and sold his own horse to buy a new roof.",
            "When the abbot fell ill, the cellarer did his work and sold the abbot's horse to buy a new roof.",
            "reference",
        ),
        (
            "Payment is accepted in cash at the gate, and tickets bought online are not refundable.",
            "Payment is not accepted in cash at the gate, and tickets bought online are not refundable.",
            "You can pay in cash at the gate, and tickets bought online are not refundable.",
            "polarity",
        ),
        (
            "The second edition was printed without the coloured plates that had made the first so costly.",
            "The second edition was printed with the coloured plates that had made the first so costly.",
            "The second edition was printed without the colour pictures that had made the first so expensive.",
            "polarity",
        ),
    ],
)
def test_one_edit_of_a_copy_is_told(scorer: Scorer, source: str, bad: str, good: str, reason: str) -> None:
    report = scorer.score([source, source], [bad, good])
    told = [
        [why for scene in report.evidence(place)["output"]["source_scenes"] for why in scene["because"]]
        for place in range(2)
    ]
    assert any(why.startswith(reason) for why in told[0])
    assert not any(why.startswith(reason) for why in told[1])
    scores = [item.scores["meaning"] for item in report.systems[0].items]
    assert scores[0] < scores[1]
