"""``sema forms``: the pages as files (as raters meet them: ``tests/stress/browser``)."""

import re
from collections import Counter
from pathlib import Path

import pytest
from sema_raters.questionnaires import QUESTIONNAIRES, form_page, make_entries

from sema.cli.main import main
from sema.errors import InputError
from tests.rated import rated_texts


@pytest.mark.parametrize("kind", QUESTIONNAIRES)
def test_every_page_shows_all_texts_escaped_and_loads_nothing(kind: str, tmp_path: Path) -> None:
    page, texts = tmp_path / "page.html", rated_texts(tmp_path)
    given = texts[:2] if kind == "references" else texts
    assert main(["forms", kind, *given, "-w", str(page)]) == 0
    shown = page.read_text(encoding="utf-8")
    assert "The &lt;b&gt;feline&lt;/b&gt; slept &amp; purred." in shown and "<b>" not in shown
    assert ("It rained a long time." in shown) == (kind != "references")
    assert not re.search(r"(src|href)\s*=|https?://|@import", shown.replace("link.href =", ""))
    for question in QUESTIONNAIRES[kind].questions:
        assert f'name="{question.name}-0"' in shown


def test_a_text_cannot_end_the_data_and_has_a_direction_of_its_own() -> None:
    form = QUESTIONNAIRES["likert"]
    page = form_page(form, make_entries(form, ["</script><script>alert(1)</script>", "القط ينام"], {"a": ["x", "y"]}))
    assert page.count("</script>") == 2
    assert '<p class="text" dir="auto">القط ينام</p>' in page and '<p class="text" dir="auto">x</p>' in page
    with pytest.raises(InputError, match="asks about outputs"):
        make_entries(form, ["a"], {})
    with pytest.raises(InputError, match="1 source but 2 outputs of 's'"):
        make_entries(form, ["a"], {"s": ["b", "c"]})


def test_direct_assessment_has_controls_of_every_kind() -> None:
    sources = [f"{index} one two three four five six" for index in range(40)]
    outputs = [f"{index} one two three" for index in range(40)]
    entries = make_entries(QUESTIONNAIRES["da"], sources, {"a": outputs})
    controls = [entry for entry in entries if entry.control]
    assert len(entries) == 52 and Counter(entry.control for entry in controls) == dict(repeat=4, copy=4, broken=4)
    for entry in controls:
        output = outputs[int(entry.item)]
        if entry.control == "broken":
            assert len(entry.output.split()) == 3 and set(entry.output.split()) < set(output.split())
        else:
            assert entry.output == (output if entry.control == "repeat" else entry.source)
    assert entries != make_entries(QUESTIONNAIRES["da"], sources, {"a": outputs}, seed=1)
    assert entries == make_entries(QUESTIONNAIRES["da"], sources, {"a": outputs})


@pytest.mark.parametrize("text", ["我喜欢吃苹果", "He left.", "Left.", "是。", "ab cd ef"])
def test_a_broken_control_has_lost_something_and_not_all(text: str) -> None:
    controls = [
        one.output for one in make_entries(QUESTIONNAIRES["da"], ["x"], {"a": [text]}) if one.control == "broken"
    ]
    assert all(0 < len(output) < len(text) for output in controls) and controls


def test_the_papers_scales() -> None:
    for name, scales in (
        ("likert-0-4", [(0, 4), (0, 4)]),
        ("likert-plus-minus", [(1, 5), (1, 5), (-2, 2)]),
        ("structural", [(1, 3)] * 4),
        ("structural-plus-minus", [(1, 3)] * 3 + [(-2, 2)]),
    ):
        asked = QUESTIONNAIRES[name].questions
        assert [(question.low, question.high) for question in asked if question.kind == "choice"] == scales
