"""The commands in the Markdown files exist: subcommands, options, configs, labels and scripts.

No command is run.
"""

import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import click
import pytest

from grader.cli.app import cli
from grader.cli.epilog import commands_in
from grader.model.kind import lab_of
from grader.model.verdict import Verdict
from grader.pages.export import FORMATS
from grader.people.handouts.links import markdown_files

# Bazel links this file from the source tree, where all the Markdown files are.
ROOT = Path("pyproject.toml").resolve().parent

_FENCED = re.compile(r"^( *)(`{3,})[^\n]*\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_STARTS = re.compile(r"^(bazel |\./setup|\.ci/|tools/|//\w|--config=|(\S*python3|less|nano|ls) )")
_CONFIG = re.compile(r"--config=([a-z]\w*)")
_LABEL = re.compile(r"^-?//([\w./-]*)(?::([\w./-]+))?$")
_LOAD = re.compile(r'load\(\s*"//([^":]*):([^"]+)"')
_SCRIPT = re.compile(r"^(\./setup|\.ci/.+|tools/.+\.py|labs/\S+|solutions/[^:]+)$")
_PLACEHOLDER = re.compile(r"[A-Z_]+|.*[<>…$].*")
_A_LAB = min(path.parent.name for path in (ROOT / "labs").glob("*/lab.toml"))
_ANY_LAB = re.compile(r"<lab>|\bLAB(?=[_/:\s-]|$)")


@dataclass(frozen=True)
class Command:
    """A command of a Markdown file, with LAB replaced by a real lab."""

    line: int
    text: str

    @property
    def words(self) -> list[str]:
        try:
            return shlex.split(self.text, comments=True)
        except ValueError:  # an apostrophe in prose
            return self.text.split()


def commands(text: str) -> Iterator[Command]:
    """All commands in code blocks and code spans; a line may have several."""
    for block in _FENCED.finditer(text):
        first = text.count("\n", 0, block.start()) + 2
        for number, line in enumerate(block[3].splitlines(), first):
            yield from _split(number, line)
    prose = _FENCED.sub(lambda block: "\n" * block[0].count("\n"), text)
    for span in _SPAN.finditer(prose):
        yield from _split(prose.count("\n", 0, span.start()) + 1, " ".join(span[1].split()))


def _split(number: int, line: str) -> Iterator[Command]:
    for part in re.split(r"&&|;|\|", _ANY_LAB.sub(_A_LAB, line)):
        if _STARTS.match(part.strip()):
            yield Command(number, part.strip())


def problems(command: Command) -> Iterator[str]:
    """The names in a command that do not exist."""
    words = command.words
    if words[:2] == ["bazel", "run"] and "//grader" in words and "--" in words:
        yield from _grader_problems(words[words.index("--") + 1 :])
        words = words[: words.index("--")]
    for config in _CONFIG.findall(" ".join(words)):
        if not re.search(rf"^\w+:{config}\b", _options_of_bazel(), re.MULTILINE):
            yield f"--config={config} is not in .bazelrc"
    for word in words:
        label = _LABEL.match(word)
        if label and not _has_target(label[1], label[2]):
            yield f"no target {word}"
        if _SCRIPT.match(word) and not (ROOT / word).exists():
            yield f"no file {word}"


def _grader_problems(arguments: list[str]) -> Iterator[str]:
    words = [word.strip("[]") for word in arguments]
    if not words or words[0] in ("-h", "--help", "--version"):
        return
    subcommand: click.Command | None = cli
    while words and isinstance(subcommand, click.Group):
        name, *words = words
        subcommand = subcommand.commands.get(name)
        if subcommand is None:
            yield f"the grader has no command {name}"
            return
    assert subcommand
    known = {"-h": None, "--help": None} | _options(subcommand)
    for word, value in pairwise([*words, ""]):
        name, _, joined = word.partition("=")
        if name.startswith("-") and name not in known:
            yield f"{subcommand.name} has no option {name}"
        yield from _value_problems(name, joined or value)


def _options(subcommand: click.Command) -> dict[str, None]:
    options = [param for param in subcommand.params if isinstance(param, click.Option)]
    return {name: None for param in options for name in (*param.opts, *param.secondary_opts)}


def _value_problems(option: str, value: str) -> Iterator[str]:
    if _PLACEHOLDER.fullmatch(value):
        return
    if option == "--format" and value not in FORMATS:
        yield f"no format {value}"
    lab = lab_of(value)
    if option == "--lab" and not (ROOT / "labs" / lab / "lab.toml").exists():
        yield f"no lab {value}"


def _options_of_bazel() -> str:
    return _read(".bazelrc") + _read("staff.bazelrc")


def _has_target(package: str, name: str | None) -> bool:
    if package.endswith("..."):
        return any((ROOT / package.removesuffix("...")).rglob("BUILD"))
    folder = ROOT / package
    if not (folder / "BUILD").exists():
        return False
    name = name or folder.name
    if name in ("all", "...") or (folder / name).exists():
        return True
    if name == "my_test" and folder.parent.name == "labs":
        return True  # once a student has put such a file there
    return any(f'"{end}"' in _build_text(package) for end in [name, *_endings(folder, name)])


def _endings(folder: Path, name: str) -> Iterator[str]:
    """Suffixes of a target's name after the name of a lab, of a file or of the folder; also without
    their "_", as a macro writes them that joins the two."""
    for place in (place for place, letter in enumerate(name) if letter in "_-"):
        begin = name[:place]
        is_known = (ROOT / "labs" / begin).is_dir() or begin == folder.name
        if is_known or any(folder.glob(f"{begin}.*")):
            yield from (name[place:], name[place + 1 :])


def _build_text(package: str) -> str:
    """The package's BUILD file and all files of the workspace that it loads."""
    texts, waiting = {}, [f"{package}/BUILD".lstrip("/")]
    while waiting:
        path = waiting.pop()
        if path not in texts:
            texts[path] = _read(path)
            waiting += ["/".join(filter(None, found)) for found in _LOAD.findall(texts[path])]
    return "\n".join(texts.values())


def _read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_every_command_in_the_markdown_files_exists() -> None:
    seen, found = 0, []
    for path in markdown_files(ROOT):
        for command in commands(_read(str(path))):
            seen += 1
            found += [f"{path}:{command.line}: {it}" for it in problems(command)]
    assert not found, "\n" + "\n".join(found)
    assert seen > 100


def test_every_listed_command_is_described_and_every_other_is_not_offered() -> None:
    offered = {name for name, command in cli.commands.items() if not command.hidden}
    said = " ".join(_read(str(path)) for path in markdown_files(ROOT))
    described = set(re.findall(r"(?:/grader --|bin/grader|`grader) ([\w-]+)", said))
    described |= set(re.findall(r"`([\w-]+)[` ]", _read("README.md")))
    assert offered <= described
    assert described & {name for name in cli.commands if name not in offered} == set()


def _examples(group: click.Group) -> Iterator[str]:
    for command in (group, *group.commands.values()):
        if isinstance(command, click.Group) and command is not group:
            yield from _examples(command)
        else:
            yield from commands_in(command.epilog or "")


def _example_problems(example: str, first_lab: str) -> Iterator[str]:
    line = _ANY_LAB.sub(first_lab, example).replace("grader ", "bazel run //grader -- ", 1)
    yield from problems(Command(0, line))
    for sample in re.findall(r"(?:expand|edit) (\w+/\w+/\w+)", line):
        if not any((ROOT / "solutions").glob(f"{sample}.*")):
            yield f"no sample {sample}"


def test_the_examples_in_the_help_name_labs_and_samples_that_there_are() -> None:
    first_lab = re.findall(r"\]\((\w+)/README\.md\)", _read("labs/README.md"))[0]
    found = [it for example in _examples(cli) for it in _example_problems(example, first_lab)]
    assert found == []
    assert list(_example_problems("grader term --lab sum", first_lab)) == ["no lab sum"]
    assert list(_example_problems("grader samples edit a/b/c", first_lab)) == ["no sample a/b/c"]


def test_the_version_is_that_of_the_newest_release_or_leads_to_the_next() -> None:
    version = tomllib.loads(_read("pyproject.toml"))["project"]["version"]
    headings = re.findall(r"^## \[(.+?)\]", _read("CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    assert version == headings[1] or version.endswith(".dev0")
    assert f"version: {headings[1]}\n" in _read("CITATION.cff")


def test_every_lab_practises_a_word_of_the_glossary() -> None:
    glossary = _read("labs/GLOSSARY.md")
    labs = {path.parent.name for path in (ROOT / "labs").glob("*/lab.toml")}
    assert labs <= set(re.findall(r"\]\((\w+)/README\.md\)", glossary))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("`bazel run //grader -- demoo`", "the grader has no command demoo"),
        ("```sh\nbazel run //grader -- demo --lap X  # x\n```", "demo has no option --lap"),
        ("`bazel run //grader -- samples fold`", "the grader has no command fold"),
        ("`bazel run //grader -- samples expand --to X`", "expand has no option --to"),
        ("`bazel run //grader -- check\n--lab no_lab`", "no lab no_lab"),
        ("`bazel run //grader -- export --format xml`", "no format xml"),
        ("`bazel test --config=tsam //labs/...`", "--config=tsam is not in .bazelrc"),
        ("`--config=tsam`", "--config=tsam is not in .bazelrc"),
        ("`bazel test //lab/...`", "no target //lab/..."),
        ("`bazel test //grader/docs/...`", "no target //grader/docs/..."),
        ("`bazel test //solutions:LAB_wrong_test`", f"no target //solutions:{_A_LAB}_wrong_test"),
        ("`./setup && tools/compdp.py`", "no file tools/compdp.py"),
        ("```sh\nless labs/LAB/REDME.md\n```", f"no file labs/{_A_LAB}/REDME.md"),
    ],
)
def test_reports_a_command_that_does_not_exist(text: str, problem: str) -> None:
    assert [it for command in commands(text) for it in problems(command)] == [problem]


@pytest.mark.parametrize(
    "text",
    [
        "```sh\n./setup && bazel run //grader -- demo --lab LAB --out DIR   # don't stop\n```",
        "`bazel run //grader -- export --out DIR --format FORMAT [--to PATH]`",
        "`bazel test --config=solutions -- //... -//solutions/...`",
        "`bazel test //solutions:LAB_mutants_test //grader/cli:readme_test //tools:all`",
        "`bazel run //grader -- samples carry LAB`",
        "`operator//` and ```cpp\n// bazel test //nothing\n```",
        "`less labs/<lab>/README.md`",
    ],
)
def test_accepts_commands_that_exist(text: str) -> None:
    assert [it for command in commands(text) for it in problems(command)] == []


def test_says_in_which_line_a_command_is() -> None:
    text = "a\n`./setup`\n\n```sh\nls x\n./setup\n```\n"
    lines = [command.line for command in commands(text) if command.text == "./setup"]
    assert sorted(lines) == [2, 6]


def test_the_page_on_grading_explains_every_verdict() -> None:
    text = _read("grader/docs/grading.md")
    assert [verdict for verdict in Verdict if f"| `{verdict}` |" not in text] == []
