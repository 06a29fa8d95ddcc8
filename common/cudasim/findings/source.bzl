"""Generates C++ from the catalogue of findings."""

load(":findings.bzl", "FINDINGS")

def _verdict(finding):
    return "" if finding.get("is_warning") else finding.get("verdict", "runtime_error")

def _impl(ctx):
    out = ctx.actions.declare_file("kinds.inc")
    lines = ['{"%s", "%s"},\n' % (name, _verdict(finding)) for name, finding in FINDINGS.items()]
    ctx.actions.write(out, "".join(lines))
    return [DefaultInfo(files = depset([out]))]

findings_source = rule(
    implementation = _impl,
    doc = "kinds.inc: the entries of kListedKinds.",
)
