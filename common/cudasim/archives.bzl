"""The archives that a program outside of Bazel links."""

def archives_of(dep):
    """{name: file} of the archives of a library and its dependencies, in link order."""
    found = {}
    for linker_input in dep[CcInfo].linking_context.linker_inputs.to_list():
        for library in linker_input.libraries:
            archive = library.pic_static_library or library.static_library
            if not archive:
                continue
            if archive.basename in found:
                fail("error: two libraries have the same name: %s: %s\n  next: rename one" %
                     (dep.label, archive.basename))
            found[archive.basename] = archive
    return found
