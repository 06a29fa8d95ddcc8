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
    *(f"__atomic_{name}*" for name in ("load", "store", "exchange", "compare_exchange", "fetch_")),
    *("__atomic_is_lock_free", "__*[dt]i2", "__*[dt]i3", "__*[dt]i4", "__*[sdxt]f2", "__*[sdxt]f3"),
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
    *("rand", "rand_r", "srand", "random", "srandom", "drand48", "srand48"),
    *("abs", "labs", "llabs", "div", "ldiv", "lldiv", "time", "difftime", "clock", "ctime"),
    *("clock_gettime", "clock_getres", "gettimeofday", "nanosleep", "clock_nanosleep", "usleep"),
    *("sleep", "sched_yield", "sched_getcpu", "sched_[gs]etaffinity", "__sched_cpu*", "sysconf"),
    *("get_nprocs*", "ctime_r", "gmtime*", "localtime*", "mktime"),
)
# syscall is here because the headers of std::jthread, std::barrier and std::counting_semaphore call
# it; policy.py refuses the word in a submission's own text.
_THREADS = (
    *("syscall", "sem_init", "sem_destroy", "sem_post", "sem_getvalue", "sem_*wait"),
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
        *(
            "significand",
            "drem",
            "finite",
            "isinf",
            "isnan",
            "cabs",
            "carg",
            "cexp",
            "clog",
            "cpow",
        ),
        *("csqrt", "csin", "ccos", "ctan", "csinh", "ccosh", "ctanh", "cproj"),
    )
)
# GOMP_ and __kmpc_ functions are made by compilers from pragmas: policy.py refuses the words.
_OPENMP = (
    *("GOMP_*", "__kmpc_*"),
    *(
        f"omp_{name}"
        for name in (
            *("init_*lock", "set_*lock", "test_*lock", "unset_*lock", "destroy_*lock", "in_final"),
            *("init_*lock_with_hint", "alloc", "aligned_alloc", "calloc", "free", "in_parallel"),
            *("is_initial_device", "display_env", "fulfill_event", "pause_resource*", "get_level"),
            *("[gs]et_num_threads", "[gs]et_dynamic", "[gs]et_nested", "[gs]et_schedule"),
            *("[gs]et_max_active_levels", "[gs]et_default_device", "[gs]et_num_teams", "get_wtime"),
            *("[gs]et_teams_thread_limit", "[gs]et_default_allocator", "get_max_threads"),
            *("get_thread_num", "get_num_procs", "get_thread_limit", "get_wtick", "get_proc_bind"),
            *("get_active_level", "get_ancestor_thread_num", "get_team_size", "get_num_places"),
            *("get_supported_active_levels", "get_cancellation", "get_place_num", "get_team_num"),
            *("get_place_num_procs", "get_partition_num_places", "get_num_devices"),
            *("get_initial_device", "get_device_num", "get_max_teams", "get_max_task_priority"),
        )
    ),
)
# The C++ library, by its mangled names, as compilers of several versions leave them undefined; what
# a header defines is compiled with the submission and is not listed. Each group's functions write
# nothing for their caller, or are defined by //common/lab/race_checker, or build an object that
# its thread alone has. So reading from streams, assigning locales and exceptions, buffers of
# streams and numbers from text are left out. Those that only headers may name, by words that the
# standard reserves, policy.py refuses in a submission's own text.
_EXCEPTIONS = (
    *("exception", "bad_alloc", "bad_array_new_length", "bad_cast", "bad_typeid", "bad_exception"),
    *("logic_error", "domain_error", "invalid_argument", "length_error", "out_of_range"),
    *("runtime_error", "range_error", "overflow_error", "underflow_error", "system_error"),
    *("future_error", "bad_weak_ptr", "bad_function_call", "nested_exception"),
)
_THROWN = (
    *(f"_ZNSt{len(name)}{name}[CD][012]E*" for name in _EXCEPTIONS),
    *(f"_ZNKSt{len(name)}{name}4whatEv" for name in _EXCEPTIONS),
    *("_ZSt[12][0-9]__throw_*", "_ZSt21__glibcxx_assert_fail*", "_ZSt9terminatev"),
    *("_ZSt17current_exceptionv", "_ZSt17rethrow_exception*", "_ZSt18uncaught_exceptionv"),
    *("_ZSt19uncaught_exceptionsv", "_ZNSt3_V21[56]*_categoryEv", "_ZSt15future_categoryv"),
    *(f"_ZNSt15__exception_ptr13exception_ptr{name}" for name in ("[CD][12]E*", "9_M_addrefEv")),
    "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv",
)
_OBJECTS = (
    # Information on types, which programs only read; memory; allocators, which have no state.
    *("_ZT[ISTV]*", "_ZT[hv]*_NS[od]D[01]Ev", "_ZNKSt9type_info[e67]*", "_Zn[wa]m*", "_Zd[la]Pv*"),
    *("_ZSt7nothrow", "_ZNSa[cw]*", "_ZNSaI[cw]E*", "_ZNSt12placeholders*E"),
    *("_ZNSt8__detail15_List_node_base*", "_ZSt18_Rb_tree_increment*"),
    *("_ZSt18_Rb_tree_decrement*", "_ZSt29_Rb_tree_insert_and_rebalance*"),
    *("_ZSt28_Rb_tree_rebalance_for_erase*", "_ZNKSt8__detail20_Prime_rehash_policy*"),
    *("_ZSt11_Hash_bytesPKvmm", "_ZNKSt4hashIeEclEe", "_ZNSt10_Sp_locker*"),
    *("_ZNSt3pmr2[568]*_resource*", "_ZNSt3pmr[12]*resourceEv", "_ZN*St13random_device*"),
)
_CONCURRENCY = (
    *("_ZNSt6thread*", "_ZNSt18condition_variable*", "_ZSt25notify_all_at_thread_exit*"),
    *("_ZSt11__once_call", "_ZSt15__once_callable", "_ZNSt13__future_base*"),
    *("_ZNSt28__atomic_futex_unsigned_base*", "_ZNSt6chrono3_V2*_clock3nowEv"),
    "_ZNSt11this_thread11__sleep_for*",
)
# Output, of characters.
_TRAITS = "St11char_traitsIcE"
_OUTPUT = (
    *("_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt3cin", "_ZNSt8ios_base4Init[CD][12]Ev"),
    *("_ZNSt8ios_base[CD]2Ev", "_ZNSt8ios_base15sync_with_stdioEb", "_ZNSt6locale[CD]1Ev"),
    *("_ZNSolsE[a-z]", "_ZNSolsEDn", "_ZNSolsEPKv", "_ZNSolsEPFRS*", "_ZNSo9_M_insertI*"),
    *("_ZNSo3putEc", "_ZNSo5flushEv", "_ZNSo5writeEPKcl", "_ZNSo5tellpEv", "_ZN*So6sentry*"),
    *("_ZNS[od][CD][0-9]Ev", "_ZSt16__ostream_insertIc*", "_ZNKSt5ctypeIcE13_M_widen_initEv"),
    *(f"_ZSt{name}Ic{_TRAITS}E*" for name in ("4endl", "4ends", "5flush")),
    *(f"_ZStlsI{kind}{_TRAITS}E*" for kind in ("", "c", "[df]c")),
    f"_ZStlsIc{_TRAITS}SaIcEE*",
    *(
        f"_ZN*St9basic_iosIc{_TRAITS}E{name}*"
        for name in (
            *("[CD]", "cv", "nt", "3eof", "3bad", "4fail", "4good", "4fill", "4init", "5clear"),
            *("5rdbufEv", "7rdstate", "8setstate", "11_M_setstate", "10exceptions", "3tie"),
        )
    ),
    *(
        f"_ZN*St7__cxx111{name}Ic{_TRAITS}SaIcEE{part}"
        for name in ("9basic_ostringstream", "8basic_stringstream")
        for part in ("[CD][0-9]E*", "3strE*", "4viewEv", "5rdbufEv")
    ),
    *(
        f"_ZN*St7__cxx1115basic_stringbufIc{_TRAITS}SaIcEE{part}"
        for part in ("3strE*", "4viewEv", "7_M_syncE*")
    ),
)
# Names that compilers give to checked variants of functions, and to those of another C standard.
_VARIANT = re.compile(r"__(\w+?)_(?:chk|finite)|__isoc(?:99|23)_(\w+)")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, patterns)))


_ALLOWED = _any_of(
    *(*_COMPILER, *_MEMORY, *_TEXT, *_OTHER, *_THREADS, *_MATHEMATICS, *_OPENMP),
    *(*_THROWN, *_OBJECTS, *_CONCURRENCY, *_OUTPUT),
)
# What a kernel may call besides the simulator's functions.
_IN_KERNELS = _any_of(
    *(*_COMPILER, *_MATHEMATICS, "_ZT[ISV]*", "_Zn[wa]m*", "_Zd[la]Pv*", "malloc", "free"),
    *("memcpy", "memmove", "memset", "printf", "vprintf", "puts", "putchar"),
)
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
    return name in declared or bool(_ALLOWED.match(plain))


def kernels_may_use(name: str, declared: frozenset[str]) -> bool:
    """Whether a kernel may use a symbol that its file may use."""
    return bool(_SIMULATOR.match(name) or name in declared or _IN_KERNELS.match(name))


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
