"""simulator_worker(): the worker with the CUDA simulator in it, in one of its modes."""

load("@local_compilers//:defs.bzl", "GXX")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")
load("//common/cudasim:archives.bzl", "archives_of")
load("//common/cudasim:flags.bzl", "LINKOPTS", "LINK_LIBRARIES")
load("//third_party/compilers:actions.bzl", "HOST_ENV")

# A library with the program's exported names and nothing behind them, for the linker. At run time
# the program itself is known by the library's name, so the loader opens no file.
_SONAME = "-Wl,-soname,simulator"
_INTERFACE = """readelf --dyn-syms --wide $1 | awk '
  $5 != "LOCAL" && $7 ~ /^[0-9]+$/ {
    sub(/@.*/, "", $8)
    print $4 == "TLS" ? ".section .tbss,\\"awT\\",%%nobits\\n.type " $8 ",%%tls_object" : ".text"
    print ".globl " $8 "\\n.size " $8 "," $3 "\\n" $8 ": .zero " $3
  }' > $2.s && %s -shared -nostdlib -x assembler $2.s %s -o $2""" % (GXX, _SONAME)

def _impl(ctx):
    program = ctx.actions.declare_file(ctx.label.name)
    interface = ctx.actions.declare_file(ctx.label.name + ".so")
    worker = archives_of(ctx.attr._worker).values()
    simulator = archives_of(ctx.attr.simulator).values()
    args = ctx.actions.args()
    args.add_all(LINKOPTS + ["-Wl,--export-dynamic,--strip-debug", _SONAME])
    args.add(ctx.file._exported, format = "-Wl,--version-script=%s")
    args.add("-o", program)
    args.add("-Wl,--whole-archive")
    args.add_all(worker + simulator)
    args.add("-Wl,--no-whole-archive")
    args.add_all(LINK_LIBRARIES)
    ctx.actions.run(
        arguments = [args],
        env = HOST_ENV,
        executable = GXX,
        inputs = worker + simulator + [ctx.file._exported],
        mnemonic = "SimulatorWorker",
        outputs = [program],
    )
    ctx.actions.run_shell(
        arguments = [program.path, interface.path],
        command = _INTERFACE,
        env = HOST_ENV,
        inputs = [program],
        mnemonic = "SimulatorInterface",
        outputs = [interface],
    )
    return [DefaultInfo(files = depset([program, interface], order = "preorder"))]

simulator_worker = rule(
    implementation = _impl,
    doc = "NAME: the worker; NAME.so: what submissions are linked with.",
    attrs = {
        "simulator": attr.label(mandatory = True, providers = [CcInfo]),
        "_exported": attr.label(
            allow_single_file = True,
            default = "//grader/judging/kit:simulator.lds",
        ),
        "_worker": attr.label(default = "//grader/sandbox/worker:main", providers = [CcInfo]),
    },
)
