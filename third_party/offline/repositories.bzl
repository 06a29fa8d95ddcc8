"""Stand-ins for the rule sets that Bazel would download, for WORKSPACE mode.

Bazel 4.2.3 has the C++, Java and Python rules built in: aliases of them are enough.
Bazel 7 needs the real rules, which Debian's newer package brings along.
"""

_RULES_CC = {
    "cc/BUILD": "",
    "cc/common/BUILD": "",
    "cc/common/cc_common.bzl": """
load(":native.bzl", "native_cc_common")
cc_common = native_cc_common
""",
    "cc/common/cc_info.bzl": """
load(":native.bzl", "NativeCcInfo")
CcInfo = NativeCcInfo
""",
    "cc/common/native.bzl": """
NativeCcInfo = CcInfo
native_cc_common = cc_common
""",
    "cc/defs.bzl": """
cc_binary = native.cc_binary
cc_library = native.cc_library
cc_import = native.cc_import
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
""",
    "cc/find_cc_toolchain.bzl": """
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")
find_cc_toolchain = find_cpp_toolchain
def use_cc_toolchain(mandatory = True):
    return ["@bazel_tools//tools/cpp:toolchain_type"]
""",
}

_RULES_JAVA = {
    "java/BUILD": "",
    "java/defs.bzl": """
java_binary = native.java_binary
java_import = native.java_import
java_library = native.java_library
java_runtime = native.java_runtime
java_toolchain = native.java_toolchain
""",
}

_RULES_PYTHON = {
    "python/BUILD": """
alias(
    name = "toolchain_type",
    actual = "@bazel_tools//tools/python:toolchain_type",
    visibility = ["//visibility:public"],
)
""",
    "python/defs.bzl": """
load("@bazel_tools//tools/python:toolchain.bzl", _py_runtime_pair = "py_runtime_pair")
py_binary = native.py_binary
py_library = native.py_library
py_runtime = native.py_runtime
py_runtime_pair = _py_runtime_pair
py_test = native.py_test
""",
}

_COVERAGE_TOOLS = {
    "BUILD": """
filegroup(name = "coverage_report_generator", visibility = ["//visibility:public"])
filegroup(name = "lcov_merger", visibility = ["//visibility:public"])
""",
}

def _stand_in_impl(repository_ctx):
    packaged = repository_ctx.attr.packaged
    if packaged and repository_ctx.path(packaged).exists:
        for entry in repository_ctx.path(packaged).readdir():
            repository_ctx.symlink(entry, entry.basename)
        return
    repository_ctx.file("WORKSPACE", "")
    for path, content in repository_ctx.attr.files.items():
        repository_ctx.file(path, content)

_stand_in = repository_rule(
    implementation = _stand_in_impl,
    attrs = {
        "files": attr.string_dict(),
        "packaged": attr.string(),
    },
)

def offline_repositories():
    """Declares the stand-ins. Call it first in WORKSPACE."""

    # Debian's builds report an empty native.bazel_version, hence this probe for 6.1 and newer.
    modern = hasattr(native, "package_relative_label")
    packages = "/usr/share/bazel/" if modern else ""
    _stand_in(name = "rules_cc", files = _RULES_CC, packaged = packages and packages + "rules/cc")
    _stand_in(
        name = "rules_java",
        files = _RULES_JAVA,
        packaged = packages and packages + "rules/java",
    )
    _stand_in(name = "rules_python", files = _RULES_PYTHON)
    _stand_in(name = "remote_coverage_tools", files = _COVERAGE_TOOLS)
    if modern:
        _stand_in(name = "bazel_skylib", packaged = packages + "tools/skylib")
