"""The allow list of system functions and variables for submissions; the rest is refused.

A submission that cannot name a system call cannot leave data for a later run, use the grader's
descriptors or observe the grader. A lab's policy forbids more, such as another model's functions.
What a function reads or writes for its caller must be seen by ThreadSanitizer: it intercepts the
function, or //common/lab/race_checker:watched_functions defines it.
"""

import ctypes
import re
from collections.abc import Iterable
from fnmatch import translate
from functools import cache
from pathlib import Path

_COMPILER = (
    *("_Unwind_Resume", "__g??_personality_v0", "__dynamic_cast", "__dso_handle"),
    *(
        f"__cxa_{name}"
        for name in (
            *("allocate_exception", "free_exception", "init_primary_exception", "throw", "rethrow"),
            *("begin_catch", "end_catch", "get_exception_ptr", "call_unexpected", "bad_*"),
            *("throw_bad_array_*", "*_virtual", "guard_*", "*atexit*", "finalize"),
        )
    ),
    *("_GLOBAL_OFFSET_TABLE_", "__tls_get_addr", "__stack_chk_fail", "__clang_call_terminate"),
    *("__once_proxy", "__libc_single_threaded", "__errno_location", "__assert_fail", "LabExports"),
    # Run-time functions for arithmetic that the processor lacks.
    *("__atomic_*", "__*[dt]i2", "__*[dt]i3", "__*[dt]i4", "__*[sdxt]f2", "__*[sdxt]f3"),
    *("__fix*", "__float*", "__mul?c3", "__div?c3"),
)
_MEMORY = (
    *("malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign", "memalign"),
    *("memcpy", "memmove", "memset", "memcmp", "memchr", "memrchr", "bzero", "bcmp"),
    *("strlen", "strnlen", "strcmp", "strncmp", "strcasecmp", "strncasecmp"),
    *("strchr", "strrchr", "strchrnul", "strstr", "strcasestr", "strspn", "strcspn", "strpbrk"),
    *("strcpy", "strncpy", "strcat", "strncat", "strdup", "strndup", "strerror"),
    *("strtol", "strtoll", "strtoul", "strtoull", "strtof", "strtod", "strtold"),
)
_TEXT = (
    *("printf", "fprintf", "sprintf", "snprintf", "vprintf", "vfprintf", "vsprintf", "vsnprintf"),
    *("puts", "putchar", "fputs", "fputc", "putc", "fwrite", "fflush", "perror"),
    *("stdout", "stderr", "sscanf", "atoi", "atol", "atoll", "atof"),
    *("is[a-z]*", "tolower", "toupper", "__ctype_*"),
)
_OTHER = (
    *("abort", "exit", "_exit", "_Exit", "quick_exit", "atexit", "getenv", "qsort", "bsearch"),
    *("rand", "rand_r", "srand", "random", "srandom"),
    *("abs", "labs", "llabs", "div", "ldiv", "lldiv", "time", "difftime", "clock", "ctime"),
    *("clock_gettime", "clock_getres", "gettimeofday", "nanosleep", "clock_nanosleep", "usleep"),
    *("sleep", "sched_yield", "sched_getcpu", "sched_[gs]etaffinity", "__sched_cpu*", "sysconf"),
    *("get_nprocs*", "ctime_r", "gmtime*", "localtime*", "mktime"),
)
# syscall is here because the headers of std::jthread, std::barrier and std::counting_semaphore call
# it; policy.py refuses the word in a submission's own text.
_THREADS = (
    *("sem_*", "syscall", "GOMP_*", "omp_*", "__kmpc_*"),
    *(
        f"pthread_{name}"
        for name in (
            *("create", "join", "detach", "exit", "self", "equal", "once", "yield", "cancel"),
            *("testcancel", "setcancel*", "mutex_init", "mutex_destroy", "mutex_*lock", "cond_*"),
            *("rwlock_*", "spin_*", "barrier_*", "key_*", "[gs]etspecific", "attr_init"),
            *("attr_destroy", "attr_[gs]etdetachstate", "attr_[gs]etstacksize"),
            *("attr_setguardsize", "attr_setscope"),
            *("mutexattr_init", "mutexattr_destroy", "mutexattr_settype"),
            *("condattr_init", "condattr_destroy", "condattr_setclock", "rwlockattr_init"),
            *("rwlockattr_destroy", "rwlockattr_setkind_np", "setaffinity_np", "setname_np"),
        )
    ),
)
_MATHEMATICS = tuple(
    f"{name}{kind}"
    for kind in ("", "f", "l")
    for name in (
        *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh"),
        *("acosh", "atanh", "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p"),
        *("logb", "ilogb", "pow", "sqrt", "cbrt", "hypot", "erf", "erfc", "tgamma", "lgamma"),
        *("lgamma_r", "ceil", "floor", "trunc", "round", "lround", "llround", "rint", "lrint"),
        *("llrint", "nearbyint", "fmod", "remainder", "remquo", "modf", "frexp", "ldexp"),
        *("scalbn", "scalbln", "nextafter", "nexttoward", "copysign", "nan", "fdim", "fmax"),
        *("fmin", "fma", "fabs", "sincos", "j0", "j1", "jn", "y0", "y1", "yn", "gamma"),
        *("significand", "drem", "finite", "isinf", "isnan"),
    )
)
# Of libstdc++ everything is allowed except what opens files.
_FILES = (
    *("_ZNSt10filesystem*", "_ZNKSt10filesystem*", "_ZNSt12__basic_file*", "_ZNKSt12__basic_file*"),
    *("_Z*St13basic_filebuf*", "_Z*St14basic_ofstream*", "_Z*St14basic_ifstream*"),
    "_Z*St13basic_fstream*",
)
# Those that read or write where their caller asks, which no checker sees. Programs that include the
# C++ library's headers as they are call none: functions of strings are compiled with them, and most
# others serve programs that were compiled long ago.
_UNSEEN = (
    *("_ZNSi*", "_ZStrs*", "_ZSt7getline*", "_ZSt10from_chars*", "_ZSt8to_chars*"),
    *("_ZNSt7__cxx1112basic_stringI*", "_ZNKSt7__cxx1112basic_stringI*", "_ZNS[sb]*", "_ZNKS[sb]*"),
    *("_ZSt15_Fnv_hash_bytes*", "_ZNKSt4hashI[!e]*", "_ZN*St3tr1*", "_ZSt14__convert_to_v*"),
    *("_ZNSt15_List_node_base*", "_ZNSt9__cxx1998*", "_ZNSt6__norm*", "_ZN10__gnu_norm*"),
    *("_ZSt*_Rb_tree_rotate_*", "_ZSt20_Rb_tree_black_count*", "_ZNSt*strstream*"),
    *("_ZN11__gnu_debug*", "_ZNK11__gnu_debug*", "_ZN9__gnu_cxx*", "_ZNSt9__atomic0*"),
    *("_ZN10__cxxabiv1*", "_ZNK10__cxxabiv1*", "__atomic_flag_*"),
    # Of streams and locales: those for wide characters, of the older library, and what copies text.
    *("_Z*IwSt11char_traitsIwE*", "_Z*5ctypeIwE*", "_ZN*St1[589]basic_*string[bs]*"),
    *("_ZNSolsEPSt15basic_streambuf*", "_ZSt*__copy_streambufs*", "_ZNSt5__padI*"),
    *("_Z*7num_[gp][eu]tI*", "_Z*8time_[gp][eu]tI*", "_Z*9money_[gp][eu]tI*", "_Z*_bynameI*"),
    *("_Z*codecvt*", "_Z*8messagesI*", "_Z*11__timepunct*", "_ZNSt10__num_base*"),
    *("_ZSt*_grouping*", "_ZNSt6gslice*", "_Z*St8valarrayI*"),
    "_ZN14__gnu_parallel9_Settings3set*",
    *("omp_target_*", "omp_*affinity*", "omp_get_place_proc_ids", "omp_get_partition_place_nums"),
    *("omp_init_allocator", "omp_realloc"),
)
# Names that compilers give to checked variants of functions, and to those of another C standard.
_VARIANT = re.compile(r"__(\w+?)_(?:chk|finite)|__isoc(?:99|23)_(\w+)")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, patterns)))


_ALLOWED = _any_of(*_COMPILER, *_MEMORY, *_TEXT, *_OTHER, *_THREADS, *_MATHEMATICS, "_Z*")
_REFUSED = _any_of(*_FILES, *_UNSEEN)
_SIMULATOR = _any_of("_ZN7cudasim*", "_ZNK7cudasim*", "cudasim*", "cuda[A-Z]*")


@cache
def declared_in(folder: Path) -> frozenset[str]:
    """Words outside comments of the headers in a folder; empty if there is no such folder."""
    return words_of(path for path in folder.rglob("*") if path.is_file())


def words_of(headers: Iterable[Path]) -> frozenset[str]:
    """Words of these files outside comments."""
    texts = (path.read_text(encoding="utf-8") for path in headers)
    return frozenset(word for text in texts for word in re.findall(r"\w+", _COMMENT.sub(" ", text)))


def is_allowed(name: str, declared: frozenset[str]) -> bool:
    """Whether a submission may use this symbol; `declared`: words in the simulator's headers."""
    if _SIMULATOR.match(name):
        return _unqualified(name) in declared
    variant = _VARIANT.fullmatch(name)
    plain = (variant[1] or variant[2]) if variant else name
    is_known = name in declared or _ALLOWED.match(plain)
    return bool(is_known) and not _REFUSED.match(plain)


def _unqualified(name: str) -> str:
    """The unqualified name of a mangled name in the simulator's namespace."""
    nested = re.match(r"_ZNK?7cudasim(\d+)", name)
    return name[nested.end() :][: int(nested[1])] if nested else name


def is_of_libc(name: str) -> bool:
    """Whether the C library defines it."""
    return hasattr(_libc(), name)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL("libc.so.6")
