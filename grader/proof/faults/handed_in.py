"""Small classes for fault injection, with the verdict that each student must finally get."""

from dataclasses import dataclass
from pathlib import Path

from grader.cli.places import sample_root
from grader.judging.sample.samples import Sample, samples
from grader.model.manifest import Kit, load_kit
from grader.model.verdict import Verdict
from grader.proof.fakes.fake_kit import GOOD, make_kit

_BUSY = f"{GOOD}// fake: compiling 0.05\n// fake: worker 0.1\n"
_FAKES = {
    Verdict.ACCEPTED: "",
    Verdict.WRONG_ANSWER: "// fake: tests SumATest wrong_answer expected 1, got 2\n",
    Verdict.COMPILE_ERROR: "// fake: compile exited 1 sum.cc:3:1: error: expected ';'\n",
    Verdict.DATA_RACE: "// fake: races SumBTest data_race\n",
}
# One that passes everything and is timed, one that fails, one that does not compile.
_OF_A_REAL_LAB = (Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.COMPILE_ERROR)


@dataclass(frozen=True)
class HandedIn:
    """A folder of submissions, and their expected verdicts."""

    kit: Kit
    submissions: Path
    expected: dict[str, Verdict]
    patience_s: float
    """Seconds that a suspension lasts; longer than a call may take."""


def fake_class(folder: Path) -> HandedIn:
    """Four students of a fake kit; grading them takes a second or two."""
    kit = load_kit(make_kit(folder))
    texts = {f"student_{verdict}": f"{_BUSY}{text}" for verdict, text in _FAKES.items()}
    for student, text in texts.items():
        path = folder / "class" / student / kit.manifest.file
        path.parent.mkdir(parents=True)
        path.write_text(f"{text}// {student}\n", encoding="utf-8")
    expected = {f"student_{verdict}": verdict for verdict in _FAKES}
    return HandedIn(kit, folder / "class", expected, 3)


def sample_class(folder: Path, root: Path) -> HandedIn:
    """Three samples of a real kit's lab."""
    kit = load_kit(root)
    found = samples(sample_root() / kit.manifest.lab)
    expected = {}
    for verdict in _OF_A_REAL_LAB:
        sample = next((s for s in found if _is_fit(s, verdict)), None)
        if sample is None:
            continue
        path = folder / "class" / f"student_{verdict}" / kit.manifest.file
        path.parent.mkdir(parents=True)
        path.write_bytes(sample.read())
        expected[f"student_{verdict}"] = verdict
    return HandedIn(kit, folder / "class", expected, kit.lab.limits.call_s + 2)


def _is_fit(sample: Sample, verdict: Verdict) -> bool:
    return sample.expected is verdict and not sample.is_hostile
