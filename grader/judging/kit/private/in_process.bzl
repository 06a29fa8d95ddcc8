"""The deps of a program with a lab's hidden tests and the functions they call."""

load("//common/lab:lab.bzl", "model_of")

def in_process_deps(lab, functions, file):
    """The deps of such a program.

    Args:
      lab: the lab's folder.
      functions: the library with an implementation of the lab's functions.
      file: a file of the lab's functions, whose name says its language.
    """
    return [
        lab + "_hidden",
        functions,
        "//labs/%s:exports" % lab,
    ] + model_of(file).in_process + model_of(file).hidden_deps
