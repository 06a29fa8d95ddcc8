"""Which symbols an object file may use and define, by the grader's own lists and the lab's."""

from collections.abc import Iterable
from fnmatch import fnmatchcase

from common.lab.object_policy.allowed_symbols import is_allowed, is_of_libc
from common.lab.object_policy.symbols import ObjectError, Symbols
from common.lab.text_policy.policy import PartRules, Rules

# Functions by which the grader controls the simulator and reads its counters.
_CUDASIM_USES = (
    *("cudasimResetProfile", "cudasimWriteProfile", "cudasimBeginCall", "cudasimEndCall"),
    "cudasimNameHostArgument",
    *("cudasimFailCall", "cudasimCallsMade", "cudasimCallMadeToFail", "cudasimLiveObjects"),
    *("cudasimDeviceHasFailed", "cudasimNameArgument", "cudasimHandBackArgument"),
    *("cudasimExpectCallers", "cudasimCallerIsDone"),
)
# Functions that suppress race reports or counting; the compiler's instrumentation calls others.
_MUTING = (
    *("__tsan_acquire", "__tsan_release", "__tsan_mutex_*", "__tsan_ignore*", "__tsan_*fiber*"),
    *("__tsan_external*", "__tsan_set*"),
)
# Definitions that would replace a part of the worker, of a sanitizer or of a runtime; functions of
# the C library are refused, too, because the simulator would call the submission's. Only C names:
# inline C++ functions of the lab's headers are defined in every object.
_FORBIDDEN_DEFINITIONS = (
    *("main", "_start", "_init", "_fini", "LabExports", "cuda[A-Z]*", "__cuda*", "cudasim*"),
    *("__tsan_*", "__asan_*", "__ubsan_*", "__sanitizer_*", "Annotate*"),
    *("GOMP_*", "omp_*", "__kmpc_*", "ompt_*"),
    # Operators new and delete, which the simulator uses, too.
    *("_Zn[wa]*", "_Zd[la]*"),
)
# What compilers and headers refer to weakly. Older C libraries have threads in a library apart.
_IN_EVERY_BUILD = ("__cxa_pure_virtual", "pthread_*", "__pthread_key_create")
# What a student writes in the source for names that the compiler makes.
_SPOKEN = {
    "_ZNSt6thread": "std::thread",
    "_ZNSt18condition_variable": "std::condition_variable",
    "_ZN7cudasim9Configure": "kernel<<<...>>>(...)",
    "_ZN7cudasim12LaunchKernel": "cudaLaunchKernel",
    "_ZNSt13__future_base": "std::async, std::future or std::promise",
    "_ZNSi": "std::istream",
    "_ZStrs": "std::istream",
    "_ZSt7getline": "std::getline",
    "_ZSt10from_chars": "std::from_chars",
    "_ZSt8to_chars": "std::to_chars of a floating-point number",
    "_ZNSt7__cxx1112basic_string": "the C++ library's own copy of a function of std::string",
    "_ZNKSt7__cxx1112basic_string": "the C++ library's own copy of a function of std::string",
    "_ZStlsIw": "a stream of wide characters",
    "_ZNSt13basic_ostreamIw": "a stream of wide characters",
    "_ZSt9use_facetI": "std::use_facet",
    "_ZNKSt8time_putI": "std::put_time",
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

_THROWN_BY_STUBS = "_ZTIN3lab10NotWrittenE"  # what LAB_NOT_WRITTEN() throws


def not_an_object(name: str, error: ObjectError) -> str:
    """The problem with a file from which a compiler makes something unusual."""
    return f"{name} does not compile to an ordinary object file: {error}"


def check_symbols(symbols: Symbols, rules: Rules, build: str = "tests") -> list[str]:
    """Problems with the symbols that a build's object file uses and defines."""
    model = rules.model
    forbidden = (*_CUDASIM_USES, *_MUTING, *model.symbols, *model.unseen.get(build, ()))
    if build == "tests":
        forbidden += rules.forbidden
    own = model.instrumentation.get(build, ())
    lines = [
        f"uses {_spoken(name)}, which this lab does not allow"
        for name in sorted({name.partition("@")[0] for name in symbols.undefined})
        if _matches(name, forbidden)
        or not (_matches(name, own) or is_allowed(name, rules.declared))
    ]
    lines += _weak_references(symbols) + _definitions(symbols)
    return [f"{rules.file} {line}" for line in dict.fromkeys(lines)]


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


def _spoken(name: str) -> str:
    """A mangled name or pattern as students write it; for other patterns, the fixed prefix."""
    for start, spoken in _SPOKEN.items():
        if name.startswith(start):
            return spoken
    return name.rstrip("*")
