"""What the policy finds and refuses in a source and in an object file."""

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from common.lab.object_policy.allowed_symbols import declared_in, is_allowed
from common.lab.object_policy.symbol_policy import check_symbols, has_stubs, missing_symbols
from common.lab.object_policy.symbols import ObjectError, Symbols, read_symbols
from common.lab.programming_models.cuda import CUDA
from common.lab.programming_models.mpi import MPI
from common.lab.text_policy.policy import check_source, check_words
from common.lab.text_policy.preprocessed import Preprocessed
from common.lab.text_policy.scanner import scan, tokens
from grader.judging.compile.kit_rules import rules_of
from grader.model.errors import GraderError
from grader.model.lab import Policy
from grader.model.manifest import Kit, load_kit
from grader.proof.fakes.fake_kit import make_kit


@pytest.fixture
def kit(tmp_path: Path) -> Kit:
    return load_kit(make_kit(tmp_path))


def includes(source: str) -> list[tuple[int, str]]:
    return [(include.line, include.name) for include in scan(source).includes]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("#include <a>\n#include <b>", [(1, "a"), (2, "b")]),
        ("  #  include  <a> // why", [(1, "a")]),
        ("/* x */ # /* y */ include /* z */ <a>", [(1, "a")]),
        ("%:include <a>", [(1, "a")]),
        ("#inc\\\nlude <a>", [(1, "a")]),
        ("#include \\  \n<a>", [(1, "a")]),
        ("/* a\nb */ #include <a>", [(2, "a")]),
        ("// #include <no>\n// \\\n#include <no>\n#include <yes>", [(4, "yes")]),
        ("/*\n#include <no>\n*/", []),
        ('const char* s = "/*";\n#include <a>\n// */', [(2, "a")]),
        ("char c = '\"';\n#include <a>\n// \"", [(2, "a")]),
        ("int n = 1'000'000; // '\n#include <a>", [(2, "a")]),
        ('auto s = R"(\n#include <no>\n)";\n#include <yes>', [(4, "yes")]),
        ('auto s = R"x(\n)" /*\n)x";\n#include <yes>', [(4, "yes")]),
        ('auto s = u8R"(/*)";\n#include <yes>', [(2, "yes")]),
        ('auto s = fooR"(";\n#include <yes>\n// )"', [(2, "yes")]),
        ('$R"x("\n#include <yes>\n/*)x"*/', [(2, "yes")]),
        ('R"x( )x\\\n" R"y( )x";\n#include <yes>\n// )y"', [(3, "yes")]),
        ("#if __has_include(<'>) || '/*'\n#endif\n#include <a>\n/* ' */", [(1, "'"), (3, "a")]),
        ("#if __has_include <'> || '/*'\n#endif\n#include <a>\n/* ' */", [(3, "a")]),
        ('#include <"> "/*"\n#include <a>\n/* " */', [(1, '"'), (2, "a")]),
        ("x = a <'>' || '/*';\n#include <a>\n/* ' */", [(2, "a")]),
        ('#include <a><""/*>\n#include <b>\n/* */', [(1, "a"), (2, "b")]),
        ('#include "a" <"/*>\n#include <b>\n/* " */', [(1, "a"), (2, "b")]),
        ("#include <a> < /*\n*/\n#include <b>", [(1, "a"), (3, "b")]),
        ("#include <a", [(1, "")]),
        ("#include MACRO", [(1, "")]),
        ("#include_next <a>", [(1, "")]),
        ("#import <a>", [(1, "")]),
        ("#include", [(1, "")]),
        ("#include <a>\r\n#include <b>\r\n", [(1, "a"), (2, "b")]),
        ("int a;\r#include <a>\n", [(2, "a")]),
        ('auto a = "\r#include <a>\n"', [(2, "a")]),
        ("int a; \\\r#include <a>\n#include <b>", [(3, "b")]),
        ("// a\r\r\n#include <a>\n", [(3, "a")]),
        ("'unterminated /*\n#include <a>", [(2, "a")]),
        ("x #include <no>", []),
    ],
)
def test_sees_the_includes_that_the_compiler_sees(
    source: str, expected: list[tuple[int, str]]
) -> None:
    assert includes(source) == expected


def test_agrees_with_the_compiler_about_a_raw_string_that_hides_a_splice(tmp_path: Path) -> None:
    source = 'auto s = R"x( )x\\\n" R"y( )x";\n#include "found.h"\n// )y"\n'
    (tmp_path / "a.cc").write_text(source, encoding="utf-8")
    (tmp_path / "found.h").write_text("", encoding="utf-8")
    seen = subprocess.run(
        ["g++", "-std=c++20", "-MM", "a.cc"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert ("found.h" in seen) == (includes(source) == [(3, "found.h")])


def test_scans_a_long_hostile_text_in_linear_time() -> None:
    for piece in ("/*", '"', "'", 'R"x(', "\\\n", "#", "<", "1'", "(" * 9, "é"):
        scan(piece * 60_000)


def lines(source: str | bytes, kit: Kit) -> list[str]:
    return check_source(source if isinstance(source, bytes) else source.encode(), rules_of(kit))


def test_allows_the_labs_headers_its_list_and_its_patterns(kit: Kit) -> None:
    source = (
        '#include "labs/fake_sum/sum.h"\n#include "common/lab/not_written.h"\n'
        "#include <vector>\n#include <sys/time.h>\n"
    )
    assert lines(source, kit) == []


@pytest.mark.parametrize(
    "directive",
    [
        "#include <thread>",
        '#include "vector"',
        '#include "/etc/shadow"',
        "#include </proc/self/environ>",
        '#include "labs/fake_sum/../../../x.h"',
        '#include "common/lab/exports/exports.h"',
        "#include <sys/../thread>",
        "#include HEADER",
        '#include "labs/other/sum.h"',
    ],
)
def test_refuses_other_includes_with_their_line(kit: Kit, directive: str) -> None:
    (problem,) = lines(f"\n\n{directive}\n", kit)
    assert problem.startswith("sum.cc:3: #include")


def test_tests_may_include_what_the_labs_own_tests_include(kit: Kit) -> None:
    header = kit.public / "include" / "common" / "lab" / "testing" / "function.h"
    header.parent.mkdir(parents=True)
    header.touch()
    source = '#include "common/lab/testing/function.h"\n#include "common/lab/exports/exports.h"\n'
    of_tests = {"kind": "tests", "lab": f"{kit.manifest.lab}-tests"}
    own = kit.model_copy(update={"manifest": kit.manifest.model_copy(update=of_tests)})
    assert [line[:8] for line in lines(source, kit)] == ["sum.cc:1", "sum.cc:2"]
    assert [line[:8] for line in lines(source, own)] == ["sum.cc:2"]


def test_lists_the_allowed_headers_once_for_several_refused_ones(kit: Kit) -> None:
    first, second = lines("#include <thread>\n#include <vector>\n#include <mutex>\n", kit)
    assert first.startswith("sum.cc:1: #include <thread> is not allowed in this lab; these headers")
    assert second == "sum.cc:3: #include <mutex> is not allowed in this lab"


@pytest.mark.parametrize(
    "condition",
    [
        "#if defined(__has_include) && __has_include(<vector>)",
        "#ifdef __has_include",
        '#if !__has_include("sum.h")',
    ],
)
def test_a_condition_may_ask_for_a_header_that_may_be_included(kit: Kit, condition: str) -> None:
    source = f"{condition}\n#elif __has_include ( <vector> )\n#endif\n"
    assert lines(source, kit) == []
    assert check_words(source.encode(), NO_TEXT, rules_of(kit)) == []


@pytest.mark.parametrize(
    ("condition", "problem"),
    [
        ("#if __has_include(<thread>)", "__has_include(<thread>) is not allowed in this lab"),
        ('#elif __has_include("/etc/passwd")', '__has_include("/etc/passwd"): only'),
        ("#if 1 || __has_include(<../x.h>)", "__has_include(<../x.h>): name a system header"),
        ("#if __has_include(X)", "__has_include(X): only #include <header>"),
        ("#if __has_include <vector>", "__has_include is not allowed"),
        ("#define ASK __has_include(<vector>)", "__has_include is not allowed"),
        ("#if __has_include_next(<vector>)", "__has_include_next is not allowed"),
    ],
)
def test_no_condition_asks_for_another_file(kit: Kit, condition: str, problem: str) -> None:
    source = f"#if 0\n{condition}\n#endif\n"
    said = [*lines(source, kit), *check_words(source.encode(), NO_TEXT, rules_of(kit))]
    assert [text for text in said if text.startswith(f"sum.cc:2: {problem}")] == said != []


def test_refuses_a_binary_broken_text_and_an_empty_file_each_in_its_words(kit: Kit) -> None:
    assert "binary" in lines(b"\x7fELF\x00", kit)[0]
    assert lines("int a;\n".encode("utf-16"), kit) == [
        "sum.cc is saved as UTF-16: save it as UTF-8"
    ]
    assert lines(b" \n", kit) == ["sum.cc is empty"]


@pytest.mark.parametrize(
    "code", [b'auto s = "caf\xe9";', b"int caf\xe9;", b"#include <caf\xe9>", b'R"(\n\xe9)";']
)
def test_names_the_line_of_a_byte_that_is_not_utf_8_outside_comments(kit: Kit, code: bytes) -> None:
    line = 2 + code.count(b"\n")
    assert lines(b"// caf\xe9\n" + code, kit) == [
        f"sum.cc:{line}: byte 0xe9 is not UTF-8: save the file as UTF-8"
    ]


def test_leaves_alone_any_bytes_in_comments(kit: Kit) -> None:
    assert lines(b"/* caf\xe9\n\xff\xc3( */ #include <vector>\n// \xe4\xf6\\\n\xfc\n", kit) == []


def test_refuses_a_file_that_is_too_large_with_both_sizes(kit: Kit) -> None:
    assert lines("/" * 17 * 1024, kit) == ["sum.cc has 17 KB, limit 16 KB"]


def test_takes_a_text_of_kernels_that_defines(kit: Kit) -> None:
    assert lines(b'auto s = R"(\n# define N 1\n#pragma unroll\n)";\n', kit) == []


def test_takes_a_byte_order_mark(kit: Kit) -> None:
    assert lines(b"\xef\xbb\xbf#include <vector>\n", kit) == []


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ('#line 1 "/proc/cmdline"', "#line"),
        ('# 1 "/proc/cmdline"', "#line"),
        ("%:line 7", "#line"),
        ('auto s = "a"R"(";\n', "a literal with the suffix R before a string"),
        ("auto c = 'a'u8R\"(\";\n", "a literal with the suffix R before a string"),
        ('auto s = R"(\n# 1 "/usr/include/stdio.h" 1\n)";', "a raw string with # in it"),
        ("#pragma GCC dependency <stdio.h> '/*'\n", "#pragma GCC dependency"),
        ("#include <a'b>", "a header's name with a quote, backslash or comment in it"),
        (
            '#include <vector><""/*>\n#include <map>\n/* */',
            "a header's name with a quote, backslash or comment in it",
        ),
        (
            "#if __has_include(<'>) || '/*'\n#endif",
            "a header's name with a quote, backslash or comment in it",
        ),
        ('auto s = R"(\n%:include <a>\n)";', "a raw string with # in it"),
        ('auto s = R"(\n#define N 1\n#include <a>\n)";', "a raw string with # in it"),
        ('auto s = R"(\n#define# 1 "/usr/include/stdio.h"\n)";', "a raw string with # in it"),
        ('auto s = R"(\n#define H #pragma weak a=b\n)";', "a raw string with # in it"),
        ('auto s = R"(\nE#pragma weak a=b\n)";', "a raw string with # in it"),
        ('auto s = R"(\\\n# 1 "/usr/include/stdio.h" 1\n)";', "a raw string with # in it"),
        (
            '#define q\u0308R\nauto s = 1q\u0308R"z(";',
            "COMBINING DIAERESIS (U+0308) outside comments and literals",
        ),
        ("auto c = 0x1'\u00e9';", "a number next to a name or a literal"),
        ('auto s = 1\u00e9R"z(";', "a number next to a name or a literal"),
        ("int\u00a0n;", "NO-BREAK SPACE (U+00A0) outside comments and literals"),
    ],
)
def test_refuses_text_that_scanner_and_compiler_may_read_differently(
    kit: Kit, source: str, what: str
) -> None:
    assert f"sum.cc:2: {what} is not allowed" in lines(f"\n{source}", kit)


def test_names_comments_and_literals_may_have_letters_of_any_language(kit: Kit) -> None:
    source = (
        "int gr\u00f6\u00dfe = 1;  // \u2713\nconst char* s = \"\u2713\"; auto c = U'\u03bb';\n"
    )
    assert lines(source, kit) == []


NO_TEXT = Preprocessed((), ())


def test_refuses_words_that_switch_checks_off_but_not_in_comments(kit: Kit) -> None:
    source = b'// syscall\nchar s[] = "asm";\nlong f() { return syscall(39); }\n'
    assert check_words(source, NO_TEXT, rules_of(kit)) == [
        "sum.cc:3: syscall is not allowed in a submission"
    ]


def symbols(undefined: str = "", defined: str = "") -> Symbols:
    return Symbols(frozenset(defined.split()), frozenset(undefined.split()))


def test_asks_for_one_symbol_of_each_needed_group(kit: Kit) -> None:
    assert missing_symbols(symbols("_ZNSt6thread15_M_start_threadE"), rules_of(kit)) == []
    assert missing_symbols(symbols("printf"), rules_of(kit)) == [
        "sum.cc does not use pthread_create or std::thread, which this lab asks for"
    ]


def test_names_ways_to_wait_as_a_student_calls_them(kit: Kit) -> None:
    policy = Policy(needed=[["pthread_cond_*wait", "sem_*wait", "syscall"]])
    kit = kit.model_copy(update={"lab": kit.lab.model_copy(update={"policy": policy})})
    assert missing_symbols(symbols("printf"), rules_of(kit)) == [
        "sum.cc does not use pthread_cond_wait or sem_wait or a semaphore, latch or barrier of the "
        "standard library, which this lab asks for"
    ]


def test_names_a_missing_kernel_launch_as_it_is_written(kit: Kit) -> None:
    launches = ["_ZN7cudasim9Configure*", "_ZN7cudasim12LaunchKernel*", "cudaLaunch*"]
    policy = Policy(needed=[launches])
    kit = kit.model_copy(update={"lab": kit.lab.model_copy(update={"policy": policy})})
    configured = symbols("_ZN7cudasim9ConfigureEPKci4dim3S2_mP11CUstream_st")
    assert missing_symbols(configured, rules_of(kit)) == []
    assert missing_symbols(symbols("_ZN7cudasim12LaunchKernelEPKv"), rules_of(kit)) == []
    assert missing_symbols(symbols("cudaMalloc"), rules_of(kit)) == [
        "sum.cc does not use kernel<<<...>>>(...) or cudaLaunchKernel, which this lab asks for"
    ]


def test_knows_a_file_with_stubs_in_it_by_what_they_throw() -> None:
    assert has_stubs(symbols(defined="_ZTIN3lab10NotWrittenE"))
    assert not has_stubs(symbols(defined="_ZTIN3lab10CallFailedE"))


def test_refuses_what_the_lab_forbids_to_use(kit: Kit) -> None:
    assert check_symbols(symbols("pthread_create GOMP_critical"), rules_of(kit)) == [
        "sum.cc uses GOMP_critical, which this lab does not allow"
    ]


@pytest.mark.parametrize(
    ("name", "spoken"),
    [
        ("GOMP_parallel", "#pragma omp parallel"),
        ("GOMP_parallel_loop_dynamic", "#pragma omp parallel"),
        ("GOMP_task", "#pragma omp task"),
        ("GOMP_taskwait", "#pragma omp taskwait"),
        ("_ZNSt6thread15_M_start_threadE", "std::thread"),
        ("_ZNSt13__future_base12_Result_base", "std::async, std::future or std::promise"),
        ("GOMP_task_reduction_remap", "in_reduction"),
    ],
)
def test_names_constructs_as_students_write_them(kit: Kit, name: str, spoken: str) -> None:
    policy = Policy(forbidden=[name])
    kit = kit.model_copy(update={"lab": kit.lab.model_copy(update={"policy": policy})})
    assert check_symbols(symbols(name), rules_of(kit)) == [
        f"sum.cc uses {spoken}, which this lab does not allow"
    ]


@pytest.mark.parametrize(
    ("source", "refused"),
    [
        ("std::atomic<int> n;", ["sum.cc:1: atomic is not allowed in a submission"]),
        ("int a;\natomic_fence(a);", ["sum.cc:2: atomic_fence is not allowed in a submission"]),
        ("lab::Atomic<int> n;  // like std::atomic", []),
    ],
)
def test_refuses_the_words_of_the_lab(kit: Kit, source: str, refused: list[str]) -> None:
    policy = Policy(words=["atomic", "atomic_*"])
    kit = kit.model_copy(update={"lab": kit.lab.model_copy(update={"policy": policy})})
    assert check_words(f"{source}\n".encode(), NO_TEXT, rules_of(kit)) == refused


def test_refuses_texts_of_errors_and_no_other_message(kit: Kit) -> None:
    for code, refused in [("e.code().message()", 1), ("&C::message", 1), ("Show(message)", 0)]:
        text = Preprocessed(tuple(tokens(code)), ())
        assert len(check_words(b"", text, rules_of(kit))) == refused


def declare(kit: Kit, text: str) -> None:
    folder = kit.public / "simulator" / "cudasim"
    folder.mkdir(parents=True)
    (folder / "api.h").write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    [
        *("kill", "raise", "write", "open", "fopen", "fdopen", "dprintf", "mempcpy", "setitimer"),
        *("dlsym@GLIBC_2.34", "fork@GLIBC_2.2.5", "__read_chk", "pthread_kill", "thrd_create"),
        *("fork", "execve", "dlsym", "made_up", "wmemcpy", "erand48", "sem_open", "__tsan_acquire"),
        *(
            "strsep",
            "pthread_attr_setaffinity_np",
            "pthread_sigmask",
            "__atomic_flag_wait_explicit",
        ),
    ],
)
def test_refuses_every_symbol_that_is_not_on_its_list(kit: Kit, name: str) -> None:
    [problem] = check_symbols(symbols(name), rules_of(kit))
    refused = f"sum.cc uses {name.partition('@')[0]}, which this lab does not allow: "
    assert problem.startswith(refused)
    assert problem.endswith("; your instructor can allow it in lab.toml")


def test_tells_the_line_of_a_refused_function_and_what_to_write_instead(kit: Kit) -> None:
    text = tuple(tokens("double a;\nstd::from_chars(b, e, a);\nstd::from_chars(b, e, a);"))
    name = "_ZSt10from_charsPKcS0_RdSt12chars_format"
    assert check_symbols(symbols(name), rules_of(kit), own=text) == [
        "sum.cc:2 uses std::from_chars, which this lab does not allow: use std::strtof or "
        "std::strtod; your instructor can allow it in lab.toml"
    ]


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("MPI_Init_thread", "the ranks run already: remove the call"),
        ("MPI_Finalize", "the ranks run already: remove the call"),
        ("MPI_Abort", "an error ends all ranks: remove the call"),
        ("MPI_Rsend", "use MPI_Send or MPI_Isend"),
        ("MPI_Mprobe", "use MPI_Probe and MPI_Recv"),
        ("MPI_Ibcast", "use the collective that blocks"),
        ("MPI_Comm_spawn", "use MPI_COMM_WORLD"),
        ("MPI_Comm_create", "use MPI_Comm_split"),
        ("MPI_Rput", "use messages"),
        ("MPI_File_open", "use the arguments"),
        ("PMPI_Send", "use the function without the P"),
        ("fork", "do without it"),
    ],
)
def test_refuses_functions_of_mpi_by_what_to_use_instead(kit: Kit, name: str, instead: str) -> None:
    rules = replace(rules_of(kit), model=MPI.policy)
    assert check_symbols(symbols(f"MPI_Send MPI_Testsome {name}"), rules) == [
        f"sum.cc uses {name}, which this lab does not allow: {instead}; your instructor can allow "
        "it in lab.toml"
    ]


def test_a_thread_that_joins_itself_calls_what_its_header_calls(kit: Kit) -> None:
    policy = Policy(forbidden=["sched_yield", "sem_*"])
    kit = kit.model_copy(update={"lab": kit.lab.model_copy(update={"policy": policy})})
    used, rules = symbols("sched_yield sem_post"), rules_of(kit)
    thread = "void Run() {\n std::jthread thread(Work);\n}\n"
    assert check_symbols(used, rules, own=tuple(tokens(thread))) == []
    for word in ("yield", "binary_semaphore", "sem_post", "get_stop_token", "stop_requested"):
        assert check_symbols(used, rules, own=tuple(tokens(f"{thread}std::{word}();"))) == [
            f"sum.cc:4 uses {word}, which this lab does not allow"
        ]
    assert len(check_symbols(used, rules)) == 2


def test_names_one_function_of_a_class_and_the_one_with_a_line_first(kit: Kit) -> None:
    text = tuple(tokens("struct Buffer : std::streambuf {\nint sync() override;\n};"))
    of_buffers = "_ZNSt15basic_streambufIcSt11char_traitsIcEE"
    names = f"{of_buffers}6setbufEPcl _ZSt10from_charsPKcS0_Rd {of_buffers}4syncEv"
    problems = check_symbols(symbols(names), rules_of(kit), own=text)
    assert [problem.partition(",")[0] for problem in problems] == [
        "sum.cc:2 uses std::basic_streambuf<char>::sync",
        "sum.cc uses std::from_chars",
    ]


def test_allows_what_the_lab_allows_besides(kit: Kit) -> None:
    policy = Policy(allowed=["_ZSt10from_chars*"])
    kit = kit.model_copy(update={"lab": kit.lab.model_copy(update={"policy": policy})})
    name = "_ZSt10from_charsPKcS0_RdSt12chars_format"
    assert check_symbols(symbols(name), rules_of(kit)) == []


@pytest.mark.parametrize(
    "name",
    [
        *("memcpy", "__memcpy_chk", "__printf_chk", "__isoc99_sscanf", "sqrtf", "__expf_finite"),
        *("__gcc_personality_v0", "__gxx_personality_v0", "__popcountdi2", "__muldc3", "syscall"),
        *("pthread_barrier_wait", "sem_timedwait", "_ZNSt13random_device9_M_getvalEv", "_Znwm"),
        *("sem_init", "sem_trywait", "sem_post", "omp_set_lock", "omp_get_schedule", "cabs"),
        *("strtol", "strncat", "isalnum", "pthread_attr_setdetachstate", "pthread_condattr_init"),
        *("pthread_mutex_clocklock", "_ZNSolsEi", "_ZNSt8__detail15_List_node_base7_M_hookEPS0_"),
        *("__cxa_throw", "_Unwind_Resume", "omp_get_max_threads", "_ZNKSt4hashIeEclEe"),
        "_ZNSt13runtime_errorC1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
        "_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_string"
        "IS4_S5_T1_EE",
        "_ZNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEEC1Ev",
    ],
)
def test_allows_what_ordinary_programs_use(kit: Kit, name: str) -> None:
    assert check_symbols(symbols(name), rules_of(kit)) == []


def of_cuda(kit: Kit) -> Kit:
    return kit.model_copy(update={"lab": kit.lab.model_copy(update={"model": "cuda"})})


@pytest.mark.parametrize("build", ["races", "counters"])
def test_refuses_checked_variants_where_nobody_sees_what_they_write(kit: Kit, build: str) -> None:
    assert check_symbols(symbols("__memcpy_chk"), rules_of(of_cuda(kit)), build) == [
        "sum.cc uses __memcpy_chk, which this lab does not allow"
    ]


def test_refuses_functions_of_the_host_that_write_in_a_cuda_lab(kit: Kit) -> None:
    cuda = of_cuda(kit)
    for name in ("strcpy", "snprintf", "strtol", "pthread_join"):
        assert check_symbols(symbols(name), rules_of(kit)) == []
        assert check_symbols(symbols(name), rules_of(cuda)) == [
            f"sum.cc uses {name}, which this lab does not allow"
        ]
    assert check_symbols(symbols("printf fprintf strlen pthread_mutex_lock"), rules_of(cuda)) == []


def test_allows_of_the_simulator_what_its_headers_declare_outside_of_comments(kit: Kit) -> None:
    declare(kit, "void Launch(); // Profiles\n/* signal */ double rcbrt(double);")
    assert check_symbols(symbols("_ZN7cudasim6LaunchEv rcbrt"), rules_of(kit)) == []
    assert len(check_symbols(symbols("_ZN7cudasim8ProfilesEv signal"), rules_of(kit))) == 2


@pytest.mark.parametrize("name", ["fputs", "write", "memcpy@GLIBC_2.14"])
def test_refuses_functions_that_would_replace_one_of_the_c_library(kit: Kit, name: str) -> None:
    name_alone = name.partition("@")[0]
    assert check_symbols(symbols("", name), rules_of(kit)) == [
        f"sum.cc defines {name_alone}, which belongs to the system: rename or remove it"
    ]


def test_allows_a_variable_with_the_name_of_a_function_of_the_c_library(kit: Kit) -> None:
    variable = Symbols(frozenset({"index"}), frozenset(), frozenset({"index"}))
    assert check_symbols(variable, rules_of(kit)) == []


def test_refuses_to_be_asked_whether_a_build_has_a_function(kit: Kit) -> None:
    weak = frozenset({"__isoc99_printf", "printf", "pthread_create", "__cxa_pure_virtual"})
    assert check_symbols(replace(symbols(" ".join(weak)), weak=weak), rules_of(kit)) == [
        "sum.cc refers to __isoc99_printf only if it exists: remove __attribute__((weak))"
    ]


@pytest.mark.parametrize(
    "name", ["main", "LabExports", "__tsan_default_options", "cudaMalloc", "_Znwm"]
)
def test_refuses_definitions_that_would_replace_parts_of_the_worker(kit: Kit, name: str) -> None:
    assert f"defines {name}" in check_symbols(symbols("pthread_create", name), rules_of(kit))[0]
    assert f"defines {name}" in check_symbols(symbols("", name), rules_of(kit), "races")[0]


def test_allows_the_race_checkers_own_instrumentation_and_nothing_that_mutes_it(kit: Kit) -> None:
    own = symbols("__tsan_read4 __tsan_func_entry")
    assert check_symbols(own, rules_of(kit), "races") == []
    assert len(check_symbols(own, rules_of(kit))) == 2
    muted = symbols("AnnotateIgnoreReadsBegin __tsan_acquire")
    assert len(check_symbols(muted, rules_of(kit), "races")) == 2


def test_allows_the_memory_checkers_instrumentation_only_in_its_build(kit: Kit) -> None:
    own = symbols("__asan_report_load4 __ubsan_handle_out_of_bounds_abort __asan_init")
    assert check_symbols(own, rules_of(kit), "memory") == []
    assert len(check_symbols(own, rules_of(kit), "races")) == 3
    assert check_symbols(symbols("", "__asan_default_options"), rules_of(kit), "memory")


def test_allows_calls_from_every_basic_block_only_in_the_counters_build(kit: Kit) -> None:
    own, cuda = symbols("__tsan_read4 __sanitizer_cov_trace_pc"), of_cuda(kit)
    assert check_symbols(own, rules_of(cuda), "counters") == []
    assert check_symbols(own, rules_of(cuda), "races")


@pytest.mark.parametrize("build", ["tests", "races", "counters"])
def test_refuses_to_reset_the_counters(kit: Kit, build: str) -> None:
    declare(kit, "void simulatorResetProfile();")
    assert check_symbols(symbols("simulatorResetProfile"), rules_of(kit), build) == [
        "sum.cc uses simulatorResetProfile, which this lab does not allow"
    ]


@pytest.mark.parametrize("header", ["call_account", "expect_callers", "fail_call"])
def test_refuses_the_functions_that_a_test_controls_the_simulator_by(kit: Kit, header: str) -> None:
    text = Path(f"common/cudasim/include/cudasim/{header}.h").read_text(encoding="utf-8")
    declare(kit, text)
    functions = re.findall(r"^\w.*\b((?:cudasim|simulator)\w+)\(", text, re.MULTILINE)
    assert len(functions) >= 2
    assert len(check_symbols(symbols(" ".join(functions)), rules_of(kit))) == len(functions)


@pytest.mark.parametrize(
    "code",
    [
        "#ifdef CUDASIM_CHECK",
        "namespace cudasim {}",
        "extern void __sanitizer_cov_trace_pc();",
        "void f(Node* a, Node* b) { a->_M_hook(b); }",
        "auto f = &__cxxabiv1::__cxa_init_primary_exception;",
    ],
)
def test_refuses_the_simulators_own_names(kit: Kit, code: str) -> None:
    assert check_words(f"{code}\n".encode(), NO_TEXT, rules_of(kit))


def test_allows_every_macro_of_the_simulator_for_a_function_of_cuda(kit: Kit) -> None:
    headers = Path("common/cudasim/include/cudasim").glob("*.h")
    text = "\n".join(header.read_text(encoding="utf-8") for header in headers)
    macros = re.findall(r"^#define (__[a-z]\w*)\(.*?\) (.*cudasim.*)$", text, re.MULTILINE)
    assert {"__syncthreads", "__expf", "__sincosf"} <= {name for name, _ in macros}
    rules = replace(rules_of(kit), model=CUDA.policy)
    for name, expansion in macros:
        preprocessed = Preprocessed(tuple(tokens(expansion)), ())
        assert check_words(b"", preprocessed, rules) == [], name


@pytest.mark.parametrize("suffix", ["", "f", "l"])
@pytest.mark.parametrize("function", ["sincos", "frexp", "modf", "remquo"])
def test_allows_the_simulators_functions_with_two_results(function: str, suffix: str) -> None:
    declared = declared_in(Path("common/cudasim/include/cudasim"))
    assert is_allowed(f"cudasim_{function}{suffix}", declared)


def test_reads_the_symbols_that_a_compiler_wrote(tmp_path: Path) -> None:
    source = (
        'extern "C" { int used(); __attribute__((weak)) int perhaps(); }'
        "static int local = 1; int f() { return perhaps ? used() : local; }"
    )
    subprocess.run(
        ["g++", "-x", "c++", "-c", "-", "-o", tmp_path / "a.o"], input=source.encode(), check=True
    )
    got = read_symbols(tmp_path / "a.o")
    assert got.defined == {"_Z1fv"}
    assert "used" in got.undefined
    assert got.weak == {"perhaps"}


def test_survives_every_single_byte_of_an_object_being_wrong(tmp_path: Path) -> None:
    path = tmp_path / "a.o"
    subprocess.run(
        ["g++", "-x", "c++", "-c", "-", "-o", path], input=b"int f() { return 1; }", check=True
    )
    whole = path.read_bytes()
    refused = 0
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        try:
            read_symbols(path)
        except ObjectError:
            refused += 1
    assert 0 < refused < len(whole)


@pytest.mark.parametrize("keep", [0, 10, 64, 300])
def test_refuses_an_object_that_was_cut_short(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "a.o"
    subprocess.run(["g++", "-x", "c++", "-c", "-", "-o", path], input=b"int f;", check=True)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ObjectError, match="not a whole object file"):
        read_symbols(path)


def test_refuses_a_kit_whose_lab_and_builds_are_of_different_models(tmp_path: Path) -> None:
    root = make_kit(tmp_path)
    text = (root / "lab.toml").read_text(encoding="utf-8")
    (root / "lab.toml").write_text(text.replace('"cpu"', '"cuda"'), encoding="utf-8")
    with pytest.raises(GraderError, match=r"lab\.toml: model = 'cuda', but sum\.cc is built as"):
        load_kit(root)


def test_refuses_a_lab_of_a_model_that_is_not_registered(tmp_path: Path) -> None:
    root = make_kit(tmp_path)
    text = (root / "lab.toml").read_text(encoding="utf-8")
    (root / "lab.toml").write_text(text.replace('"cpu"', '"tpu"'), encoding="utf-8")
    with pytest.raises(GraderError, match="'tpu' is no programming model; there are cpu, cuda"):
        load_kit(root)
