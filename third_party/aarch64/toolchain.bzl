"""Debian's cross compiler as a C++ toolchain."""

load("@bazel_tools//tools/cpp:cc_toolchain_config_lib.bzl", "feature", "flag_group", "flag_set", "tool_path")
load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load("//third_party/compilers:aarch64.bzl", "AARCH64_GXX")

_PREFIX = AARCH64_GXX[:-len("g++")]

_TOOLS = {
    "ar": "ar",
    "cpp": "cpp",
    "gcc": "g++",
    "gcov": "gcov",
    "ld": "ld",
    "nm": "nm",
    "objcopy": "objcopy",
    "objdump": "objdump",
    "strip": "strip",
}

_LINKS = [
    ACTION_NAMES.cpp_link_executable,
    ACTION_NAMES.cpp_link_dynamic_library,
    ACTION_NAMES.cpp_link_nodeps_dynamic_library,
]

def _config_impl(ctx):
    static = flag_set(actions = _LINKS, flag_groups = [flag_group(flags = ["-lm"])])
    return cc_common.create_cc_toolchain_config_info(
        ctx = ctx,
        abi_libc_version = "glibc",
        abi_version = "gcc",
        compiler = "gcc",
        cxx_builtin_include_directories = ["/usr/aarch64-linux-gnu", "/usr/lib/gcc-cross"],
        features = [
            feature(name = "supports_pic", enabled = True),
            feature(name = "math", enabled = True, flag_sets = [static]),
        ],
        host_system_name = "x86_64",
        target_cpu = "aarch64",
        target_libc = "glibc",
        target_system_name = "aarch64",
        tool_paths = [
            tool_path(name = name, path = _PREFIX + tool)
            for name, tool in _TOOLS.items()
        ],
        toolchain_identifier = "aarch64",
    )

cross_toolchain_config = rule(
    implementation = _config_impl,
    provides = [CcToolchainConfigInfo],
)
