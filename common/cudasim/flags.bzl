"""How a .cu file is compiled for the simulator: the one place for these flags.

Three steps, in this order, the same in Bazel, in the kit and outside:

    g++ PREPROCESS [CHECK_DEFINES] -isystem <common/cudasim/include> ... -E lab.cu -o lab.ii
    rewrite lab.ii lab.sim.ii
    compile g++ PLAIN_COPTS|CHECK_COPTS|PROFILE_COPTS [X86_64_COPTS] -c lab.sim.ii -o lab.o

and linked, after the objects, with libcudasim.a (plain), libcudasim_check.a (check mode) or
libcudasim_profile.a (profile mode, also with CHECK_DEFINES):

    g++ LINKOPTS lab.o main.o libcudasim.a LINK_LIBRARIES -o program

The grader links these archives into its worker, which loads what submissions are linked to.

Host-only objects (exports.o, tests) include <cuda_runtime.h> as ordinary C++: no rewriting, no
instrumentation and none of these defines.  They link with any of the runtimes.
"""

# cuda_runtime.h comes first, as with nvcc; it also redirects memcpy in check mode.
PREPROCESS = [
    "-E",
    "-x",
    "c++",
    "-std=c++20",
    "-pthread",
    "-D__CUDACC__",
    "-include",
    "cuda_runtime.h",
]

# In addition to PREPROCESS, for check and profile mode.
CHECK_DEFINES = ["-DCUDASIM_CHECK"]

_COMMON_COPTS = [
    "-x",
    "c++-cpp-output",
    "-std=c++20",
    "-g",
    "-Wall",
    "-Wextra",
    # Columns of the rewritten text are not those of the student's file.
    "-fno-show-column",
    "-fno-diagnostics-show-caret",
    "-fPIC",
    "-fno-semantic-interposition",
    # One multiplication and one addition on every processor: the same results everywhere.
    "-ffp-contract=off",
    # As nvcc: a[0][i] that runs over all rows of a shared array ends no loop after the first row.
    "-fno-aggressive-loop-optimizations",
    "-pthread",
    # Calls the simulator where an access is misaligned, an index leaves its array or a local
    # variable, or a function ends without its return; the sanitizer's runtime is not linked.
    "-fsanitize=alignment,bounds,object-size,return",
]

# With a section for each function and variable the grader can tell which functions launch kernels,
# and what kernels call.
PLAIN_COPTS = _COMMON_COPTS + ["-O2", "-ffunction-sections", "-fdata-sections"]

# ThreadSanitizer's instrumentation calls the simulator's own callbacks: link without
# -fsanitize=thread.  The other flags keep one access in the source one access in the code, at its
# own line; calls of memcpy can be checked, copies inlined in their place cannot.  The compiler
# instruments only assignments, so a struct that a call reads from or returns into memory would go
# unseen: -fno-elide-constructors turns it into a call of a copy constructor or operator.
# -falign-functions leaves gaps between functions: libbacktrace finds no line in functions without a
# gap where another file has an instance of the same template.
CHECK_COPTS = _COMMON_COPTS + [
    "-O1",
    "-fno-omit-frame-pointer",
    "-falign-functions=64",
    "-fno-reorder-blocks",
    "-fno-optimize-sibling-calls",
    "-fno-tree-loop-distribute-patterns",
    "-fno-tree-sra",
    "-fno-elide-constructors",
    "-fsanitize=thread",
    "--param=tsan-distinguish-volatile=1",
    "--param=tsan-instrument-func-entry-exit=0",
] + ["-fno-builtin-" + function for function in [
    "memcpy",
    "memmove",
    "memset",
    # Host functions, which the compiler would turn into a store that is not instrumented.
    "bzero",
    "snprintf",
    "sprintf",
    "strcat",
    "strcpy",
    "strncat",
    "strncpy",
]]

# A callback at each basic block shows where the lanes of a warp diverge and reconverge. The lanes
# at the lowest address run first. Jump threading moves the exits of a condition with || or && to
# the function's end, where lanes would wait until the others have finished the whole loop.
# Calls of checks of accesses may change memory for all that the compiler knows, so that it would
# load again what nvcc keeps in a register; plain and check mode have reported what they find.
PROFILE_COPTS = CHECK_COPTS + [
    "-fno-sanitize=alignment,bounds,object-size",
    "-fno-thread-jumps",
    "--param=tsan-instrument-func-entry-exit=1",
    "-fsanitize-coverage=trace-pc",
]

# In addition to the options of each mode, where the processor is an x86-64.
_CALLS_OF_COPIES = [
    "-mmemcpy-strategy=libcall:-1:noalign",
    "-mmemset-strategy=libcall:-1:noalign",
]
X86_64_COPTS = {
    "check": _CALLS_OF_COPIES,
    "plain": [],
    "profile": _CALLS_OF_COPIES,
}

LINKOPTS = ["-pthread"]

# After the archive.  libbacktrace comes with g++ (libgcc-12-dev) and turns addresses into lines.
LINK_LIBRARIES = [
    "-lbacktrace",
    "-ldl",
]

# Of students' tests and of the grader alike. A cooperative launch of all threads of an H100 would take
# more memory than labs grant.
LAB_ENV = {"CUDASIM_COOPERATIVE_THREADS": "24576"}
