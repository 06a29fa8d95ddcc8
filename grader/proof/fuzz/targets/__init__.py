"""The Python fuzz targets."""

from grader.proof.fuzz.target import Target
from grader.proof.fuzz.targets import lab, objects, reports, results, source, submissions

TARGETS: list[Target] = [
    target
    for module in (submissions, source, objects, reports, results, lab)
    for target in module.TARGETS
]
