"""The GPU of this machine."""

import ctypes

from grader.model.errors import GraderError

_LIBRARY = "libcuda.so.1"
_NEXT = "run nvidia-smi to see what is wrong, or leave --gpu out"


def gpu_name() -> str:
    """The name of the first GPU, from its driver; GraderError where there is none."""
    try:
        driver = ctypes.CDLL(_LIBRARY)
    except OSError as error:
        raise GraderError(f"--gpu: no GPU on this machine: {error}", _NEXT) from error
    name = ctypes.create_string_buffer(256)
    device = ctypes.c_int()
    for call, arguments in (
        ("cuInit", (0,)),
        ("cuDeviceGet", (ctypes.byref(device), 0)),
        ("cuDeviceGetName", (name, len(name), 0)),
    ):
        code = getattr(driver, call)(*arguments)
        if code != 0:
            raise GraderError(f"--gpu: the GPU's driver fails: {call}: error {code}", _NEXT)
    return name.value.decode("utf-8", "replace")
