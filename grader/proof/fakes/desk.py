"""A class that hands in to a fake lab, and the commands on it."""

from pathlib import Path

import pytest

from grader.cli.app import main
from grader.judging.store import Store
from grader.proof.fakes.fake_kit import make_kit


class Desk:
    """One class and one --out; `said` is all that the last command wrote, `printed` its output."""

    def __init__(
        self, folder: Path, capture: pytest.CaptureFixture[str], kit: Path | None = None
    ) -> None:
        self.folder = folder
        self.kit = kit or make_kit(folder)
        self.submissions = folder / "class"
        self.submissions.mkdir()
        self.out = folder / "out"
        self._capture = capture
        self.said = self.printed = ""

    def hand_in(
        self, student: str, text: str | bytes, name: str = "sum.cc", where: str = "class"
    ) -> Path:
        path = self.folder / where / student / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def run(self, *arguments: str) -> int:
        """The command's exit code."""
        code = main(list(arguments))
        captured = self._capture.readouterr()
        self.printed = captured.out
        self.said = captured.out + captured.err
        return code

    def command(self, where: str = "class") -> list[str]:
        places = ["--submissions", str(self.folder / where), "--out", str(self.out)]
        return ["grade", "--lab", "fake_sum", "--kit", str(self.kit), *places]

    def grade(self, *arguments: str, where: str = "class") -> int:
        return self.run(*self.command(where), *arguments)

    def points(self) -> dict[str, float]:
        with Store(self.out, create=False) as store:
            return {result.student: result.points for result in store.results(texts=False)}
