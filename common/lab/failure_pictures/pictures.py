"""The pictures of a text about a failure: what a student reads, and nothing more."""

import re
from collections.abc import Iterator

from common.lab.failure_pictures.errors import errors_in
from common.lab.failure_pictures.pauses import pause_picture
from common.lab.failure_pictures.races import race_picture
from common.lab.failure_pictures.report import Source, reports_in
from common.lab.failure_pictures.ring import ring_picture
from common.lab.failure_pictures.simulator import finding_picture
from common.lab.failure_pictures.standstill import standstill_picture
from common.pictures.picture import Picture

_NO_COUNT = re.compile(r"\d{19}")
"""A number that no report has: reading one of thousands of digits is an error."""


def pictures_of(text: str, source: Source) -> Iterator[Picture]:
    """A picture for each report whose sentences are known; text that is none has none."""
    if _NO_COUNT.search(text):
        return
    for report in reports_in(text):
        drawn = (
            race_picture(report, source)
            or ring_picture(report, source)
            or finding_picture(report, source)
        )
        if drawn:
            yield drawn.picture()
    for told in (pause_picture(text, source), standstill_picture(text, source)):
        if told:
            yield told.picture()
    yield from (errors.picture() for errors in errors_in(text))
