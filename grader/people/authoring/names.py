"""The name, kind and title of a new lab, and which of them are right."""

import re
from dataclasses import dataclass
from typing import Literal, get_args

from grader.model.errors import GraderError

Kind = Literal["pthreads", "openmp", "cuda", "mpi", "plain"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_LANGUAGES = {"cuda": "cu", "mpi": "cpp"}

LONGEST_NAME = 32
"""With it twice, as folder and as file, an #include still fits into a line of 100 columns."""
LONGEST_TITLE = 60

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_TITLE = re.compile(r"[\w][\w ,.+'-]*")
_TAKEN = frozenset(["exports", "labs", "solutions", "common", "grader", "third_party", "tools"])
"""A lab has a generated file exports.cc, and the others are folders of the workspace."""
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
    char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
    constinit continue decltype default delete do double dynamic_cast else enum explicit export
    extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires return
    short signed sizeof static static_assert static_cast struct switch template this thread_local
    throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while
    xor xor_eq
        """,
    )
)


@dataclass(frozen=True)
class NewLab:
    """What the author says of a new lab. GraderError if a name or title is not usable."""

    name: str
    kind: Kind
    title: str

    def __post_init__(self) -> None:
        if reason := _wrong_name(self.name, self.topic):
            raise GraderError(
                f"{self.name!r} is no name for a lab: {reason}",
                f"choose one such as {self.kind}_topic",
            )
        if len(self.title) > LONGEST_TITLE or not _TITLE.fullmatch(self.title):
            raise GraderError(
                f"{self.title!r} is no title for a lab: only letters, digits, blanks and ,.+'-, at "
                f"most {LONGEST_TITLE} characters",
                "choose another --title; you can change it in README.md and lab.toml later",
            )

    @property
    def topic(self) -> str:
        """What the lab's files are called: its name without its kind."""
        return self.name.removeprefix(f"{self.kind}_")

    @property
    def language(self) -> str:
        """What the name of the students' file ends with."""
        return _LANGUAGES.get(self.kind, "cc")

    @property
    def file(self) -> str:
        """The one that students hand in."""
        return f"{self.topic}.{self.language}"


def title_of(name: str, kind: Kind) -> str:
    """A title for a lab without one: `openmp_prefix_sum` is "Prefix sum"."""
    return name.removeprefix(f"{kind}_").replace("_", " ").capitalize()


def _wrong_name(name: str, topic: str) -> str:
    if len(name) > LONGEST_NAME:
        return f"{len(name)} characters, limit {LONGEST_NAME}"
    if not _NAME.fullmatch(name):
        return "only words of lowercase letters and digits, joined by _, a letter first"
    if name in _KEYWORDS:
        return "a keyword of C++"
    if name in _TAKEN or topic in _TAKEN:
        return "the workspace uses this word for something else"
    if topic.startswith("hidden_") or topic.endswith("_test"):
        return "files called hidden_… and …_test are tests"
    return ""
