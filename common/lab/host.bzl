"""Shared by all actions that call a compiler directly."""

# gcc records its working directory, which is another one in each of Bazel's sandboxes.
HOST_ENV = {
    "LC_ALL": "C",
    "PATH": "/usr/bin:/bin",
    "PWD": "/proc/self/cwd",
}

def add_includes(args, context):
    """Adds a compilation context's include folders and defines to a compiler's arguments."""

    # -I and not -iquote, which nvcc does not know.
    args.add_all(context.quote_includes, before_each = "-I")
    args.add_all(context.includes, before_each = "-I")
    args.add_all(context.system_includes, before_each = "-isystem")
    args.add_all(context.defines, format_each = "-D%s")
