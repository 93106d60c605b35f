"""Questionnaires as self-contained HTML pages: a rater opens one, answers, and saves a CSV file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict

from sema.display.pictures.pages import rendered
from sema_raters.questionnaires import Entry, Questionnaire


def form_page(questionnaire: Questionnaire, entries: Sequence[Entry], *, lang: str = "en") -> str:
    """The page for entries in this order; nothing in it is loaded from elsewhere, and no text can become markup.

    ``lang`` is the language of the texts, for the browser.
    """
    shown = [asdict(entry) for entry in entries]
    questions = [question.name for question in questionnaire.questions]
    digest = hashlib.sha256(json.dumps([shown, questions]).encode()).hexdigest()[:16]
    columns = ("item", "system", "control", "source", "output")  # of the answers, beside the rater and the questions
    data = {"key": f"sema-{digest}", "entries": shown, "questions": questions, "columns": columns}
    return rendered("form.html", "sema_raters", entries=entries, data=data, questionnaire=questionnaire, lang=lang)
