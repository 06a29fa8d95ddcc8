"""The folder that a student gets."""

from pathlib import Path

from grader.judging.hunts.book import Hunt
from grader.judging.hunts.diagnosis import KINDS
from grader.model.files import make_folder, write_text
from grader.model.kind import DIAGNOSIS, SHOWS_TEST

_ENTRY = """
[[fault]]
kind = ""
lines = ""
input = ""
remedy = ""
"""
_CASE = """
// The smallest input that shows the fault of entry {number}. Right programs pass.
TEST(Fault{number}, NameOfTheCase) { FAIL() << "not written yet"; }
"""


def write_folder(folder: Path, lab: str, file: str, hunt: Hunt) -> None:
    """Replaces its files."""
    make_folder(folder)
    count = len(hunt.faults)
    write_text(folder / file, hunt.program)
    write_text(folder / DIAGNOSIS, _diagnosis(file, count))
    write_text(folder / SHOWS_TEST, _tests(lab, file, count))
    write_text(folder / "README.md", _readme(lab, file, count))


def _diagnosis(file: str, count: int) -> str:
    head = (
        f"# What is wrong in {file}: an entry for each of its {count} faults, in any order.\n"
        f"# kind    one of {', '.join(KINDS[:5])},\n"
        f"#         {', '.join(KINDS[5:])}\n"
        f'# lines   where it is in {file} as you got it: "42" or "42-45"\n'
        "# input   the smallest input that shows it, in words\n"
        "# remedy  what must change, in a sentence\n"
    )
    return head + _ENTRY * count


def _tests(lab: str, file: str, count: int) -> str:
    header = file.rpartition(".")[0] + ".h"
    head = f'#include "labs/{lab}/{header}"\n\n#include <gtest/gtest.h>\n'
    return head + "".join(_CASE.replace("{number}", str(n)) for n in range(1, count + 1))


def _readme(lab: str, file: str, count: int) -> str:
    stem = SHOWS_TEST.partition(".")[0]
    return f"""\
# Your hunt

`{file}` solves the lab `{lab}`, but it has {count} faults. Those who sit beside you have others.
`labs/EXERCISES.md` in the labs' repository says how a hunt is done and graded. In short:

1. Copy `{file}` to `labs/{lab}/{file}`, test it there, and read it against that lab's handout.
2. Fill in `{DIAGNOSIS}`: for each fault its kind, its lines in `{file}` as you got it, an
   input that shows it, and the remedy.
3. Write the cases of `{SHOWS_TEST}`, which pass with right programs and fail with the fault.
   Beside `{file}` it runs with `bazel test //labs/{lab}:{stem}`.
4. Mend `{file}`, and change little else.

Hand in `{file}`, `{DIAGNOSIS}` and `{SHOWS_TEST}`: in a folder, or as one zip archive.
"""
