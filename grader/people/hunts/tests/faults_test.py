"""Samples as faults of right programs, without what their authors' style adds."""

from pathlib import Path

from grader.judging.hunts.book import Hunt
from grader.judging.hunts.rules import rules_for
from grader.judging.sample.patches import make
from grader.people.hunts.faults import mutants_of, pool

RULES = rules_for(Path("none"))
RIGHT = """\
// The reference.
#include <b>

int F() {
  // Why.
  const int a = 1;
  int sum = 0;
  for (int i = 0; i < 9; ++i) sum += i;
  return sum + a;
}
"""


def _lab(folder: Path, wrong: dict[str, str]) -> Path:
    (folder / "f.cc").write_text(RIGHT)
    for name, text in wrong.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.with_suffix(".diff").write_text(make("f.cc", RIGHT, name, f"// Wrong: {name}\n{text}"))
    return folder


def _wrong(before: str, after: str) -> str:
    text = RIGHT.partition("\n")[2]
    return text.replace("a = 1", "a = 01").replace(before, after)


def test_what_most_samples_share_is_no_fault_and_comments_are_gone(tmp_path: Path) -> None:
    lab = _lab(
        tmp_path,
        {
            "wrong_answer/one.cc": _wrong("i < 9", "i <= 9"),
            "data_race/two.cc": "#include <a>\n" + _wrong("sum = 0", "sum"),
            "time_limit/three.cc": _wrong("++i", "--i"),
            "too_slow/four.cc": _wrong("return sum", "return sum + 0"),
        },
    )
    found = pool(lab, RULES)
    (program,) = found.programs.values()
    assert program.startswith("#include <a>\n#include <b>\n\nint F() {\n  const int a = 01;\n")
    assert "//" not in program
    assert {fault.name: fault.size for fault in found.faults} == {
        "data_race/two": 1,
        "time_limit/three": 1,
        "wrong_answer/one": 1,
    }
    one = next(fault for fault in found.faults if fault.name == "wrong_answer/one")
    hunt = Hunt(right=program, faults=[one])
    (line,) = hunt.lines(one)
    assert "i <= 9" in hunt.program.split("\n")[line - 1]


def test_mutants_are_faults_too(tmp_path: Path) -> None:
    found = pool(_lab(tmp_path, {"wrong_answer/one.cc": _wrong("i < 9", "i <= 9")}), RULES)
    mutants = mutants_of(found, RULES, "key", 4)
    assert len({fault.name for fault in mutants}) == 4
    assert mutants == mutants_of(found, RULES, "key", 4)
    assert all(fault.size == 1 for fault in mutants)
