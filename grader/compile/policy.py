"""What a submission may include, name and link: the grader's own list and the lab's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from grader.compile.scanner import Include, scan
from grader.compile.symbols import Symbols
from grader.model.lab import Part
from grader.model.manifest import Kit

# By which a grader asks the simulator what a call did.
_CUDASIM_USES = (
    *("cudasimResetProfile", "cudasimWriteProfile", "cudasimBeginCall", "cudasimEndCall"),
    *("cudasimFailCall", "cudasimCallsMade", "cudasimCallMadeToFail", "cudasimLiveObjects"),
    *("cudasimDeviceHasFailed", "cudasimNameArgument"),
)
# Functions that no lab needs and that reach outside the worker, hide from its checkers or stop
# its threads from being watched. The jail refuses what matters; this says so early and clearly.
# Not syscall: the headers of std::jthread, std::barrier and std::counting_semaphore call it.
FORBIDDEN_USES = (
    *("fork", "vfork", "clone", "clone3", "_Fork", "exec[lv]*", "fexecve", "posix_spawn*"),
    *("system", "popen", "ptrace", "process_vm_*", "prctl", "personality", "mprotect"),
    *("dlopen", "dlmopen", "dlsym", "dlvsym", "dl_iterate_phdr", "sigaction", "sigaltstack"),
    *("signal", "setrlimit", "prlimit*", "unshare", "setns", "mount", "socket"),
    *("__tsan_*", "__asan_*", "__ubsan_*", "__sanitizer_*", "Annotate*"),
    *_CUDASIM_USES,
    *("GOACC_*", "acc_*"),
)
# What tells the race checker, or what counts, to look away. Instrumentation uses other names.
FORBIDDEN_USES_UNDER_CHECKS = (
    *("__tsan_acquire", "__tsan_release", "__tsan_mutex_*", "__tsan_ignore*", "__tsan_*fiber*"),
    *("__tsan_external*", "__tsan_set*", "__sanitizer_*", "Annotate*"),
    *_CUDASIM_USES,
)
# Where lanes of a warp part and meet: the compiler calls it in code that counts.
_COUNTING = "__sanitizer_cov_trace_pc"
# Definitions that would replace a part of the worker, of a sanitizer or of a runtime. Only C
# names: inline C++ functions of the lab's headers are defined in every object.
FORBIDDEN_DEFINITIONS = (
    *("main", "_start", "_init", "_fini", "LabExports", "cuda[A-Z]*", "__cuda*", "cudasim*"),
    *("__tsan_*", "__asan_*", "__ubsan_*", "__sanitizer_*", "Annotate*"),
    *("GOMP_*", "omp_*", "__kmpc_*", "ompt_*", "pthread_*", "dlsym", "dlopen", "dl_iterate_phdr"),
)
FORBIDDEN_WORDS = (
    *("asm", "__asm", "__asm__", "no_sanitize*", "__no_sanitize*", "no_address_safety_analysis"),
    *("disable_sanitizer_instrumentation", "no_instrument_function"),
    # The simulator's own names, and those by which code can tell that it is checked or counted.
    *("cudasim*", "CUDASIM_*", "__tsan_*", "__sanitizer_*"),
)
# What the names that a compiler made stand for in the source.
_SPOKEN = {
    "_ZNSt6thread": "std::thread",
    "_ZNSt18condition_variable": "std::condition_variable",
    "_ZN7cudasim9Configure": "kernel<<<...>>>(...)",
    "_ZN7cudasim12LaunchKernel": "cudaLaunchKernel",
    "_ZNSt13__future_base": "std::async, std::future or std::promise",
    "_ZN3tbb": "a parallel algorithm of the standard library",
    "GOMP_parallel_reductions": "reduction(task, ...)",
    "GOMP_task_reduction": "in_reduction",
    "GOMP_taskgroup_reduction": "task_reduction or taskloop reduction",
    "GOMP_parallel": "#pragma omp parallel",
    "GOMP_taskgroup": "#pragma omp taskgroup",
    "GOMP_taskloop": "#pragma omp taskloop",
    "GOMP_taskwait": "#pragma omp taskwait",
    "GOMP_taskyield": "#pragma omp taskyield",
    "GOMP_task": "#pragma omp task",
    "pthread_cond_*wait": "pthread_cond_wait",
    "sem_*wait": "sem_wait",
    "GOACC_": "#pragma acc",
    "syscall": "a semaphore, latch or barrier of the standard library",
    "cudaLaunch": "cudaLaunchKernel",
    "cudasimMemcpy": "cudaMemcpy",
}
# Headers under these folders of the kit are for students; exports.h belongs to the worker.
_CONTRACT_FOLDERS = ("common/lab", "common/cuda")


def check_source(data: bytes, kit: Kit) -> list[str]:
    """What is wrong with the text: lines for the student, in the order of the file."""
    name = kit.manifest.file
    if b"\0" in data:
        return [f"{name} is a binary file: hand in the C++ source"]
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        return [f"{name}:{line}: byte 0x{byte:02x} is not UTF-8: save the file as UTF-8"]
    if not text.strip():
        return [f"{name} is empty"]
    return [
        f"{name}:{include.line}: {problem}"
        for include in scan(text).includes
        if (problem := _include_problem(include, kit))
    ]


_THROWN_BY_STUBS = "_ZTIN3lab10NotWrittenE"  # what LAB_NOT_WRITTEN() throws


def check_words(data: bytes, kit: Kit) -> list[str]:
    """Words that switch checks off, in a text that check_source passed.

    Asked after compiling, so that an error of the compiler is what a student sees first.
    """
    found = scan(data.decode("utf-8-sig"))
    refused = [(w.line, w.text) for w in found.words if _matches(w.text, FORBIDDEN_WORDS)]
    # OpenACC: no lab compiles for it, and its host code is no answer to a CUDA lab.
    refused += [(w.line, f"#pragma {w.text}") for w in found.pragmas if w.text == "acc"]
    return [
        f"{kit.manifest.file}:{line}: {text} is not allowed in a submission"
        for line, text in sorted(refused)
    ]


def check_symbols(symbols: Symbols, kit: Kit) -> list[str]:
    """What is wrong with what the compiled file uses and defines."""
    forbidden = (*FORBIDDEN_USES, *kit.lab.policy.forbidden)
    lines = _uses(symbols, forbidden) + _definitions(symbols)
    return [f"{kit.manifest.file} {line}" for line in lines]


def missing_symbols(symbols: Symbols, kit: Kit, part: Part | None = None) -> list[str]:
    """What the lab asks for and the compiled file does not use; with a part, what the lab or the
    part asks for and the part's function does not reach."""
    who, asks, used = kit.manifest.file, "this lab", symbols.undefined
    groups = kit.lab.policy.needed
    if part:
        who, asks = f"{part.function} in {who}", "this part"
        used, groups = symbols.used_by(part.function), [*groups, *part.needed]
    return [
        f"{who} does not use {' or '.join(dict.fromkeys(map(_spoken, group)))}, "
        f"which {asks} asks for"
        for group in groups
        if not any(_matches(name, group) for name in used)
    ]


def has_stubs(symbols: Symbols) -> bool:
    """Whether a function of the file may still be the stub that students are given."""
    return _THROWN_BY_STUBS in symbols.defined | symbols.undefined


def check_instrumented_symbols(symbols: Symbols, kit: Kit, *, counting: bool) -> list[str]:
    """The same for a build that checks or counts, which a source may tell from the plain one."""
    used = symbols.undefined - ({_COUNTING} if counting else set())
    lines = _uses(replace(symbols, undefined=used), FORBIDDEN_USES_UNDER_CHECKS)
    lines += _definitions(symbols)
    return [f"{kit.manifest.file} {line}" for line in lines]


def _uses(symbols: Symbols, patterns: tuple[str, ...]) -> list[str]:
    return [
        f"uses {_spoken(name)}, which this lab does not allow"
        for name in sorted(symbols.undefined)
        if _matches(name, patterns)
    ]


def _definitions(symbols: Symbols) -> list[str]:
    return [
        f"defines {name}, which belongs to the system: rename or remove it"
        for name in sorted(symbols.defined)
        if _matches(name, FORBIDDEN_DEFINITIONS)
    ]


def _include_problem(include: Include, kit: Kit) -> str | None:
    if not include.name:
        return f'{include.text}: only #include <header> or "header", written out, is allowed'
    if _is_contract(include.name, kit):
        return None
    allowed = kit.lab.policy.includes
    if include.quoted:
        return f'#include "{include.name}": only the lab\'s own header may be included by name'
    if include.name.startswith("/") or ".." in Path(include.name).parts:
        return f"#include <{include.name}>: a header of the system is asked, not a path"
    if allowed and not _matches(include.name, allowed):
        return (
            f"#include <{include.name}> is not allowed in this lab; "
            f"these headers are: {', '.join(allowed)}"
        )
    return None


def _is_contract(name: str, kit: Kit) -> bool:
    path = Path(name)
    if path.is_absolute() or ".." in path.parts or path.name == "exports.h":
        return False
    folders = (f"labs/{kit.manifest.lab}", *_CONTRACT_FOLDERS)
    return str(path.parent) in folders and (kit.public / "include" / path).is_file()


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _spoken(name: str) -> str:
    """A mangled name or pattern as a student knows it; of other patterns, how they begin."""
    for start, spoken in _SPOKEN.items():
        if name.startswith(start):
            return spoken
    return name.rstrip("*")
