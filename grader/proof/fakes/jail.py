"""Replaces the jail in tests; fake_kit.py's docstring lists the instructions.

Tests start it thousands of times: what it imports decides what it costs.
"""

import errno
import json
import os
import struct
import sys


def main() -> None:
    arguments = sys.argv[1:]
    if arguments == ["--probe"]:
        print(json.dumps({"protections_lost": []}))
        return
    end = arguments.index("--")
    options, step = arguments[:end], arguments[end + 1 :]
    places = {
        options[i + 2]: options[i + 1]
        for i, option in enumerate(options)
        if option in ("--ro", "--rw")
    }
    (name,) = (name for name in os.listdir(places["/submission"]) if ".c" in name)
    with open(f"{places['/submission']}/{name}", encoding="utf-8", errors="replace") as file:
        source = file.read()
    said = [
        line.removeprefix("// fake: ").split(" ", 1)
        for line in source.splitlines()
        if line.startswith("// fake: ")
    ]
    answer = {"outcome": "exited", "code": 0, "output": "", "protections_lost": []}
    name = os.path.basename(step[step.index("-o") + 1])
    stem, suffix = os.path.splitext(name)
    out = f"{places['/out']}/{name}"
    for verb, rest in said:
        if verb == "refused" and rest.split()[0] == stem and suffix == ".o":
            text = rest.split(" ", 1)[1]
            if text.startswith("/out/") or "-disable-llvm-passes" not in step:
                answer |= {"code": 1, "output": text}
        elif verb == "compile":
            outcome, code, text = rest.split(" ", 2)
            number = "signal" if outcome == "signaled" else "code"
            answer |= {"outcome": outcome, number: int(code), "output": text}
        elif verb == "lost":
            answer["protections_lost"] = [rest]
        elif verb == "compiling" and answer["outcome"] == "exited":
            answer |= compiler(rest)
    try:
        if suffix == ".ii":
            write(out, preprocessed(source, stem, said).encode())
        elif suffix == ".o":
            uses, defines = ([r for v, r in said if v == verb] for verb in ("uses", "defines"))
            write(out, elf(uses, defines))
        else:
            write(out, source.encode())
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        if os.path.exists(out):
            os.unlink(out)  # as compilers do
        answer |= {"code": 1, "output": f"cannot write {name}: {os.strerror(errno.ENOSPC)}"}
    write(options[options.index("--result") + 1], json.dumps(answer).encode())


def write(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)


def compiler(seconds: str) -> dict[str, object]:
    """Runs a process for that long; returns how it ended, as fields of the jail's result."""
    code = os.spawnv(os.P_WAIT, "/bin/sleep", ["/bin/sleep", seconds])
    return {} if code == 0 else {"outcome": "signaled", "signal": -code}


def preprocessed(source: str, build: str, said: list[list[str]]) -> str:
    """The source as one build preprocesses it."""
    own = [r.split(" ", 1)[1] for v, r in said if v == "reads" and r.startswith(f"{build} ")]
    return "\n".join(['# 1 "/submission/sum.cc"', source, *own]) + "\n"


def elf(undefined: list[str], defined: list[str]) -> bytes:
    """The smallest object file with these symbols."""
    names, symbols = b"\0", bytes(24)
    for name, section in [(n, 0) for n in undefined] + [(n, 1) for n in defined]:
        symbols += struct.pack("<IBBHQQ", len(names), 0x12, 0, section, 0, 0)
        names += name.encode() + b"\0"
    tables = 64 + 3 * 64
    head = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    header = struct.pack("<16sHHIQQQIHHHHHH", head, 1, 62, 1, 0, 0, 64, 0, 64, 0, 0, 64, 3, 0)
    first = struct.pack("<IIQQQQIIQQ", 0, 2, 0, 0, tables, len(symbols), 1, 0, 8, 24)
    second = struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, tables + len(symbols), len(names), 0, 0, 1, 0)
    return header + first + second + bytes(64) + symbols + names


main()
