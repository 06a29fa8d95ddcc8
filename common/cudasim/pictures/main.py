"""Writes a page of a profile that has samples (CUDASIM_PROFILE_SAMPLES=1).

main.py PROFILE.json --out PAGE.html [--title WORDS] [--root DIR] [--against OTHER.json]
        [--pictures DIR]

DIR gets each picture of the profile as an SVG file of its own.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from common.cudasim.pictures.comparison import comparison_page
from common.cudasim.pictures.evidence import Profile, profile_of
from common.cudasim.pictures.files import write_pictures
from common.cudasim.pictures.profile_page import profile_page


def main(arguments: Sequence[str]) -> int:
    """0, or 1 after an error message."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("profile", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--title", default="Profile")
    parser.add_argument("--root", type=Path, default=Path())
    parser.add_argument("--against", type=Path)
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args(arguments)
    try:
        mine = _read(given.profile)
        if given.against:
            html = comparison_page(given.title, mine, _read(given.against), given.root)
        else:
            html = profile_page(given.title, mine, given.root)
    except (OSError, ValueError, KeyError) as error:
        what = f"field {error} is missing" if isinstance(error, KeyError) else str(error)
        print(f"error: no page of {given.profile}: {what}", file=sys.stderr)
        print("  next: write the profile with CUDASIM_PROFILE_SAMPLES=1", file=sys.stderr)
        return 1
    try:
        given.out.write_text(html, encoding="utf-8")
        if given.pictures:
            write_pictures(mine, given.pictures)
    except OSError as error:
        print(f"error: cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        print("  next: make room there, or let yourself write to that folder", file=sys.stderr)
        return 1
    return 0


def _read(path: Path) -> Profile:
    return profile_of(json.loads(path.read_text(encoding="utf-8")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
