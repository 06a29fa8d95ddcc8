"""Says the simulator's findings and advice anew.

They come from the submission's own process, which could forge them. So a line passes only if it is
a sentence of the simulator's catalogue, its names and lines are of files that the student may read,
and all that it could tell by its choices is less than MAX_BITS.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from common.lab.programming_models.catalogues import sentences
from grader.judging.judge.evidence import own_paths
from grader.model.result import CounterResult
from grader.model.verdict import Verdict
from grader.sandbox.checker_report import Case

MAX_BITS = 256
"""What the lines of one case may tell by their choices: no more than a few inputs."""
_MAX_CHARACTERS = 1 << 14
_AGAIN, _CHOICE = 4, 8
_BITS = {"place": 16, "name": 12, "type": 12, "quoted": 32}
"""Of something that stands there already, of one sentence of many, and of what may be read."""
_WHOLE = r"(?:0|[1-9]\d{0,19})"
_NUMBER = rf"{_WHOLE}(?:\.\d{{1,2}})?|[1-9]\d{{0,2}}(?:,\d{{3}}){{1,6}}"
_HOLES = {
    "n": _NUMBER,
    "s": f"-?{_WHOLE}",
    "i": rf"\({_WHOLE}, {_WHOLE}, {_WHOLE}\)",
    "mask": r"0x[0-9a-f]{8}",
    "place": r"an unknown place|[\w./+-]{1,200}:[1-9]\d{0,6}",
    "name": r"[A-Za-z_][\w:<>~]{0,127}",
    "type": r"[A-Za-z_][\w:<>,*& ()\[\]]{0,127}",
    "quoted": r".{1,300}?",
}
_INSTEAD = {"place": "an unknown place", "name": "?", "type": "?", "quoted": "…"}
"""For what is not the student's."""
_WORD = re.compile(r"\b(?![0-9]+\b)\w+")
"""Of a name: all but its numbers."""
_BY_EXIT = "cudasim: "
"""How death.cc begins a message where the finding is to explain the exit."""
_HEAD = re.compile(r"(?:cudasim|mpi): (warning: |)(\w+): (.*)")
"""The tool that found it, and the kind of finding."""
_NOTE = re.compile(r" \(the limit of [^()]*\)$")
_COPIED = re.compile(r"(?<= bytes of an output come from the host, by ).*(?=, limit \d+: a kernel)")
_FAILED = re.compile(r"(?<=runtime call number )(\d+), ([\w ?]*)(?=, failed, and )")


@dataclass(frozen=True)
class Sentence:
    """A sentence of the catalogue."""

    pattern: re.Pattern[str]
    holes: Sequence[str]
    """What each group of the pattern is."""


@dataclass(frozen=True)
class Readable:
    """What the student may read: the submission, and the headers that it may include."""

    texts: Sequence[str]
    """One blank for each space."""
    words: frozenset[str]
    lines: Mapping[str, int]
    """File, as messages name it -> number of its lines."""

    def has(self, hole: str, text: str) -> bool:
        if hole == "place":
            file, _, line = text.rpartition(":")
            return text == _INSTEAD[hole] or 0 < int(line) <= self.lines.get(file, 0)
        if hole == "quoted":
            return any(text in readable for readable in self.texts)
        return hole not in ("name", "type") or self.words.issuperset(_WORD.findall(text))


@dataclass
class _Said:
    """How much the lines of one case have told so far."""

    left: float = MAX_BITS
    seen: set[str] = field(default_factory=set)

    def takes(self, hole: str, text: str) -> bool:
        whole = hole in ("place", "quoted")
        for part in [text] if whole else re.findall(r"\w+", text):
            number = part.isdecimal() or hole == "mask"
            bits = (
                int(part, 0 if hole == "mask" else 10).bit_length() + 1 if number else _BITS[hole]
            )
            self.left -= _AGAIN if part in self.seen else bits
            self.seen.add(part)
        return self.left >= 0


def readable(source: str, file: str, public: Path) -> Readable:
    """Of the student's file and the headers that it may include."""
    headers = _headers(public)
    return Readable(
        [" ".join(source.split()), *headers.texts],
        headers.words.union(_WORD.findall(source)),
        {**headers.lines, file: source.count("\n") + 1},
    )


@cache
def _headers(public: Path) -> Readable:
    texts: dict[str, str] = {}
    for root in (public / "include", public / "simulator"):
        for path in (path for path in root.rglob("*") if path.is_file()):
            text = path.read_text("utf-8", "replace")
            if "\0" not in text:
                texts[path.relative_to(root).as_posix()] = text
    words = {word for text in texts.values() for word in _WORD.findall(text)}
    lines = {name: text.count("\n") + 1 for name, text in texts.items()}
    return Readable([" ".join(text.split()) for text in texts.values()], frozenset(words), lines)


def with_findings(case: Case, known: Callable[[], Readable]) -> Case:
    """The case with its findings said anew, and the verdict of the one that ended the process."""
    if not (case.findings or _COPIED.search(case.message) or _FAILED.search(case.message)):
        return replace(case, message=case.message.removeprefix(_BY_EXIT))
    student = known()
    rows = _rows(own_paths(case.findings[-_MAX_CHARACTERS:]), student)
    told = replace(
        case,
        findings="\n".join(rows),
        message=_own_message(case.message, student),
        forged=_is_forged(case.findings),
    )
    if not case.message.startswith(_BY_EXIT):
        return told
    heads = [match for row in rows if (match := _HEAD.match(row))]
    decisive = [f"{match[2]}: {match[3]}" for match in heads if not match[1]]
    if not decisive:
        return replace(told, message=told.message.removeprefix(_BY_EXIT))
    finding = decisive[0]
    note = _NOTE.search(case.message)
    verdict = Verdict(_kinds()[finding.split(":")[0]].get("verdict", Verdict.RUNTIME_ERROR))
    return replace(told, verdict=verdict, message=finding + (note[0] if note else ""))


def _is_forged(text: str) -> bool:
    """Whether a report is none that the simulator writes, but for what may be cut."""
    whole = own_paths(text[-_MAX_CHARACTERS:].rpartition("\n")[0])
    reports = re.split(r"\n(?!  )", whole)[len(text) > _MAX_CHARACTERS :]
    return not all(_is_known(_HEAD.match(report)) for report in reports if report)


def _is_known(head: re.Match[str] | None) -> bool:
    if head is None or bool(_kinds().get(head[2], {}).get("is_warning")) != bool(head[1]):
        return False
    says = _sentences_of(head[2], "says")
    return any(sentence.pattern.fullmatch(head[3]) for sentence in says)


def _own_message(message: str, student: Readable) -> str:
    """The message without texts of the process that are none of the catalogue's."""
    copied = _all("COPIES")
    message = _COPIED.sub(
        lambda match: _retold(own_paths(match[0]), copied, student, _Said()) or "a copy", message
    )

    def call(match: re.Match[str]) -> str:
        is_known = match[2] == "a kernel launch" or match[2] in student.words
        return f"{match[1]}, {match[2] if is_known else '?'}"

    return _FAILED.sub(call, message)


def retold_counter(result: CounterResult, student: Readable) -> CounterResult:
    """The result with the kernel's name and the advice that are the simulator's."""
    advice = [told for text in result.advice if (told := _advice(text, student))]
    is_named = re.fullmatch(_HOLES["name"], worst := result.worst or "", re.ASCII) and student.has(
        "name", worst
    )
    return result.model_copy(update={"advice": advice, "worst": result.worst if is_named else None})


def _advice(text: str, student: Readable) -> str:
    """`sum.cu:7: loads from …`; empty if it is no sentence."""
    at = re.match(r"([\w./+-]+:[1-9][0-9]{0,6}): ", text)
    if at and not student.has("place", at[1]):
        return ""
    begin = at[0] if at else ""
    told = _retold(text[len(begin) :], _all("ADVICE"), student, _Said())
    return told and begin + told


def _rows(text: str, student: Readable) -> list[str]:
    """The warnings, and behind them the finding that ended the process: the last one.

    What each begins with is told before details: the first warning may name the cause. Of further
    warnings only the first line is kept.
    """
    said = _Said()
    found = [match for match in map(_HEAD.match, re.split(r"\n(?!  )", text)) if match]
    last = [match for match in found if not match[1]][-1:]
    warnings = [match for match in found if match[1]]
    first = [(match, _head(match, student, said)) for match in [*last, *warnings[:1]]]
    reports = [[head, *_below(match, student, said)] for match, head in first if head]
    others = [head for match in warnings[1:] if (head := _head(match, student, said))]
    told = [reports.pop(0)] if last and first[0][1] else []
    return [row for report in [*reports, others, *told] for row in report]


def _head(report: re.Match[str], student: Readable, said: _Said) -> str:
    """A report's first line; empty if it is no sentence, or tells more than it may."""
    if bool(_kinds().get(report[2], {}).get("is_warning")) != bool(report[1]):
        return ""
    first = _retold(report[3], _sentences_of(report[2], "says"), student, said)
    tool = report[0].partition(":")[0]
    return first and f"{tool}: {report[1]}{report[2]}: {first}"


def _below(report: re.Match[str], student: Readable, said: _Said) -> list[str]:
    """The lines below, as long as they tell no more than they may."""
    adds = _sentences_of(report[2], "adds")
    rows = (_retold(row[2:], adds, student, said) for row in report.string.split("\n")[1:])
    return [f"  {row}" for row in rows if row]


def _retold(text: str, known: Sequence[Sentence], student: Readable, said: _Said) -> str:
    """The text if it is one of these sentences, without names and lines that are not readable."""
    for sentence in known:
        match = sentence.pattern.fullmatch(text)
        if match is None:
            continue
        said.left -= _CHOICE
        row, end = "", 0
        for number, hole in enumerate(sentence.holes, 1):
            if match[number] is None:
                continue
            if not said.takes(hole, match[number]):
                return ""
            own = match[number] if student.has(hole, match[number]) else _INSTEAD[hole]
            row += text[end : match.start(number)] + own
            end = match.end(number)
        return row + text[end:]
    return ""


def _kinds() -> dict[str, dict[str, str]]:
    kinds: dict[str, dict[str, str]] = sentences()["FINDINGS"]
    return kinds


@cache
def _sentences_of(kind: str, part: str) -> Sequence[Sentence]:
    common = sentences()["COMMON"] if part == "adds" else []
    return [_sentence(text) for text in [*_kinds().get(kind, {}).get(part, []), *common]]


@cache
def _all(name: str) -> Sequence[Sentence]:
    return [_sentence(text) for text in sentences()[name]]


def _sentence(text: str) -> Sentence:
    holes: list[str] = []
    tokens = re.findall(r"[{}|]|[^{}|]+", text)
    pattern = _pattern(tokens, holes)
    return Sentence(re.compile(pattern, re.ASCII), holes)


def _pattern(tokens: list[str], holes: list[str]) -> str:
    """Takes the tokens up to the end of the innermost brace."""
    pattern = ""
    while tokens and (part := tokens.pop(0)) != "}":
        if part != "{":
            pattern += "|" if part == "|" else re.escape(part)
        elif tokens[1] == "}" and (name := tokens[0]) in _HOLES:
            holes.append(name)
            pattern += f"({_HOLES[name]})"
            del tokens[:2]
        elif tokens[1] == "}" and name in sentences()["PHRASES"]:
            del tokens[:2]
            inside = (_sentence_parts(phrase, holes) for phrase in sentences()["PHRASES"][name])
            pattern += f"(?:{'|'.join(inside)})"
        else:
            pattern += f"(?:{_pattern(tokens, holes)})"
    return pattern


def _sentence_parts(text: str, holes: list[str]) -> str:
    return _pattern(re.findall(r"[{}|]|[^{}|]+", text), holes)
