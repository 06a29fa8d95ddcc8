"""A small workspace with two labs, their solutions, and what surrounds them."""

from pathlib import Path

LABS = ("threads", "kernels")

_LAB_TOML = """title = "Lab of {lab}"
file = "{topic}.{suffix}"
model = "{model}"

[[parts]]
function = "First{name}"
title = "A part"
suite = "First{name}Test"
points = 100
"""
_STUB = """#include "labs/{lab}/{topic}.h"

int First{name}([[maybe_unused]] int number_of_values,
    [[maybe_unused]] int number_of_workers) {{
  LAB_NOT_WRITTEN();
}}
"""
_CONTRACT = "int First{name}(int number_of_values, int number_of_workers);\n"
_REFERENCE = """#include "labs/{lab}/{topic}.h"

int First{name}(int number_of_values, int number_of_workers) {{
  const int share_of_{lab} = number_of_values / number_of_workers;
  return share_of_{lab};
}}
"""
_HANDOUT = """# Lab of {lab}

**Builds on:** {builds_on}.

See [how to grade](../../grader/docs/grading.md#timing),
[the contract]({topic}.h) and `[code](../kernels/README.md)`.
"""
_INDEX = """# Labs

| Lab | You write | Handout |
| --- | --- | --- |
| `threads` | `sum.cc` | [Lab of threads](threads/README.md) |
| `kernels` | `scale.cu` | [Lab of kernels](kernels/README.md) |

| Lab | Needs | From | Weight |
| --- | --- | --- | ---: |
| `threads` | C++ | | 40 |
| `kernels` | threads | `threads` | 60 |

```sh
bazel test //labs/threads/... --test_filter='FirstThreadsTest.*'
bazel run //labs/threads:sum_test
```
"""


def make_workspace(root: Path) -> Path:
    """Writes the workspace and returns its folder."""
    for lab, topic, suffix, model in zip(
        LABS, ("sum", "scale"), ("cc", "cu"), ("cpu", "cuda"), strict=True
    ):
        words = {"lab": lab, "topic": topic, "suffix": suffix, "model": model}
        words["name"] = lab.title()
        builds_on = "nothing" if lab == "threads" else "[Lab of threads](../threads/README.md)"
        folder = f"labs/{lab}"
        write(root, f"{folder}/lab.toml", _LAB_TOML.format(**words))
        write(root, f"{folder}/{topic}.{suffix}", _STUB.format(**words))
        write(root, f"{folder}/{topic}.h", _CONTRACT.format(**words))
        write(root, f"{folder}/{topic}_test.cc", f"TEST(First{words['name']}Test, Works) {{}}\n")
        write(root, f"{folder}/BUILD", f'lab(name = "{lab}")\n')
        write(root, f"{folder}/README.md", _HANDOUT.format(**words, builds_on=builds_on))
        write(root, f"solutions/{lab}/{topic}.{suffix}", _REFERENCE.format(**words))
        write(root, f"solutions/{lab}/hidden_test.cc", f"// The hidden test of {lab}.\n")
        lazy = f"int a_secret_serial_loop_of_{lab} = 0;\n"
        write(root, f"solutions/{lab}/lazy/serial.{suffix}", lazy)
    write(root, "labs/README.md", _INDEX)
    write(root, "common/lab/not_written.h", "#define LAB_NOT_WRITTEN() NotWritten()\n")
    write(root, "common/lab/tests/not_written_test.cc", "// A test of the framework.\n")
    write(root, "grader/main.py", "print('graded')\n")
    write(root, "grader/service/client/submit.py", "#!/bin/sh\necho the program that hands in\n")
    write(root, "staff.bazelrc", "build:solutions --//common/lab:implementation=solution\n")
    for name in ("BUILD", "WORKSPACE", "MODULE.bazel", ".bazelrc"):
        write(root, name, f"# {name}\n")
    write(root, "setup", "#!/bin/sh\nexit 0\n").chmod(0o755)
    return root


def write(root: Path, name: str, text: str) -> Path:
    """Writes one file, and its folders."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def texts(folder: Path) -> dict[str, str]:
    """All files below a folder by name, but for a repository's own."""
    paths = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_text() for path in sorted(paths)}
