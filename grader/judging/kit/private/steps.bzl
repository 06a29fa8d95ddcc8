"""What the commands that build a submission in the grader's jail have in common.

There the kit's public folder is /kit, the student's file lies in /submission, and everything is
written to /out. The flags are the constants that Bazel's own targets are compiled with. The
preprocessed text is compiled, so that the policy checks exactly what is compiled.
"""

load("@local_compilers//:defs.bzl", "GXX")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//third_party/compilers:actions.bzl", "HOST_ENV", "add_includes", "compilation_context")

INCLUDE = ["-I/kit/include"]

# Apart from /kit/include: the labs' headers and the simulator's both have a folder called cudasim.
SIMULATOR_INCLUDE = ["-isystem", "/kit/simulator"]

# What a submission defines is its own, as in a program: its variable `error` is not the C library's
# function, whichever library is loaded first; and its copies of std::string's functions are called,
# which are instrumented, unlike those in the C++ library.
LIBRARY = ["-shared", "-Wl,-Bsymbolic"]

# Such a library exports the table of the lab's functions and nothing else.
EXPORTS_ONLY_THE_TABLE = ["-Xlinker", "--version-script", "-Xlinker", "/kit/lib/exports.lds"]

# For g++: without the places of variables, which only debuggers ask for, it takes a tenth less time.
UNTRACKED = ["-fno-var-tracking", "-fno-var-tracking-assignments"]

# For g++: own_object() makes no unique symbols local.
NOT_UNIQUE = ["-fno-gnu-unique"]

# lab::internal::napping, in common/lab/quiescence.h: the one variable that the table's functions and
# a submission share.
_SHARED = "_ZN3lab8internal7nappingE"

# Reports an undefined function when linking instead of in the worker. Not for sanitizers, whose
# functions are defined in the worker.
COMPLETE = ["-Wl,-z,defs"]

_PRECOMPILED = "/headers/text.gch"
_INCLUDE_PRECOMPILED = ["-Xclang", "-include-pch", "-Xclang", _PRECOMPILED]
_QUIET = ["-Wno-unused-command-line-argument"]

_SIMULATOR_HEADERS = "common/cudasim/include/"

# Where, below a target's folder, Bazel places headers that are included by a different path.
_VIRTUAL = "/_virtual_includes/"

def precompiled(steps, text, clang = False):
    """How the step that compiles a text can begin with precompiled headers, for manifest.py.

    Args:
      steps: of a build.
      text: the path of the preprocessed text, an argument of one step that compiles it.
      clang: whether that step's compiler is clang++ instead of g++.

    Returns:
      the value of "headers" of the build.
    """
    step = [each for each in steps if text in each and "c++-cpp-output" in each][0]
    own = ["/own/text.ii" if word == text else word for word in step]
    header = ["c++-header"] + ([] if clang else ["-fpreprocessed"])
    make = []
    for i, word in enumerate(step):
        if word == "c++-cpp-output":
            make += header
        elif word == text:
            make.append("/headers/text.ii")
        elif i > 0 and step[i - 1] == "-o":
            make.append(_PRECOMPILED)
        elif word not in ["-c", "-S", "-emit-llvm"]:
            make.append(word)
    return {
        "begins": "" if clang else "#pragma GCC pch_preprocess \"%s\"\n" % _PRECOMPILED,
        "make": make,
        "step": step,
        "text": text,
        "use": own + (_INCLUDE_PRECOMPILED + _QUIET if clang else ["-fpch-preprocess"]),
    }

def build(
        name,
        steps,
        worker = "public/worker",
        env = {},
        folders = [],
        symbolizer = "",
        headers = None):
    """A build, as grader/model/manifest.py describes it."""
    return {
        "env": env,
        "folders": folders,
        "headers": headers,
        "library": name + ".so",
        "steps": steps,
        "symbolizer": symbolizer,
        "worker": worker,
    }

def own_object(gxx, path):
    """Makes PATH_own.o of PATH.o, in which only the lab's functions can be linked with.

    All else that a submission defines serves the submission alone: inline functions are no longer
    shared with those of the same name in the table of functions.

    Args:
      gxx: a compiler that calls GNU ld.
      path: of the object file, without its ending.

    Returns:
      the commands.
    """
    grouped = path + "_grouped.o"
    return [
        [gxx, "-r", "-nostdlib", "-Wl,--force-group-allocation", path + ".o", "-o", grouped],
        # assemble.py makes the list.
        ["/usr/bin/objcopy", "--keep-global-symbols", "/kit/lib/functions"] +
        ["--keep-global-symbol", _SHARED, grouped, path + "_own.o"],
    ]

def to_object(compile, path):
    """Compiles the preprocessed text PATH.ii; `compile`: the compiler, its flags and "-x"."""
    return [compile + ["c++-cpp-output", "-c", path + ".ii", "-o", path + ".o"]]

def library_steps(name, compiler, flags, link_flags, exports, file, to_object = to_object):
    """The commands that build a library of a submission to a lab without device code.

    Args:
      name: what the library is called.
      compiler: the compiler's path.
      flags: for the compiler.
      link_flags: for the compiler when it links.
      exports: the file with the table of functions.
      file: the student's.
      to_object: the commands that compile the preprocessed text.

    Returns:
      the commands.
    """
    path = "/out/" + name
    compile = [compiler] + flags + ["-fPIC"]

    # Initialised in this order: a submission's initialisers may start threads.
    objects = ["/kit/lib/" + exports, path + "_own.o"]
    return (
        [compile + INCLUDE + ["-E", "/submission/" + file, "-o", path + ".ii"]] +
        to_object(compile + ["-x"], path) +
        own_object(GXX, path) +
        [[compiler] + LIBRARY + EXPORTS_ONLY_THE_TABLE + ["-o", path + ".so"] + objects + link_flags]
    )

def compile_exports(ctx, compiler, flags, name, runtime = []):
    """The table of functions as an object file, for linking with a submission.

    Args:
      ctx: the rule's context.
      compiler: the compiler's path.
      flags: for the compiler.
      name: the object file's name.
      runtime: the libraries with cuda_runtime.h, for a CUDA lab.

    Returns:
      the object file.
    """
    context = compilation_context(ctx.attr.exports_deps + runtime)
    out = ctx.actions.declare_file("_%s/%s" % (ctx.label.name, name))
    args = ctx.actions.args()
    args.add_all(flags + ["-fPIC"])
    add_includes(args, context)
    args.add("-c", ctx.file.exports)
    args.add("-o", out)
    ctx.actions.run(
        arguments = [args],
        env = HOST_ENV,
        executable = compiler,
        inputs = depset([ctx.file.exports], transitive = [context.headers]),
        mnemonic = "KitExports",
        outputs = [out],
        progress_message = "Compiling %s" % out.short_path,
    )
    return out

def headers_of(dep):
    """{path in the kit: file} of a library's headers that belong to this workspace."""
    files = {}
    for header in dep[CcInfo].compilation_context.headers.to_list():
        path = header.short_path
        if path.startswith("../"):
            continue  # of another repository
        if _VIRTUAL in path:
            path = path.partition(_VIRTUAL)[2].partition("/")[2]
        if path.startswith(_SIMULATOR_HEADERS):
            files["public/simulator/" + path[len(_SIMULATOR_HEADERS):]] = header
        else:
            files["public/include/" + path] = header
    return files

def program(label, cfg = "target"):
    """An attribute of a rule: a program."""
    return attr.label(cfg = cfg, default = label, executable = True)
