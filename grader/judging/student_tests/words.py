"""What a student is told of their tests. It names no program and shows nothing of one."""

from grader.judging.student_tests.programs import Fault
from grader.judging.student_tests.runs import Run
from grader.model.lab import Part
from grader.model.result import Diagnostic, Failure
from grader.model.verdict import Verdict

_SHOWS = {
    Verdict.WRONG_ANSWER: "gives a wrong result",
    Verdict.RUNTIME_ERROR: "crashes",
    Verdict.TIME_LIMIT: "does not return",
    Verdict.DEADLOCK: "does not return",
    Verdict.DATA_RACE: "has a data race",
    Verdict.OUT_OF_BOUNDS: "accesses memory outside of its data",
    Verdict.BARRIER_DIVERGENCE: "has threads that miss a barrier",
    Verdict.UNINITIALISED_READ: "reads memory that nobody wrote",
}


def refused(part: Part, run: Run, limit_s: float) -> Failure:
    """A right program with which the tests of a part do not pass."""
    if run.report and run.report.failures:
        test, message = run.report.failures[0]
        return Failure(test=test, message=f"{test} fails with a right program:\n{message}")
    if run.verdict is Verdict.TIME_LIMIT:
        text = f"the tests of {part.suite} take longer than {limit_s:g} s with a right program"
    elif run.verdict is Verdict.RUNTIME_ERROR:
        text = f"with a right program {part.suite} ended before GoogleTest did"
    else:
        text = f"with a right program {part.suite} exceeded a limit: {run.verdict}"
    return Failure(test=part.suite, message=text)


def nothing_tested(part: Part) -> Failure:
    text = f"no test ran: write TEST({part.suite}, NameOfTheCase) for {part.function}"
    return Failure(test=part.suite, message=text, not_written=True)


def undetected(part: Part, fault: Fault, missed: int, faults: int) -> Diagnostic:
    """One of the faults that the tests of a part miss."""
    shows = _SHOWS.get(fault.kind, "is wrong")
    case = f"; the grader's own test {fault.case} detects it" if fault.case else ""
    public = ", and so does the public test" if fault.public and fault.case else ""
    text = (
        f"{part.suite}: {faults - missed} of {faults} faulty programs detected. No test fails for "
        f"a program whose {part.function} {shows}{case}{public}."
    )
    return Diagnostic(phase="tests", text=text)
