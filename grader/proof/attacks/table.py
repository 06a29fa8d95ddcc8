"""Prints the corpus as a Markdown table: every attack, its purpose and allowed verdicts."""

from pathlib import Path

from grader.proof.attacks.corpus import LABS, Attack, aims, attacks


def row(attack: Attack) -> str:
    """One attack's line of the table."""
    lab = LABS[attack.suffix].upper()
    verdicts = " or ".join(attack.allowed)
    purpose = attack.purpose.replace("|", "\\|")
    return f"| {attack.aim} | {attack.name} | {lab} | {purpose} | {verdicts} |"


def main() -> None:
    """The table on standard output."""
    corpus = Path(__file__).parent
    print("| Aim | Attack | Lab | What it tries: why it fails | Verdict |")
    print("| --- | --- | --- | --- | --- |")
    for aim in aims(corpus):
        for attack in sorted(attacks(corpus, aim), key=lambda attack: attack.name):
            print(row(attack))


if __name__ == "__main__":
    main()
