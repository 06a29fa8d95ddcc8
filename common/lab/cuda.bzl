"""cuda_library(): .cu files for the CPU simulator, or for a GPU with --config=gpu.

CUDA_RUNTIME: the deps of host code that includes <cuda_runtime.h>.
"""

load(
    "//common/lab/private:cuda.bzl",
    _CUDA_RUNTIME = "CUDA_RUNTIME",
    _cuda_library = "cuda_library",
)

CUDA_RUNTIME = _CUDA_RUNTIME

cuda_library = _cuda_library
