"""The service's web application: its routes, and what stands in front of them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from grader.service.service import Service
from grader.service.web import (
    account_pages,
    api,
    board,
    events,
    signing_in,
    staff_pages,
    student_pages,
    templating,
)
from grader.service.web.errors import HANDLERS
from grader.service.web.limits import Limits, Rates
from grader.service.web.security import Guard, Headers
from grader.service.web.sessions import SignIn
from grader.service.web.settings import HOST, PORT, WebSettings, reached_at

_STATIC = Path(__file__).resolve().parent / "static"
_KEPT = {"Cache-Control": "public, max-age=600"}
_PAGES = (signing_in, api, events, student_pages, board, account_pages, staff_pages)
"""Modules with ROUTES; their views are plain functions, which run in threads."""

_RATES = Rates()


def app(service: Service, settings: WebSettings | None = None, rates: Rates = _RATES) -> Starlette:
    """The application. Without settings, for this machine and the course's address."""
    public = service.course.hand_in.address
    settings = settings or WebSettings(reached_at(public, HOST, PORT))
    limits = Limits(rates)
    made = Starlette(
        routes=[
            Route("/static/service.css", _style_sheet),
            Mount("/static", StaticFiles(directory=_STATIC)),
            *(route for module in _PAGES for route in module.ROUTES),
        ],
        middleware=[
            Middleware(Headers),
            Middleware(ExceptionMiddleware, HANDLERS),
            Middleware(Guard, settings, SignIn(service, settings), limits, _file_bytes(service)),
        ],
        exception_handlers=HANDLERS,
        lifespan=_lifespan,
    )
    made.router.redirect_slashes = False
    made.state.service, made.state.settings, made.state.limits = service, settings, limits
    made.state.poller = events.Poller(service)
    return made


@asynccontextmanager
async def _lifespan(made: Starlette) -> AsyncIterator[None]:
    task = asyncio.create_task(made.state.poller.run())
    yield
    task.cancel()


@cache
def _css() -> str:
    return templating.style_sheet()


def _style_sheet(_request: Request) -> Response:
    return Response(_css(), media_type="text/css", headers=_KEPT)


def _file_bytes(service: Service) -> dict[str, int]:
    return {name: lab.limits.source_kb << 10 for name, lab in service.labs.items()}
