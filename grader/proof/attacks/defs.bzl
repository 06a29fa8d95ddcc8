"""The labs that the corpus attacks, graded like any other, and the tests that attack them."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")
load("@rules_python//python:defs.bzl", "py_test")
load("//common/lab:lab.bzl", "exports_source", "model_of")
load("//common/lab:flags.bzl", "HOST_LINK_FLAGS")
load("//grader/judging/kit:defs.bzl", "HIDDEN_TEST_FLAGS", "kit")

# The input of one hidden case. No student may ever read it.
HIDDEN_TEXT = "hidden_input_seven_of_clubs"

def attacked_lab(name, reference):
    """Makes :NAME_kit of the headers, hidden_test.cc, lab.toml and the reference in this package.

    Args:
      name: what the lab is called; submissions include labs/NAME/mix.h.
      reference: the reference's file.
    """
    model = model_of(reference)
    cc_library(
        name = "contract",
        hdrs = native.glob(["*.h"]),
        include_prefix = "labs/" + name,
        strip_include_prefix = "",
        deps = ["//common/lab:contract"] + model.contract_deps,
    )
    exports_source(
        name = "exports_source",
        out = "exports.cc",
        functions = ["Mix"],
        header = "labs/%s/mix.h" % name,
        model_include = model.exports_include,
    )
    cc_binary(
        name = name + "_checker",
        srcs = ["hidden_test.cc"],
        copts = HIDDEN_TEST_FLAGS,
        linkopts = HOST_LINK_FLAGS,
        local_defines = ["HIDDEN_TEXT=\\\"%s\\\"" % HIDDEN_TEXT],
        deps = [
            ":contract",
            "//common/lab/testing",
            "//grader/proof/attacks:mixing",
            "//grader/sandbox/checker:checker_main",
        ],
    )
    kit(
        name = name + "_kit",
        checker = name + "_checker",
        contract = ":contract",
        exports = "exports.cc",
        exports_deps = [":contract", "//common/lab/exports"] + model.exports_deps,
        gpu = select({"//common/lab:cuda_is_gpu": True, "//conditions:default": False}),
        lab = name,
        lab_toml = "lab.toml",
        reference = reference,
        visibility = ["//grader/proof/attacks:__pkg__"],
    )
    native.exports_files(
        [reference] + native.glob(["counting.*"], allow_empty = True),
        visibility = ["//grader/proof/attacks:__pkg__"],
    )

def attacks_test(name, aims, labs = ["cpu", "cuda"], tags = []):
    """A test that runs the attacks of some folders, alone on the machine.

    Args:
      name: the target's name.
      aims: the folders.
      labs: the attacked labs.
      tags: as in py_test.
    """
    kits = {lab: "//grader/proof/attacks/%s:attacked_%s_kit" % (lab, lab) for lab in labs}
    py_test(
        name = name,
        timeout = "long",
        srcs = ["attacks_test.py"],
        args = ["%s=$(rootpath %s)" % kit for kit in kits.items()] + [HIDDEN_TEXT] + aims,
        data = kits.values(),
        main = "attacks_test.py",
        tags = ["exclusive", "grader", "local"] + tags,
        deps = [":corpus"],
    )
