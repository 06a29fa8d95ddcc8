"""Removes from requirements.txt the hashes of files that `./setup` never installs.

pip-compile lists the hashes of every file of a release; needed are those of the wheels that pip
chooses on Linux, x86-64 and aarch64, with the versions of Python that `./setup` accepts. Needs a
pip that reads metadata without downloading wheels: 23.1 or newer.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_FILE = _ROOT / "requirements.txt"
_NEWEST_GLIBC = 39
_HASH = re.compile(r"--hash=sha256:(\w+)")


def _versions() -> range:
    """Minor versions of Python 3."""
    setup = (_ROOT / "setup").read_text()
    oldest, newest = (
        int(re.findall(rf"{name}_python=3\.(\d+)", setup)[0]) for name in ("oldest", "newest")
    )
    return range(oldest, newest + 1)


def _chosen(minor: int, processor: str) -> set[str]:
    """Hashes of the wheels that pip would install."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--report=-"]
    command += ["--only-binary=:all:", "--no-deps", "--ignore-installed", "--target=unused"]
    command += ["--require-hashes", f"--requirement={_FILE}", f"--python-version=3.{minor}"]
    for glibc in range(_NEWEST_GLIBC, 16, -1):
        command += ["--platform", f"manylinux_2_{glibc}_{processor}"]
    command += ["--platform", f"manylinux2014_{processor}"]
    report = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return {item["download_info"]["archive_info"]["hashes"]["sha256"] for item in report["install"]}


def needed(requirements: str, kept: set[str]) -> str:
    """The requirements with these hashes only."""
    first, *others = re.split(r" \\\n(?=    --hash)", requirements)
    lines = [first]
    for text in others:
        found = _HASH.search(text)
        if found and found[1] not in kept:
            lines[-1] += text[found.end() :]
        else:
            lines.append(text)
    return " \\\n".join(lines)


def main() -> None:
    kept = {
        found
        for minor in _versions()
        for processor in ("x86_64", "aarch64")
        for found in _chosen(minor, processor)
    }
    _FILE.write_text(needed(_FILE.read_text(), kept))


if __name__ == "__main__":
    main()
