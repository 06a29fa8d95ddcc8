"""How lab code is compiled: by `bazel test`, and by the grader, from these same constants.

Kept apart from .bazelrc, where a forgotten --config could make the two differ. The flags of the
CUDA simulator are in //common/cudasim:flags.bzl.
"""

# libstdc++ 12's own std::counting_semaphore may let a thread sleep for good while the count is above
# zero: it waits for a change of the count that it read before another thread took that one, and
# release() wakes nobody unless it finds zero. A pause before the wait shows it; sem_t has no such gap.
_SEMAPHORES_WAKE = ["-D_GLIBCXX_USE_POSIX_SEMAPHORE=1"]

# All code of labs, whatever checks its build.
_ALL_CODE = ["-std=c++20", "-g", "-Wall", "-Wextra", "-pthread"] + _SEMAPHORES_WAKE

# Host code of every lab. Sanitizer builds use another compiler with the same flags.
HOST_FLAGS = _ALL_CODE + ["-O2"]

HOST_LINK_FLAGS = ["-pthread"]

# A stack overflow must end the program. Without a probe of each page a large frame could skip the
# guard page and reach into another thread's stack, which would be reported as a race.
_STACKS_END = ["-fstack-clash-protection"]

# Tasks are tied: Archer misses joins of untied tasks, and correct programs are reported. Every
# program with untied tasks must be correct with tied ones, too.
_TIED_TASKS = ["-Duntied="]

# Which parallel library a CPU lab may use is policy (lab.toml), not a flag. With a section for each
# function the object file shows which of them use it.
CPU_FLAGS = HOST_FLAGS + _STACKS_END + _TIED_TASKS + ["-ffunction-sections", "-fopenmp"]

CPU_LINK_FLAGS = HOST_LINK_FLAGS + ["-fopenmp"]

# Message passing: the worker has MPI's functions.
MPI_FLAGS = HOST_FLAGS + _STACKS_END + ["-ffunction-sections"]

# What MPICH's layers read when they are loaded: ranks of one machine share memory, and signals are
# for the grader to explain.
MPI_ENV = {
    "UCX_HANDLE_ERRORS": "none",
    "UCX_TLS": "self,posix",
}

# Under clang: its OpenMP runtime (with Archer) tells ThreadSanitizer about threads and barriers.
CPU_RACES_FLAGS = _ALL_CODE + [
    "-O1",
    "-fopenmp",
    "-U_FORTIFY_SOURCE",  # ThreadSanitizer does not intercept __memcpy_chk() and its like
    "-fsanitize=thread",
    # Sections are iterations of a loop. Before it the optimiser would read a variable that one of
    # them updates: a race that the program does not have.
    "-mllvm",
    "-disable-licm-promotion",
    "-fno-omit-frame-pointer",
] + _STACKS_END + _TIED_TASKS

# Atomic accesses pass through //common/lab:race_checker_atomics.cc. Without a sanitizer there are no
# such calls.
ATOMICS_WATCHED = [
    "-Wl,--wrap=__tsan_atomic%d_%s" % (bits, name)
    for bits in [8, 16, 32, 64]
    for name in (
        ["load", "store", "exchange", "compare_exchange_val"] +
        ["fetch_" + name for name in ["add", "sub", "and", "or", "xor"]]
    )
] + ["-Wl,--wrap=__tsan_atomic_thread_fence"]

CPU_RACES_LINK_FLAGS = CPU_LINK_FLAGS + ["-fsanitize=thread"] + ATOMICS_WATCHED

# AddressSanitizer, and those checks of UndefinedBehaviorSanitizer that no working program fails:
# others report what is harmless on every machine of today, such as a hash that overflows.
_CHECKED = [
    "-fsanitize=address,array-bounds,return,unreachable",
    "-fno-sanitize-recover=all",
]

_MEMORY_FLAGS = _ALL_CODE + [
    "-O1",
    "-U_FORTIFY_SOURCE",  # its functions would end the program first, without a report
    "-fno-omit-frame-pointer",
    "-D_GLIBCXX_SANITIZE_VECTOR",  # a vector's reserved room is not its elements
] + _STACKS_END

CPU_MEMORY_FLAGS = _MEMORY_FLAGS + ["-fopenmp"] + _CHECKED + _TIED_TASKS

CPU_MEMORY_LINK_FLAGS = CPU_LINK_FLAGS + _CHECKED

# The same by g++, which compiles message passing for all phases. The worker has the libraries.
MPI_MEMORY_FLAGS = _MEMORY_FLAGS + [
    "-fsanitize=address,bounds,return,unreachable",
    "-fno-sanitize-recover=all",
]

# //common/lab/race_checker:race_checker.cc has the suppressions for the OpenMP runtime. Archer warns unless it
# finds ignore_noninstrumented_modules=1, but with it ThreadSanitizer reports neither lock-order
# inversions nor races in memcpy(). So a second setting, which Archer does not parse, takes it back.
# A lock-order inversion is reported with all four places. At exit a second would be slept through,
# once for each part, to see races of threads that still run: a tenth shows those, too.
_IGNORE_NOTHING = "ignore_noninstrumented_modules=1 ignore_noninstrumented_modules=no"
RACE_REPORT_EXIT_CODE = 66
TSAN_OPTIONS = _IGNORE_NOTHING + (" second_deadlock_stack=1 halt_on_error=1 atexit_sleep_ms=100 exitcode=%d" % RACE_REPORT_EXIT_CODE)

# KMP_HOT_TEAMS_MAX_LEVEL: down to this level of nested regions clang's OpenMP runtime leaves a thread
# its team. A team that it gives away it may announce to Archer after another thread has taken it: then
# the end of the region orders nothing, and correct programs are reported.
OWN_TEAMS = "4"

# Memory that is never freed and `delete` for `delete[]` cost no points. A small quarantine finds
# what is used soon after it was freed, and leaves large labs within their memory.
ASAN_OPTIONS = ("detect_stack_use_after_return=1 detect_leaks=0 alloc_dealloc_mismatch=0 " +
                "new_delete_type_mismatch=0 detect_odr_violation=0 handle_abort=1 " +
                "quarantine_size_mb=32 print_legend=0 exitcode=%d" % RACE_REPORT_EXIT_CODE)
UBSAN_OPTIONS = "print_stacktrace=1"

# --config=gpu: machine code for this generation, and PTX for later ones.
_GENERATIONS = [
    "-gencode=arch=compute_90,code=sm_90",
    "-gencode=arch=compute_90,code=compute_90",
]

_NVCC_FLAGS = ["-x", "cu", "-std=c++20", "-O3", "--extended-lambda", "-lineinfo"] + _GENERATIONS

_RUNTIME_FOLDERS = ["lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"]

# A contract with this define is of a lab whose kernels launch kernels, which needs relocatable device
# code. Others do without: with it a scan in one pass took 3 % longer on an H200.
RELOCATABLE = "LAB_RELOCATABLE"

def is_relocatable(context):
    """Whether a compilation context has the define RELOCATABLE."""
    return RELOCATABLE in context.defines.to_list()

def _host_flags(gxx):
    return ["-ccbin", gxx, "-Xcompiler", "-fPIC"]

def nvcc_flags(gxx, relocatable):
    """nvcc's flags; `gxx` compiles the host's code."""
    return _NVCC_FLAGS + (["-rdc=true"] if relocatable else []) + _host_flags(gxx)

def nvcc_steps(nvcc, gxx, relocatable, flags, source, out):
    """The commands that compile a .cu file for the GPU.

    Relocatable device code is linked with CUDA's device runtime here: the object needs no other
    device code, and others may link that runtime, too.

    Args:
      nvcc: the toolkit's compiler, in its folder bin.
      gxx: the host's compiler.
      relocatable: whether its kernels may launch kernels.
      flags: for nvcc, in addition to its own.
      source: the file.
      out: the object file; files with longer names are written beside it.

    Returns:
      the commands.
    """
    compile_to = [nvcc] + nvcc_flags(gxx, relocatable) + flags + ["-c", source, "-o"]
    if not relocatable:
        return [compile_to + [out]]
    folders = ["-L%s/%s" % (nvcc[:-len("/bin/nvcc")], folder) for folder in _RUNTIME_FOLDERS]
    host, device, whole = out + ".host.o", out + ".device.o", out + ".whole.o"
    return [
        compile_to + [host],
        [nvcc, "-dlink"] + _GENERATIONS + _host_flags(gxx) + [host, "-lcudadevrt", "-o", device],
        [gxx, "-r", "-nostdlib", host, device, "-o", whole] + folders + ["-lcudadevrt"],
        ["/usr/bin/objcopy", "-w", "--localize-symbol=__cudaRegisterLinkedBinary_*"] +
        ["--localize-symbol=__fatbinwrap_*", whole, out],
    ]

NO_TOOLKIT = ("error: no CUDA toolkit: looked in CUDA_PATH, CUDA_HOME, /usr/local/cuda, PATH\n" +
              "  next: install one, or leave --config=gpu out to use the simulator")
