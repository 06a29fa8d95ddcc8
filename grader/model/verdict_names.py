"""Prints the verdicts for C++, as GRADER_VERDICT(kDataRace, "data_race", true); true: evidence."""

from __future__ import annotations

from grader.model.verdict import Kind, Verdict


def _line(verdict: Verdict) -> str:
    name = "k" + "".join(word.capitalize() for word in verdict.split("_"))
    evidence = str(verdict.kind is Kind.EVIDENCE).lower()
    return f'GRADER_VERDICT({name}, "{verdict}", {evidence})'


if __name__ == "__main__":
    print("\n".join(map(_line, Verdict)))
