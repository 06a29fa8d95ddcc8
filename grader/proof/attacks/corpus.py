"""The hostile submissions in this folder, with their purposes and allowed verdicts."""

import re
from dataclasses import dataclass
from pathlib import Path

from grader.judging.sample.samples import Sample, samples
from grader.model.errors import GraderError
from grader.model.verdict import Verdict
from grader.proof.attacks.generated import generated

LABS = {".cc": "cpu", ".cu": "cuda", ".cpp": "mpi"}
"""File suffix of a submission -> the folder of its lab."""
_FUNCTION = "void Mix("
_COUNT = "void Count()"
_HEAD = re.compile(r"(?://.*\n)+")
_NOTE = re.compile(r"^// (Or|Never says): (.*)\n", re.MULTILINE)


@dataclass(frozen=True)
class Attack:
    """One hostile submission."""

    aim: str
    """The name of its folder, such as leaks."""
    name: str
    suffix: str
    allowed: tuple[Verdict, ...]
    """The first one is the name of its folder."""
    purpose: str
    """What it tries and why it must fail."""
    text: str
    never_says: str = ""
    """A text that the student must not read, in addition to the planted secrets."""

    @property
    def full_name(self) -> str:
        return f"{self.aim}/{self.allowed[0]}/{self.name}{self.suffix}"

    def sample(self, folder: Path) -> Sample:
        """Writes the attack below `folder`, as a submission."""
        path = folder / self.full_name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.text, encoding="utf-8", errors="surrogateescape")
        return Sample(path, self.allowed[0])


def honest(corpus: Path, suffix: str) -> Path:
    """The reference of the lab that submissions of this suffix are for."""
    return corpus / LABS[suffix] / f"mix{suffix}"


def aims(corpus: Path) -> list[str]:
    """The corpus's folders of attacks."""
    inside = (path for path in corpus.iterdir() if path.is_dir())
    return sorted(path.name for path in inside if path.name not in LABS.values())


def attacks(corpus: Path, aim: str) -> list[Attack]:
    """The attacks of one aim, those that are files first."""
    found = [_read(corpus, aim, sample) for sample in samples(corpus / aim)]
    for expected, name, text in generated(aim):
        found.append(_attack(corpus, aim, Path(f"{name}.cc"), expected, text))
    return found


def _read(corpus: Path, aim: str, sample: Sample) -> Attack:
    return _attack(corpus, aim, sample.path, sample.expected, sample.read().decode())


def _attack(corpus: Path, aim: str, path: Path, expected: Verdict, text: str) -> Attack:
    """GraderError if its first lines do not state its purpose."""
    head = _HEAD.match(text)
    if not head or not head[0].startswith("// Hostile: "):
        raise GraderError(
            f"{path} does not begin with // Hostile:", "state there what it tries and why it fails"
        )
    notes = dict(_NOTE.findall(head[0]))
    others = [Verdict(name.strip()) for name in notes.get("Or", "").split(",") if name.strip()]
    purpose = " ".join(line[2:].strip() for line in _NOTE.sub("", head[0]).splitlines())
    return Attack(
        aim=aim,
        name=path.stem,
        suffix=path.suffix,
        allowed=(expected, *others),
        purpose=purpose.removeprefix("Hostile: "),
        text=f"{text}\n{_work(corpus, path.suffix, text)}",
        never_says=notes.get("Never says", ""),
    )


def _work(corpus: Path, suffix: str, text: str) -> str:
    """What an attack on something other than the computation gets for it."""
    if _FUNCTION in text:
        return ""
    counting = corpus / LABS[suffix] / f"counting{suffix}"
    source = counting if _COUNT in text else honest(corpus, suffix)
    return source.read_text(encoding="utf-8")
