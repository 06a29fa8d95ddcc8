"""The table of outcomes, its summary, and the same as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from common.cudasim.fidelity.labelled.model import Row


def table(rows: Iterable[Row]) -> str:
    """A row of Markdown for each program."""
    lines = ["| program | expected | check mode | agreement | |", "| --- | --- | --- | --- | --- |"]
    for row in rows:
        kind = row.outcome.kind if row.outcome else "-"
        cells = [row.program.name, row.program.label, kind, row.agreement, remark(row)]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


def remark(row: Row) -> str:
    """The judgement of a disagreement, the first line of one not judged, why it was not run."""
    if row.outcome is None:
        return row.why_not
    if row.judgement:
        return row.judgement.reason
    if row.agreement == "NOT JUDGED":
        return row.outcome.detail
    return row.program.note


def summary(title: str, rows: list[Row]) -> str:
    """`ScoR: 46 programs, 40 agree, 4 disagree (source 3, input 1), 2 not run`."""
    counts = Counter(row.agreement for row in rows)
    judged = {k.removeprefix("judged: "): n for k, n in counts.items() if k.startswith("judged")}
    causes = ", ".join(f"{cause} {number}" for cause, number in sorted(judged.items()))
    parts = [f"{len(rows)} programs", f"{counts['agrees']} agree"]
    if judged:
        parts.append(f"{sum(judged.values())} disagree ({causes})")
    if counts["NOT JUDGED"]:
        parts.append(f"{counts['NOT JUDGED']} disagree and are not judged")
    if counts["not run"]:
        parts.append(f"{counts['not run']} not run")
    return f"{title}: {', '.join(parts)}"


def record(row: Row) -> dict[str, Any]:
    """The row for JSON."""
    return {
        "suite": row.program.suite,
        "program": row.program.name,
        "expected": str(row.program.label),
        "outcome": row.outcome.kind if row.outcome else None,
        "detail": row.outcome.detail if row.outcome else row.why_not,
        "agreement": row.agreement,
        "reason": row.judgement.reason if row.judgement else None,
        "note": row.program.note,
    }
