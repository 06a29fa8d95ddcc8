"""A lab's sample submissions as whole files, for targets that compile them."""

_PATCH = ".diff"

def _names(lab, suffix, exclude):
    """The samples in LAB/VERDICT that are stored with that suffix."""
    folders = [lab + "/%s/*" % folder for folder in exclude + ["bench"]]
    return native.glob([lab + "/*/*" + suffix], exclude = folders, allow_empty = True)

def whole_samples(lab, exclude = []):
    """The paths of all samples of a CUDA lab as whole files, stored or expanded from patches.

    Args:
      lab: the lab's folder.
      exclude: verdicts whose samples are left out.
    """
    made = [path[:-len(_PATCH)] + ".cu" for path in _names(lab, _PATCH, exclude)]
    return sorted(_names(lab, ".cu", exclude) + made)

def expanded_samples(lab, reference):
    """Makes LAB/VERDICT/NAME.cu of every patch LAB/VERDICT/NAME.diff, and :LAB_samples with all.

    Args:
      lab: the lab's folder.
      reference: the path of its reference.
    """
    whole = [reference] + _names(lab, ".cu", [])
    patches = _names(lab, _PATCH, [])
    made = [path[:-len(_PATCH)] + ".cu" for path in patches]
    if patches:
        native.genrule(
            name = lab + "_expanded",
            srcs = whole + patches,
            outs = made,
            cmd = "$(execpath //grader/judging/sample:expand) $$(dirname $(execpath %s)) $(RULEDIR)/%s %s" % (
                reference,
                lab,
                " ".join([path[len(lab) + 1:] for path in made]),
            ),
            tags = ["manual"],
            tools = ["//grader/judging/sample:expand"],
        )
    native.filegroup(
        name = lab + "_samples",
        srcs = whole + made,
        tags = ["manual"],
        visibility = ["//solutions:__subpackages__"],  # benchmarks time them
    )
