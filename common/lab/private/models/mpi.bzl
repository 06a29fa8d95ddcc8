"""Message passing, as common/lab/programming_models/mpi.py says it to the grader."""

load("@local_compilers//:defs.bzl", "GXX")
load("@rules_cc//cc:defs.bzl", "cc_library")
load("//common/lab:flags.bzl", "MPI_ENV", "MPI_FLAGS")
load("//common/lab/private:messages.bzl", "messages")

def _library(**kwargs):
    cc_library(copts = MPI_FLAGS, **kwargs)

def _targets(topic):
    messages(
        name = "messages",
        testonly = True,
        tags = ["manual"],
        test = ":%s_test" % topic,
    )

MPI = struct(
    name = "mpi",
    language = "cpp",
    has_gpu = False,
    contract_deps = ["//common/mpi:contract"],
    exports_include = "#include \"common/mpi/exports.h\"\n",
    exports_copts = [],
    exports_deps = ["//common/mpi:exports"],
    runtime = [],
    library = _library,
    preprocessors = [[GXX] + MPI_FLAGS + ["-fPIC", "-E"]],
    compiler = [GXX] + MPI_FLAGS + ["-fPIC", "-x", "c++-cpp-output"],
    rewriter = None,
    headers = [],
    targets = _targets,
    tags = [],
    test_data = [],
    other_tests = {},
    test_deps = [],
    in_process = [
        "//common/lab/test_program:in_process_main",
        "//common/mpi:in_process_call",
    ],
    hidden_deps = [],
    # As in the grader's second run of every test.
    test_env = dict(MPI_ENV, LAB_MPI_STRICT = "1"),
)
