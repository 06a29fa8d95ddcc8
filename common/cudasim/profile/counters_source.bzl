"""Generates C++ from the catalogue of counters."""

load(":counters.bzl", "COUNTERS")

def _names(names):
    return "{%s}" % ", ".join(['"%s"' % name for name in names])

def _line(name, counter):
    """The statement that adds a counter of a kernel to `list`; "" for one of whole calls."""
    if "value" in counter:
        return 'list.Add("%s", %s);\n' % (name, counter["value"])
    if "over" not in counter or counter.get("of_calls"):
        return ""
    return 'list.AddQuotient("%s", %s, %s, %d);\n' % (
        name,
        _names(counter["over"]),
        _names(counter["under"]),
        counter.get("of_none", 0),
    )

def _impl(ctx):
    texts = {
        "kernel_counters": [_line(name, counter) for name, counter in COUNTERS.items()],
        "call_counters": [
            'call.Add("%s", %s);\n' % (name, counter["value_of_call"])
            for name, counter in COUNTERS.items()
            if "value_of_call" in counter
        ],
        "not_gradable": [
            '{"%s", "%s"},\n' % (name, counter["not_gradable"])
            for name, counter in COUNTERS.items()
            if "not_gradable" in counter
        ],
    }
    made = []
    for name, lines in texts.items():
        out = ctx.actions.declare_file(name + ".inc")
        ctx.actions.write(out, "".join(lines))
        made.append(out)
    return [DefaultInfo(files = depset(made))]

counters_source = rule(
    implementation = _impl,
    doc = "kernel_counters.inc, call_counters.inc and not_gradable.inc.",
)
