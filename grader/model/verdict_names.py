"""Prints the verdicts for C++, as GRADER_VERDICT(kDataRace, "data_race")."""

from grader.model.verdict import Verdict


def _line(verdict: Verdict) -> str:
    name = "k" + "".join(word.capitalize() for word in verdict.split("_"))
    return f'GRADER_VERDICT({name}, "{verdict}")'


if __name__ == "__main__":
    print("\n".join(map(_line, Verdict)))
