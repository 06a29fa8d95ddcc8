"""The deps of a program with a lab's hidden tests and the functions they call."""

def in_process_deps(lab, functions, cuda):
    """The deps of such a program.

    Args:
      lab: the lab's folder.
      functions: the library with an implementation of the lab's functions.
      cuda: whether they run on a GPU.
    """
    return [
        lab + "_hidden",
        functions,
        "//common/lab:in_process",
        "//labs/%s:exports" % lab,
    ] + (["//common/cuda:gpu_requirement"] if cuda else [])
