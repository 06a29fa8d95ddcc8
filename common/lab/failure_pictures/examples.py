"""examples: writes the pictures that labs/README.md shows, beside this file."""

from collections.abc import Mapping
from pathlib import Path

from common.lab.failure_pictures.pictures import pictures_of
from common.lab.failure_pictures.report import Source
from common.pictures.markup import Markup

FOLDER = Path(__file__).parent
REPORTS = {
    "race": """cudasim: data_race: kernel Shift, shift.cu:6: read of shared memory races with the \
write at shift.cu:5
  thread (7, 0, 0) of block (0, 0, 0): read of 4 bytes at shift.cu:6
  thread (8, 0, 0) of block (0, 0, 0): write at shift.cu:5
  both had passed __syncthreads() at shift.cu:4
  no __syncthreads() or __syncwarp() lies between the two
""",
    "deadlock": """ThreadSanitizer: lock-order-inversion (potential deadlock)
  M1 was locked by thread T1
    Give() at transfer.cc:3
  M0 had been locked by the same thread
    Give() at transfer.cc:2
  M0 was locked by thread T2
    Take() at transfer.cc:8
  M1 had been locked by the same thread
    Take() at transfer.cc:7
""",
    "wrong_results": "element 47 of 1536: expected 3.25, got 0; 125 more are wrong: "
    "row 31 or column 47 in 32 rows of 48",
}
SOURCE = Source(
    {
        "shift.cu": ["", "", "", "__syncthreads();", "tile[i] = in[i];", "out[i] = tile[i + 1];"],
        "transfer.cc": [
            *("", "lock(from);", "lock(to);", "", ""),
            *("", "lock(to);", "lock(from);"),
        ],
    }
)


def examples() -> Mapping[str, Markup]:
    """File -> SVG."""
    drawn = {name: next(pictures_of(text, SOURCE)) for name, text in REPORTS.items()}
    return {f"{name}.svg": picture.file() for name, picture in drawn.items()}


if __name__ == "__main__":
    for file, svg in examples().items():
        (FOLDER / file).write_text(f"{svg}\n", encoding="utf-8")
