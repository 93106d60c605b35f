from typing import Any

import pytest

schemathesis = pytest.importorskip("schemathesis", reason="pip install schemathesis (the extra `dev`)")
hypothesis = pytest.importorskip("hypothesis")
app = pytest.importorskip("sema.web.app", reason="the server needs fastapi (the extra `web`)", exc_type=ImportError)
limits = pytest.importorskip("sema.web.limits")
esperanto = pytest.importorskip("tests.esperanto").esperanto

pytestmark = pytest.mark.stress
APP = app.create_app(limits.Limits(job_items=20), languages={"eo": esperanto(), "en": esperanto()}, hosts=("*",))
SCHEMA = schemathesis.openapi.from_asgi("/openapi.json", APP)


@SCHEMA.parametrize()
@hypothesis.settings(max_examples=30, deadline=None, suppress_health_check=list(hypothesis.HealthCheck))
def test_nothing_answers_5xx(case: Any) -> None:
    answer = case.call()
    case.validate_response(answer, checks=[schemathesis.checks.not_a_server_error])
    if answer.status_code >= 400:
        assert answer.json()["detail"]
