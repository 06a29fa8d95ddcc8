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

# Not simulated, either; the error names the header.
_REFUSED_HEADERS = [
    "cub/block/block_exchange.cuh",
    "cub/block/block_histogram.cuh",
    "cub/block/block_load.cuh",
    "cub/block/block_radix_sort.cuh",
    "cub/block/block_store.cuh",
    "cub/device/device_for.cuh",
    "cub/device/device_histogram.cuh",
    "cub/device/device_merge_sort.cuh",
    "cub/device/device_partition.cuh",
    "cub/device/device_run_length_encode.cuh",
    "cub/device/device_segmented_radix_sort.cuh",
    "cub/device/device_segmented_reduce.cuh",
    "cub/device/device_segmented_sort.cuh",
    "cub/warp/warp_scan.cuh",
    "cuda_occupancy.h",
    "thrust/adjacent_difference.h",
    "thrust/binary_search.h",
    "thrust/complex.h",
    "thrust/equal.h",
    "thrust/find.h",
    "thrust/gather.h",
    "thrust/iterator/discard_iterator.h",
    "thrust/iterator/permutation_iterator.h",
    "thrust/iterator/reverse_iterator.h",
    "thrust/iterator/zip_iterator.h",
    "thrust/logical.h",
    "thrust/merge.h",
    "thrust/mismatch.h",
    "thrust/partition.h",
    "thrust/random.h",
    "thrust/remove.h",
    "thrust/replace.h",
    "thrust/reverse.h",
    "thrust/scatter.h",
    "thrust/set_operations.h",
    "thrust/shuffle.h",
    "thrust/swap.h",
    "thrust/tabulate.h",
    "thrust/transform_scan.h",
    "thrust/tuple.h",
    "thrust/uninitialized_copy.h",
    "thrust/uninitialized_fill.h",
    "thrust/universal_vector.h",
    "thrust/zip_function.h",
]

# Headers whose contents cuda_runtime.h has.
_PARTS_OF_CUDA_RUNTIME = [
    "builtin_types.h",
    "channel_descriptor.h",
    "common_functions.h",
    "cuda_device_runtime_api.h",
    "cuda_runtime_api.h",
    "cuda_surface_types.h",
    "cuda_texture_types.h",
    "device_atomic_functions.h",
    "device_double_functions.h",
    "device_functions.h",
    "device_launch_parameters.h",
    "device_types.h",
    "driver_functions.h",
    "driver_types.h",
    "host_defines.h",
    "math_functions.h",
    "sm_20_atomic_functions.h",
    "sm_20_intrinsics.h",
    "sm_30_intrinsics.h",
    "sm_32_atomic_functions.h",
    "sm_32_intrinsics.h",
    "sm_35_atomic_functions.h",
    "sm_35_intrinsics.h",
    "sm_60_atomic_functions.h",
    "sm_61_intrinsics.h",
    "surface_functions.h",
    "surface_indirect_functions.h",
    "surface_types.h",
    "texture_fetch_functions.h",
    "texture_indirect_functions.h",
    "texture_types.h",
    "vector_functions.h",
    "vector_types.h",
]

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

def _texts():
    texts = {header: _refusal(header) for header in _REFUSED_HEADERS}
    for what, headers in _REFUSED.items():
        texts.update({header: _refusal(what) for header in headers})
    parts = {header: "cuda_runtime.h" for header in _PARTS_OF_CUDA_RUNTIME}
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
