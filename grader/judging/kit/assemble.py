"""Assembles a kit's folder: copies its files, builds the reference, writes manifest.json.

The reference is built by the manifest's own commands for submissions, with only the kit's public
folder: so a kit that lacks a header or a library is never produced.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Plan = dict[str, Any]

# Suffixes; Bazel's whole archives end with .lo.
ARCHIVES = (".a", ".lo")

# The reference library of each build that is timed.
REFERENCES = {"tests": "reference.so", "gpu": "reference_gpu.so"}


# Beside the kit's objects: the names of the lab's functions, as the linker knows them.
FUNCTIONS = "public/lib/functions"
_UNDEFINED = re.compile(r"undefined reference to `(\w+)'")


class KitError(Exception):
    """The kit cannot be made; the message has the reason and the next step."""


def copy_files(files: dict[str, str], kit: Path) -> None:
    """Copies {place in the kit: source}, following links, into a new tree.

    Archives lose their debugging information: every submission is linked with them several times,
    and its own lines are what reports show.
    """
    for place, source in sorted(files.items()):
        target = kit / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix in ARCHIVES:
            subprocess.run(["strip", "--strip-debug", "-o", target, source], check=True)
        else:
            shutil.copyfile(source, target)
        target.chmod(0o755)


def here(argument: str, places: dict[str, Path]) -> str:
    """One argument of a step, with the jail's folders replaced by this machine's."""
    for folder, path in places.items():
        for prefix in ("", "-I"):
            if argument.startswith(f"{prefix}{folder}/"):
                return f"{prefix}{path}{argument[len(prefix) + len(folder) :]}"
    return argument


def run_steps(name: str, steps: Iterable[list[str]], places: dict[str, Path]) -> None:
    """Runs a build's steps; raises KitError with the output of the first one that fails."""
    for step in steps:
        argv = [here(argument, places) for argument in step]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise KitError(
                f"error: the reference does not build: {name}: {' '.join(argv)}\n"
                f"{done.stderr.strip()}\n  next: fix it, or the kit's steps"
            )


def list_functions(plan: Plan, kit: Path) -> None:
    """Writes the functions that the table of functions lacks when linked without a submission.

    Only these may a submission define for others.
    """
    link = plan["manifest"]["builds"]["tests"]["steps"][-1]
    own = [argument for argument in link if argument.endswith("_own.o")]
    if not own:
        return  # a kit of a test
    places = {"/kit": kit / "public", "/out": kit}
    argv = [here(argument, places) for argument in link if argument not in own]
    argv += ["-Wl,--no-demangle", "-Wl,-z,defs"]
    linked = subprocess.run(argv, capture_output=True, text=True, check=False)
    names = sorted(set(_UNDEFINED.findall(linked.stderr)))
    if not names:
        raise KitError(f"error: the table lacks no function: {linked.stderr.strip()}")
    (kit / FUNCTIONS).write_text("".join(f"{name}\n" for name in names), encoding="ascii")


def build_reference(plan: Plan, kit: Path) -> None:
    """Makes reference.so and reference_gpu.so, and tries the other builds."""
    source = Path(plan["reference"])
    for name, build in plan["manifest"]["builds"].items():
        with tempfile.TemporaryDirectory() as out:
            places = {"/kit": kit / "public", "/submission": source.parent, "/out": Path(out)}
            run_steps(name, build["steps"], places)
            library = Path(out) / build["library"]
            if not library.is_file():
                raise KitError(
                    f"error: a build leaves no library: {name}: {build['library']}\n"
                    "  next: fix the kit's steps"
                )
            if name in REFERENCES:
                shutil.copyfile(library, kit / REFERENCES[name])
                (kit / REFERENCES[name]).chmod(0o755)


def digest(kit: Path, manifest: dict[str, Any]) -> str:
    """SHA-256 over every file's place and contents, and over the manifest without its digest."""
    total = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode())
    for path in sorted(path for path in kit.rglob("*") if path.is_file()):
        contents = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"\n{path.relative_to(kit)} {contents}".encode())
    return total.hexdigest()


def assemble(plan: Plan, kit: Path) -> None:
    """Fills the empty or missing folder `kit`."""
    copy_files(plan["files"], kit)
    list_functions(plan, kit)
    build_reference(plan, kit)
    manifest = plan["manifest"]
    whole = {**manifest, "digest": digest(kit, manifest)}
    text = json.dumps(whole, indent=2, sort_keys=True) + "\n"
    (kit / "manifest.json").write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """assemble PLAN.json KIT"""
    plan_path, kit = map(Path, arguments)
    try:
        assemble(json.loads(plan_path.read_text(encoding="utf-8")), kit)
    except KitError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
