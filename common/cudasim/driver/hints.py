"""Next steps for errors of the compiler or linker that CUDA code causes."""

from __future__ import annotations

import re

from .toolkit import toolkit_header

_README = "see README.md of the simulator for what is simulated"
_HINTS = [
    (
        r"fatal error: (?:thrust|cub|cuda/|nv/|cute|cutlass)\S*: No such file",
        "of the toolkit's C++ libraries (thrust, cub, libcu++) only a part is simulated; "
        "write a kernel, or " + _README,
    ),
    (
        r"fatal error: (?:cu(?:blas|rand|fft|sparse|solver|dnn)|npp|nvjpeg|nvgraph)\S*: No such",
        "the libraries of the toolkit (cublas, curand, cufft, ...) are not simulated",
    ),
    (
        r"fatal error: (?:cuda|nvrtc|nvml|cupti|surface_|texture_|sm_\d|mma)\S*: No such file",
        "this part of the toolkit is not simulated; " + _README,
    ),
    (
        r"fatal error: (?:helper_\S+|GL/\S+|book\.h)\S*: No such file",
        "add the folder of that header with -I",
    ),
    (
        r"\bcu[A-Z]\w+.* was not declared|undefined reference to `cu[A-Z]\w+'",
        "the driver API (cu...) is not simulated; use the runtime API (cuda...)",
    ),
    (
        r"undefined reference to `main'",
        "define main() in one of the files, or compile with -c or -shared",
    ),
    (
        r"undefined reference to `omp_|undefined reference to `GOMP_",
        "add -Xcompiler -fopenmp",
    ),
    (r"undefined reference to `__tsan_", "link with the mode that the objects were compiled for"),
    (
        r"[Ee]rror: .*(?:no such instruction|%%|bad register name|expecting operand)",
        "inline PTX is not simulated; use a function of CUDA C++",
    ),
    (r"cannot open output file|can't create", "choose another -o, where you may write"),
    (r"\bcuda\w+.* was not declared", "this call is not simulated; " + _README),
]


def hint(messages: str) -> str:
    """The next step for the first known message; empty if none is known."""
    for pattern, advice in _HINTS:
        if re.search(pattern, messages):
            return advice
    header = toolkit_header(messages)
    if header:
        return f"leave out {header}: this header of an installed CUDA toolkit is not simulated"
    return ""
