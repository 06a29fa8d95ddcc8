"""Which symbols an object file may use and define, by the grader's own lists and the lab's."""

import re
import subprocess
from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase
from functools import cache

from common.lab.object_policy.allowed_symbols import is_allowed, is_of_libc, kernels_may_use
from common.lab.object_policy.symbols import ObjectError, Symbols
from common.lab.programming_models.model import ModelPolicy
from common.lab.text_policy.policy import PartRules, Rules
from common.lab.text_policy.scanner import Token

# Functions by which the grader controls the simulator and reads its counters.
_CUDASIM_USES = (
    *("simulator*", "cudasimNameArgument", "cudasimNameHostArgument", "cudasimHandBackArgument"),
)
# Definitions of what belongs to the worker, a sanitizer, a runtime or the C library. They would
# serve the submission alone. Only C names: inline C++ functions of the lab's headers are defined in
# every object.
_FORBIDDEN_DEFINITIONS = (
    *("main", "_start", "_init", "_fini", "LabExports", "cuda[A-Z]*", "__cuda*", "cudasim*"),
    *("__tsan_*", "__asan_*", "__ubsan_*", "__sanitizer_*", "Annotate*"),
    *("GOMP_*", "omp_*", "__kmpc_*", "ompt_*"),
    # Operators new and delete, of which the simulator has its own.
    *("_Zn[wa]*", "_Zd[la]*"),
)
# What compilers and headers refer to weakly. Older C libraries have threads in a library apart.
_IN_EVERY_BUILD = ("__cxa_pure_virtual", "pthread_*", "__pthread_key_create")
_CONSTRUCTS = ("parallel", "taskgroup", "taskloop", "taskwait", "taskyield", "task")
# What a student writes in the source for names that the compiler makes.
_SPOKEN = {
    "_ZNSt6thread": "std::thread",
    "_ZNSt18condition_variable": "std::condition_variable",
    "_ZN7cudasim9Configure": "kernel<<<...>>>(...)",
    "_ZN7cudasim12LaunchKernel": "cudaLaunchKernel",
    "_ZN7cudasim18ConfigureAlgorithm": "an algorithm of Thrust or CUB",
    "_ZNSt13__future_base": "std::async, std::future or std::promise",
    "_ZN3tbb": "a parallel algorithm of the standard library",
    "GOMP_parallel_reductions": "reduction(task, ...)",
    "GOMP_task_reduction": "in_reduction",
    "GOMP_taskgroup_reduction": "task_reduction or taskloop reduction",
    **{f"GOMP_{name}": f"#pragma omp {name}" for name in _CONSTRUCTS},
    "pthread_cond_*wait": "pthread_cond_wait",
    "sem_*wait": "sem_wait",
    "GOACC_": "#pragma acc",
    "syscall": "a semaphore, latch or barrier of the standard library",
    "cudaLaunch": "cudaLaunchKernel",
    "cudasimMemcpy": "cudaMemcpy",
}

# What to write instead of functions that are not on the list, where there is something.
_INSTEAD = {
    ("_ZNSi*", "_ZStrs*", "_ZSt7getline*", "*scanf", "fget[cs]", "getc*"): "read the arguments",
    ("_ZSt8to_chars*", "_ZSt9use_facet*"): "use std::snprintf",
    ("_ZSt10from_chars*",): "use std::strtof or std::strtod",
    ("_ZNSt15basic_streambuf*", "_ZNSolsEPSt15*"): "write to std::cout or an std::ostringstream",
    ("_ZNSt*_erroraSE*", "_ZNSt*exception_ptraSE*"): "throw a new exception",
    ("strtok*", "strsep"): "use std::string_view::find",
}
# What the header of std::jthread calls, and the words by which a program asks for it itself.
_OF_JTHREAD = ("sched_yield", "sem_*")
_STOPS_OR_WAITS = (
    *("*yield*", "sem_*", "*semaphore*", "request_stop", "get_stop_*"),
    *("stop_token", "stop_source", "stop_callback", "stop_requested", "stop_possible"),
)
_ASK = "your instructor can allow it in lab.toml"
_NO_KERNEL = "kernels may call only what CUDA has: write a loop over the elements"

_THROWN_BY_STUBS = "_ZTIN3lab10NotWrittenE"  # what LAB_NOT_WRITTEN() throws


def not_an_object(name: str, error: ObjectError) -> str:
    """The problem with a file from which a compiler makes something unusual."""
    return f"{name} does not compile to an ordinary object file: {error}"


def check_symbols(
    symbols: Symbols, rules: Rules, build: str = "tests", own: Iterable[Token] = ()
) -> list[str]:
    """Problems with the symbols that a build's object file uses and defines; `own`: the file's
    preprocessed text, which tells their lines."""
    lines = {token.text: token.line for token in reversed(tuple(own))}
    found = []
    for name in sorted({name.partition("@")[0] for name in symbols.undefined}):
        problem = _refusal(name, symbols, rules, build)
        if problem and (said := _asked_for(name, lines)):
            line = lines.get(said.rpartition("::")[2])
            owner = said.rpartition("::")[0] if name.startswith("_ZN") else said
            place = f"{rules.file}{f':{line}' if line else ''}"
            found.append((not line, (owner, problem), f"{place} uses {said}{problem}"))
    # A class derived from one of the library uses all its virtual functions: one says it.
    once: dict[tuple[str, str], str] = {}
    for _, key, text in sorted(found):
        once.setdefault(key, text)
    others = [f"{rules.file} {each}" for each in _weak_references(symbols) + _definitions(symbols)]
    return list(dict.fromkeys([*once.values(), *others]))


def _asked_for(name: str, words: Collection[str]) -> str:
    """What the program asks for by using the symbol; empty if only std::jthread asks for it."""
    if "jthread" in words and _matches(name, _OF_JTHREAD):
        return next((word for word in words if _matches(word, _STOPS_OR_WAITS)), "")
    return _spoken(name)


def _refusal(name: str, symbols: Symbols, rules: Rules, build: str) -> str:
    """Why the object file may not use a symbol; empty if it may."""
    model, refused = rules.model, ", which this lab does not allow"
    if _matches(name, (*model.instrumentation.get(build, ()), *rules.allowed)):
        return ""
    forbidden = (*_CUDASIM_USES, *model.symbols, *model.unseen.get(build, ()))
    if _matches(name, forbidden) or (build == "tests" and _matches(name, rules.forbidden)):
        return refused
    if not is_allowed(name, rules.declared) and not _matches(name, model.runtime):
        return f"{refused}: {_instead(name, model)}; {_ASK}"
    # Other builds have no section for each function.
    in_kernels = symbols.reach.names_from_kernels if build == "tests" else ()
    if name in in_kernels and not kernels_may_use(name, rules.declared):
        return f" in a kernel: {_NO_KERNEL}"
    return ""


def missing_symbols(symbols: Symbols, rules: Rules, part: PartRules | None = None) -> list[str]:
    """Problems with groups of symbols that the lab requires and the object file does not use; with
    a part, those that the lab or the part requires and the part's function does not reach."""
    who, asks, used = rules.file, "this lab", symbols.undefined
    groups = rules.needed
    if part:
        who, asks = f"{part.function} in {who}", "this part"
        used, groups = symbols.used_by(part.function), (*groups, *part.needed)
    return [
        f"{who} does not use {' or '.join(dict.fromkeys(map(_spoken, group)))}, "
        f"which {asks} asks for"
        for group in groups
        if not any(_matches(name, group) for name in used)
    ]


def has_stubs(symbols: Symbols) -> bool:
    """Whether a function of the file may still be the stub that students are given."""
    return _THROWN_BY_STUBS in symbols.defined | symbols.undefined


def is_stub(symbols: Symbols, part: PartRules) -> bool:
    """Whether the function of a part is still the stub, or calls one."""
    return symbols.reach.reaches(part.function, _THROWN_BY_STUBS)


def _weak_references(symbols: Symbols) -> list[str]:
    """Problems with references by which a program can ask whether a build has a function."""
    return [
        f"refers to {name} only if it exists: remove __attribute__((weak))"
        for name in sorted(symbols.weak)
        if not (_matches(name, _IN_EVERY_BUILD) or is_of_libc(name))
    ]


def _definitions(symbols: Symbols) -> list[str]:
    return [
        f"defines {name}, which belongs to the system: rename or remove it"
        for name in sorted({name.partition("@")[0] for name in symbols.defined})
        if _matches(name, _FORBIDDEN_DEFINITIONS)
        or (name not in symbols.data and not name.startswith("_Z") and is_of_libc(name))
    ]


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _instead(name: str, model: ModelPolicy) -> str:
    for patterns, advice in {**model.instead, **_INSTEAD}.items():
        if _matches(name, patterns):
            return advice
    return "do without it"


def _spoken(name: str) -> str:
    """A mangled name or pattern as students write it; for other patterns, the fixed prefix."""
    for start, spoken in _SPOKEN.items():
        if name.startswith(start):
            return spoken
    return _demangled(name) if name.startswith("_Z") and "*" not in name else name.rstrip("*")


@cache
def _demangled(name: str) -> str:
    """The function's qualified name; the mangled one if c++filt, which comes with g++, fails."""
    try:
        run = subprocess.run(["c++filt", "-p", name], capture_output=True, text=True, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return name
    plain = run.stdout.strip().replace("__cxx11::", "")
    return re.sub(", std::(char_traits|allocator)<char> ?", "", plain)[:200] or name
