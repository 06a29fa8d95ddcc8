"""The targets of the solutions folder. Use //grader/judging/kit:defs.bzl."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")
load("@rules_python//python:defs.bzl", "py_test")
load("//common/lab:flags.bzl", "HOST_LINK_FLAGS")
load("//common/lab:lab.bzl", "ENDINGS", "lab_library", "model_of")
load("//grader/judging/kit/private:gpu.bzl", "gpu_programs")
load("//grader/judging/kit/private:in_process.bzl", "in_process_deps")
load("//grader/judging/kit/private:kit.bzl", "kit")
load("//grader/judging/kit/private:samples.bzl", "expanded_samples")
load("//grader/judging/kit/private:tests_kit.bzl", "tests_kit")
load("//third_party/compilers:joined.bzl", "joined_source")

# A hidden test calls no student's code in its own process. Without debugging information and all of
# -O2 it is compiled in 0.6 of the time.
HIDDEN_TEST_FLAGS = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-pthread"]

_HIDDEN_TEST = "/hidden_test.cc"
_HIDDEN = "/hidden_*"
_DEMO = "/demo.toml"
_STUDENT_TESTS = "//grader/people/checks:tests/student_tests_test.py"
_PLAYED_HUNT = "//grader/people/hunts:tests/hunt_samples_test.py"

_PUBLIC = ["//visibility:public"]

def solutions():
    """Makes, for every folder LAB with a reference and a hidden_test.cc, which may have more files
    hidden_*.cc and hidden_*.h, compiled as one, so that their names differ or lie in namespaces:

    :LAB_reference       the reference, as a library
    :LAB_hidden_test     the hidden test with the reference, in one process; manual
    :LAB_checker         the hidden test as the grader runs it, apart from the submission
    :LAB_kit             the folder that the grader works from
    :LAB-tests_kit       the folder from which students' tests of the lab are graded; manual
    :LAB_samples_test    every sample submission gets the verdict that its folder is named after, and
                         right programs without the parallel work no more points than lab.toml
                         states, as far as that needs no clock; tagged samples
    :LAB_timed_test      what is too slow by the clock, and all points of the programs without the
                         parallel work; tagged timed
    :LAB_mutants_test    no mutant of the reference is accepted; exhaustive
    LAB/VERDICT/NAME.cu  CUDA labs: the whole file of each sample that is stored as a patch; manual
    :LAB_on_gpu          CUDA labs: a program for each sample that tests it on a GPU; manual

    and :kits, :demo_kits for the folders with a demo.toml, :lab_tomls, and :submissions with each
    reference and every file in LAB/*/.
    """
    labs = [path[:-len(_HIDDEN_TEST)] for path in native.glob(["*" + _HIDDEN_TEST])]
    for lab in labs:
        _solution(lab)
    native.filegroup(name = "kits", srcs = [lab + "_kit" for lab in labs], visibility = _PUBLIC)
    native.filegroup(
        name = "demo_kits",
        srcs = [path[:-len(_DEMO)] + "_kit" for path in native.glob(["*" + _DEMO])],
        visibility = _PUBLIC,
    )
    native.filegroup(
        name = "lab_tomls",
        srcs = ["//labs/%s:lab_toml" % lab for lab in labs],
        visibility = _PUBLIC,
    )
    native.filegroup(
        name = "submissions",
        srcs = [lab + "_submissions" for lab in labs],
        visibility = _PUBLIC,
    )

def _reference(lab):
    """The one file beside the hidden test."""
    files = native.glob([lab + "/*" + ending for ending in ENDINGS], exclude = [lab + _HIDDEN])
    if len(files) != 1:
        fail("error: need one reference in solutions/%s: %s\n  next: keep one of TOPIC%s" %
             (lab, ", ".join(files) or "no file", ", TOPIC".join(ENDINGS)))
    return files[0]

def _solution(lab):
    reference = _reference(lab)
    model = model_of(reference)
    contract = "//labs/%s:contract" % lab
    lab_library(
        name = lab + "_reference",
        srcs = [reference],
        visibility = _PUBLIC,
        deps = [contract],
    )
    cc_library(
        name = lab + "_hidden",
        srcs = native.glob([lab + _HIDDEN + ".h"], allow_empty = True) + [
            joined_source(lab + "_hidden_sources", native.glob([lab + _HIDDEN + ".cc"]), ".cc"),
        ],
        alwayslink = True,
        copts = HIDDEN_TEST_FLAGS,
        linkopts = HOST_LINK_FLAGS,
        deps = [contract, "//common/lab/testing", "//labs/%s:test_support" % lab],
    )
    cc_test(
        name = lab + "_hidden_test",
        env = {"LAB_GTEST": "1"},
        # For a lab's author. At every commit the reference is graded by the same cases.
        tags = model.tags + ["manual"],
        deps = in_process_deps(lab, lab + "_reference", reference),
    )
    cc_binary(
        name = lab + "_checker",
        deps = [lab + "_hidden", "//grader/sandbox/checker:checker_main"],
    )
    _kit(lab, reference, contract, model)
    tests_kit(
        name = lab + "-tests_kit",
        harness = [
            "//common/lab/testing",
            "//labs/%s:test_support" % lab,
        ] + model.in_process + model.test_deps,
        hidden = lab + "_hidden",
        kit = lab + "_kit",
        public_test = "//labs/%s:public_test" % lab,
        reference = reference,
        samples = lab + "_submissions",
        tags = ["manual"],
        visibility = _PUBLIC,
    )
    _grading_tests(lab, reference)
    if model.has_gpu:
        expanded_samples(lab, reference)
        gpu_programs(lab, contract)

def _kit(lab, reference, contract, model):
    kit(
        name = lab + "_kit",
        checker = lab + "_checker",
        contract = contract,
        exports = "//labs/%s:exports_source" % lab,
        exports_deps = [contract, "//common/lab/exports"] + model.exports_deps,
        gpu = select({"//common/lab:cuda_is_gpu": True, "//conditions:default": False}),
        lab = lab,
        lab_toml = "//labs/%s:lab_toml" % lab,
        reference = reference,
        visibility = _PUBLIC,
    )

def _grading_tests(lab, reference):
    # Their kit takes minutes to build.
    exercises = ["grader", "local", "exhaustive", "manual"]
    native.filegroup(
        name = lab + "_submissions",
        srcs = [reference] + native.glob([lab + "/*/**"], exclude = [lab + "/exercises/**"]) +
               native.glob([lab + "/*.toml"], allow_empty = True),
    )
    if native.glob([lab + "/exercises/tests.toml"], allow_empty = True):
        py_test(
            name = lab + "-tests_samples_test",
            timeout = "long",
            srcs = [_STUDENT_TESTS],
            args = ["$(rootpath :%s-tests_kit)" % lab, "solutions/%s/exercises" % lab],
            data = [lab + "-tests_kit"] + native.glob([lab + "/exercises/**"]),
            main = _STUDENT_TESTS,
            tags = exercises,
            deps = ["//grader/people/checks"],
        )
    if native.glob([lab + "/exercises/hunt/*"], allow_empty = True):
        kits = [lab + "_kit", lab + "-tests_kit"]
        folders = ["solutions/%s/exercises/hunt" % lab, "solutions/" + lab]
        py_test(
            name = lab + "-hunt_samples_test",
            timeout = "long",
            srcs = [_PLAYED_HUNT],
            args = ["$(rootpath :%s)" % kit for kit in kits] + folders,
            data = kits + [lab + "_submissions"] + native.glob([lab + "/exercises/hunt/*"]),
            main = _PLAYED_HUNT,
            tags = exercises,
            deps = ["//grader/people/hunts"],
        )
    _grading_test(lab, "_samples_test", "samples", ["judged"], ["samples"])
    _grading_test(lab, "_timed_test", "samples", ["timed"], ["exclusive", "timed"])
    _grading_test(lab, "_mutants_test", "no_mutant_survives", [], ["exclusive", "exhaustive"])

def _grading_test(lab, suffix, program, args, tags):
    """A test of //grader/people/checks that grades with the lab's kit."""
    main = "//grader/people/checks:tests/%s_test.py" % program
    py_test(
        name = lab + suffix,
        timeout = "eternal",
        srcs = [main],
        args = ["$(rootpath :%s_kit)" % lab, "solutions/" + lab] + args,
        data = [lab + "_kit", lab + "_submissions"],
        main = main,
        tags = ["grader", "local"] + tags,
        deps = ["//grader/people/checks"],
    )
