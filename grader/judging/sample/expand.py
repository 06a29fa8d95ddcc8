"""expand.py LAB OUT NAME...: expands the patches NAME of the folder LAB to files below OUT."""

import sys
from pathlib import Path

from grader.judging.sample.patches import LabFolder, expand
from grader.model.errors import GraderError


def main(lab: str, out: str, *names: str) -> int:
    """Returns 1 and prints the reason if a patch does not apply."""
    for name in names:
        path = Path(out, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            LabFolder(Path(out)).write(name, expand(LabFolder(Path(lab)), name))
        except GraderError as error:
            print(error, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
