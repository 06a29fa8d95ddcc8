"""Headers of CUDA that say one thing each, made from these lists into include, where the others are."""

# What is not simulated, and the headers whose include is an error that says so.
_REFUSED = {
    "EGL": ["cudaEGL.h", "cuda_egl_interop.h"],
    "NVML": ["nvml.h"],
    "OpenGL": ["cudaGL.h", "cuda_gl_interop.h"],
    "VDPAU": ["cuda_vdpau_interop.h"],
    "cublas": ["cublas.h", "cublasLt.h", "cublasXt.h", "cublas_v2.h"],
    "cudnn": ["cudnn.h"],
    "cufft": ["cufft.h", "cufftXt.h", "cufftw.h"],
    "cupti": ["cupti.h"],
    "curand": ["curand.h", "curand_kernel.h"],
    "cusolver": ["cusolverDn.h", "cusolverMg.h", "cusolverRf.h", "cusolverSp.h"],
    "cusparse": ["cusparse.h", "cusparse_v2.h"],
    "floating point of 4 bits": ["cuda_fp4.h"],
    "floating point of 6 bits": ["cuda_fp6.h"],
    "floating point of 8 bits": ["cuda_fp8.h"],
    "npp": ["npp.h", "nppi.h"],
    "nvjpeg": ["nvjpeg.h"],
    "nvrtc (compilation at run time)": ["nvrtc.h"],
    "the driver API": ["cudaProfiler.h", "cudaTypedefs.h"],
}

# Not simulated, either; the error names the header. A pattern, and what may stand in its place.
_REFUSED_HEADERS = {
    "cub/block/block_%s.cuh": "exchange histogram load radix_sort store",
    "cub/device/device_%s.cuh": "for histogram merge_sort partition " +
                                "segmented_radix_sort segmented_reduce segmented_sort",
    "cub/warp/warp_%s.cuh": "scan",
    "cuda_%s.h": "occupancy",
    "thrust/%s.h": "adjacent_difference complex equal find logical merge " +
                   "mismatch partition random remove replace reverse set_operations " +
                   "shuffle swap tabulate transform_scan uninitialized_copy " +
                   "uninitialized_fill universal_vector",
    "thrust/iterator/%s_iterator.h": "reverse",
}

# Headers whose contents cuda_runtime.h has.
_PARTS_OF_CUDA_RUNTIME = {
    "cuda_%s.h": "device_runtime_api runtime_api surface_types texture_types",
    "device_%s.h": "atomic_functions double_functions functions launch_parameters types",
    "sm_%s_intrinsics.h": "20 30 32 35 61",
    "sm_%s_atomic_functions.h": "20 32 35 60",
    "surface_%s.h": "functions indirect_functions types",
    "texture_%s.h": "fetch_functions indirect_functions types",
    "%s.h": "builtin_types channel_descriptor common_functions driver_functions driver_types " +
            "host_defines math_functions vector_functions vector_types",
}

# Other headers, and the one that has their contents here. NVTX's functions that name CUDA handles are
# not simulated.
_PARTS = {
    "cuda_awbarrier_primitives.h": "cuda_pipeline_primitives.h",
    "cuda_pipeline.h": "cuda_pipeline_primitives.h",
    "nvToolsExtCuda.h": "nvToolsExt.h",
    "nvToolsExtCudaRt.h": "nvToolsExt.h",
    "nvtx3/nvToolsExt.h": "nvToolsExt.h",
    "thrust/device_free.h": "thrust/device_malloc.h",
}

# Of libcu++: the headers of cuda, and the simulator's for each.
_LIBCU = {
    "atomic": "scoped_atomic",
    "barrier": "libcu_async",
    "latch": "libcu_barrier",
    "pipeline": "libcu_pipeline",
    "semaphore": "libcu_semaphore",
}

# Of cuda/std: the host's headers of C++, and those that the simulator has in cuda.
_STANDARD = ["array", "chrono", "cmath", "complex", "cstddef", "cstdint", "limits", "tuple", "type_traits", "utility"]
_LIBRARY = ["atomic", "barrier", "latch", "semaphore"]

_PART_TEXT = """// Part of %s here.
#pragma once

#include <%s>
"""

_LIBCU_TEXT = """// cuda::%s of libcu++, and what stands beside it.
#pragma once

#include "cuda_runtime.h"

#ifdef __CUDACC__

#include <atomic>
#include <cstddef>

#pragma clang force_cuda_host_device begin
#include "cudasim/%s.h"
#pragma clang force_cuda_host_device end

#endif
"""

_STANDARD_TEXT = """// The host's <%s>, by the names of libcu++.
#pragma once

#include <%s>

namespace cuda {
namespace std {
using namespace ::std;  // NOLINT: the same names
}  // namespace std
}  // namespace cuda
"""

def _refusal(what):
    return "#error \"cudasim: %s is not simulated; see common/cudasim/README.md\"\n" % what

def _headers(patterns):
    return [pattern % word for pattern, words in patterns.items() for word in words.split(" ")]

def _texts():
    texts = {header: _refusal(header) for header in _headers(_REFUSED_HEADERS)}
    for what, headers in _REFUSED.items():
        texts.update({header: _refusal(what) for header in headers})
    parts = {header: "cuda_runtime.h" for header in _headers(_PARTS_OF_CUDA_RUNTIME)}
    parts.update(_PARTS)
    texts.update({header: _PART_TEXT % (whole, whole) for header, whole in parts.items()})
    for name, own in _LIBCU.items():
        texts["cuda/" + name] = _LIBCU_TEXT % (name, own)
    for name in _STANDARD:
        texts["cuda/std/" + name] = _STANDARD_TEXT % (name, name)
    for name in _LIBRARY:
        texts["cuda/std/" + name] = "#include <cuda/%s>\n" % name
    return texts

def _short_headers_impl(ctx):
    made = []
    for header, text in _texts().items():
        made.append(ctx.actions.declare_file("include/" + header))
        ctx.actions.write(made[-1], text)
    return [DefaultInfo(files = depset(made))]

short_headers = rule(
    implementation = _short_headers_impl,
    doc = "Headers below include: what is not simulated, and other names of what is.",
)
