"""A hunt in a real lab, played by students of several kinds: each gets their points.

Run as a program: hunt_samples_test.py KIT TESTS_KIT FOLDER SAMPLES. FOLDER/faults.toml names two
faults of one right program, which the cases in FOLDER/shows_test.cc show.
"""

import os
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from grader.judging.collect.several import joined
from grader.judging.hunts.book import Book, Hunt
from grader.judging.hunts.rules import rules_for
from grader.judging.hunts.shows import one_text
from grader.judging.judge.context import GradingContext, open_context
from grader.judging.kinds.run import grade_with_retries
from grader.model.kind import DIAGNOSIS, SHOWS_TEST
from grader.model.manifest import load_kit
from grader.pages.presentation.derivation import derive
from grader.pages.presentation.feedback import feedback_text
from grader.people.checks.pytest_program import chosen_cases, run_cases
from grader.people.hunts.faults import Pool, pool
from grader.people.hunts.folder import write_folder
from grader.people.hunts.kit import describe, kit_aside
from grader.people.hunts.proof import built

_KIT, _TESTS_KIT, _FOLDER, _SAMPLES = (f"HUNT_{name}" for name in ("KIT", "TESTS", "HUNT", "LAB"))
_SHOWS_NOTHING = (
    b"#include <gtest/gtest.h>\nTEST(Fault1, Passes) {}\nTEST(Fault2, Fails) { FAIL(); }\n"
)
_DOES_NOT_COMPILE = b"TEST(Fault1, Misspelt) { EXPECT_EQ(1, 1) }\n"
_ENTRY = '[[fault]]\nkind = "{kind}"\nlines = "{lines}"\ninput = "small"\nremedy = "this"\n'


def _path(variable: str) -> Path:
    return Path(os.environ[variable])


@cache
def _book() -> Book:
    """Made for the folder's faults, whose libraries are built with the kit."""
    found = pool(_path(_SAMPLES), rules_for(_path(_FOLDER)))
    names = tomllib.loads((_path(_FOLDER) / "faults.toml").read_text(encoding="utf-8"))["faults"]
    by_name = {fault.name: fault for fault in found.faults}
    faults = tuple(by_name[name] for name in names)
    programs = {faults[0].base: found.programs[faults[0].base]}
    return Book(
        lab=load_kit(_path(_KIT)).manifest.lab,
        key="none",
        programs=programs,
        libraries=dict.fromkeys(programs, ""),
        faults={fault.name: fault for fault in faults},
        students={"ada": names},
    )


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GradingContext]:
    """Of the hunt's kit."""
    lab, tests = load_kit(_path(_KIT)), load_kit(_path(_TESTS_KIT))
    target = tmp_path_factory.mktemp("hunt") / "kit"
    begun = _book()
    with kit_aside(lab, tests, target) as aside:
        made = built(aside, lab, tests, Pool(begun.programs, tuple(begun.faults.values())))
        faults = {fault.name: fault for fault in made.faults}
        assert all(fault.testable for fault in made.faults)
        book = begun.model_copy(update={"faults": faults, "libraries": made.libraries})
        describe(aside, lab, book, rules_for(_path(_FOLDER)), len(faults))
    with open_context(load_kit(target), 7, 1) as opened:
        yield opened


def _hunt() -> Hunt:
    hunt = _book().hunt("ada")
    assert hunt
    return hunt


def _diagnosis() -> str:
    hunt = _hunt()
    return "".join(
        _ENTRY.format(kind=fault.kind, lines=min(hunt.lines(fault))) for fault in hunt.faults
    )


def _shows() -> bytes:
    return (_path(_FOLDER) / SHOWS_TEST).read_bytes()


def _grade(
    context: GradingContext, program: str, diagnosis: bytes, tests: bytes, student: str = "ada"
) -> tuple[list[float], str]:
    """The points of each part, and what the student reads."""
    file = context.kit.manifest.file
    files = {file: program.encode(), DIAGNOSIS: diagnosis, SHOWS_TEST: tests}
    submission = one_text(student, student, file, joined(student, files))
    result = grade_with_retries(context, submission)
    said = feedback_text(result, context.kit.lab)
    assert result.verdict.is_final, said
    for part in derive(result, context.kit.lab).parts:
        assert sum(row.points for row in part.rows if row.is_added) == part.points
    return [part.points for part in result.parts], said


def test_an_honest_student_earns_all_points(context: GradingContext) -> None:
    points, said = _grade(context, _hunt().right, _diagnosis().encode(), _shows())
    assert points == [40, 30, 30], said


def test_another_program_wrong_kinds_and_lines_and_no_input_cost_their_points(
    context: GradingContext,
) -> None:
    first, second = _diagnosis().split("[[fault]]")[1:]
    kind = f'"{_hunt().faults[0].kind}"'
    sloppy = "[[fault]]" + first.replace(kind, '"deadlock"') + "[[fault]]" + second
    line = str(min(_hunt().lines(_hunt().faults[1])))
    sloppy = sloppy.replace(f'"{line}"', '"1-500"')
    reference = (_path(_SAMPLES) / context.kit.manifest.file).read_text(encoding="utf-8")
    points, said = _grade(context, reference, sloppy.encode(), _SHOWS_NOTHING)
    assert points == [0, 10, 0], said
    assert "fix it instead of writing another one" in said
    assert "the kind is another one" in said
    assert "lines 1-500 are not where a fault is, or too many" in said
    assert "Fault2 do not pass with a right program" in said


def test_the_template_earns_nothing(context: GradingContext, tmp_path: Path) -> None:
    file = context.kit.manifest.file
    write_folder(tmp_path, _book().lab, file, _hunt())
    template = (tmp_path / DIAGNOSIS).read_bytes(), (tmp_path / SHOWS_TEST).read_bytes()
    points, said = _grade(context, (tmp_path / file).read_text(encoding="utf-8"), *template)
    assert points == [0, 0, 0], said
    assert "the program is as you got it" in said


def test_a_mended_program_with_broken_files_earns_nothing_and_says_why(
    context: GradingContext,
) -> None:
    points, said = _grade(context, _hunt().right, b"[[fault]]\nkind = race\n", _DOES_NOT_COMPILE)
    assert points == [0, 0, 0], said
    assert "diagnosis.toml is not TOML: Invalid value (at line 2" in said
    assert "shows_test.cc:1" in said


def test_a_fault_that_was_left_in_the_program_costs_the_program(context: GradingContext) -> None:
    hunt = _hunt()
    left = hunt.alone(hunt.faults[1])
    points, said = _grade(context, left, _diagnosis().encode(), b"")
    assert points == [0, 20, 20], said
    assert "shows_test.cc is missing or empty" in said


def test_a_stranger_has_no_hunt(context: GradingContext) -> None:
    points, said = _grade(context, _hunt().right, b"", b"", student="nobody")
    assert points == [0, 0, 0]
    assert "no hunt was drawn for nobody" in said


if __name__ == "__main__":
    os.environ.update(zip((_KIT, _TESTS_KIT, _FOLDER, _SAMPLES), sys.argv[1:5], strict=True))
    sys.exit(run_cases(__file__, [*chosen_cases(), *sys.argv[5:]]))
