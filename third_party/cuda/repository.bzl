"""@local_cuda: the machine's CUDA toolkit, or an empty stand-in.

Looked for in CUDA_PATH, CUDA_HOME, /usr/local/cuda, and beside the nvcc on PATH. Without a
toolkit everything still loads; only compiling a CUDA file with --config=gpu is an error.
"""

_LIBRARY_FOLDERS = ["lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"]
_HEADER_FOLDERS = ["include", "targets/x86_64-linux/include", "targets/sbsa-linux/include"]

def _first(repository_ctx, root, folders, name):
    for folder in folders:
        path = repository_ctx.path("%s/%s/%s" % (root, folder, name))
        if path.exists:
            return path
    return None

def _toolkit(repository_ctx):
    """(nvcc, libcudart_static.a, include folder), or None."""
    environ = repository_ctx.os.environ
    roots = [environ.get("CUDA_PATH"), environ.get("CUDA_HOME"), "/usr/local/cuda"]
    nvcc = repository_ctx.which("nvcc")
    if nvcc:
        roots.append(str(nvcc.realpath.dirname.dirname))
    for root in [root for root in roots if root]:
        nvcc = repository_ctx.path(root + "/bin/nvcc")
        library = _first(repository_ctx, root, _LIBRARY_FOLDERS, "libcudart_static.a")
        header = _first(repository_ctx, root, _HEADER_FOLDERS, "cuda_runtime.h")
        if nvcc.exists and library and header:
            return struct(nvcc = nvcc, library = library, headers = header.dirname)
    return None

_BUILD_FOUND = """
cc_library(
    name = "cudart",
    srcs = ["lib/libcudart_static.a"],
    hdrs = glob(["include/**"]),
    includes = ["include"],
    linkopts = ["-ldl", "-lpthread", "-lrt"],
)
"""

_BUILD_MISSING = """
cc_library(name = "cudart")
"""

def _impl(repository_ctx):
    toolkit = _toolkit(repository_ctx)
    if toolkit:
        repository_ctx.symlink(toolkit.library, "lib/libcudart_static.a")
        repository_ctx.symlink(toolkit.headers, "include")
    repository_ctx.file("WORKSPACE", "")
    repository_ctx.file("defs.bzl", "NVCC = %r  # empty: no toolkit\n" %
                                    (str(toolkit.nvcc) if toolkit else ""))
    repository_ctx.file("BUILD", """load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])
""" + (_BUILD_FOUND if toolkit else _BUILD_MISSING))

local_cuda = repository_rule(
    implementation = _impl,
    configure = True,
    environ = ["CUDA_HOME", "CUDA_PATH", "PATH"],
    local = True,
)
