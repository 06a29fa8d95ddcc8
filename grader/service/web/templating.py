"""The service's pages: the reports' jinja environment with templates and words of its own."""

from datetime import datetime, tzinfo
from functools import cache
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, FileSystemLoader

from grader.pages.report.templating import environment as environment_of_reports
from grader.pages.report.templating import own, style
from grader.people.course.local_time import span_text

_HERE = Path(__file__).resolve().parent


@cache
def environment() -> Environment:
    """Every value is escaped; templates of the reports can be imported by their names."""
    reports = environment_of_reports()
    assert reports.loader
    made = reports.overlay(
        loader=ChoiceLoader([FileSystemLoader(_HERE / "templates"), reports.loader])
    )
    made.filters = made.filters | {"moment": moment, "span": span_text}
    return made


def render(template: str, **values: object) -> str:
    """A page; `values` are what templates/base.html.j2 asks for, and the template's own."""
    return environment().get_template(template).render(**values)


def style_sheet() -> str:
    """service.css: the reports' styles, and what forms and live pages need besides."""
    ours = (_HERE / "static" / "service.css").read_text(encoding="utf-8")
    return f"{style('base', 'feedback')}{ours}"


def moment(at: datetime, zone: tzinfo) -> str:
    """A time on the course's clocks; live.js shows it on those of the browser.

    Both name their zone, as nobody should have to guess whose midnight a deadline is.
    """
    local = at.astimezone(zone)
    words = f"{local:%a} {local.day} {local:%b, %H:%M %Z}"
    return own(f'<time datetime="{at.isoformat(timespec="seconds")}" data-local>{words}</time>')
