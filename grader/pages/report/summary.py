"""Statistics of a class, accumulated result by result."""

import math
from collections import Counter
from dataclasses import dataclass, field
from statistics import fmean, median

from grader.model.lab import Lab
from grader.model.result import PartResult, Result
from grader.model.verdict import Verdict
from grader.pages.presentation.facts import flags, is_graded
from grader.pages.presentation.roofline import GpuSpeeds, gpu_speeds


@dataclass(frozen=True)
class Interval:
    """A measured ratio with its confidence interval."""

    ratio: float
    low: float
    high: float


@dataclass
class PartSummary:
    """One part over the whole class."""

    title: str
    function: str
    max_points: float
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    points: list[float] = field(default_factory=list)
    ratios: list[Interval] = field(default_factory=list)
    gpu_calls: list[GpuSpeeds] = field(default_factory=list)
    """Of the submissions that were timed on a GPU."""

    def add(self, part: PartResult) -> None:
        self.verdicts[part.verdict] += 1
        if part.verdict.is_final:
            self.points.append(part.points)
        timing = part.timing
        if timing and all(0 < x < math.inf for x in (timing.ratio, timing.low, timing.high)):
            self.ratios.append(Interval(timing.ratio, timing.low, timing.high))
        if timing and (speeds := gpu_speeds(timing)):
            self.gpu_calls.append(speeds)

    @property
    def right(self) -> int:
        """How many submissions gave right answers, fast enough for points or not."""
        return self.verdicts[Verdict.ACCEPTED] + self.verdicts[Verdict.TOO_SLOW]

    @property
    def mean(self) -> float | None:
        return fmean(self.points) if self.points else None

    @property
    def median_ratio(self) -> float | None:
        return median(interval.ratio for interval in self.ratios) if self.ratios else None

    @property
    def commonest_mistake(self) -> tuple[Verdict, int] | None:
        fine = (Verdict.ACCEPTED, Verdict.JUDGE_ERROR, Verdict.NOT_GRADED)
        wrong = [(v, n) for v, n in self.verdicts.most_common() if v not in fine]
        return wrong[0] if wrong else None


class ClassSummary:
    """Counts over a class. Keeps a few numbers per student and none of their texts."""

    def __init__(self, lab: Lab) -> None:
        self.max_points = lab.max_points
        self.students = 0
        self.flagged = 0
        self.verdicts: Counter[Verdict] = Counter()
        self.points: list[float] = []
        self.protections: Counter[str] = Counter()
        self.first_graded = ""
        self.last_graded = ""
        self.parts = {
            part.function: PartSummary(part.title, part.function, part.max_points)
            for part in lab.parts
        }

    def add(self, result: Result) -> None:
        """Counts one result. Points that are not final are left out of mean and median."""
        self.students += 1
        self.verdicts[result.verdict] += 1
        self.flagged += any(True for _ in flags(result))
        self.protections.update(set(result.protections_lost))
        if is_graded(result):
            self.points.append(result.points)
        if result.graded_at:
            self.first_graded = min(self.first_graded or result.graded_at, result.graded_at)
            self.last_graded = max(self.last_graded, result.graded_at)
        for part in result.parts:
            if part.function in self.parts:
                self.parts[part.function].add(part)

    @property
    def not_graded(self) -> int:
        return self.students - len(self.points)

    @property
    def mean(self) -> float | None:
        return fmean(self.points) if self.points else None

    @property
    def median(self) -> float | None:
        return median(self.points) if self.points else None

    def counted_verdicts(self) -> list[tuple[Verdict, int]]:
        """Verdicts that occur, in the order of `Verdict`."""
        return [(verdict, self.verdicts[verdict]) for verdict in Verdict if self.verdicts[verdict]]
