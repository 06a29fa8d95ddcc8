"""`replay`: repeats one grading from the store and shows what differs."""

import json
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.cli.document import print_document
from grader.pages.presentation.text import one_line
from grader.people.appeals.differences import Field, compare
from grader.people.appeals.replay import Replay, replay


def replay_student(
    out: Path, student: str, *, as_json: bool, console: Console | None = None
) -> bool:
    """Whether the repeated result agrees with the stored one; prints both, field by field."""
    console = console or Console()
    quiet = Console(stderr=True) if as_json else console
    done = replay(out, student, lambda words: quiet.print(Text(words), soft_wrap=True))
    fields = compare(done.stored, done.repeated)
    agrees = all(field.agrees for field in fields)
    if as_json:
        document = {
            "agrees": agrees,
            "notes": done.notes,
            "fields": [field.model_dump() for field in fields],
            "stored": json.loads(done.stored.model_dump_json()),
            "repeated": json.loads(done.repeated.model_dump_json()),
        }
        print_document(document)
    else:
        _print(done, fields, console)
    return agrees


def _print(done: Replay, fields: list[Field], console: Console) -> None:
    stored = done.stored
    head = f"{one_line(stored.student)}: graded {stored.graded_at} UTC, seed {stored.key.seed}, "
    console.print(Text(f"{head}kit {stored.key.kit[:16]}"), soft_wrap=True)
    for note in done.notes:
        console.print(Text(f"  note: {one_line(note)}", style="yellow"), soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for column in ("field", "stored", "repeated", ""):
        table.add_column(column, overflow="fold")
    for field in fields:
        state = Text("agrees" if field.agrees else "DIFFERS", style="" if field.agrees else "red")
        if field.note:
            state.append(f": {field.note}")
        cells = (Text(one_line(text)) for text in (field.name, field.stored, field.repeated))
        table.add_row(*cells, state)
    console.print(table)
    differing = sum(not field.agrees for field in fields)
    last = "nothing differs" if not differing else f"{differing} of {len(fields)} fields differ"
    console.print(Text(f"{last}; the stored result is left as it is"))
