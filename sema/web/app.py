"""The server: a page, and a JSON API (``/openapi.json``); see :class:`sema.web.limits.Limits` for its limits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from sema import __version__
from sema.display.pictures.words import say
from sema.errors import SemaError
from sema.model.language import Language
from sema.web import api, page, uploads
from sema.web.guard import Guard
from sema.web.jobs import Jobs
from sema.web.limits import Limits, without_folders
from sema.web.schemas import Problem
from sema.web.service import Service

HOSTS = ("127.0.0.1", "localhost", "[::1]")


def create_app(
    limits: Limits | None = None, *, languages: Mapping[str, Language] | None = None, hosts: tuple[str, ...] = HOSTS
) -> FastAPI:
    """The application, for any ASGI server, with ``languages`` besides those that are installed.

    Host names other than ``hosts`` are refused, as protection against DNS rebinding; ``*`` in one stands for anything.
    """
    service = Service(limits, languages)
    jobs = Jobs(service)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await jobs.close()

    app = FastAPI(
        title="sema",
        version=__version__,
        description="Does the simpler text still say what the original said? Scores with their evidence.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses={"4XX": {"model": Problem, "description": "The reason, with advice"}},
        exception_handlers=dict.fromkeys(
            (SemaError, ModuleNotFoundError, RequestValidationError, HTTPException), _problem
        ),
    )
    app.state.service, app.state.jobs = service, jobs
    for part in (api, uploads, page):
        app.include_router(part.router)
    app.add_middleware(Guard, limits=service.limits, hosts=hosts, uploads=("/jobs",))
    return app


async def _problem(_: Request, error: Exception) -> Response:
    """The answer to a request that fails."""
    status, headers, detail = 422, None, str(error)
    if isinstance(error, HTTPException):
        status, headers, detail = error.status_code, error.headers, error.detail
    elif isinstance(error, ModuleNotFoundError):
        detail = f"the Python package {error.name!r} is missing on the server; ask for something else"
    elif isinstance(error, RequestValidationError):
        reasons = [": ".join([".".join(map(str, entry["loc"][1:])), entry["msg"]]) for entry in error.errors()[:5]]
        detail = f"{'; '.join(reasons).removeprefix(': ')}; see /openapi.json"
    shown = say(without_folders(detail)).encode("utf-8", "backslashreplace").decode()
    return JSONResponse({"detail": shown}, status, headers)
